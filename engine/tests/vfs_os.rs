//! The real file system behind the `Vfs` face: names, symlinks, links, pipes, lengths, renames.

use graven::vfs::os::OsVfs;
use graven::vfs::{
    Access, Directory, Entry, EntryKind, File, FileSystem, Mode, Vfs, read_exact_at, read_up_to, write_all_at,
};
use rustix::fs as raw;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

fn open(path: &Path) -> Arc<dyn Directory> {
    OsVfs.open_directory(path).expect("the directory opens")
}

fn here() -> (tempfile::TempDir, Arc<dyn Directory>) {
    let tree = tempfile::tempdir().expect("a directory");
    let directory = open(tree.path());
    (tree, directory)
}

fn content(file: &dyn File) -> Vec<u8> {
    let len = file.metadata().expect("metadata").len;
    let mut bytes = vec![0; usize::try_from(len).expect("a length")];
    read_exact_at(file, 0, &mut bytes).expect("all bytes");
    bytes
}

#[test]
fn names_that_are_not_one_component_are_refused_by_every_call() {
    let (tree, directory) = here();
    std::fs::write(tree.path().join("a"), "a").expect("a file");
    for bad in [&b""[..], b".", b"..", b"../a", b"/etc", b"a/b", b"a\0b"] {
        let answers = [
            directory.open_directory(bad).map(drop),
            directory.create_directory(bad, Mode::Private),
            directory.open_file(bad, Access::Read).map(drop),
            directory.create_file(bad, Mode::Private).map(drop),
            directory.rename(bad, b"x"),
            directory.rename(b"a", bad),
            directory.rename_new(bad, b"x"),
            directory.rename_new(b"a", bad),
            directory.remove_file(bad),
            directory.remove_directory(bad),
            directory.create_symlink(bad, b"a"),
            directory.read_symlink(bad).map(drop),
        ];
        for (at, answer) in answers.into_iter().enumerate() {
            let error = answer.expect_err("a name that is not one component");
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "call {at} with {bad:?}");
        }
    }
}

#[test]
fn a_symlink_is_never_followed_below_a_directory_handle() {
    let (tree, directory) = here();
    std::fs::write(tree.path().join("file"), "secret").expect("a file");
    directory
        .create_directory(b"inner", Mode::Private)
        .expect("a directory");
    directory.create_symlink(b"to-file", b"file").expect("a symlink");
    directory.create_symlink(b"to-inner", b"inner").expect("a symlink");
    directory.create_symlink(b"dangling", b"new").expect("a symlink");
    for access in [Access::Read, Access::ReadWrite] {
        let error = directory.open_file(b"to-file", access).expect_err("a symlink");
        assert_eq!(error.raw_os_error(), Some(rustix::io::Errno::LOOP.raw_os_error()));
    }
    directory.open_directory(b"to-inner").expect_err("a symlink");
    let error = directory
        .create_file(b"dangling", Mode::Private)
        .expect_err("a name that is taken");
    assert_eq!(error.kind(), ErrorKind::AlreadyExists);
    assert!(!tree.path().join("new").exists());
    assert_eq!(directory.read_symlink(b"to-file").expect("its target"), b"file");
    directory
        .remove_file(b"to-inner")
        .expect("the link goes, not the directory");
    directory.open_directory(b"inner").expect("the directory stays");
}

#[test]
fn the_last_component_of_a_store_path_may_be_a_symlink() {
    let (tree, directory) = here();
    directory.create_directory(b"real", Mode::Private).expect("a directory");
    directory.create_symlink(b"alias", b"real").expect("a symlink");
    let through = open(&tree.path().join("alias"));
    through.create_file(b"x", Mode::Private).expect("a file");
    assert!(tree.path().join("real/x").is_file());
    let error = OsVfs
        .open_directory(&tree.path().join("real/x"))
        .expect_err("a file is no directory");
    assert_eq!(error.kind(), ErrorKind::NotADirectory);
}

#[test]
fn a_handle_goes_on_meaning_its_directory_when_that_is_renamed() {
    let (tree, directory) = here();
    directory.create_directory(b"one", Mode::Private).expect("a directory");
    let one = directory.open_directory(b"one").expect("its handle");
    directory.rename(b"one", b"two").expect("a rename");
    one.create_file(b"x", Mode::Private).expect("a file");
    assert!(tree.path().join("two/x").is_file());
}

#[test]
fn metadata_tells_hard_links_and_what_is_no_regular_file() {
    let (tree, directory) = here();
    let file = directory.create_file(b"a", Mode::Private).expect("a file");
    write_all_at(&*file, 0, b"12345").expect("a write");
    assert_eq!(file.metadata().expect("metadata").links, 1);
    std::fs::hard_link(tree.path().join("a"), tree.path().join("b")).expect("a hard link");
    let metadata = directory
        .open_file(b"b", Access::Read)
        .expect("the file")
        .metadata()
        .expect("metadata");
    assert_eq!((metadata.is_file, metadata.links, metadata.len), (true, 2, 5));
    directory.create_directory(b"d", Mode::Private).expect("a directory");
    assert!(
        !directory
            .open_file(b"d", Access::Read)
            .expect("opens")
            .metadata()
            .expect("metadata")
            .is_file
    );
    directory
        .open_file(b"d", Access::ReadWrite)
        .expect_err("a directory cannot be written");
}

#[test]
fn a_pipe_under_a_files_name_does_not_block_the_open() {
    let (tree, directory) = here();
    let pipe = tree.path().join("pipe");
    raw::mknodat(raw::CWD, &pipe, raw::FileType::Fifo, raw::Mode::from(0o600), 0).expect("a pipe");
    for access in [Access::Read, Access::ReadWrite] {
        let file = directory.open_file(b"pipe", access).expect("it opens at once");
        assert!(!file.metadata().expect("metadata").is_file);
        file.read_at(0, &mut [0; 4]).expect_err("a pipe has no offsets");
    }
    assert_eq!(
        directory.entries().expect("entries"),
        [Entry {
            name: b"pipe".to_vec(),
            kind: EntryKind::Other
        }]
    );
}

#[test]
fn creation_never_opens_what_exists_and_rename_new_never_replaces() {
    let (_tree, directory) = here();
    for name in [&b"a"[..], b"b"] {
        let file = directory.create_file(name, Mode::Private).expect("a file");
        write_all_at(&*file, 0, name).expect("a write");
    }
    directory.create_directory(b"d", Mode::Private).expect("a directory");
    let taken = [
        directory.create_file(b"a", Mode::Private).map(drop),
        directory.create_file(b"d", Mode::Private).map(drop),
        directory.create_directory(b"a", Mode::Private),
        directory.create_directory(b"d", Mode::Private),
        directory.create_symlink(b"a", b"x"),
        directory.rename_new(b"a", b"b"),
        directory.rename_new(b"a", b"d"),
    ];
    for answer in taken {
        assert_eq!(answer.expect_err("taken").kind(), ErrorKind::AlreadyExists);
    }
    directory.rename_new(b"d", b"e").expect("a free name");
    directory.rename_new(b"a", b"c").expect("a free name");
    directory.rename(b"c", b"b").expect("a rename replaces");
    assert_eq!(
        content(&*directory.open_file(b"b", Access::Read).expect("the file")),
        b"a"
    );
    let names: Vec<_> = directory
        .entries()
        .expect("entries")
        .into_iter()
        .map(|entry| entry.name)
        .collect();
    assert_eq!(names, [b"b", b"e"]);
}

#[test]
fn entries_are_sorted_and_tell_the_execute_bit() {
    let (tree, directory) = here();
    directory.create_file(b"z", Mode::Executable).expect("a file");
    directory.create_file(b"m", Mode::Shared).expect("a file");
    directory.create_directory(b"a", Mode::Private).expect("a directory");
    directory.create_symlink(b"k", b"z").expect("a symlink");
    directory
        .create_file(b"\xff\xfe", Mode::Private)
        .expect("a file whose name is not text");
    let expected = [
        (&b"a"[..], EntryKind::Directory),
        (b"k", EntryKind::Symlink),
        (b"m", EntryKind::File { executable: false }),
        (b"z", EntryKind::File { executable: true }),
        (b"\xff\xfe", EntryKind::File { executable: false }),
    ];
    let expected: Vec<_> = expected
        .into_iter()
        .map(|(name, kind)| Entry {
            name: name.to_vec(),
            kind,
        })
        .collect();
    assert_eq!(directory.entries().expect("entries"), expected);
    assert_eq!(directory.entries().expect("entries, read again"), expected);
    directory.create_file(b"p", Mode::Private).expect("a file");
    let mode = |name| {
        std::fs::metadata(tree.path().join(name))
            .expect("metadata")
            .permissions()
            .mode()
            & 0o7777
    };
    assert_eq!((mode("p"), mode("a")), (0o600, 0o700));
}

#[test]
fn offsets_are_absolute_lengths_are_set_and_reads_end_at_the_end() {
    let (_tree, directory) = here();
    let file = directory.create_file(b"a", Mode::Private).expect("a file");
    write_all_at(&*file, 4, b"wxyz").expect("a write past the end");
    assert_eq!(content(&*file), b"\0\0\0\0wxyz");
    let mut wide = [7; 16];
    assert_eq!(read_up_to(&*file, 6, &mut wide).expect("a read"), 2);
    assert_eq!(&wide[..3], b"yz\x07");
    assert_eq!(
        read_exact_at(&*file, 6, &mut wide).expect_err("too much").kind(),
        ErrorKind::UnexpectedEof
    );
    file.set_len(6).expect("a shorter file");
    file.set_len(8).expect("a longer file");
    assert_eq!(content(&*file), b"\0\0\0\0wx\0\0");
    file.sync_data().expect("a sync");
    directory.sync().expect("a directory sync");
    let reader = directory.open_file(b"a", Access::Read).expect("a reader");
    reader.write_at(0, b"x").expect_err("a handle for reading");
    reader.set_len(0).expect_err("a handle for reading");
}

#[test]
fn reserved_blocks_do_not_change_the_length() {
    let (tree, directory) = here();
    let file = directory.create_file(b"a", Mode::Private).expect("a file");
    let reserved = file.reserve(0, 1 << 20).expect("a reservation or a plain no");
    assert_eq!(file.metadata().expect("metadata").len, 0);
    if reserved {
        assert!(std::fs::metadata(tree.path().join("a")).expect("metadata").blocks() >= (1 << 20) / 512);
    }
    assert!(file.reserve(0, 0).expect("nothing to reserve"));
}

#[test]
fn an_unnamed_file_has_no_entry_and_no_link() {
    let (_tree, directory) = here();
    let file = directory.create_unnamed().expect("a file");
    write_all_at(&*file, 0, b"spooled").expect("a write");
    assert_eq!(content(&*file), b"spooled");
    assert_eq!(file.metadata().expect("metadata").links, 0);
    assert_eq!(directory.entries().expect("entries"), []);
}

#[test]
fn removals_take_only_their_own_kind() {
    let (_tree, directory) = here();
    directory.create_file(b"f", Mode::Private).expect("a file");
    directory.create_directory(b"d", Mode::Private).expect("a directory");
    directory
        .open_directory(b"d")
        .expect("it")
        .create_file(b"x", Mode::Private)
        .expect("a file");
    directory.remove_file(b"d").expect_err("a directory is no file");
    directory.remove_directory(b"f").expect_err("a file is no directory");
    assert_eq!(
        directory.remove_directory(b"d").expect_err("not empty").kind(),
        ErrorKind::DirectoryNotEmpty
    );
    directory
        .open_directory(b"d")
        .expect("it")
        .remove_file(b"x")
        .expect("gone");
    directory.remove_directory(b"d").expect("gone");
    directory.remove_file(b"f").expect("gone");
    assert_eq!(
        directory.remove_file(b"f").expect_err("nothing there").kind(),
        ErrorKind::NotFound
    );
    assert_eq!(directory.entries().expect("entries"), []);
}

#[test]
fn the_process_and_the_file_system_are_told() {
    let (_tree, directory) = here();
    assert_eq!(OsVfs.process_id(), std::process::id());
    // Only that the call works: what the tests run on is not ours to say.
    match directory.file_system().expect("a file system") {
        FileSystem::Local => {}
        FileSystem::Network(magic) => assert!(magic != 0),
    }
}
