//! A bill preview as it is shown.

use crate::error::CoreError;
use serde::{Serialize, Serializer};
use std::ops::Deref;
use std::sync::OnceLock;
use svc_engine::money::bill::Preview;

/// A preview that is shown, with its text: whoever shows it again does not write it again.
#[derive(Debug)]
pub struct ShownPreview {
    preview: Preview,
    json: OnceLock<String>,
}

impl ShownPreview {
    pub(crate) fn of(preview: Preview) -> ShownPreview {
        ShownPreview { preview, json: OnceLock::new() }
    }

    /// Its text, as JSON.
    ///
    /// # Errors
    /// [`CoreError::Internal`], never in practice: a preview can be written.
    pub fn json(&self) -> Result<&str, CoreError> {
        if let Some(json) = self.json.get() {
            return Ok(json);
        }
        let json = serde_json::to_string(&self.preview).map_err(|error| CoreError::Internal(error.to_string()))?;
        Ok(self.json.get_or_init(|| json))
    }
}

impl Deref for ShownPreview {
    type Target = Preview;

    fn deref(&self) -> &Preview {
        &self.preview
    }
}

impl PartialEq for ShownPreview {
    fn eq(&self, other: &ShownPreview) -> bool {
        self.preview == other.preview
    }
}

impl Serialize for ShownPreview {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.preview.serialize(serializer)
    }
}
