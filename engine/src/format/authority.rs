//! The list of files of each authority.

use super::families::{change, land, line, object, owner_index, plan, snapshot, stash, tag, task};
use super::index;
use super::layout::{IndexLayout, Layout};

/// An authority: the closed inventory of files that one kind of root has.
#[derive(Debug)]
pub struct Authority {
    /// Its name: `local`, `object`, …
    pub name: &'static str,
    /// Its zones, in lock order.
    pub zones: &'static [&'static ZoneLayout],
}

/// One zone of an authority: the unit of locking, undo and recovery.
#[derive(Debug)]
pub struct ZoneLayout {
    /// Its name, and the stem of its runtime files.
    pub name: &'static str,
    /// The lock file's name.
    pub lock_file: &'static str,
    /// The gate file's name.
    pub gate_file: &'static str,
    /// The recovery store's name.
    pub undo_file: &'static str,
    /// Its families. Every one has its files from the creation of the root on.
    pub families: &'static [&'static Layout],
    /// Its rebuildable indexes; optional files.
    pub indexes: &'static [&'static IndexLayout],
}

/// The authority of a local store's workflow root (F-0.4, F-0.8).
pub static LOCAL: Authority = Authority {
    name: "local",
    zones: &[&LOCAL_WORKFLOW],
};

/// The one zone of a local root.
pub static LOCAL_WORKFLOW: ZoneLayout = ZoneLayout {
    name: "workflow",
    lock_file: "workflow.lock",
    gate_file: "workflow.gate",
    undo_file: "workflow.undo",
    families: &[
        &task::TASK,
        &owner_index::TASK_CHANGE_INDEX,
        &owner_index::TASK_LAND_INDEX,
        &change::CHANGE,
        &owner_index::CHANGE_LAND_INDEX,
        &land::LAND,
        &line::LINE,
        &snapshot::SNAPSHOT,
        &stash::STASH,
        &tag::TAG,
        &plan::PLAN,
        &plan::PLAN_REVISION,
        &plan::PLAN_ITEM,
    ],
    indexes: &[&index::LINE_NAME_INDEX, &index::SNAPSHOT_ID_INDEX],
};

/// The authority of an object root (F-0.3, F-0.4).
pub static OBJECT: Authority = Authority {
    name: "object",
    zones: &[&OBJECT_ZONE],
};

/// The one zone of an object root.
pub static OBJECT_ZONE: ZoneLayout = ZoneLayout {
    name: "object",
    lock_file: "object.lock",
    gate_file: "object.gate",
    undo_file: "object.undo",
    families: &[&object::OBJECT],
    indexes: &[&index::OBJECT_HASH_INDEX],
};

/// Every authority of this version.
pub static AUTHORITIES: &[&Authority] = &[&LOCAL, &OBJECT];

/// What a name in a root's directory is.
#[derive(Clone, Copy, Debug)]
pub enum FileRole {
    /// The record file of a family.
    Records(&'static Layout),
    /// The payload file of a family.
    Payload(&'static Layout),
    /// A rebuildable index.
    Index(&'static IndexLayout),
    /// A zone's lock, gate or recovery store.
    Runtime(&'static ZoneLayout),
    /// A `.bin` or `.idx` that the authority does not have: the root is refused (F-0.8).
    Forbidden,
    /// Anything else: a warning of `verify` (F-0.8).
    Unknown,
}

impl ZoneLayout {
    /// The files of the zone's families in order: each record file, then its payload file. All exist from creation on.
    pub fn data_files(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.families
            .iter()
            .flat_map(|family| std::iter::once(family.file).chain(family.payload_file))
    }

    /// The zone's lock, gate and recovery store: beside the authority's files, never part of them.
    pub const fn runtime_files(&self) -> [&'static str; 3] {
        [self.lock_file, self.gate_file, self.undo_file]
    }
}

impl Authority {
    /// The declared family of that name: the record file's name without `.bin`.
    pub fn family(&self, name: &str) -> Option<&'static Layout> {
        self.zones
            .iter()
            .flat_map(|zone| zone.families)
            .find(|layout| layout.family == name)
            .copied()
    }

    /// What that name in the root's directory is.
    pub fn role(&self, name: &str) -> FileRole {
        self.zones
            .iter()
            .find_map(|zone| role_in(zone, name))
            .unwrap_or_else(|| {
                let data = [".bin", ".idx"].iter().any(|suffix| name.ends_with(suffix));
                if data { FileRole::Forbidden } else { FileRole::Unknown }
            })
    }

    /// Whether it is a data file or an index of this authority.
    pub fn declares(&self, name: &str) -> bool {
        matches!(
            self.role(name),
            FileRole::Records(_) | FileRole::Payload(_) | FileRole::Index(_)
        )
    }

    /// Whether it is a zone's lock, gate or recovery store.
    pub fn is_runtime(&self, name: &str) -> bool {
        matches!(self.role(name), FileRole::Runtime(_))
    }

    /// Whether it is a `.bin` or `.idx` that this authority does not have.
    pub fn forbids(&self, name: &str) -> bool {
        matches!(self.role(name), FileRole::Forbidden)
    }
}

fn role_in(zone: &'static ZoneLayout, name: &str) -> Option<FileRole> {
    if zone.runtime_files().contains(&name) {
        return Some(FileRole::Runtime(zone));
    }
    if let Some(index) = zone.indexes.iter().find(|index| index.file == name) {
        return Some(FileRole::Index(index));
    }
    let family = zone
        .families
        .iter()
        .find(|family| family.file == name || family.payload_file == Some(name))?;
    Some(if family.file == name {
        FileRole::Records(family)
    } else {
        FileRole::Payload(family)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f_0_8_a_local_root_has_exactly_these_files() {
        let files: Vec<_> = LOCAL_WORKFLOW.data_files().collect();
        let expected = [
            "task.bin",
            "task_payload.bin",
            "task_change_index.bin",
            "task_land_index.bin",
            "change.bin",
            "change_payload.bin",
            "change_land_index.bin",
            "land.bin",
            "line.bin",
            "line_name_payload.bin",
            "snapshot.bin",
            "snapshot_payload.bin",
            "stash.bin",
            "tag.bin",
            "tag_payload.bin",
            "plan.bin",
            "plan_payload.bin",
            "plan_revision.bin",
            "plan_revision_payload.bin",
            "plan_item.bin",
            "plan_item_payload.bin",
        ];
        assert_eq!(files, expected);
        assert_eq!(
            LOCAL_WORKFLOW.runtime_files(),
            ["workflow.lock", "workflow.gate", "workflow.undo"]
        );
        let indexes: Vec<_> = LOCAL_WORKFLOW.indexes.iter().map(|index| index.file).collect();
        assert_eq!(indexes, ["line_name.idx", "snapshot_id.idx"]);
    }

    #[test]
    fn f_0_8_an_object_root_has_exactly_these_files() {
        assert_eq!(
            OBJECT_ZONE.data_files().collect::<Vec<_>>(),
            ["object.bin", "object_payload.bin"]
        );
        assert_eq!(
            OBJECT_ZONE.runtime_files(),
            ["object.lock", "object.gate", "object.undo"]
        );
        assert!(OBJECT.declares("object_hash.idx"));
    }

    #[test]
    fn f_0_3_f_0_8_an_unknown_bin_or_idx_is_forbidden_and_another_name_only_unknown() {
        for name in [
            "blob.bin",
            "tree.bin",
            "object.bin",
            "task_head.bin",
            "tree_id.idx",
            "tag.BIN.bin",
            ".bin",
        ] {
            assert!(LOCAL.forbids(name), "{name}");
            assert!(!LOCAL.declares(name), "{name}");
        }
        assert!(matches!(LOCAL.role("notes.txt"), FileRole::Unknown));
        assert!(LOCAL.is_runtime("workflow.gate") && !LOCAL.is_runtime("object.gate"));
        assert!(LOCAL.declares("tag.bin") && LOCAL.declares("line_name.idx"));
    }

    #[test]
    fn no_file_name_of_an_authority_is_declared_twice() {
        for authority in AUTHORITIES {
            let mut names: Vec<_> = authority
                .zones
                .iter()
                .flat_map(|zone| {
                    let indexes = zone.indexes.iter().map(|index| index.file);
                    zone.data_files()
                        .chain(zone.runtime_files())
                        .chain(indexes)
                        .collect::<Vec<_>>()
                })
                .collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}", authority.name);
        }
    }
}
