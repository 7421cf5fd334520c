//! How much of everything is measured.

/// The sizes of one run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Rounds of the short workloads.
    pub rounds: usize,
    /// Single commits of one turn.
    pub batch: usize,
    /// Commits of many objects of one turn.
    pub batches: usize,
    /// Threads, and how many objects each of them appends in one turn.
    pub threads: [(u32, u32); 3],
    /// Rounds of them.
    pub rounds_of_threads: usize,
    /// Operations of one turn of the mixed load.
    pub mixed: u32,
    /// Objects of the filled store.
    pub records: u32,
    /// Rounds of filling it.
    pub rounds_of_bulk: usize,
    /// Rounds of point reads.
    pub rounds_of_reads: usize,
    /// Rounds of scans and of verify.
    pub rounds_of_scans: usize,
    /// The sizes at which stores are opened.
    pub sizes: Vec<u32>,
    /// Rounds of that.
    pub rounds_of_opening: usize,
}

impl Plan {
    /// The run whose table is published.
    pub fn full() -> Self {
        Self {
            rounds: 8,
            batch: 25,
            batches: 5,
            threads: [(1, 40), (8, 12), (64, 4)],
            rounds_of_threads: 3,
            mixed: 100,
            records: 1_000_000,
            rounds_of_bulk: 3,
            rounds_of_reads: 12,
            rounds_of_scans: 5,
            sizes: vec![1_000, 10_000, 100_000, 1_000_000],
            rounds_of_opening: 3,
        }
    }

    /// A look whether everything runs; its figures are worth little.
    pub fn quick() -> Self {
        Self {
            rounds: 2,
            batch: 5,
            batches: 2,
            threads: [(1, 5), (8, 5), (64, 2)],
            rounds_of_threads: 1,
            mixed: 20,
            records: 20_000,
            rounds_of_bulk: 1,
            rounds_of_reads: 2,
            rounds_of_scans: 2,
            sizes: vec![1_000, 10_000],
            rounds_of_opening: 2,
        }
    }

    /// The full run with rows of ten million records.
    pub fn large() -> Self {
        let mut plan = Self::full();
        plan.records = 10_000_000;
        plan.rounds_of_bulk = 1;
        plan.sizes.push(10_000_000);
        plan
    }
}
