//! Laws of the decoders of the workflow's records: total on any bytes, and faithful where they accept.

use graven::format::{
    Change, ChangeLands, ChangeTitle, Cursor, DecodeError, Land, Reading, RemoteChange, RemoteTask, ServerLand, Stash,
    Task, TaskChanges, TaskLands, TaskPayload,
};

crate::laws!(
    a_task_that_decodes_encodes_back,
    a_change_that_decodes_encodes_back,
    a_land_that_decodes_encodes_back,
    a_stash_that_decodes_encodes_back,
    an_owner_row_that_decodes_encodes_back,
    a_cursor_that_decodes_encodes_back,
    a_task_of_a_server_that_decodes_encodes_back,
    a_change_of_a_server_that_decodes_encodes_back,
    a_land_of_a_server_that_decodes_encodes_back,
);

/// What decodes is encoded in a form that decodes to the same value, and is the same bytes where nothing was tolerated.
fn encodes_back<T: PartialEq + std::fmt::Debug, const N: usize>(
    bytes: &[u8],
    decode: fn(&[u8]) -> Result<Reading<T>, DecodeError>,
    encode: fn(&T) -> Result<[u8; N], DecodeError>,
) {
    let Ok(read) = decode(bytes) else { return };
    let canonical = encode(&read.value).expect("what was read is written");
    let again = decode(&canonical).expect("what was written is read");
    assert_eq!(again.value, read.value);
    if read.tolerated.is_empty() {
        assert_eq!(canonical[..], *bytes);
        assert!(again.tolerated.is_empty());
    }
}

/// A Task's record, and the payload behind it.
pub fn a_task_that_decodes_encodes_back(bytes: &[u8]) {
    let (record, payload) = bytes.split_at(bytes.len().min(64));
    encodes_back(record, Task::decode, Task::encode);
    if let Ok(read) = TaskPayload::decode(payload) {
        assert_eq!(read.encode().as_deref(), Ok(payload));
    }
}

/// A Change's record, and the title behind it.
pub fn a_change_that_decodes_encodes_back(bytes: &[u8]) {
    let (record, title) = bytes.split_at(bytes.len().min(68));
    encodes_back(record, Change::decode, Change::encode);
    if let Ok(read) = ChangeTitle::read(title) {
        assert_eq!(read.as_str().as_bytes(), title);
    }
}

/// A Land's record.
pub fn a_land_that_decodes_encodes_back(bytes: &[u8]) {
    encodes_back(bytes, Land::decode, Land::encode);
}

/// A Stash's record.
pub fn a_stash_that_decodes_encodes_back(bytes: &[u8]) {
    encodes_back(bytes, Stash::decode, |stash| Ok(stash.encode()));
}

/// Each kind of owner row.
pub fn an_owner_row_that_decodes_encodes_back(bytes: &[u8]) {
    encodes_back(bytes, TaskChanges::decode, TaskChanges::encode);
    encodes_back(bytes, ChangeLands::decode, ChangeLands::encode);
    encodes_back(bytes, TaskLands::decode, |row| Ok(row.encode()));
}

/// A cursor's record, and the file that holds one.
pub fn a_cursor_that_decodes_encodes_back(bytes: &[u8]) {
    encodes_back(bytes, Cursor::decode, Cursor::encode);
    if let Ok(cursor) = Cursor::decode_file(bytes) {
        assert_eq!(cursor.encode_file().as_ref().map(<[u8; 32]>::as_slice), Ok(bytes));
    }
}

/// The record of a server's Task.
pub fn a_task_of_a_server_that_decodes_encodes_back(bytes: &[u8]) {
    encodes_back(bytes, RemoteTask::decode, RemoteTask::encode);
}

/// The record of a server's Change.
pub fn a_change_of_a_server_that_decodes_encodes_back(bytes: &[u8]) {
    encodes_back(bytes, RemoteChange::decode, RemoteChange::encode);
}

/// The record of a server's Land.
pub fn a_land_of_a_server_that_decodes_encodes_back(bytes: &[u8]) {
    encodes_back(bytes, ServerLand::decode, ServerLand::encode);
}
