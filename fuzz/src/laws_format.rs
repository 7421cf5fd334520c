//! Laws of the format floor's decoders: total on any bytes, and faithful where they accept.

use graven::format::directory::{self, entries};
use graven::format::store_file;
use graven::format::{
    DirectoryBuilder, Identity, Line, Object, PayloadRange, Snapshot, SnapshotPayload, Tag, TagPayload,
};

crate::laws!(
    a_line_that_decodes_encodes_back,
    a_tag_that_decodes_encodes_back,
    a_snapshot_that_decodes_encodes_back,
    an_object_that_decodes_encodes_back,
    a_directory_that_reads_is_built_back,
    an_identity_that_reads_prints_back,
    a_store_file_that_reads_prints_back,
);

/// The range of a payload of those bytes.
fn range(bytes: &[u8]) -> PayloadRange {
    PayloadRange::new(4, bytes.len() as u64).expect("a payload of this law")
}

/// A Line's record decodes or is refused; what decodes natively encodes to the same bytes.
pub fn a_line_that_decodes_encodes_back(bytes: &[u8]) {
    let tolerant = Line::decode(bytes);
    if let Ok(line) = Line::decode_native(bytes) {
        assert_eq!(line.encode().as_ref().map(<[u8; 40]>::as_slice), Ok(bytes));
        assert_eq!(tolerant.map(|reading| reading.value), Ok(line));
    }
}

/// A Tag's record, and the payload behind it, decode or are refused; what decodes natively encodes to the same bytes.
pub fn a_tag_that_decodes_encodes_back(bytes: &[u8]) {
    let (record, payload) = bytes.split_at(bytes.len().min(24));
    let tolerant = Tag::decode(record);
    let Ok(tag) = Tag::decode_native(record) else { return };
    assert_eq!(tag.encode().as_ref().map(<[u8; 24]>::as_slice), Ok(record));
    assert_eq!(tolerant.map(|reading| reading.value), Ok(tag));
    let tag = Tag {
        payload: range(payload),
        ..tag
    };
    if let Ok(read) = TagPayload::decode_native(&tag, payload) {
        assert_eq!(read.encode().as_deref(), Ok(payload));
    }
}

/// A Snapshot's record, and the payload behind it, decode or are refused; what decodes natively encodes to the same
/// bytes.
pub fn a_snapshot_that_decodes_encodes_back(bytes: &[u8]) {
    let (record, payload) = bytes.split_at(bytes.len().min(88));
    let tolerant = Snapshot::decode(record);
    let Ok(snapshot) = Snapshot::decode_native(record) else {
        return;
    };
    assert_eq!(snapshot.encode().as_ref().map(<[u8; 88]>::as_slice), Ok(record));
    assert_eq!(tolerant.map(|reading| reading.value), Ok(snapshot));
    let snapshot = Snapshot {
        payload: range(payload),
        ..snapshot
    };
    if let Ok(read) = SnapshotPayload::decode_native(&snapshot, payload)
        && snapshot.encode().is_ok()
    {
        let parents: Vec<_> = read.more_parents.iter().collect();
        let built = SnapshotPayload::encode(&parents, read.message, read.line_name);
        assert_eq!(built.as_deref(), Ok(payload));
    }
}

/// An object's record decodes or is refused; what decodes encodes to the same bytes.
pub fn an_object_that_decodes_encodes_back(bytes: &[u8]) {
    if let Ok(object) = Object::decode_native(bytes) {
        assert_eq!(object.encode(), bytes);
    }
}

/// A directory's entries read in increasing order up to the first wrong one; a whole directory is built back from what
/// was read, and every entry is found by its name.
pub fn a_directory_that_reads_is_built_back(bytes: &[u8]) {
    let Ok(read) = entries(bytes).collect::<Result<Vec<_>, _>>() else {
        return;
    };
    let mut builder = DirectoryBuilder::new();
    for entry in &read {
        if builder.push(entry.name, entry.target).is_err() {
            // Only sizes that overflow together: a reader of one directory does not add them up.
            return;
        }
        assert_eq!(directory::find(bytes, entry.name), Ok(Some(*entry)));
    }
    assert_eq!(builder.finish(), bytes);
}

/// Text that reads as an identity prints as the same text.
pub fn an_identity_that_reads_prints_back(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(identity) = text.parse::<Identity>() {
        assert_eq!(identity.to_string(), text);
    }
}

/// Bytes that read as a store file print as the same bytes.
pub fn a_store_file_that_reads_prints_back(bytes: &[u8]) {
    if let Ok(namespace) = store_file::parse(bytes) {
        assert_eq!(store_file::print(namespace), bytes);
    }
}
