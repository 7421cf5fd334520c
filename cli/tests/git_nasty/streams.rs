//! The streams: a small writer, one stream of every kind of tree, one of every kind of ref, tag and message.

/// No commit, as git writes it.
pub const ZEROS: &str = "0000000000000000000000000000000000000000";

/// A stream that is written piece by piece.
#[derive(Default)]
pub struct Stream {
    pub bytes: Vec<u8>,
    pub last_mark: u64,
    clock_s: u64,
}

impl Stream {
    pub fn line(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
    }

    pub fn data(&mut self, bytes: &[u8]) {
        self.line(&format!("data {}", bytes.len()));
        self.bytes.extend_from_slice(bytes);
        self.bytes.push(b'\n');
    }

    pub fn mark(&mut self) -> u64 {
        self.last_mark += 1;
        let mark = self.last_mark;
        self.line(&format!("mark :{mark}"));
        mark
    }

    pub fn blob(&mut self, content: &[u8]) -> u64 {
        self.line("blob");
        let mark = self.mark();
        self.data(content);
        mark
    }

    /// A commit with its header lines (`from`, `merge`) and changes; answers its mark.
    pub fn commit(&mut self, reference: &str, message: &[u8], lines: &[&str]) -> u64 {
        self.line(&format!("commit {reference}"));
        let mark = self.mark();
        // Times that go up and down.
        self.clock_s += 7;
        let at = 1_000_000 + (self.clock_s * 13) % 1_000;
        self.line(&format!("committer C <c@d> {at} +0130"));
        self.data(message);
        for line in lines {
            self.line(line);
        }
        self.line("");
        mark
    }
}

pub fn nasty_trees() -> Vec<u8> {
    let mut stream = Stream::default();
    stream.line("feature done");
    stream.line("feature date-format=raw");
    stream.line("option git quiet");
    stream.line("option other whatever");
    stream.line("# a comment");
    let a = stream.blob(b"a\n");
    let b = stream.blob(b"b with \0 and \xff");
    let _again = stream.blob(b"a\n");
    let _never_used = stream.blob(b"never used");
    let empty = stream.blob(b"");
    stream.line("blob");
    let delimited = stream.mark();
    stream.bytes.extend_from_slice(b"data <<END\nsome\nlines\nEND\n");
    stream.line("progress a third");
    stream.line("checkpoint");

    let main = "refs/heads/main";
    stream.line(&format!("reset {main}"));
    stream.commit(
        main,
        b"first",
        &[
            &format!("M 100644 :{a} file"),
            &format!("M 644 :{a} short mode"),
            &format!("M 100755 :{b} run"),
            &format!("M 120000 :{a} link"),
            &format!("M 100644 :{empty} empty"),
            &format!("M 100644 :{delimited} d/e/f"),
            &format!("M 100644 :{a} d/e/g"),
            &format!("M 100644 :{a} d/h"),
            "M 160000 00112233445566778899aabbccddeeff00112233 sub",
            &format!("M 160000 {ZEROS} sub-zero"),
            "M 100644 inline said",
            "data <<X",
            "here",
            "X",
        ],
    );
    // No `from`: on top of the last one. A file becomes a directory and a directory a file; directories that empty vanish.
    stream.commit(
        main,
        b"second",
        &[
            &format!("M 100644 :{b} file/now/deep"),
            &format!("M 100644 :{b} d/e"),
            "D sub",
            "D run/not/there",
            "D nowhere",
        ],
    );
    let third = stream.commit(
        main,
        b"third",
        &[
            "D file/now/deep",
            "R d moved/to",
            "C moved copied",
            &format!("M 100755 :{a} copied/to/h"),
            "C \"short mode\" \"with \\\"quotes\\\"\"",
            "R said \"new\\nline\"",
            &format!("M 100644 :{a} \"back\\\\slash\""),
            &format!("M 100644 :{a} \"\\377\\376 not utf-8\""),
            &format!("M 100644 :{b} \"tab\\there/\\303\\244\""),
            &format!("M 100644 :{b} ünquoted/ä b"),
        ],
    );
    stream.commit(
        "refs/heads/roots",
        b"whole trees move",
        &[
            &format!("from :{third}"),
            "C \"\" all",
            "R all/moved/to \"\"",
            "C \"\" inner/again",
            "M 040000 4b825dc642cb6eb9a060e54bf8d69288fbee4904 inner/nothing",
        ],
    );
    stream.commit("refs/heads/roots", b"", &["deleteall"]);
    stream.commit(
        "refs/heads/roots",
        b"from nothing",
        &[
            &format!("M 100644 :{b} x/y/z"),
            "M 040000 4b825dc642cb6eb9a060e54bf8d69288fbee4904 x/y",
        ],
    );
    stream.commit(
        "refs/heads/roots",
        b"rename below itself",
        &[&format!("M 100644 :{a} p/q"), "R p p/r/s", "C p/r p"],
    );
    let deep = vec!["deep"; 500].join("/");
    stream.commit("refs/heads/deep", b"deep", &[&format!("M 100644 :{a} {deep}")]);
    // The branch starts anew: a second root.
    stream.line(&format!("reset {main}"));
    stream.commit(main, b"another root", &[&format!("M 100644 :{b} only")]);
    stream.line("done");
    stream.line("what comes after is not read");
    stream.bytes
}

pub fn nasty_refs() -> Vec<u8> {
    let mut stream = Stream::default();
    let a = stream.blob(b"a");
    let b = stream.blob(b"b");
    let (file_a, file_b) = (format!("M 100644 :{a} f"), format!("M 100644 :{b} f"));
    let one = stream.commit("refs/heads/main", b"one", &[&file_a]);
    let two = stream.commit("refs/heads/main", b"two", &[&file_b]);
    stream.line("checkpoint");
    stream.line("");
    stream.commit(
        "refs/heads/main",
        b"peeled",
        &["from refs/heads/main^0", "D f", "M 100644 inline g", "data 1", "g"],
    );
    stream.commit("refs/heads/side", b"side", &["from refs/heads/main", &file_a]);
    stream.commit(
        "refs/heads/merge",
        b"merge",
        &[
            &format!("from :{one}"),
            "merge refs/heads/side",
            "merge refs/heads/main",
        ],
    );
    // Without `from`, the first merge is the first parent and the tree is empty.
    stream.commit(
        "refs/heads/merge-only",
        b"merge only",
        &[&format!("merge :{two}"), &format!("M 100644 :{a} alone")],
    );
    let roots: Vec<_> = (0..64)
        .map(|number| {
            stream.commit(
                &format!("refs/heads/root{number:02}"),
                format!("{number}").as_bytes(),
                &[&file_a],
            )
        })
        .collect();
    let merges: Vec<_> = roots
        .iter()
        .enumerate()
        .map(|(at, mark)| format!("{} :{mark}", if at == 0 { "from" } else { "merge" }))
        .collect();
    let merges: Vec<_> = merges.iter().map(String::as_str).collect();
    stream.commit("refs/heads/octopus", b"sixty-four parents", &merges);

    tags_of_every_kind(&mut stream, a, one, two);
    refs_that_hide(&mut stream, a, b, one, two);
    messages(&mut stream);
    stream.bytes
}

fn tags_of_every_kind(stream: &mut Stream, a: u64, one: u64, two: u64) {
    stream.commit("refs/tags/made-by-commit", b"light", &[&format!("from :{two}")]);
    stream.line("reset refs/tags/light");
    stream.line(&format!("from :{one}"));
    stream.line("");
    stream.line("tag annotated");
    let annotated = stream.mark();
    stream.line(&format!("from :{two}"));
    stream.line("tagger T <t@u> 1234 -0500");
    stream.data(b"a message\n");
    stream.line("tag empty-message");
    stream.line("from refs/heads/side");
    stream.line("tagger T <t@u> 0 -0500");
    stream.data(b"");
    stream.line("tag without-tagger");
    stream.line(&format!("from :{two}"));
    stream.data(b"m");
    stream.line("tag outer");
    stream.line(&format!("from :{annotated}"));
    stream.line("tagger T <t@u> 1236 +0000");
    stream.data(b"a tag of a tag");
    stream.line("tag of-blob");
    stream.line(&format!("from :{a}"));
    stream.line("tagger T <t@u> 1236 +0000");
    stream.data(b"no commit");
    // As in git, the annotated tag wins over the ref that is set later.
    stream.line("tag twice");
    stream.line(&format!("from :{one}"));
    stream.data(b"wins");
    stream.line("reset refs/tags/twice");
    stream.line(&format!("from :{two}"));
    stream.line("");
    // Refs that come and go.
    stream.line("reset refs/heads/gone");
    stream.line(&format!("from :{one}"));
    stream.line("reset refs/heads/gone");
    stream.line(&format!("from {ZEROS}"));
    stream.line("");
    stream.line("reset refs/heads/forgotten");
    stream.line("");
    stream.line("tag deleted");
    stream.line(&format!("from :{one}"));
    stream.data(b"m");
    stream.line("reset refs/tags/deleted");
    stream.line(&format!("from {ZEROS}"));
    stream.line("");
}

fn refs_that_hide(stream: &mut Stream, a: u64, b: u64, one: u64, two: u64) {
    let (file_a, file_b) = (format!("M 100644 :{a} f"), format!("M 100644 :{b} f"));
    // Refs that are not imported: one reached by a branch, one not.
    let hidden = stream.commit("refs/hidden/reached", b"hidden", &[&file_a]);
    stream.commit("refs/hidden/reached", b"not reached", &[&file_b]);
    stream.commit(
        "refs/heads/reaches",
        b"reaches",
        &[&format!("from :{hidden}"), &format!("M 100644 :{b} h")],
    );
    stream.commit(
        "refs/notes/commits",
        b"a note",
        &[&format!("N :{a} :{one}"), &format!("N inline :{two}"), "data 1", "n"],
    );
}

fn messages(stream: &mut Stream) {
    stream.commit("refs/heads/texts", "grün\n".as_bytes(), &[]);
    stream.commit("refs/heads/texts", b"not utf-8: \xff\xfe", &[]);
    stream.commit("refs/heads/texts", &vec![b'm'; 200 * 1024], &[]);
    stream.commit("refs/heads/texts", b"", &[]);
    stream.line("commit refs/heads/texts");
    stream.line("author Ä <ä@b> 5 +0000");
    stream.line("committer C <c@d> 0 +0000");
    stream.line("encoding ISO-8859-1");
    stream.data(b"gr\xfcn");
}
