//! Settings: what may be said by a flag, by a variable, or by a key of `svc.toml`. A flag goes before a variable, a variable before the
//! file, the file before the default.

mod catalogue;
mod file;

pub(crate) use catalogue::{Setting, all, file_named, with_defaults};
pub(crate) use file::File;
