//! What the disk of an exploration is, apart from what it holds.

use graven::vfs::fault::FaultDisk;

/// A disk's settings. While nothing fails and while another change is made after a recovery, it has room for everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Medium {
    /// How many bytes more than the prepared store the disk takes; `None`: any.
    pub room: Option<u64>,
    /// Whether an overwrite needs new space, too.
    pub copy_on_write: bool,
    /// Whether no blocks can be reserved.
    pub no_reserve: bool,
}

impl Medium {
    /// Makes the prepared disk one like this.
    pub fn apply(self, disk: &FaultDisk) {
        disk.set_capacity(self.room.map(|room| disk.used() + room));
        disk.set_copy_on_write(self.copy_on_write);
        disk.set_reserves(!self.no_reserve);
    }

    /// A copy of the disk with room for what an opening needs to write. A recovery takes no new space but where overwrites
    /// do, or where none could be reserved for an append that it completes: there it waits for room.
    pub(crate) fn with_room_to_recover(self, disk: &FaultDisk) -> FaultDisk {
        let disk = disk.fork();
        if self.copy_on_write || self.no_reserve {
            disk.set_capacity(None);
        }
        disk
    }
}
