//! The second half of a build, in the worker: the rules on what the product declared, under the limits that hold for the first half.

use crate::job::{BuildFailure, Limits, Outcome};
use svc_engine::manifest::{self, canonical};
use svc_engine::registry::Registry;
use svc_engine::source::{ClassSite, Path};

/// Applies the rules to a registry.
pub(crate) fn finalize(registry: &str, classes: &[ClassSite], limits: &Limits) -> Outcome {
    // The package wrote it: anything else is a defect of this program.
    let Ok(registry) = Registry::parse(registry) else { return Outcome::Failed(BuildFailure::Crashed) };
    let finalized = manifest::finalize(&registry, classes);
    let Some(manifest) = finalized.manifest else { return Outcome::Rejected(finalized.diagnostics) };
    let ir = canonical::bytes(&manifest).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    match ir {
        Some(ir) if ir.len() <= limits.ir_max_bytes => Outcome::Built { ir, diagnostics: finalized.diagnostics },
        Some(_) => Outcome::Failed(BuildFailure::IrTooLarge),
        None => Outcome::Failed(BuildFailure::Crashed),
    }
}

/// Finds where the value at a path was written.
pub(crate) fn locate(registry: &str, classes: &[ClassSite], path: &str) -> Outcome {
    let Ok(registry) = Registry::parse(registry) else { return Outcome::Failed(BuildFailure::Crashed) };
    Outcome::Located(manifest::written_at(&registry, classes, &Path::parse(path)))
}
