//! The one set of algorithms that is used: ring's, which needs no more than a C compiler.

use rustls::crypto::CryptoProvider;
use std::sync::Arc;

pub(crate) fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}
