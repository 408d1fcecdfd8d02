//! TLS as this house speaks it: rustls over ring, versions 1.2 and 1.3. A server's certificate is read anew when its files change; a
//! client checks as much of a server's certificate as it is told to.

mod certificate;
mod error;
mod pair;
mod provider;
mod trust;

pub use certificate::{Hash, ends, signed_with};
pub use error::TlsError;
pub use pair::{PairFiles, Reload, ServerTls};
pub use trust::{Check, Trust, client_config};
