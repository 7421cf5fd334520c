//! Which file systems reach further than one kernel: the `statfs` magic numbers, as a table.
//!
//! On these, `flock` may guard one host only and a sync may end at a cache that another host does not see, so a
//! store on them is refused unless the caller accepts it. FUSE stands in the table: nothing tells a local FUSE
//! file system from `sshfs` or a host's shared folder (virtiofs carries the same number), and its locks and syncs
//! are whatever its daemon makes of them. Overlay file systems are local: their upper layer answers for them.

use crate::vfs::FileSystem;

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkFileSystem {
    /// The `f_type` of `statfs`.
    pub magic: u64,
    /// Its usual name.
    pub name: &'static str,
}

const fn row(magic: u64, name: &'static str) -> NetworkFileSystem {
    NetworkFileSystem { magic, name }
}

/// All file systems that count as network file systems.
pub const NETWORK_FILE_SYSTEMS: &[NetworkFileSystem] = &[
    row(0x6969, "NFS"),
    row(0x517B, "SMB"),
    row(0xFF53_4D42, "CIFS"),
    row(0xFE53_4D42, "SMB2"),
    row(0x564C, "NCP"),
    row(0x5346_414F, "AFS"),
    row(0x6B41_4653, "kAFS"),
    row(0x7375_7245, "Coda"),
    row(0x00C3_6400, "Ceph"),
    row(0x6573_5546, "FUSE or virtiofs"),
    row(0x0102_1997, "9p"),
    row(0x0116_1970, "GFS2"),
    row(0x7461_636F, "OCFS2"),
    row(0x0BD0_0BD0, "Lustre"),
    row(0x4750_4653, "GPFS"),
    row(0x2003_0528, "OrangeFS"),
    row(0x1983_0326, "BeeGFS"),
    row(0xAAD7_AAEA, "PanFS"),
    row(0xBEEF_DEAD, "StorNext"),
    row(0x6163_6673, "ACFS"),
    row(0x786F_4256, "VirtualBox shared folder"),
    row(0xBACB_ACBC, "VMware shared folder"),
    row(0x7C7C_6673, "Parallels shared folder"),
];

/// What a `statfs` magic number says.
pub fn classify(magic: u64) -> FileSystem {
    if NETWORK_FILE_SYSTEMS.iter().any(|row| row.magic == magic) {
        FileSystem::Network(magic)
    } else {
        FileSystem::Local
    }
}

#[cfg(test)]
mod tests {
    use super::{FileSystem, NETWORK_FILE_SYSTEMS, classify};

    #[test]
    fn every_magic_stands_once_in_the_table_and_fits_32_bits() {
        for (at, row) in NETWORK_FILE_SYSTEMS.iter().enumerate() {
            assert!(u32::try_from(row.magic).is_ok(), "{}", row.name);
            let twin = NETWORK_FILE_SYSTEMS
                .iter()
                .skip(at + 1)
                .find(|other| other.magic == row.magic);
            assert_eq!(twin, None);
        }
    }

    #[test]
    fn ac30_network_magics_are_told_from_local_ones() {
        for network in [
            0x6969,
            0xFF53_4D42,
            0xFE53_4D42,
            0x00C3_6400,
            0x0102_1997,
            0x6573_5546,
            0x0116_1970,
        ] {
            assert_eq!(classify(network), FileSystem::Network(network));
        }
        // ext4, XFS, Btrfs, ZFS, tmpfs, overlayfs, F2FS, bcachefs
        for local in [
            0xEF53,
            0x5846_5342,
            0x9123_683E,
            0x2FC1_2FC1,
            0x0102_1994,
            0x794C_7630,
            0xF2F5_2010,
            0xCA45_1A4E,
        ] {
            assert_eq!(classify(local), FileSystem::Local);
        }
    }
}
