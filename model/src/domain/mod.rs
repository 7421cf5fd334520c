//! The reference behaviour of objects, Snapshots, Lines and Tags in the plainest collections.
