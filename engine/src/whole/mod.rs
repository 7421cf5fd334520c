//! What reads many domains at once: verify, repair, backup.
//!
//! Uses: `domain` and the floors below it.
