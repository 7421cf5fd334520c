//! Git histories in and out: `import git` and `export git`.

pub mod stream;
