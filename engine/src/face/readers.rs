//! What can be read: the same families in a view and, pending writes included, in a transaction.

use super::error::Result;
use super::kind::{Objects, Workflow};
use super::rows::Rows;
use super::transaction::Txn;
use super::view::View;
use crate::domain::{changes, lands, lines, objects, snapshots, stashes, tags, tasks};

/// Gives each family of a kind of root its reader.
macro_rules! readers {
    ($kind:ty: $($name:ident $family:ty, $what:literal;)+) => {
        impl View<'_, $kind> {
            $(
                #[doc = concat!("The ", $what, ".")]
                pub fn $name(&self) -> Result<Rows<$family>> {
                    Ok(Rows::new(<$family>::new(&self.source)?, self.directory))
                }
            )+
        }

        /// Reading through the pending writes.
        impl Txn<'_, $kind> {
            $(
                #[doc = concat!("The ", $what, ", pending ones included.")]
                pub fn $name(&self) -> Result<Rows<$family>> {
                    Ok(Rows::new(<$family>::new(&self.transaction)?, self.directory))
                }
            )+
        }
    };
}

readers! {
    Workflow:
    tasks tasks::Tasks<'_>, "Tasks";
    changes changes::Changes<'_>, "Changes";
    lands lands::Lands<'_>, "Lands";
    lines lines::Lines<'_>, "Lines";
    snapshots snapshots::Snapshots<'_>, "Snapshots";
    stashes stashes::Stashes<'_>, "Stashes";
    tags tags::Tags<'_>, "Tags";
}

readers! {
    Objects:
    objects objects::Objects<'_>, "objects";
}
