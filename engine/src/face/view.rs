//! A consistent view of one root, and what can be read in it.

use std::fmt;
use std::marker::PhantomData;

use super::error::Result;
use super::kind::{Kind, Objects, Workflow};
use super::rows::Rows;
use crate::domain::{lines, objects, snapshots, tags};
use crate::store;

/// A consistent view of a root: the shared lock is held as long as it lives, so no process commits meanwhile.
pub struct View<'r, K> {
    view: store::View<'r>,
    kind: PhantomData<fn() -> K>,
}

impl<'r, K: Kind> View<'r, K> {
    pub(super) fn new(view: store::View<'r>) -> Self {
        Self {
            view,
            kind: PhantomData,
        }
    }

    /// The floor below, for simulators and for domains' free functions.
    #[doc(hidden)]
    pub fn source(&self) -> &store::View<'r> {
        &self.view
    }
}

impl View<'_, Workflow> {
    /// The Lines.
    pub fn lines(&self) -> Result<Rows<lines::Lines<'_>>> {
        Ok(Rows::new(lines::Lines::new(&self.view)?))
    }

    /// The Tags.
    pub fn tags(&self) -> Result<Rows<tags::Tags<'_>>> {
        Ok(Rows::new(tags::Tags::new(&self.view)?))
    }

    /// The Snapshots.
    pub fn snapshots(&self) -> Result<Rows<snapshots::Snapshots<'_>>> {
        Ok(Rows::new(snapshots::Snapshots::new(&self.view)?))
    }
}

impl View<'_, Objects> {
    /// The objects.
    pub fn objects(&self) -> Result<Rows<objects::Objects<'_>>> {
        Ok(Rows::new(objects::Objects::new(&self.view)?))
    }
}

impl<K: Kind> fmt::Debug for View<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View")
            .field("directory", &K::DIRECTORY)
            .finish_non_exhaustive()
    }
}
