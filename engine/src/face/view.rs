//! A consistent view of one root. What can be read in it stands in `readers`.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::error::{Error, ErrorKind, Result};
use super::kind::Kind;
use crate::store::{self, Source as _};

/// A consistent view of a root: the shared lock is held as long as it lives, so no process commits meanwhile.
pub struct View<'r, K> {
    pub(super) source: store::View<'r>,
    pub(super) directory: &'r Arc<str>,
    kind: PhantomData<fn() -> K>,
}

impl<'r, K: Kind> View<'r, K> {
    pub(super) fn new(view: store::View<'r>, directory: &'r Arc<str>) -> Self {
        Self {
            source: view,
            directory,
            kind: PhantomData,
        }
    }

    /// The number of records of a family of this root, by its name; tombstones are counted too. `NotFound`: the root
    /// has no such family.
    pub fn record_count(&self, family: &str) -> Result<u64> {
        let declared = K::authority().family(family).ok_or_else(|| {
            Error::new(
                ErrorKind::NotFound,
                format!("the family `{family}` does not exist in this root"),
            )
        })?;
        let family = self.source.family(declared)?;
        Ok(u64::from(self.source.record_count(family)))
    }

    /// The floor below, for simulators and for domains' free functions.
    #[doc(hidden)]
    pub fn source(&self) -> &store::View<'r> {
        &self.source
    }
}

impl<K: Kind> fmt::Debug for View<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View")
            .field("directory", &K::DIRECTORY)
            .finish_non_exhaustive()
    }
}
