//! Why there is no TLS.

use std::path::PathBuf;

/// What is wrong with a certificate, a key or the roots that are trusted. The text names the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read.
    #[error("{} can't be read: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: String,
    },
    /// A file holds no certificate.
    #[error("{} holds no certificate: it must be PEM, with BEGIN CERTIFICATE in it", .0.display())]
    NoCertificate(PathBuf),
    /// A file holds no key.
    #[error("{} holds no private key: it must be PEM, with BEGIN PRIVATE KEY (or RSA or EC PRIVATE KEY) in it", .0.display())]
    NoKey(PathBuf),
    /// A key is locked with a passphrase.
    #[error("the key in {} is encrypted; write it without a passphrase, readable by the server's user alone", .0.display())]
    Encrypted(PathBuf),
    /// The key is not the certificate's.
    #[error("the key in {} is not the key of the first certificate in {}", key.display(), certificate.display())]
    Mismatch {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
    },
    /// A certificate or a key can't be used.
    #[error("{} can't be used: {cause}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// A new certificate has ended already.
    #[error("the certificate in {} ended at {ended}", path.display())]
    Ended {
        /// The file.
        path: PathBuf,
        /// When.
        ended: jiff::Timestamp,
    },
    /// The system has no roots to trust.
    #[error(
        "this system names no certificate authorities to trust: install ca-certificates, or name a file of them ({0})"
    )]
    NoRoots(String),
    /// rustls was set up wrongly.
    #[error("TLS can't be set up: {0}")]
    Setup(String),
}
