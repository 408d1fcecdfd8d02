//! Whom a client trusts, and how much of a server's certificate it looks at.

use crate::error::TlsError;
use crate::provider::provider;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_cert_signed_by_trust_anchor;
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who may sign for a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The authorities that the system trusts.
    System,
    /// Those in this file (PEM), and no others.
    File(PathBuf),
}

/// How much of a server's certificate is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Nothing: what is sent is hidden from who listens, and not from who stands in between.
    Nothing,
    /// Whether somebody who is trusted signed it, and whether it has ended; not for whom.
    Signed,
    /// All, the name that was connected to among it.
    SignedForName,
}

/// What a client's connections are set up by. The certificate's end is held against the system's clock.
///
/// # Errors
/// [`TlsError`] where the roots can't be read.
pub fn client_config(trust: &Trust, check: Check) -> Result<ClientConfig, TlsError> {
    let setup = |error: Error| TlsError::Setup(error.to_string());
    let provider = provider();
    let algorithms = provider.signature_verification_algorithms;
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().map_err(setup)?;
    let roots = match check {
        Check::Nothing => RootCertStore::empty(),
        Check::Signed | Check::SignedForName => roots(trust)?,
    };
    if check == Check::SignedForName {
        return Ok(builder.with_root_certificates(roots).with_no_client_auth());
    }
    let roots = (check == Check::Signed).then_some(roots);
    let verifier = Arc::new(Lenient { roots, algorithms });
    Ok(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

fn roots(trust: &Trust) -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    match trust {
        Trust::File(path) => {
            for certificate in named(path)? {
                let unusable = |error: Error| TlsError::Unusable { path: path.clone(), cause: error.to_string() };
                roots.add(certificate).map_err(unusable)?;
            }
        }
        Trust::System => {
            let found = rustls_native_certs::load_native_certs();
            let (taken, _) = roots.add_parsable_certificates(found.certs);
            if taken == 0 {
                let why = found.errors.first().map(ToString::to_string);
                return Err(TlsError::NoRoots(why.unwrap_or_else(|| "there are none".to_owned())));
            }
        }
    }
    Ok(roots)
}

fn named(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let text = std::fs::read(path)
        .map_err(|error| TlsError::Unreadable { path: path.to_owned(), cause: error.to_string() })?;
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let all = all.map_err(|error| TlsError::Unusable { path: path.to_owned(), cause: error.to_string() })?;
    if all.is_empty() { Err(TlsError::NoCertificate(path.to_owned())) } else { Ok(all) }
}

/// Looks at no name, and without roots at no signer. That the server has the certificate's key is checked all the same.
#[derive(Debug)]
struct Lenient {
    roots: Option<RootCertStore>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(roots) = &self.roots {
            let certificate = ParsedCertificate::try_from(end_entity)?;
            let algorithms = self.algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&certificate, roots, intermediates, now, algorithms)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
