//! Laws of the lines that a finding is told and repeated by: they read as what they print.

use graven_sim::options::Options;
use graven_sim::story::Story;

crate::laws!(a_replay_line_that_reads_prints_back);

/// A line is refused with a message, or reads as a way through a workload, or options, that print and read the same.
pub fn a_replay_line_that_reads_prints_back(bytes: &[u8]) {
    let Ok(line) = str::from_utf8(bytes) else { return };
    match line.parse::<Story>() {
        // Without a workload it names no way, and is refused where it is walked.
        Ok(story) if story.workload.is_empty() => {}
        Ok(story) => assert_eq!(story.to_string().parse().as_ref(), Ok(&story)),
        Err(message) => assert!(!message.is_empty()),
    }
    match line.parse::<Options>() {
        Ok(options) => {
            let printed = options.to_string();
            assert_eq!(printed.parse::<Options>().map(|again| again.to_string()), Ok(printed));
        }
        Err(message) => assert!(!message.is_empty()),
    }
}
