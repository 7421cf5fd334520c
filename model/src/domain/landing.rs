//! What a Land that succeeds does to its Line and its Change, and histories that were landed elsewhere.

use super::changes::change_title;
use super::{Answer, Answered, Index, LandMode, LandStatus, Refusal, Store, TaskStatus, not_before};

impl Store {
    pub(super) fn succeed_land(&mut self, now_s: u64, index: usize, expected: Option<usize>, landed: usize) -> Index {
        let land = self.check_move(now_s, index, LandStatus::Succeeded { landed })?;
        self.check_landable(land.change)?;
        self.live_line(land.target_line)?;
        self.check_landing(land.target_line, land.mode, expected, landed)?;
        not_before(self.changes[land.change].created_at_s, now_s)?;
        self.succeed(now_s, index, landed);
        Ok(index)
    }

    pub(super) fn land(
        &mut self,
        now_s: u64,
        change: usize,
        target_line: &str,
        mode: LandMode,
        expected: Option<usize>,
        landed: usize,
    ) -> Answer {
        self.check_landable(change)?;
        let target_line = self.line_named(target_line, "W-LAND-34")?;
        if let Some(land) = self.winning_land(change) {
            let won = &self.lands[land];
            if won.target_line == target_line && won.landed() == Some(landed) {
                return Ok(Answered::Landed { land, added: false });
            }
        }
        self.check_landing(target_line, mode, expected, landed)?;
        let land = self.add_land(now_s, change, target_line, mode)?;
        self.succeed(now_s, land, landed);
        Ok(Answered::Landed { land, added: true })
    }

    /// Whether a Line's head may move: it is the expected one, and the new one is a live Snapshot of kind line, which
    /// comes from it where the mode wants that.
    fn check_landing(
        &self,
        line: usize,
        mode: LandMode,
        expected: Option<usize>,
        landed: usize,
    ) -> Result<(), Refusal> {
        let head = self.lines[line].head;
        if head != expected {
            return Err(Refusal::Conflict("F-2.4"));
        }
        self.check_head(Some(landed))?;
        let comes_from = head.is_none_or(|head| self.descends(landed, head));
        if mode == LandMode::FastForwardOnly && !comes_from {
            return Err(Refusal::Refused("F-2.7"));
        }
        Ok(())
    }

    fn succeed(&mut self, now_s: u64, index: usize, landed: usize) {
        let land = self.lands[index];
        let line = &mut self.lines[land.target_line];
        self.lands[index].pre_target = line.head;
        if line.head != Some(landed) {
            line.head = Some(landed);
            line.updated_at_s = now_s;
        }
        self.set_status(now_s, index, LandStatus::Succeeded { landed });
        self.changes[land.change].land(now_s);
    }

    #[expect(clippy::too_many_arguments, reason = "a history has so many parts")]
    pub(super) fn record_landed(
        &mut self,
        now_s: u64,
        title: &str,
        intent: &str,
        line: usize,
        fork: Option<usize>,
        landed: usize,
        mode: LandMode,
    ) -> Answer {
        self.check_head(fork)?;
        self.check_head(Some(landed))?;
        self.kept_line(line)?;
        let task = self.create_task(now_s, title, intent, false)?;
        self.close_task(now_s, task, TaskStatus::Completed)?;
        let change = self.add_change(now_s, task, change_title(title)?, line, fork)?;
        let land = self.add_land(now_s, change, line, mode)?;
        self.changes[change].land(now_s);
        self.lands[land].pre_target = fork;
        self.set_status(now_s, land, LandStatus::Succeeded { landed });
        Ok(Answered::History { task, change, land })
    }
}

#[cfg(test)]
mod tests;
