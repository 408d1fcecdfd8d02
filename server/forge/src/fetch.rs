//! The files of one commit below one folder. Every object is checked by its hash, from the files up to the commit's id: what is
//! returned is that commit, whatever the forge, or someone between, would have it be.

use crate::api::{Asked, ForgeApi, Place, Status, TreeAt};
use crate::commit;
use crate::error::{ForgeError, Retry};
use crate::gitea::Gitea;
use crate::github::Github;
use crate::gitlab::Gitlab;
use crate::object::{self, Entry, tree_id};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use svc_engine::sources::{SourceLimits, Sources, is_source};
use svc_outbound::Outbound;
use tokio::task::JoinSet;

/// How long a fetch may take, in seconds.
pub const FETCH_MAX_SECONDS: u64 = 20;
/// Directories that are looked at, at most.
const TREES_MAX: usize = 128;
/// Entries of one directory, at most.
const ENTRIES_MAX: usize = 20_000;
/// How deep directories may nest below `product/`.
const FOLDERS_DEEP_MAX: usize = 32;
/// Files that are fetched at once.
const FILES_AT_ONCE: usize = 8;
/// The folder that a product's files are in.
const PRODUCT: &str = "product";

/// A repository at a forge.
#[derive(Clone)]
pub struct Forge {
    api: Arc<dyn ForgeApi>,
}

/// A file that is to be fetched.
struct File {
    path: String,
    id: String,
}

impl Forge {
    /// A repository at GitHub.
    ///
    /// # Errors
    /// Where the token is none.
    pub fn github(http: &Outbound, place: &Place) -> Result<Forge, ForgeError> {
        Ok(Forge { api: Arc::new(Github::new(http, place)?) })
    }

    /// A repository at GitLab.
    ///
    /// # Errors
    /// Where the token is none.
    pub fn gitlab(http: &Outbound, place: &Place) -> Result<Forge, ForgeError> {
        Ok(Forge { api: Arc::new(Gitlab::new(http, place)?) })
    }

    /// A repository at Gitea or Forgejo.
    ///
    /// # Errors
    /// Where the token is none.
    pub fn gitea(http: &Outbound, place: &Place) -> Result<Forge, ForgeError> {
        Ok(Forge { api: Arc::new(Gitea::new(http, place)?) })
    }

    /// The commit that a branch stands at; nothing where there is no such branch.
    ///
    /// # Errors
    /// [`ForgeError`].
    pub async fn head(&self, branch: &str) -> Result<Option<String>, ForgeError> {
        let head = self.api.head(branch).await?;
        match head {
            Some(head) if !object::is_id(&head) => Err(ForgeError::form("a branch stands at what is no commit")),
            head => Ok(head),
        }
    }

    /// Sets a commit's status. Setting the same one again is well.
    ///
    /// # Errors
    /// [`ForgeError`].
    pub async fn set_status(&self, status: &Status) -> Result<(), ForgeError> {
        self.api.set_status(status).await
    }

    // INVARIANT 18: what is returned hashes to the commit's id.
    /// The product's files of a commit, below a folder: empty where the folder has no `product/`.
    ///
    /// # Errors
    /// [`ForgeError`]; one that is `FORGE_WRONG_OBJECT` where what the forge gave is not that commit.
    pub async fn files(&self, commit: &str, folder: &str) -> Result<Sources, ForgeError> {
        let late = |_| ForgeError::new("FORGE_TIMEOUT", Retry::Soon, "the commit could not be fetched in time");
        let fetched = self.fetch(commit, folder);
        tokio::time::timeout(Duration::from_secs(FETCH_MAX_SECONDS), fetched).await.map_err(late)?
    }

    async fn fetch(&self, commit: &str, folder: &str) -> Result<Sources, ForgeError> {
        let (words, tree) = self.api.commit(commit).await?;
        let (entries, root) = self.entries(TreeAt { commit, path: "", id: tree.as_deref() }).await?;
        let (id, tree) = (commit.to_owned(), root.clone());
        let checked = tokio::task::spawn_blocking(move || commit::check(&words, &tree, &id)).await;
        let checked = checked.map_err(|error| ForgeError::new("FORGE_REQUEST", Retry::Soon, error.to_string()))?;
        if let Err(unverified) = checked {
            // The words lack a part: the commit itself is looked at, where there is a way to it.
            match self.api.commit_text(commit).await {
                Ok(Some(text)) if commit::is_of(&text, &root, commit) => {}
                Err(error) if !matches!(error.retry, Retry::Never | Retry::IfNew) => return Err(error),
                _ => return Err(unverified),
            }
        }
        let Some(product) = self.descend(commit, folder, entries).await? else { return Ok(Sources::new()) };
        let files = self.walk(commit, folder, product).await?;
        self.blobs(files).await
    }

    /// The checked entries of a directory, and its id.
    async fn entries(&self, at: TreeAt<'_>) -> Result<(Vec<Entry>, String), ForgeError> {
        let entries = self.api.tree(at).await?;
        if entries.len() > ENTRIES_MAX {
            return Err(ForgeError::too_large(format!("the folder `{}` has more than {ENTRIES_MAX} entries", at.path)));
        }
        let is = tree_id(&entries);
        let is = is.filter(|is| at.id.is_none_or(|id| id == is));
        let wrong =
            || ForgeError::wrong(format!("the forge's entries of the folder `{}` do not hash to its id", at.path));
        Ok((entries, is.ok_or_else(wrong)?))
    }

    /// The entries of `product/` below a folder, where there is one.
    async fn descend(
        &self,
        commit: &str,
        folder: &str,
        mut entries: Vec<Entry>,
    ) -> Result<Option<Vec<Entry>>, ForgeError> {
        let mut path = String::new();
        for part in folder.split('/').filter(|part| !part.is_empty()).chain([PRODUCT]) {
            let Some(entry) = entries.iter().find(|entry| entry.name == part && entry.is_tree()) else {
                return Ok(None);
            };
            let id = entry.id.clone();
            path = if path.is_empty() { part.to_owned() } else { format!("{path}/{part}") };
            (entries, _) = self.entries(TreeAt { commit, path: &path, id: Some(&id) }).await?;
        }
        Ok(Some(entries))
    }

    /// Every file below `product/` that a build takes: what `svc push` reads from a disk.
    async fn walk(&self, commit: &str, folder: &str, product: Vec<Entry>) -> Result<Vec<File>, ForgeError> {
        let limits = SourceLimits::default();
        let (mut files, mut bytes, mut trees) = (Vec::new(), 0_u64, 0_usize);
        let mut open = VecDeque::from([(PRODUCT.to_owned(), 1_usize, product)]);
        while let Some((path, depth, entries)) = open.pop_front() {
            for entry in entries {
                let below = format!("{path}/{}", entry.name);
                if entry.name.starts_with('.') || entry.name == "node_modules" {
                    continue;
                }
                if entry.is_tree() {
                    trees = trees.saturating_add(1);
                    if trees > TREES_MAX || depth >= FOLDERS_DEEP_MAX {
                        return Err(ForgeError::too_large("there are too many folders below product/"));
                    }
                    let whole = if folder.is_empty() { below.clone() } else { format!("{folder}/{below}") };
                    let (entries, _) = self.entries(TreeAt { commit, path: &whole, id: Some(&entry.id) }).await?;
                    open.push_back((below, depth.saturating_add(1), entries));
                } else if entry.is_file() && is_source(&entry.name) {
                    bytes = bytes.saturating_add(entry.size.unwrap_or_default());
                    files.push(File { path: below, id: entry.id });
                }
            }
            let is_full = usize::try_from(bytes).is_ok_and(|bytes| bytes <= limits.total_max_bytes);
            if files.len() > limits.files_max || !is_full {
                let (most, bytes) = (limits.files_max, limits.total_max_bytes);
                return Err(ForgeError::too_large(format!("a build has at most {most} files and {bytes} bytes")));
            }
        }
        Ok(files)
    }

    /// The files' texts, some at once.
    async fn blobs(&self, files: Vec<File>) -> Result<Sources, ForgeError> {
        let limits = SourceLimits::default();
        let (mut waiting, mut running) = (files.into_iter(), JoinSet::new());
        let (mut sources, mut total) = (Sources::new(), 0_usize);
        loop {
            while running.len() < FILES_AT_ONCE
                && let Some(file) = waiting.next()
            {
                let api = Arc::clone(&self.api);
                running.spawn(async move {
                    text(api.blob(&file.id, limits.file_max_bytes), &file).await.map(|text| (file.path, text))
                });
            }
            let Some(done) = running.join_next().await else { return Ok(sources) };
            let (path, text) =
                done.map_err(|error| ForgeError::new("FORGE_REQUEST", Retry::Soon, error.to_string()))??;
            total = total.saturating_add(text.len());
            if total > limits.total_max_bytes {
                let most = limits.total_max_bytes;
                return Err(ForgeError::too_large(format!("the files have more than {most} bytes together")));
            }
            sources.insert(path, text);
        }
    }
}

/// A file's text, once its bytes were found to be the object of its id.
async fn text(asked: Asked<'_, bytes::Bytes>, file: &File) -> Result<String, ForgeError> {
    let bytes = asked.await.map_err(|error| match error.code {
        "SOURCE_TOO_LARGE" => ForgeError { message: format!("`{}`: {}", file.path, error.message), ..error },
        _ => error,
    })?;
    if object::id("blob", &bytes) != file.id {
        return Err(ForgeError::wrong(format!("what the forge gives as `{}` does not hash to its id", file.path)));
    }
    let not_text = |_| ForgeError::new("FILE_NOT_TEXT", Retry::Never, format!("`{}` is no UTF-8 text", file.path));
    String::from_utf8(bytes.to_vec()).map_err(not_text)
}
