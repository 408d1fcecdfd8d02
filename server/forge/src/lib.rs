//! GitHub, GitLab and Gitea (Forgejo too) as clients of their APIs: the files of one commit below one folder, each checked by its hash
//! up to the commit's id; where a branch stands; and commit statuses. Knows no store and no build.
//!
//! A forge is a stranger: it is reached at the address of the source's settings and nowhere else, within bounds of bytes and time,
//! and what it says about a commit is believed only where the hashes say the same.

mod api;
mod commit;
mod error;
mod fetch;
mod gitea;
mod github;
mod gitlab;
mod http;
mod object;
mod pack;

pub use api::{Place, Status, StatusState};
pub use error::{ForgeError, Retry};
pub use fetch::{FETCH_MAX_SECONDS, Forge};
