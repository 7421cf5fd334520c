//! Git histories in and out: `import git` and `export git`.

pub mod export;
pub mod import;
pub mod marks;
pub mod names;
pub mod repository;
pub mod stream;
pub mod text;
pub mod tree;
