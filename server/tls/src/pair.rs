//! A server's certificate and key, read anew when their files change.

use crate::certificate;
use crate::error::TlsError;
use crate::provider::provider;
use jiff::Timestamp;
use rustls::ServerConfig;
use rustls::pki_types::pem::{Error as PemError, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// What is spoken inside, in the server's order.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// Where a certificate and its key are kept, as PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairFiles {
    /// The certificate, and those that lead from it to a root.
    pub certificate: PathBuf,
    /// Its key.
    pub key: PathBuf,
}

/// What became of looking at the files again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reload {
    /// There is nothing new to say.
    Same,
    /// They hold another pair, which is shown from now on; when its certificate ends.
    Taken(Option<Timestamp>),
    /// They hold something that can't be used; the pair before stays.
    Kept(TlsError),
}

/// What a server shows of itself to whoever connects. Clones share it.
#[derive(Clone, Debug)]
pub struct ServerTls {
    files: PairFiles,
    shown: Arc<Shown>,
    /// Why the files were not taken when they were looked at last, and whether that was told.
    refused: Arc<Mutex<Option<(TlsError, bool)>>>,
    /// For connections.
    config: Arc<ServerConfig>,
}

/// The pair that is shown.
#[derive(Debug)]
struct Shown(RwLock<Pair>);

#[derive(Clone, Debug)]
struct Pair {
    certified: Arc<CertifiedKey>,
    ends: Option<Timestamp>,
    /// The bytes of both files.
    read: (Vec<u8>, Vec<u8>),
}

impl ResolvesServerCert for Shown {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).certified.clone())
    }
}

impl ServerTls {
    /// Reads a certificate and its key. One that has ended is taken: whoever starts the server may have no other.
    ///
    /// # Errors
    /// [`TlsError`] where a file can't be read, holds something else, or the two do not fit.
    pub fn read(files: PairFiles) -> Result<ServerTls, TlsError> {
        let pair = Pair::of(&files, bytes(&files)?)?;
        let shown = Arc::new(Shown(RwLock::new(pair)));
        let setup = |error: rustls::Error| TlsError::Setup(error.to_string());
        let builder = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
        let resolver: Arc<dyn ResolvesServerCert> = shown.clone();
        let mut config = builder.map_err(setup)?.with_no_client_auth().with_cert_resolver(resolver);
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        Ok(ServerTls { files, shown, refused: Arc::default(), config: Arc::new(config) })
    }

    /// For connections.
    pub fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.config)
    }

    /// When the certificate that is shown ends.
    pub fn ends(&self) -> Option<Timestamp> {
        self.shown.0.read().unwrap_or_else(PoisonError::into_inner).ends
    }

    /// Looks at the files again. What can't be used is told once, and only when it is found a second time, unless `at_once`: two files
    /// are not written in one moment.
    pub fn reload(&self, now: Timestamp, at_once: bool) -> Reload {
        let current = self.shown.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        let found = bytes(&self.files).and_then(|read| {
            if read == current.read {
                return Ok(None);
            }
            let pair = Pair::of(&self.files, read)?;
            let is_over = |ends: Option<Timestamp>| ends.filter(|ends| *ends <= now);
            match (is_over(pair.ends), is_over(current.ends)) {
                (Some(ended), None) => Err(TlsError::Ended { path: self.files.certificate.clone(), ended }),
                _ => Ok(Some(pair)),
            }
        });
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        match found {
            Err(error) => {
                let before = refused.take().filter(|(before, _)| *before == error);
                let (is_second, is_told) = (before.is_some(), before.is_some_and(|(_, is_told)| is_told));
                let tells = at_once || is_second && !is_told;
                *refused = Some((error.clone(), is_told || tells));
                if tells { Reload::Kept(error) } else { Reload::Same }
            }
            Ok(pair) => {
                *refused = None;
                let Some(pair) = pair else { return Reload::Same };
                let ends = pair.ends;
                *self.shown.0.write().unwrap_or_else(PoisonError::into_inner) = pair;
                Reload::Taken(ends)
            }
        }
    }
}

fn bytes(files: &PairFiles) -> Result<(Vec<u8>, Vec<u8>), TlsError> {
    let read = |path: &Path| {
        let unreadable =
            |error: std::io::Error| TlsError::Unreadable { path: path.to_owned(), cause: error.to_string() };
        std::fs::read(path).map_err(unreadable)
    };
    Ok((read(&files.certificate)?, read(&files.key)?))
}

impl Pair {
    fn of(files: &PairFiles, read: (Vec<u8>, Vec<u8>)) -> Result<Pair, TlsError> {
        let unusable = |path: &Path, cause: String| TlsError::Unusable { path: path.to_owned(), cause };
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&read.0).collect();
        let chain = chain.map_err(|error| unusable(&files.certificate, error.to_string()))?;
        let Some(first) = chain.first() else { return Err(TlsError::NoCertificate(files.certificate.clone())) };
        let ends = certificate::ends(first);
        let key = PrivateKeyDer::from_pem_slice(&read.1).map_err(|error| match error {
            PemError::NoItemsFound if is_encrypted(&read.1) => TlsError::Encrypted(files.key.clone()),
            PemError::NoItemsFound => TlsError::NoKey(files.key.clone()),
            other => unusable(&files.key, other.to_string()),
        })?;
        let certified = CertifiedKey::from_der(chain, key, &provider()).map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => {
                TlsError::Mismatch { certificate: files.certificate.clone(), key: files.key.clone() }
            }
            rustls::Error::InvalidCertificate(why) => unusable(&files.certificate, format!("{why:?}")),
            other => unusable(&files.key, other.to_string()),
        })?;
        Ok(Pair { certified: Arc::new(certified), ends, read })
    }
}

fn is_encrypted(pem: &[u8]) -> bool {
    String::from_utf8_lossy(pem).contains("ENCRYPTED")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Made {
        certificate: String,
        key: String,
    }

    fn made(year: i32) -> Made {
        let mut params = rcgen::CertificateParams::new(vec!["svc.test".to_owned()]).unwrap();
        params.not_after = rcgen::date_time_ymd(year, 1, 1);
        let key = rcgen::KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap().pem();
        Made { certificate, key: key.serialize_pem() }
    }

    fn write(files: &PairFiles, certificate: &str, key: &str) {
        std::fs::write(&files.certificate, certificate).unwrap();
        std::fs::write(&files.key, key).unwrap();
    }

    #[test]
    fn a_pair_that_changes_is_taken_and_a_bad_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let files = PairFiles { certificate: folder.path().join("c.pem"), key: folder.path().join("k.pem") };
        let [first, second, ended] = [made(2040), made(2041), made(2020)];
        write(&files, &first.certificate, &first.key);
        let tls = ServerTls::read(files.clone()).unwrap();
        let now: Timestamp = "2026-11-28T00:00:00Z".parse().unwrap();
        assert_eq!(tls.ends().unwrap().to_string(), "2040-01-01T00:00:00Z");
        assert_eq!(tls.reload(now, false), Reload::Same);
        // Half written: said when it stays so, once.
        write(&files, &second.certificate, &first.key);
        let mismatch = TlsError::Mismatch { certificate: files.certificate.clone(), key: files.key.clone() };
        assert_eq!(tls.reload(now, false), Reload::Same);
        assert_eq!(tls.reload(now, false), Reload::Kept(mismatch.clone()));
        assert_eq!(tls.reload(now, false), Reload::Same);
        assert_eq!(tls.reload(now, true), Reload::Kept(mismatch));
        write(&files, &second.certificate, &second.key);
        assert_eq!(tls.reload(now, false), Reload::Taken(tls.ends()));
        assert_eq!(tls.ends().unwrap().to_string(), "2041-01-01T00:00:00Z");
        write(&files, &ended.certificate, &ended.key);
        assert!(matches!(tls.reload(now, true), Reload::Kept(TlsError::Ended { .. })));
        std::fs::remove_file(&files.key).unwrap();
        assert!(matches!(tls.reload(now, true), Reload::Kept(TlsError::Unreadable { .. })));
        assert_eq!(tls.ends().unwrap().to_string(), "2041-01-01T00:00:00Z");
    }

    #[test]
    fn what_can_not_be_used_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let files = PairFiles { certificate: folder.path().join("c.pem"), key: folder.path().join("k.pem") };
        let good = made(2040);
        let said = |certificate: &str, key: &str| {
            write(&files, certificate, key);
            let text = ServerTls::read(files.clone()).unwrap_err().to_string();
            text.replace(&folder.path().display().to_string(), "")
        };
        assert!(said("", &good.key).starts_with("/c.pem holds no certificate"));
        assert!(said(&good.certificate, &good.certificate).starts_with("/k.pem holds no private key"));
        let locked = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
        assert!(said(&good.certificate, locked).starts_with("the key in /k.pem is encrypted"));
        let other = made(2041).key;
        assert_eq!(
            said(&good.certificate, &other),
            "the key in /k.pem is not the key of the first certificate in /c.pem"
        );
        let torn = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assert!(said(torn, &good.key).starts_with("/c.pem can't be used"), "{}", said(torn, &good.key));
    }
}
