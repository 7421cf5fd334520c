//! The store: creating, opening and closing it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracing::info_span;

use super::companion::Companion;
use super::error::{Error, Result};
use super::kind::{Objects, Workflow};
use super::options::Options;
use super::receipt::Receipt;
use super::report::{OpenReport, StoreStats};
use super::root::Root;
use super::transaction::Txn;
use super::view::View;
use crate::disk::{DurableDirectory, Install, Outcome};
use crate::format::store_file::{self, STORE_FILE};
use crate::format::{Namespace, UnixSeconds};
use crate::store::{self, IndexDefinition, Zone};
use crate::whole::place;
use crate::whole::verify::indexes::DEFINITIONS as INDEXES;

/// An open store: a directory with a workflow root and an object root. A cheap handle; clones share locks and caches.
///
/// The same store may be opened twice in one process: each handle has its own lock descriptors, so the two exclude
/// each other as two processes would. After a `fork` a handle answers `Usage` in the child.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
    pub(super) workflow: Root<Workflow>,
    pub(super) objects: Root<Objects>,
}

struct Shared {
    path: PathBuf,
    directory: DurableDirectory,
    options: Options,
    namespace: Namespace,
    report: OpenReport,
}

impl Store {
    /// Creates an empty store at `path`, which must not exist or be an empty directory, and opens it.
    ///
    /// It is an install: prepared aside in the parent directory, synced, renamed into place. Half-created means not
    /// created; creating again works, and clears what an interrupted call left (AC17, AC18). `namespace` stands in
    /// every Task's identity and never changes.
    ///
    /// `Refused`: something is in the way (F-0.8), or a network file system (F-0.4). `Usage`: the path has no name, or
    /// the options are read-only.
    pub fn create(path: impl AsRef<Path>, namespace: Namespace, options: &Options) -> Result<Self> {
        let path = path.as_ref();
        if options.read_only {
            return Err(Error::usage(format!(
                "{}: a read-only handle creates nothing",
                path.display()
            )));
        }
        let (parent, name) = place::parent_and_name(&*options.vfs, path)?;
        place::refuse_network(&parent, options.accept_network_file_system)?;
        let text = store_file::print(namespace);
        let install = Install::begin(&parent, &name, options.fresh(b"aside"), STORE_FILE, &text)?;
        for root in place::ROOTS {
            let directory = install.directory().create_directory(root.directory)?;
            store::create_zone(&directory, root.zone, &options.fresh(root.zone.name.as_bytes()))?;
            directory.sync()?;
        }
        // Once the name is there it may be found, whatever fails from now on.
        let created = install
            .finish()
            .map_err(Error::from)
            .and_then(|()| Self::open(path, options));
        created.map_err(|error| error.and_outcome(Outcome::Unknown))
    }

    /// Opens the store at `path`. Where its last writer died, that is recovered first, and told in
    /// [`Store::open_report`]. Costs O(files) and the bytes of one transaction, never O(records): headers, lengths and the
    /// list of files are looked at, every record only by `verify` (F-0.9).
    ///
    /// `NotFound`: there is no store at `path`. `RecoveryNeeded`: a root needs recovery and the options are read-only,
    /// or its recovery store is missing. `Corrupt`: the store file or a file of a root is damaged. `Unsupported`: a
    /// later version. `Refused`: an unknown `.bin` or `.idx` (F-0.8), a symlink or hard link (F-1), a network file
    /// system (F-0.4). `Busy`, `Permission`, `Io`.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Self> {
        let path = path.as_ref();
        let span = info_span!("open", path = %path.display(), read_only = options.read_only);
        let _entered = span.enter();
        let directory = place::open_store(&*options.vfs, path)?;
        place::refuse_network(&directory, options.accept_network_file_system)?;
        let namespace = place::read_namespace(&directory)?;
        if !options.read_only {
            place::settle_name(&*options.vfs, path)?;
        }
        let workflow = options.attach(&directory, &place::WORKFLOW)?;
        let objects = options.attach(&directory, &place::OBJECTS)?;
        Zone::link(&[&workflow, &objects]);
        let mut recoveries = Vec::new();
        for zone in [&workflow, &objects] {
            recoveries.extend(zone.make_ready()?);
        }
        let companion = Companion::new(objects.clone(), Arc::clone(&options.vfs), options.max_transaction_bytes);
        let companion = Arc::new(companion);
        Ok(Self {
            workflow: Root::new(workflow, &companion),
            objects: Root::new(objects, &companion),
            shared: Arc::new(Shared {
                path: path.to_owned(),
                directory,
                options: options.clone(),
                namespace,
                report: OpenReport::of(recoveries),
            }),
        })
    }

    /// Makes the marks that say that the last changes are done durable, and closes this handle. Not calling it is
    /// safe: dropping a handle writes nothing.
    pub fn close(self) -> Result<()> {
        self.sync_spent()
    }

    /// Makes the marks that say that the last changes are done durable, for callers that are idle.
    pub fn sync_spent(&self) -> Result<()> {
        self.workflow.zone().sync_mark()?;
        self.objects.zone().sync_mark()?;
        Ok(())
    }

    /// Writes the index files over all records of the roots that this handle and its clones have changed. They are kept
    /// up now and then on their own, and what they lack is found without them; after much was added at once (an import)
    /// writing them spares the next process the search. Costs O(records).
    pub fn write_indexes(&self) -> Result<()> {
        for zone in [self.workflow.zone(), self.objects.zone()] {
            if zone.stats().commits > 0 {
                let of_zone = |definition: &&&IndexDefinition| {
                    zone.layout()
                        .families
                        .iter()
                        .any(|family| std::ptr::eq(*family, definition.layout))
                };
                let definitions: Vec<_> = INDEXES.iter().filter(of_zone).copied().collect();
                zone.write_indexes(&definitions)?;
            }
        }
        Ok(())
    }

    /// The workflow root: Lines, Tags, Snapshots.
    pub fn workflow(&self) -> Root<Workflow> {
        self.workflow.clone()
    }

    /// The object root: contents of files, and directories.
    pub fn objects(&self) -> Root<Objects> {
        self.objects.clone()
    }

    /// [`Root::read`] of the workflow root.
    pub fn read<T>(&self, f: impl FnOnce(&View<'_, Workflow>) -> Result<T>) -> Result<T> {
        self.workflow.read(f)
    }

    /// [`Root::write`] of the workflow root.
    pub fn write<T>(
        &self,
        now: UnixSeconds,
        f: impl FnOnce(&mut Txn<'_, Workflow>) -> Result<T>,
    ) -> Result<Receipt<T>> {
        self.workflow.write(now, f)
    }

    /// [`Root::group`] of the workflow root.
    pub fn group<T: Send + 'static>(
        &self,
        now: UnixSeconds,
        f: impl FnOnce(&mut Txn<'_, Workflow>) -> Result<T> + Send + 'static,
    ) -> Result<Receipt<T>> {
        self.workflow.group(now, f)
    }

    /// [`Root::view`] of the workflow root.
    pub fn view(&self) -> Result<View<'_, Workflow>> {
        self.workflow.view()
    }

    /// [`Root::begin`] of the workflow root.
    pub fn begin(&self, now: UnixSeconds) -> Result<Txn<'_, Workflow>> {
        self.workflow.begin(now)
    }

    pub(super) fn directory(&self) -> &DurableDirectory {
        &self.shared.directory
    }

    pub(super) fn options(&self) -> &Options {
        &self.shared.options
    }

    /// The store's directory, as it was opened.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// The namespace that stands in every Task's identity (F-0.6).
    pub fn namespace(&self) -> Namespace {
        self.shared.namespace
    }

    /// What opening found.
    pub fn open_report(&self) -> &OpenReport {
        &self.shared.report
    }

    /// What this handle and its clones have done so far.
    pub fn stats(&self) -> StoreStats {
        StoreStats {
            workflow: self.workflow.stats(),
            objects: self.objects.stats(),
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("path", &self.shared.path)
            .finish_non_exhaustive()
    }
}
