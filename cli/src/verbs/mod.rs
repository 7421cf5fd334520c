//! The verbs of the command.
