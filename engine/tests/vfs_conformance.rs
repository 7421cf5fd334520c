//! One table of small programs, each run on the real file system and on the fault disk: the same calls have the same
//! answers and the same error codes, and they are the ones that stand here.
#![cfg(feature = "fault")]

use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use graven::vfs::fault::FaultDisk;
use graven::vfs::os::OsVfs;
use graven::vfs::{Access, Directory, File, LockMode, Mode, Vfs, write_all_at};
use rustix::io::Errno;

/// A file system under test, and what it has said so far.
struct Talk {
    vfs: Arc<dyn Vfs>,
    root: Arc<dyn Directory>,
    on: On,
    said: Vec<String>,
}

/// Where the names outside of the face go, which has no call for a hard link.
enum On {
    Os(PathBuf),
    Fault(FaultDisk),
}

type Program = fn(&mut Talk) -> io::Result<()>;

/// The codes that programs of the table meet.
const CODES: [(Errno, &str); 8] = [
    (Errno::NOENT, "ENOENT"),
    (Errno::EXIST, "EEXIST"),
    (Errno::ISDIR, "EISDIR"),
    (Errno::NOTDIR, "ENOTDIR"),
    (Errno::NOTEMPTY, "ENOTEMPTY"),
    (Errno::LOOP, "ELOOP"),
    (Errno::INVAL, "EINVAL"),
    (Errno::BADF, "EBADF"),
];

/// What was answered, as two file systems can be compared by: the operating system's code, not its text.
fn answer<T: Debug>(result: io::Result<T>) -> String {
    match result {
        Ok(value) => format!("{value:?}"),
        Err(error) => {
            let named = |(errno, _): &&(Errno, _)| error.raw_os_error() == Some(errno.raw_os_error());
            let name = CODES.iter().find(named).map(|(_, name)| (*name).to_owned());
            name.unwrap_or_else(|| format!("{:?} {:?}", error.kind(), error.raw_os_error()))
        }
    }
}

impl Talk {
    fn say<T: Debug>(&mut self, result: io::Result<T>) {
        self.said.push(answer(result));
    }

    fn make(&self, name: &str, bytes: &[u8]) -> io::Result<Arc<dyn File>> {
        let file = self.root.create_file(name.as_bytes(), Mode::Private)?;
        write_all_at(&*file, 0, bytes)?;
        Ok(file)
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.root.open_file(name.as_bytes(), Access::ReadWrite)
    }

    fn hard_link(&self, name: &str, new_name: &str) -> io::Result<()> {
        match &self.on {
            On::Os(path) => std::fs::hard_link(path.join(name), path.join(new_name)),
            On::Fault(disk) => disk.hard_link(&format!("/{name}"), &format!("/{new_name}")),
        }
    }

    /// What one read of at most `len` bytes at `offset` gives; a zero is shown as `_`.
    fn say_read(&mut self, file: &dyn File, offset: u64, len: usize) {
        let mut bytes = vec![0xff; len];
        let read = file.read_at(offset, &mut bytes).map(|read| {
            bytes.truncate(read);
            String::from_utf8_lossy(&bytes).replace('\0', "_")
        });
        self.say(read);
    }

    fn say_names(&mut self) {
        let names = self.root.entries().map(|entries| {
            let text = |entry: &graven::vfs::Entry| String::from_utf8_lossy(&entry.name).into_owned();
            entries.iter().map(text).collect::<Vec<_>>().join(" ")
        });
        self.say(names);
    }

    /// Length and number of names.
    fn say_metadata(&mut self, file: &dyn File) {
        let metadata = file.metadata().map(|found| (found.is_file, found.len, found.links));
        self.say(metadata);
    }
}

const PROGRAMS: &[(&str, Program, &[&str])] = &[
    (
        "a rename replaces a file, and the replaced one lives on in its handle",
        |talk| {
            let (_, replaced) = (talk.make("a", b"new")?, talk.make("b", b"old")?);
            talk.say(talk.root.rename(b"a", b"b"));
            talk.say_names();
            let found = talk.open("b")?;
            talk.say_read(&*found, 0, 9);
            talk.say_read(&*replaced, 0, 9);
            talk.say_metadata(&*replaced);
            Ok(())
        },
        &["()", "\"b\"", "\"new\"", "\"old\"", "(true, 3, 0)"],
    ),
    (
        "a rename of what is missing, onto itself, onto a directory",
        |talk| {
            talk.make("a", b"a")?;
            talk.root.create_directory(b"d", Mode::Private)?;
            talk.root.create_directory(b"full", Mode::Private)?;
            let inner = talk.root.open_directory(b"full")?;
            inner.create_file(b"x", Mode::Private)?;
            talk.say(talk.root.rename(b"none", b"b"));
            talk.say(talk.root.rename(b"a", b"a"));
            talk.say(talk.root.rename(b"a", b"d"));
            talk.say(talk.root.rename(b"d", b"a"));
            talk.say(talk.root.rename(b"d", b"full"));
            talk.say(talk.root.rename(b"full", b"d"));
            talk.say_names();
            Ok(())
        },
        &["ENOENT", "()", "EISDIR", "ENOTDIR", "ENOTEMPTY", "()", "\"a d\""],
    ),
    (
        "a rename that must be new never replaces",
        |talk| {
            talk.make("a", b"a")?;
            talk.make("b", b"b")?;
            talk.root.create_symlink(b"s", b"nowhere")?;
            talk.say(talk.root.rename_new(b"a", b"b"));
            talk.say(talk.root.rename_new(b"a", b"a"));
            talk.say(talk.root.rename_new(b"a", b"s"));
            talk.say(talk.root.rename_new(b"none", b"c"));
            talk.say(talk.root.rename_new(b"a", b"c"));
            talk.say_names();
            Ok(())
        },
        &["EEXIST", "EEXIST", "EEXIST", "ENOENT", "()", "\"b c s\""],
    ),
    (
        "what is missing cannot be opened, read or removed, and what exists is not created",
        |talk| {
            talk.make("a", b"")?;
            talk.root.create_directory(b"d", Mode::Private)?;
            talk.say(talk.root.open_file(b"x", Access::Read).map(drop));
            talk.say(talk.root.open_file(b"x", Access::ReadWrite).map(drop));
            talk.say(talk.root.open_directory(b"x").map(drop));
            talk.say(talk.root.open_directory(b"a").map(drop));
            talk.say(talk.root.open_file(b"d", Access::ReadWrite).map(drop));
            talk.say(talk.root.read_symlink(b"x"));
            talk.say(talk.root.read_symlink(b"a"));
            talk.say(talk.root.remove_file(b"x"));
            talk.say(talk.root.remove_file(b"d"));
            talk.say(talk.root.remove_directory(b"a"));
            talk.say(talk.root.create_file(b"a", Mode::Private).map(drop));
            talk.say(talk.root.create_directory(b"a", Mode::Private));
            talk.say(talk.root.create_symlink(b"d", b"a"));
            Ok(())
        },
        &[
            "ENOENT", "ENOENT", "ENOENT", "ENOTDIR", "EISDIR", "ENOENT", "EINVAL", "ENOENT", "EISDIR", "ENOTDIR",
            "EEXIST", "EEXIST", "EEXIST",
        ],
    ),
    (
        "a symlink is refused, removed and renamed, never followed",
        |talk| {
            talk.make("a", b"a")?;
            talk.root.create_directory(b"d", Mode::Private)?;
            talk.root.create_symlink(b"to-a", b"a")?;
            talk.root.create_symlink(b"to-d", b"d")?;
            talk.root.create_symlink(b"to-new", b"new")?;
            talk.say(talk.root.open_file(b"to-a", Access::Read).map(drop));
            talk.say(talk.root.open_file(b"to-a", Access::ReadWrite).map(drop));
            talk.say(talk.root.open_directory(b"to-d").map(drop));
            talk.say(talk.root.create_file(b"to-new", Mode::Private).map(drop));
            talk.say(talk.root.remove_directory(b"to-d"));
            talk.say(talk.root.remove_file(b"to-d"));
            talk.say(talk.root.rename(b"to-a", b"moved"));
            talk.say(talk.root.read_symlink(b"moved").map(|target| target.len()));
            talk.say_names();
            Ok(())
        },
        &[
            "ELOOP",
            "ELOOP",
            "ENOTDIR",
            "EEXIST",
            "ENOTDIR",
            "()",
            "()",
            "1",
            "\"a d moved to-new\"",
        ],
    ),
    (
        "every name of a file counts in its metadata",
        |talk| {
            let file = talk.make("a", b"12345")?;
            talk.say_metadata(&*file);
            talk.hard_link("a", "b")?;
            talk.say_metadata(&*file);
            let other = talk.open("b")?;
            talk.say(other.write_at(5, b"6"));
            talk.say_read(&*file, 0, 9);
            talk.say(talk.root.rename(b"a", b"b"));
            talk.say_names();
            talk.say(talk.root.remove_file(b"a"));
            talk.say_metadata(&*file);
            talk.say(talk.root.remove_file(b"b"));
            talk.say_metadata(&*other);
            Ok(())
        },
        &[
            "(true, 5, 1)",
            "(true, 5, 2)",
            "1",
            "\"123456\"",
            "()",
            "\"a b\"",
            "()",
            "(true, 6, 1)",
            "()",
            "(true, 6, 0)",
        ],
    ),
    (
        "locks exclude between handles, change their mode and go with their handle",
        |talk| {
            let one = talk.make("a", b"")?;
            let (two, three) = (talk.open("a")?, talk.root.open_file(b"a", Access::Read)?);
            talk.say(one.lock(LockMode::Shared, false));
            talk.say(two.lock(LockMode::Shared, false));
            talk.say(three.lock(LockMode::Exclusive, false));
            talk.say(two.unlock());
            talk.say(one.lock(LockMode::Exclusive, false));
            talk.say(two.lock(LockMode::Shared, false));
            talk.say(one.lock(LockMode::Shared, true));
            talk.say(two.lock(LockMode::Shared, true));
            // A change of mode that is not to be had: what was held before is given up.
            talk.say(one.lock(LockMode::Exclusive, false));
            talk.say(two.lock(LockMode::Exclusive, false));
            drop(two);
            talk.say(three.lock(LockMode::Exclusive, false));
            talk.say(one.lock(LockMode::Shared, false));
            drop(three);
            talk.say(one.lock(LockMode::Exclusive, false));
            talk.say(one.unlock());
            talk.say(one.unlock());
            Ok(())
        },
        &[
            "true", "true", "false", "()", "true", "false", "true", "true", "false", "true", "true", "false", "true",
            "()", "()",
        ],
    ),
    (
        "another handle of a locked file that closes gives nothing up",
        |talk| {
            let one = talk.make("a", b"")?;
            talk.say(one.lock(LockMode::Exclusive, false));
            drop(talk.open("a")?);
            let other = talk.open("a")?;
            talk.say(other.lock(LockMode::Shared, false));
            talk.say(talk.root.rename(b"a", b"b"));
            talk.say(talk.open("b")?.lock(LockMode::Shared, false));
            talk.make("a", b"")?;
            talk.say(talk.open("a")?.lock(LockMode::Shared, false));
            Ok(())
        },
        &["true", "false", "()", "false", "true"],
    ),
    (
        "reads end at the end of the file",
        |talk| {
            let file = talk.make("a", b"abcdef")?;
            talk.say_read(&*file, 4, 8);
            talk.say_read(&*file, 6, 8);
            talk.say_read(&*file, 7, 8);
            talk.say_read(&*file, 1 << 40, 8);
            talk.say_read(&*file, 0, 0);
            talk.say_read(&*file, 99, 0);
            Ok(())
        },
        &["\"ef\"", "\"\"", "\"\"", "\"\"", "\"\"", "\"\""],
    ),
    (
        "a length grows by zeros and shrinks for good",
        |talk| {
            let file = talk.make("a", b"abcdef")?;
            talk.say(file.set_len(3));
            talk.say_metadata(&*file);
            talk.say(file.set_len(5));
            talk.say_read(&*file, 0, 9);
            talk.say(file.set_len(5));
            talk.say(file.set_len(0));
            talk.say_read(&*file, 0, 9);
            talk.say_metadata(&*file);
            Ok(())
        },
        &[
            "()",
            "(true, 3, 1)",
            "()",
            "\"abc__\"",
            "()",
            "()",
            "\"\"",
            "(true, 0, 1)",
        ],
    ),
    (
        "offsets and lengths that no file has are refused and change nothing",
        |talk| {
            let file = talk.make("a", b"ab")?;
            talk.say(file.write_at(u64::MAX, b"x"));
            talk.say_read(&*file, u64::MAX, 1);
            talk.say(file.set_len(u64::MAX));
            talk.say(file.reserve(u64::MAX, 1));
            talk.say(file.reserve(0, u64::MAX));
            talk.say_metadata(&*file);
            Ok(())
        },
        &["EINVAL", "EINVAL", "EINVAL", "EINVAL", "EINVAL", "(true, 2, 1)"],
    ),
    (
        "a write beyond the end leaves zeros, and one of nothing changes nothing",
        |talk| {
            let file = talk.make("a", b"ab")?;
            talk.say(file.write_at(4, b"z"));
            talk.say_read(&*file, 0, 9);
            talk.say(file.write_at(1, b"y"));
            talk.say_read(&*file, 0, 9);
            talk.say(file.write_at(50, b""));
            talk.say_metadata(&*file);
            Ok(())
        },
        &["1", "\"ab__z\"", "1", "\"ay__z\"", "0", "(true, 5, 1)"],
    ),
    (
        "a file that was removed while it is open is read and written on, and its name is free",
        |talk| {
            let file = talk.make("a", b"old")?;
            talk.say(talk.root.remove_file(b"a"));
            talk.say(talk.root.remove_file(b"a"));
            talk.make("a", b"new")?;
            talk.say(file.write_at(3, b"er"));
            talk.say(file.sync_data());
            talk.say_read(&*file, 0, 9);
            talk.say_metadata(&*file);
            let found = talk.open("a")?;
            talk.say_read(&*found, 0, 9);
            Ok(())
        },
        &["()", "ENOENT", "2", "()", "\"older\"", "(true, 5, 0)", "\"new\""],
    ),
    (
        "an unnamed file has bytes and no name",
        |talk| {
            let (one, two) = (talk.root.create_unnamed()?, talk.root.create_unnamed()?);
            talk.say(one.write_at(2, b"x"));
            talk.say(one.sync_data());
            talk.say_read(&*one, 0, 9);
            talk.say_metadata(&*one);
            talk.say_metadata(&*two);
            talk.say_names();
            Ok(())
        },
        &["1", "()", "\"__x\"", "(true, 3, 0)", "(true, 0, 0)", "\"\""],
    ),
    (
        "a directory syncs, also a removed one, and gives its entries in the order of their bytes",
        |talk| {
            for name in ["b", "a", "\u{e9}", "B", "a1", "-"] {
                talk.make(name, b"")?;
            }
            talk.root.create_directory(b"A", Mode::Private)?;
            talk.root.create_symlink(b"aa", b"x")?;
            talk.say(talk.root.sync());
            talk.say(talk.root.entries().map(|entries| {
                let kinds: Vec<_> = entries.iter().map(|entry| entry.kind).collect();
                (kinds.len(), kinds.first().copied())
            }));
            talk.say_names();
            let inner = talk.root.open_directory(b"A")?;
            talk.say(talk.root.remove_directory(b"A"));
            talk.say(inner.sync());
            talk.say(inner.entries());
            talk.say(inner.create_file(b"x", Mode::Private).map(drop));
            Ok(())
        },
        &[
            "()",
            "(8, Some(File { executable: false }))",
            "\"- A B a a1 aa b \u{e9}\"",
            "()",
            "()",
            "[]",
            "ENOENT",
        ],
    ),
    (
        "only a name of one component is a name",
        |talk| {
            talk.make("a", b"")?;
            for bad in [&b""[..], b".", b"..", b"a/b", b"/a", b"a/", b"a\0"] {
                let answers = [
                    answer(talk.root.open_file(bad, Access::Read).map(drop)),
                    answer(talk.root.create_file(bad, Mode::Private).map(drop)),
                    answer(talk.root.open_directory(bad).map(drop)),
                    answer(talk.root.create_directory(bad, Mode::Private)),
                    answer(talk.root.rename(bad, b"b")),
                    answer(talk.root.rename(b"a", bad)),
                    answer(talk.root.rename_new(b"a", bad)),
                    answer(talk.root.rename_new(bad, b"b")),
                    answer(talk.root.remove_file(bad)),
                    answer(talk.root.remove_directory(bad)),
                    answer(talk.root.create_symlink(bad, b"a")),
                    answer(talk.root.read_symlink(bad)),
                ];
                let same = answers.iter().all(|answer| *answer == answers[0]);
                talk.said.push(format!("{same} {}", answers[0]));
            }
            talk.say_names();
            Ok(())
        },
        &[
            "true InvalidInput None",
            "true InvalidInput None",
            "true InvalidInput None",
            "true InvalidInput None",
            "true InvalidInput None",
            "true InvalidInput None",
            "true InvalidInput None",
            "\"a\"",
        ],
    ),
    (
        "a handle for reading changes nothing, but locks and syncs",
        |talk| {
            talk.make("a", b"abc")?;
            let reader = talk.root.open_file(b"a", Access::Read)?;
            talk.say(reader.write_at(0, b"x"));
            talk.say(reader.set_len(1));
            talk.say(reader.reserve(0, 10).map(drop));
            talk.say(reader.sync_data());
            talk.say(reader.lock(LockMode::Exclusive, false));
            talk.say_read(&*reader, 0, 9);
            Ok(())
        },
        &["EBADF", "EINVAL", "EBADF", "()", "true", "\"abc\""],
    ),
    (
        "files that are synced together answer in their order",
        |talk| {
            let files = [
                talk.make("a", b"a")?,
                talk.make("b", b"b")?,
                talk.root.create_unnamed()?,
            ];
            let handles: Vec<&dyn File> = files.iter().map(|file| &**file).collect();
            for wanted in [0, 1, 3] {
                let answers = talk.vfs.sync_together(&handles[..wanted]);
                talk.said
                    .push(answers.into_iter().map(answer).collect::<Vec<_>>().join(" "));
            }
            Ok(())
        },
        &["", "()", "() () ()"],
    ),
    (
        "only a directory opens as one, through symlinks at its end",
        |talk| {
            talk.make("a", b"")?;
            talk.root.create_directory(b"d", Mode::Private)?;
            talk.root.create_symlink(b"to-d", b"d")?;
            talk.root.create_symlink(b"round", b"round")?;
            let path = match &talk.on {
                On::Os(path) => path.clone(),
                On::Fault(_) => PathBuf::from("/"),
            };
            for name in ["d", "to-d", "a", "none", "round", "a/b", "none/b"] {
                talk.say(talk.vfs.open_directory(&path.join(name)).map(drop));
            }
            Ok(())
        },
        &["()", "()", "ENOTDIR", "ENOENT", "ELOOP", "ENOTDIR", "ENOENT"],
    ),
];

fn run(program: Program, vfs: Arc<dyn Vfs>, path: &Path, on: On) -> Vec<String> {
    let root = vfs.open_directory(path).expect("the root");
    let mut talk = Talk {
        vfs,
        root,
        on,
        said: Vec::new(),
    };
    let ended = program(&mut talk);
    talk.said.extend(ended.err().map(|error| format!("stopped: {error}")));
    talk.said
}

#[test]
fn both_file_systems_give_every_call_the_answer_that_stands_in_the_table() {
    let mut wrong = Vec::new();
    for (name, program, expected) in PROGRAMS {
        let tree = tempfile::tempdir().expect("a directory");
        let real = run(*program, Arc::new(OsVfs), tree.path(), On::Os(tree.path().to_owned()));
        let disk = FaultDisk::new();
        let fault = run(*program, disk.process(1), Path::new("/"), On::Fault(disk));
        for (side, found) in [("the real file system", real), ("the fault disk", fault)] {
            if found != *expected {
                wrong.push(format!("{name}: {side}:\n  says  {found:?}\n  wants {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
