//! Fuzz laws: plain functions over bytes that panic where the engine breaks a promise.
//!
//! Each law is run three ways from one definition: as a `#[test]` through bolero, as a libFuzzer binary in `targets/`
//! (`.ci/fuzz`), and by hand on one input (`graven_fuzz::law("name")`). A new law is one function, its name in its
//! file's `laws!` list, one file in `targets/` and one `[[bin]]` in `Cargo.toml`; a test compares the four.

#![expect(
    clippy::missing_panics_doc,
    reason = "a law panics where the engine breaks it; that is what it is for"
)]

/// One law: its name and the function that panics where the engine breaks it.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Its name, and that of its libFuzzer binary.
    pub name: &'static str,
    /// Runs it on one input.
    pub run: fn(&[u8]),
}

/// Lists the laws of a file: makes its `LAWS` and a bolero test for each.
macro_rules! laws {
    ($($name:ident),+ $(,)?) => {
        /// The laws of this file.
        pub const LAWS: &[$crate::Law] = &[$($crate::Law { name: stringify!($name), run: $name }),+];

        #[cfg(test)]
        mod laws {
            $(
                #[test]
                fn $name() {
                    bolero::check!().for_each(super::$name);
                }
            )+
        }
    };
}
pub(crate) use laws;

pub mod laws_families;
pub mod laws_format;
pub mod laws_git;
pub mod laws_runtime;
pub mod laws_sim;
pub mod laws_store;
pub mod laws_undo;
pub mod laws_vfs;
pub mod laws_workflow;

/// Every law, file by file.
pub const LAWS: &[&[Law]] = &[
    laws_families::LAWS,
    laws_format::LAWS,
    laws_workflow::LAWS,
    laws_vfs::LAWS,
    laws_git::LAWS,
    laws_store::LAWS,
    laws_undo::LAWS,
    laws_runtime::LAWS,
    laws_sim::LAWS,
];

/// The law of that name.
pub fn law(name: &str) -> Option<Law> {
    LAWS.iter().copied().flatten().copied().find(|law| law.name == name)
}

#[cfg(test)]
mod tests {
    use super::LAWS;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_law_has_its_binary_and_every_binary_its_law() {
        let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let laws: BTreeSet<String> = LAWS.iter().copied().flatten().map(|law| law.name.to_string()).collect();
        let count: usize = LAWS.iter().map(|laws| laws.len()).sum();
        assert_eq!(laws.len(), count, "two laws have one name");

        let manifest = fs::read_to_string(crate_root.join("Cargo.toml")).expect("the manifest");
        let listed: BTreeSet<String> = manifest
            .split("[[bin]]")
            .skip(1)
            .filter_map(|bin| bin.split("name = \"").nth(1)?.split('"').next().map(str::to_string))
            .collect();
        assert_eq!(laws, listed, "laws and the binaries of Cargo.toml");

        let mut targets = BTreeSet::new();
        for entry in fs::read_dir(crate_root.join("targets")).expect("targets") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("a target");
            assert!(
                text.contains(&format!("::{name}(")),
                "{}: does not run the law of its name",
                path.display()
            );
            targets.insert(name);
        }
        assert_eq!(laws, targets, "laws and the files in targets/");
    }
}
