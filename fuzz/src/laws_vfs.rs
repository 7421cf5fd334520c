//! Laws of the file-system floor's helpers.

use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;

use graven::vfs::{self, File, LockMode, Metadata};

crate::laws!(short_calls_are_continued);

/// A file in memory whose calls are as short, or as interrupted, as a script says.
#[derive(Debug)]
struct Stuttering {
    bytes: Mutex<Vec<u8>>,
    script: Mutex<VecDeque<u8>>,
}

impl Stuttering {
    /// How much of a call for `wanted` bytes is done: from 1 to all of it, or an interrupt.
    fn grant(&self, wanted: usize) -> io::Result<usize> {
        let step = self.script.lock().expect("one thread").pop_front();
        match step {
            None => Ok(wanted),
            Some(0) => Err(io::ErrorKind::Interrupted.into()),
            Some(step) => Ok(wanted.min(usize::from(step))),
        }
    }
}

fn position(offset: u64) -> usize {
    usize::try_from(offset).expect("an offset of this law")
}

impl File for Stuttering {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let bytes = self.bytes.lock().expect("one thread");
        let rest = bytes.get(position(offset)..).unwrap_or_default();
        let granted = self.grant(rest.len().min(buf.len()))?;
        buf[..granted].copy_from_slice(&rest[..granted]);
        Ok(granted)
    }

    fn write_at(&self, offset: u64, buf: &[u8]) -> io::Result<usize> {
        let granted = self.grant(buf.len())?;
        let mut bytes = self.bytes.lock().expect("one thread");
        let (start, end) = (position(offset), position(offset) + granted);
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        bytes[start..end].copy_from_slice(&buf[..granted]);
        Ok(granted)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.bytes.lock().expect("one thread").resize(position(len), 0);
        Ok(())
    }

    fn reserve(&self, _offset: u64, _len: u64) -> io::Result<bool> {
        Ok(false)
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn metadata(&self) -> io::Result<Metadata> {
        Ok(Metadata {
            is_file: true,
            links: 1,
            len: self.bytes.lock().expect("one thread").len() as u64,
        })
    }

    fn lock(&self, _mode: LockMode, _wait: bool) -> io::Result<bool> {
        Ok(true)
    }

    fn unlock(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Whatever calls are cut short or interrupted, what is written whole is read back whole, and an end is told (AC14).
pub fn short_calls_are_continued(input: &[u8]) {
    let Some((&script_len, rest)) = input.split_first() else {
        return;
    };
    let (script, content) = rest.split_at(rest.len().min(usize::from(script_len)));
    let file = Stuttering {
        bytes: Mutex::default(),
        script: Mutex::new(script.iter().chain(script).copied().collect()),
    };

    vfs::write_all_at(&file, 3, content).expect("an interrupted or short write is continued");
    let stored = file.bytes.lock().expect("one thread").clone();
    assert_eq!(stored.get(3..).unwrap_or_default(), content);

    let mut read = vec![0; content.len()];
    vfs::read_exact_at(&file, 3, &mut read).expect("an interrupted or short read is continued");
    assert_eq!(read, content);

    let mut longer = vec![0; content.len() + 1];
    let error = vfs::read_exact_at(&file, 3, &mut longer).expect_err("the file ends");
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    assert_eq!(
        vfs::read_up_to(&file, 3, &mut longer).expect("reads to the end"),
        content.len()
    );
}
