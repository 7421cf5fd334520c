//! Zones in a temporary directory, for the tests of the domains.

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;

use crate::disk::{DurableDirectory, LockWait};
use crate::format::{LOCAL_WORKFLOW, OBJECT_ZONE, UnixSeconds, ZoneLayout};
use crate::store::{IndexDefinition, Transaction, View, Zone, ZoneOptions, create_zone};
use crate::vfs::Vfs;
use crate::vfs::os::OsVfs;

/// A fresh zone in a temporary directory of its own.
pub(crate) struct TestZone {
    root: tempfile::TempDir,
    layout: &'static ZoneLayout,
    zone: Zone,
}

impl TestZone {
    /// A fresh object zone.
    pub(crate) fn objects() -> Self {
        Self::create(&OBJECT_ZONE)
    }

    /// A fresh workflow zone of a local root.
    pub(crate) fn workflow() -> Self {
        Self::create(&LOCAL_WORKFLOW)
    }

    fn create(layout: &'static ZoneLayout) -> Self {
        let root = tempfile::tempdir().unwrap();
        create_zone(&directory(&root), layout, &[7; 16]).unwrap();
        let zone = attach(&root, layout);
        Self { root, layout, zone }
    }

    /// Opens the zone anew: caches and indexes in memory are gone.
    pub(crate) fn reopen(&mut self) {
        self.zone = attach(&self.root, self.layout);
    }

    pub(crate) fn view(&self) -> View<'_> {
        self.zone.view().unwrap()
    }

    pub(crate) fn begin(&self) -> Transaction<'_> {
        self.zone.begin(UnixSeconds(1000)).unwrap()
    }

    /// Writes one of its index files.
    pub(crate) fn write_indexes(&self, definition: &'static IndexDefinition) {
        self.zone.write_indexes(&[definition]).unwrap();
    }

    /// The path of one of its files.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.root.path().join(file)
    }

    /// The bytes of one of its files.
    pub(crate) fn bytes(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.path(file)).unwrap()
    }

    /// Damages a file behind the zone's back: overwrites `bytes` at `offset`, then opens the zone anew.
    pub(crate) fn damage(&mut self, file: &str, offset: u64, bytes: &[u8]) {
        let mut open = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .open(self.path(file))
            .unwrap();
        let mut old = vec![0; bytes.len()];
        open.seek(SeekFrom::Start(offset)).unwrap();
        open.read_exact(&mut old).unwrap();
        assert_ne!(old, bytes, "damage that changes nothing");
        open.seek(SeekFrom::Start(offset)).unwrap();
        open.write_all(bytes).unwrap();
        self.reopen();
    }
}

fn directory(root: &tempfile::TempDir) -> DurableDirectory {
    let path = root.path();
    DurableDirectory::new(OsVfs.open_directory(path).unwrap(), path.display().to_string())
}

fn attach(root: &tempfile::TempDir, layout: &'static ZoneLayout) -> Zone {
    let vfs: Arc<dyn Vfs> = Arc::new(OsVfs);
    let options = ZoneOptions {
        read_only: false,
        wait: LockWait::Block,
        entropy: [3; 32],
        max_transaction_bytes: 64 << 20,
        cache_bytes: 8 << 20,
        holder: "test".to_owned(),
        sync_spent: false,
    };
    let zone = Zone::attach(&vfs, &directory(root), layout, options).unwrap();
    zone.make_ready().unwrap();
    zone
}
