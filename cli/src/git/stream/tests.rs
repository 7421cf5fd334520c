//! The parser against every command it knows, every refusal with its place, and noise.

use std::io::Read;

use proptest::prelude::*;

use super::*;

/// All events of a stream with the content of each, or the first error.
fn read_all(stream: &[u8]) -> Result<Vec<(Event, Vec<u8>)>, StreamError> {
    let mut parser = Parser::new(stream);
    let mut events = Vec::new();
    loop {
        let event = parser.next_event()?;
        let mut content = Vec::new();
        if parser.content().read_to_end(&mut content).is_err() {
            return Err(parser.failure().expect("a failed read leaves its reason"));
        }
        let is_end = matches!(event, Event::End { .. });
        events.push((event, content));
        if is_end {
            return Ok(events);
        }
    }
}

fn error_of(stream: &[u8]) -> (u64, u64, String) {
    let error = read_all(stream).expect_err(&String::from_utf8_lossy(stream));
    (error.position.line, error.position.byte, error.fault.to_string())
}

const COMMIT: &str = "commit refs/heads/main\nmark :9\ncommitter A <a@b> 7 +0000\ndata 0\n";

fn changes_of(body: &str) -> Vec<FileChange> {
    let events = read_all(format!("{COMMIT}{body}").as_bytes()).expect(body);
    let changes = events.into_iter().filter_map(|(event, _)| match event {
        Event::Change { change, .. } => Some(change),
        _ => None,
    });
    changes.collect()
}

fn path(text: &str) -> TreePath {
    TreePath::new(text.as_bytes().to_vec(), Position::START).expect("a path")
}

#[test]
fn a_whole_stream_gives_its_events_in_order() {
    let stream = b"feature done\nfeature date-format=raw\noption git quiet\noption other x\n# a comment\n\
        blob\nmark :1\noriginal-oid abc\ndata 3\nabc\n\
        reset refs/heads/main\n\
        commit refs/heads/main\nmark :2\noriginal-oid def\nauthor B <b> 1 +0100\ncommitter A <a> -5 -0700\n\
        gpgsig sha1 openpgp\ndata 4\nsign\nencoding ISO-8859-1\ndata 2\n\xe4\n\n\
        # between\nM 100644 :1 a\nM 100755 inline b\ndata <<E\nx\nE\n\n\
        commit refs/heads/main\ncommitter A <a> 8 +0000\ndata 0\nfrom :2\nmerge refs/heads/x\nmerge refs/heads/main^0\n\n\n\
        progress half\n\ncheckpoint\n\
        tag v1\nmark :3\nfrom :2\noriginal-oid x\ntagger T <t> 9 +0000\ndata 1\nm\n\
        tag v2\nfrom :3\ndata 0\n\
        reset refs/tags/light\nfrom :2\n\n\
        reset refs/heads/gone\nfrom 0000000000000000000000000000000000000000\n\
        done\nanything may follow";
    let events = read_all(stream).expect("a whole stream");
    let names: Vec<_> = events
        .iter()
        .map(|(event, content)| match event {
            Event::Blob { mark, .. } => format!("blob {mark:?} {}", content.len()),
            Event::Commit(commit) => format!(
                "commit {:?} at {} of {} bytes from {:?} merges {}",
                commit.mark,
                commit.committed_at_s,
                commit.message.bytes.len(),
                commit.from.as_ref().map(|from| &from.1),
                commit.merges.len()
            ),
            Event::Change { .. } => format!("change {}", content.len()),
            Event::CommitEnd => "commit end".to_owned(),
            Event::Tag(tag) => format!("tag {:?} {:?} {:?}", tag.mark, tag.from.1, tag.tagged_at_s),
            Event::Reset(reset) => format!("reset {:?}", reset.from.as_ref().map(|from| &from.1)),
            Event::Progress(text) => format!("progress {}", text.len()),
            Event::Checkpoint => "checkpoint".to_owned(),
            Event::End { done } => format!("end {done}"),
        })
        .collect();
    assert_eq!(
        names,
        [
            "blob Some(1) 3",
            "reset None",
            "commit Some(2) at -5 of 2 bytes from None merges 0",
            "change 0",
            "change 2",
            "commit end",
            "commit None at 8 of 0 bytes from Some(Mark(2)) merges 2",
            "commit end",
            "progress 4",
            "checkpoint",
            "tag Some(3) Mark(2) Some(9)",
            "tag None Mark(3) None",
            "reset Some(Mark(2))",
            "reset Some(Nothing)",
            "end true",
        ]
    );
    let Event::Commit(commit) = &events[2].0 else {
        panic!("the third event is the commit");
    };
    assert_eq!(commit.encoding.as_deref(), Some(&b"ISO-8859-1"[..]));
    assert_eq!(
        (commit.position.line, commit.reference.as_slice()),
        (12, &b"refs/heads/main"[..])
    );
}

#[test]
fn file_changes_of_every_kind_are_read() {
    let id = "00112233445566778899aabbccddeeff00112233";
    let mut link = [0; 32];
    for (at, byte) in link.iter_mut().enumerate().take(20) {
        *byte = u8::try_from(at % 16 * 17).expect("a byte");
    }
    let modify = |mode, contents, name: &str| FileChange::Modify {
        mode,
        contents,
        path: path(name),
    };
    for (line, change) in [
        ("M 100644 :1 a b", modify(Mode::File, Contents::Mark(1), "a b")),
        ("M 644 :1 a", modify(Mode::File, Contents::Mark(1), "a")),
        ("M 755 :1 a", modify(Mode::Executable, Contents::Mark(1), "a")),
        ("M 120000 :1 \"a\\\"\"", modify(Mode::Symlink, Contents::Mark(1), "a\"")),
        ("M 040000 :1 a", modify(Mode::Directory, Contents::Mark(1), "a")),
        ("M 040000 :1 ", modify(Mode::Directory, Contents::Mark(1), "")),
        (
            "M 040000 4b825dc642cb6eb9a060e54bf8d69288fbee4904 \"\"",
            modify(Mode::Directory, Contents::EmptyDirectory, ""),
        ),
        (
            &format!("M 160000 {id} sub"),
            modify(Mode::Link, Contents::Link(LinkId(link)), "sub"),
        ),
        ("D a/b", FileChange::Delete { path: path("a/b") }),
        ("D \"\"", FileChange::Delete { path: path("") }),
        (
            "R a b c",
            FileChange::Rename {
                source: path("a"),
                target: path("b c"),
            },
        ),
        (
            "C \"a b\" \"\"",
            FileChange::Copy {
                source: path("a b"),
                target: path(""),
            },
        ),
        ("deleteall", FileChange::DeleteAll),
        (
            "N :1 :9",
            FileChange::Note {
                contents: Some(Contents::Mark(1)),
            },
        ),
        (
            "N 0000000000000000000000000000000000000000 refs/heads/main",
            FileChange::Note { contents: None },
        ),
    ] {
        assert_eq!(changes_of(&format!("{line}\n")), [change], "{line}");
    }
    assert_eq!(changes_of("N inline :9\ndata 1\nx\nD a\n").len(), 2);
}

#[test]
fn a_command_ends_the_commit_before_it_with_or_without_a_blank_line() {
    for gap in ["", "\n", "\n\n"] {
        let stream = format!("{COMMIT}D a\n{gap}reset refs/heads/x\n");
        let events = read_all(stream.as_bytes()).expect("a stream");
        assert!(matches!(events[2].0, Event::CommitEnd));
        assert!(matches!(events[3].0, Event::Reset(_)));
    }
}

#[test]
fn content_that_nobody_reads_is_passed_over() {
    let mut parser = Parser::new(&b"blob\nmark :1\ndata 5\nblob\n\nblob\ndata <<E\nblob\nE\n"[..]);
    assert!(matches!(parser.next_event(), Ok(Event::Blob { mark: Some(1), .. })));
    assert!(matches!(parser.next_event(), Ok(Event::Blob { mark: None, .. })));
    assert!(matches!(parser.next_event(), Ok(Event::End { done: false })));
    assert!(matches!(parser.next_event(), Ok(Event::End { done: false })));
}

#[test]
fn a_stream_that_ends_inside_a_command_is_truncated() {
    let whole = format!("{COMMIT}from :1\nM 100644 inline a\ndata 3\nabc\n");
    for (stream, byte) in [
        ("blob\n", 5),
        ("blob\nmark :1\n", 13),
        ("blob\nmark :1\ndata 3\nab", 22),
        ("blo", 3),
        ("commit refs/heads/x\n", 20),
        ("commit refs/heads/x\nmark :1\n", 28),
        ("commit refs/heads/x\ncommitter A <a> 1 +0000\n", 44),
        ("commit refs/heads/x\ncommitter A <a> 1 +0000\ndata 1\n", 51),
        ("tag x\n", 6),
        ("tag x\nfrom :1\n", 14),
        ("tag x\nfrom :1\ntagger A <a> 1 +0000\n", 35),
        ("reset refs/heads/x", 18),
        (&whole[..whole.len() - 10], whole.len() as u64 - 10),
        (&whole[..whole.len() - 12], whole.len() as u64 - 12),
        ("feature done\n", 13),
        ("feature done\nblob\ndata 0\n", 25),
    ] {
        let (_, found, text) = error_of(stream.as_bytes());
        assert!(text.starts_with("truncated"), "{stream:?}: {text}");
        assert_eq!(found, byte, "{stream:?}");
    }
}

#[test]
fn a_stream_that_ends_between_commands_is_complete_unless_it_promised_a_done() {
    for stream in [
        "",
        "blob\ndata 0\n",
        "reset refs/heads/x\n",
        COMMIT,
        "done\n",
        "feature done\ndone",
        "\n\n",
    ] {
        let events = read_all(stream.as_bytes()).expect(stream);
        let said_done = stream.contains("done");
        assert!(matches!(events.last(), Some((Event::End { done }, _)) if *done == said_done));
    }
}

#[test]
fn what_cannot_be_served_is_refused_with_its_place() {
    let in_commit = |line: &str| format!("{COMMIT}{line}\n");
    let after = COMMIT.len() as u64;
    let id = "00112233445566778899aabbccddeeff00112233";
    let deep = format!("D {}", vec!["d"; MAX_PATH_DEPTH + 1].join("/"));
    for (stream, byte, reason) in [
        ("ls :1 a\n".to_owned(), 0, "not supported"),
        ("cat-blob :1\n".to_owned(), 0, "not supported"),
        ("blob\ndata 0\nget-mark :1\n".to_owned(), 12, "not supported"),
        ("alias\nmark :1\nto :2\n".to_owned(), 0, "not supported"),
        (in_commit("ls \"a\""), after, "not supported"),
        (in_commit("M 100644 inline a\ncat-blob :1"), after + 18, "not supported"),
        ("feature notes\n".to_owned(), 0, "not supported"),
        ("feature date-format=rfc2822\n".to_owned(), 0, "not supported"),
        ("feature import-marks=x\n".to_owned(), 0, "not supported"),
        ("blob\ndata 0\nfeature done\n".to_owned(), 12, "after the first object"),
        (
            "blob\ndata 0\noption git quiet\n".to_owned(),
            12,
            "after the first object",
        ),
        ("hello\n".to_owned(), 0, "unknown command"),
        ("commit \n".to_owned(), 7, "a name is missing"),
        ("commit a\0b\n".to_owned(), 7, "NUL"),
        (format!("reset {}\n", "r".repeat(MAX_NAME_LEN + 1)), 6, "longer than"),
        (format!("progress {}\n", "p".repeat(MAX_LINE_LEN)), 0, "longer than"),
        ("blob\nmark :0\n".to_owned(), 11, "a number from 1"),
        ("blob\nmark :x\n".to_owned(), 11, "a number from 1"),
        ("blob\nmark :1\nmark :2\n".to_owned(), 13, "a second mark"),
        ("blob\nmark :1\nfoo\n".to_owned(), 13, "`data` is expected"),
        ("commit x\ndata 0\n".to_owned(), 9, "a commit needs `committer`"),
        (
            "commit x\ncommitter A <a> now\ndata 0\n".to_owned(),
            19,
            "whole seconds",
        ),
        ("tag x\ntagger A <a> 1 +0000\n".to_owned(), 6, "a tag needs `from`"),
        (in_commit("from :0"), after + 6, "a number from 1"),
        (in_commit("M 100664 :1 a"), after + 2, "unknown mode"),
        (in_commit("M 100644"), after + 2, "missing"),
        (in_commit("M 100644 :1"), after + 9, "missing"),
        (in_commit("M 100644 :1 "), after + 12, "the root can only be"),
        (in_commit("M 100644 what a"), after + 9, "an object id is expected"),
        (in_commit("M 160000 :1 a"), after + 9, "a link needs"),
        (in_commit("M 160000 inline a"), after + 9, "cannot be inline"),
        (in_commit("M 040000 inline a"), after + 9, "cannot be inline"),
        (in_commit(&format!("M 100644 {id} a")), after + 9, "incremental stream"),
        (in_commit(&format!("M 040000 {id} a")), after + 9, "incremental stream"),
        (in_commit(&format!("N {id} :1")), after + 2, "incremental stream"),
        (in_commit("M 100644 :1 /a"), after + 12, "absolute"),
        (in_commit("D a/../b"), after + 2, "`.` or `..`"),
        (in_commit("D a//b"), after + 2, "an empty name"),
        (in_commit("D a/"), after + 2, "an empty name"),
        (in_commit("D a\0b"), after + 2, "NUL"),
        (in_commit("D \"a\\000b\""), after + 2, "NUL"),
        (in_commit(&deep), after + 2, "deeper than"),
        (in_commit("R a"), after + 2, "missing"),
        (in_commit("R a ../b"), after + 4, "`.` or `..`"),
        (in_commit("C \"a\"b c"), after + 2, "missing"),
        (in_commit("X a"), after, "unknown command"),
    ] {
        let (_, found, text) = error_of(stream.as_bytes());
        assert!(text.contains(reason), "{stream:.80?}: {text}");
        assert_eq!(found, byte, "{stream:.80?}: {text}");
        assert!(text.len() < 400, "{text}");
    }
}

#[test]
fn the_line_of_an_error_counts_line_feeds_inside_data() {
    let (line, byte, _) = error_of(b"blob\ndata 4\n\n\n\n\n\n# c\nwhat\n");
    assert_eq!((line, byte), (9, 21));
    let (line, byte, _) = error_of(b"blob\ndata <<E\na\n\nE\nwhat\n");
    assert_eq!((line, byte), (6, 19));
}

#[test]
fn g13_the_sixty_fifth_merge_is_refused_naming_the_mark() {
    let stream = |merges: usize| format!("{COMMIT}{}", "merge :1\n".repeat(merges));
    assert!(read_all(stream(MAX_PARENTS).as_bytes()).is_ok());
    let (line, _, text) = error_of(stream(MAX_PARENTS + 1).as_bytes());
    assert_eq!(line, 5 + MAX_PARENTS as u64);
    assert!(text.contains(":9") && text.contains("G13"), "{text}");
}

/// Lines that make up plausible streams.
const PIECES: &[&str] = &[
    "blob\n",
    "mark :1\n",
    "mark :2\n",
    "data 3\n",
    "data <<E\n",
    "data 99999999999\n",
    "E\n",
    "abc\n",
    "\n",
    "commit refs/heads/a\n",
    "committer A <a> 1 +0000\n",
    "author A <a> 1 +0000\n",
    "encoding latin1\n",
    "from :1\n",
    "from refs/heads/a^0\n",
    "merge :2\n",
    "M 100644 :1 a/b\n",
    "M 100644 inline \"a\\n\"\n",
    "D a\n",
    "R a b\n",
    "C \"a b\" c\n",
    "deleteall\n",
    "N inline :1\n",
    "tag t\n",
    "tagger A <a> 1 +0000\n",
    "reset refs/tags/t\n",
    "feature done\n",
    "option git x\n",
    "progress\n",
    "checkpoint\n",
    "# no\n",
    "done\n",
    "gpgsig sha1 ssh\n",
    "original-oid x\n",
];

proptest! {
    #[test]
    fn noise_never_panics(noise in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = read_all(&noise);
    }

    #[test]
    fn plausible_noise_never_panics_and_errors_point_into_the_stream(
        picks in proptest::collection::vec((0..PIECES.len(), any::<u8>(), any::<u8>(), 0..40_u8), 0..60),
    ) {
        let mut stream = Vec::new();
        for (pick, at, byte, luck) in picks {
            let mut piece = PIECES[pick].as_bytes().to_vec();
            if luck == 0 {
                let at = usize::from(at) % piece.len();
                piece[at] = byte;
            }
            stream.extend(piece);
        }
        if let Err(error) = read_all(&stream) {
            prop_assert!(error.position.byte <= stream.len() as u64);
            let start = usize::try_from(error.position.byte).expect("small");
            let feeds = stream[..start].iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
            prop_assert_eq!(error.position.line, feeds + 1);
        }
    }

    #[test]
    fn content_arrives_whole_whatever_the_readers_piece_size(
        content in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'E'), any::<u8>()], 0..300),
        size in 1..20_usize,
    ) {
        let ends = content.split(|byte| *byte == b'\n').any(|line| line == b"END");
        prop_assume!(!ends);
        let counted = [format!("blob\ndata {}\n", content.len()).into_bytes(), content.clone(), b"\ndone\n".to_vec()].concat();
        let delimited = [b"blob\ndata <<END\n".to_vec(), content.clone(), b"\nEND\ndone\n".to_vec()].concat();
        for (stream, wanted) in [(counted, content.clone()), (delimited, [content.clone(), b"\n".to_vec()].concat())] {
            let mut parser = Parser::new(stream.as_slice());
            parser.next_event().expect("a blob");
            let mut read = Vec::new();
            let mut piece = vec![0; size];
            loop {
                let count = parser.content().read(&mut piece).expect("content");
                if count == 0 {
                    break;
                }
                read.extend_from_slice(&piece[..count]);
            }
            prop_assert_eq!(read, wanted);
            let end = parser.next_event().expect("the end");
            prop_assert_eq!(end, Event::End { done: true });
        }
    }
}
