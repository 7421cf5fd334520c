//! What has happened to a file or a directory since it was last known to be durable, in order.

/// Where one unsynced operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Dirty in the cache: the next successful sync makes it durable.
    Dirty,
    /// Readable, but a failed sync has marked it clean: no later sync reaches it (assumption 4). It may have reached
    /// the medium or not, and it vanishes from the cache on eviction.
    Clean,
    /// Durable by a later sync. It only waits here because an earlier operation is [`Standing::Clean`].
    Durable,
}

/// What a failed sync leaves (assumption 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FailedSync {
    /// The new state stays readable, counts as clean, and is lost on eviction or at a cut.
    #[default]
    ReadableButLost,
    /// The old state is readable again at once.
    Reverted,
    /// Nothing has happened: a later successful sync makes everything durable.
    StillDirty,
}

/// One operation with its place in the order of all operations of the disk.
#[derive(Clone, Debug)]
pub(super) struct Pending<C> {
    pub(super) sequence: u64,
    pub(super) standing: Standing,
    pub(super) change: C,
}

/// The ordered list of what is not known to be durable.
#[derive(Clone, Debug)]
pub(super) struct Journal<C> {
    pending: Vec<Pending<C>>,
}

impl<C> Default for Journal<C> {
    fn default() -> Self {
        Self { pending: Vec::new() }
    }
}

impl<C> Journal<C> {
    pub(super) fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Pending<C>> {
        self.pending.iter()
    }

    pub(super) fn push(&mut self, sequence: u64, change: C) {
        self.pending.push(Pending {
            sequence,
            standing: Standing::Dirty,
            change,
        });
    }

    /// Forgets the last two changes where the two before them are the same and none of them was synced: the second
    /// lengthening and shortening of a file adds nothing to the first.
    pub(super) fn drop_repeated_end(&mut self, same: impl Fn(&C, &C) -> bool) {
        if let [.., first, second, third, fourth] = self.pending.as_slice() {
            let all_dirty = [first, second, third, fourth]
                .iter()
                .all(|entry| entry.standing == Standing::Dirty);
            if all_dirty && same(&first.change, &third.change) && same(&second.change, &fourth.change) {
                self.pending.truncate(self.pending.len() - 2);
            }
        }
    }

    /// After a successful sync: what is certainly durable now, in order. A clean-and-lost operation stays, and with
    /// it everything behind it, so that a cut can still lose the former under the latter; unless later ones that are
    /// durable leave nothing of it (`hides`: an earlier change, a later one, all changes between).
    pub(super) fn synced(&mut self, hides: impl Fn(&C, &C, &[Pending<C>]) -> bool) -> Vec<Pending<C>> {
        for entry in self
            .pending
            .iter_mut()
            .filter(|entry| entry.standing == Standing::Dirty)
        {
            entry.standing = Standing::Durable;
        }
        let mut at = 0;
        while at < self.pending.len() {
            let (earlier, later) = self.pending.split_at(at + 1);
            let hidden = earlier.last().is_some_and(|entry| {
                let between = |end: usize| later.get(..end).unwrap_or_default();
                (later.iter().enumerate()).any(|(end, other)| {
                    other.standing == Standing::Durable && hides(&entry.change, &other.change, between(end))
                })
            });
            if hidden {
                self.pending.remove(at);
            } else {
                at += 1;
            }
        }
        self.take_durable_front()
    }

    /// After a failed sync that leaves everything readable.
    pub(super) fn mark_clean(&mut self) {
        for entry in self
            .pending
            .iter_mut()
            .filter(|entry| entry.standing == Standing::Dirty)
        {
            entry.standing = Standing::Clean;
        }
    }

    /// After a failed sync that brings the old state back: what is durable nevertheless.
    pub(super) fn reverted(&mut self) -> Vec<Pending<C>> {
        self.pending.retain(|entry| entry.standing == Standing::Durable);
        self.take_durable_front()
    }

    /// The cache has dropped its clean pages: what is durable now. `None` where nothing was clean.
    pub(super) fn evicted(&mut self) -> Option<Vec<Pending<C>>> {
        let before = self.pending.len();
        self.pending.retain(|entry| entry.standing != Standing::Clean);
        (self.pending.len() < before).then(|| self.take_durable_front())
    }

    fn take_durable_front(&mut self) -> Vec<Pending<C>> {
        let front = self
            .pending
            .iter()
            .take_while(|entry| entry.standing == Standing::Durable)
            .count();
        self.pending.drain(..front).collect()
    }
}
