//! The model does not depend on the engine that it judges, nor on anything else.

#[test]
fn the_model_depends_on_nothing() {
    let manifest = include_str!("../Cargo.toml");
    let dependencies = manifest
        .split("[dependencies]")
        .nth(1)
        .expect("the manifest has a list of dependencies");
    let listed = dependencies
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.trim().is_empty());
    assert_eq!(listed.count(), 0);
    assert!(!manifest.contains("graven.workspace") && !manifest.contains("path = \"../engine\""));
}
