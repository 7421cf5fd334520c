//! The `graven` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    graven_cli::verbs::main()
}
