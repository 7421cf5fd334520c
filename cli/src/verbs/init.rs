//! `graven init`: an empty store.

use graven::Store;
use graven::format::Namespace;
use serde_json::json;

use super::arguments::Init;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;

/// Creates an empty store.
pub fn run(arguments: &Init, output: &mut Output) -> Result<Verdict, Failure> {
    let namespace = Namespace::configured(&arguments.namespace).map_err(|error| Failure::usage(error.to_string()))?;
    let store = Store::create(&arguments.root, namespace, &open::options()?)?;
    store.close()?;
    let path = arguments.root.display().to_string();
    output.answer(&json!({"root": path, "namespace": namespace.as_str()}))?;
    output.line(format!("created an empty store in {path}"))?;
    Ok(Verdict::Fine)
}
