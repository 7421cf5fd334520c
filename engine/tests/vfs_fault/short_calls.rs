//! AC14: full reads and writes survive every short count and every interruption; a write of nothing is an error.

use graven::vfs::fault::{EINTR, EIO, Effect, Fault, FaultDisk, Kinds, OperationKind};
use graven::vfs::{Access, File, read_exact_at, read_up_to, write_all_at};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

const TEXT: &[u8] = b"thirteen byte";

fn with_file(bytes: &[u8]) -> (FaultDisk, Arc<dyn File>) {
    let disk = FaultDisk::new();
    disk.write_file("/f", bytes).expect("a file");
    let root = disk.process(1).open_directory(Path::new("/")).expect("the root");
    let file = root.open_file(b"f", Access::ReadWrite).expect("the file");
    (disk, file)
}

fn hit(kind: OperationKind, nth: u64, effect: Effect) -> Fault {
    Fault::nth(Kinds::Only(kind), nth, effect)
}

#[test]
fn ac14_a_write_is_continued_after_every_short_count() {
    for short in 1..TEXT.len() as u64 {
        for fault in [
            hit(OperationKind::Write, 1, Effect::Short(short)),
            hit(OperationKind::Write, 2, Effect::Short(short)),
            hit(OperationKind::Write, 1, Effect::Short(short)).sticky(),
        ] {
            let (disk, file) = with_file(b"--");
            // With two short counts in a row where the second call is to be hit.
            disk.inject(fault.clone());
            if fault.nth == 2 {
                disk.inject(hit(OperationKind::Write, 1, Effect::Short(5)));
            }
            write_all_at(&*file, 2, TEXT).expect("a whole write");
            assert_eq!(
                disk.read_file("/f").expect("the file"),
                [b"--", TEXT].concat(),
                "no hole, no repetition"
            );
            assert!(disk.faults_fired() > 0);
            assert_eq!(disk.counters().bytes_written, TEXT.len() as u64);
        }
    }
}

#[test]
fn ac14_a_read_is_continued_after_every_short_count_at_every_offset() {
    for offset in 0..TEXT.len() {
        for short in 1..=TEXT.len() as u64 {
            for sticky in [false, true] {
                let (disk, file) = with_file(TEXT);
                let fault = hit(OperationKind::Read, 1, Effect::Short(short));
                disk.inject(if sticky { fault.sticky() } else { fault });
                let mut exact = vec![0; TEXT.len() - offset];
                read_exact_at(&*file, offset as u64, &mut exact).expect("a whole read");
                assert_eq!(exact, TEXT[offset..]);
                let mut wide = [0; 40];
                let read = read_up_to(&*file, offset as u64, &mut wide).expect("a read to the end");
                assert_eq!(wide[..read], TEXT[offset..]);
            }
        }
    }
}

#[test]
fn ac14_an_interruption_is_retried_wherever_it_comes() {
    for nth in 1..=4 {
        for kind in [OperationKind::Read, OperationKind::Write] {
            let (disk, file) = with_file(TEXT);
            // Interrupted first: where two faults hit one call, the first one injected decides.
            disk.inject(hit(kind, nth, Effect::Fail(EINTR)));
            disk.inject(hit(kind, 1, Effect::Short(4)).sticky());
            if kind == OperationKind::Write {
                write_all_at(&*file, 0, &TEXT.to_ascii_uppercase()).expect("a whole write");
                assert_eq!(disk.read_file("/f").expect("the file"), TEXT.to_ascii_uppercase());
            } else {
                let mut bytes = vec![0; TEXT.len()];
                read_exact_at(&*file, 0, &mut bytes).expect("a whole read");
                assert_eq!(bytes, TEXT);
                disk.inject(hit(kind, nth, Effect::Fail(EINTR)));
                assert_eq!(read_up_to(&*file, 0, &mut bytes).expect("a read"), TEXT.len());
                assert_eq!(bytes, TEXT);
            }
            assert!(disk.faults_fired() >= 5, "four short counts and an interruption");
        }
    }
}

#[test]
fn ac14_a_write_of_nothing_is_an_error_and_a_read_of_nothing_the_end() {
    for earlier in 0..3 {
        let (disk, file) = with_file(b"");
        disk.inject(hit(OperationKind::Write, earlier + 1, Effect::Short(0)));
        disk.inject(hit(OperationKind::Write, 1, Effect::Short(2)).sticky());
        let error = write_all_at(&*file, 0, TEXT).expect_err("nothing was written");
        assert_eq!(error.kind(), ErrorKind::WriteZero);
        assert_eq!(
            disk.read_file("/f").expect("the file").len() as u64,
            2 * earlier,
            "and it was not tried again"
        );
    }
    let (disk, file) = with_file(TEXT);
    disk.inject(hit(OperationKind::Read, 2, Effect::Short(0)));
    disk.inject(hit(OperationKind::Read, 1, Effect::Short(5)));
    let error = read_exact_at(&*file, 0, &mut [0; 13]).expect_err("the file ended");
    assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn ac14_any_other_error_ends_the_call_with_what_was_moved_before() {
    let (disk, file) = with_file(b"");
    disk.inject(hit(OperationKind::Write, 2, Effect::Fail(EIO)));
    disk.inject(hit(OperationKind::Write, 1, Effect::Short(6)));
    assert_eq!(
        write_all_at(&*file, 0, TEXT).expect_err("EIO").raw_os_error(),
        Some(EIO)
    );
    assert_eq!(disk.read_file("/f").expect("the file"), &TEXT[..6]);
    assert_eq!(disk.counters().calls(OperationKind::Write), 2);
    for whole in [true, false] {
        disk.inject(hit(OperationKind::Read, 1, Effect::Fail(EIO)));
        let mut bytes = [0; 6];
        let error = if whole {
            read_exact_at(&*file, 0, &mut bytes)
        } else {
            read_up_to(&*file, 0, &mut bytes).map(drop)
        };
        assert_eq!(error.expect_err("EIO").raw_os_error(), Some(EIO));
    }
}

#[test]
fn ac14_nothing_to_move_is_no_call() {
    let (disk, file) = with_file(TEXT);
    let before = disk.operations();
    write_all_at(&*file, 99, b"").expect("nothing");
    read_exact_at(&*file, 99, &mut []).expect("nothing");
    assert_eq!(read_up_to(&*file, 99, &mut []).expect("nothing"), 0);
    assert_eq!(disk.operations(), before);
    assert_eq!(disk.read_file("/f").expect("the file"), TEXT);
}
