//! Certificates that a test makes, and a client that shows what it was shown.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// When certificates of tests end, unless they have ended.
const YEAR: i32 = 2090;

/// Somebody who signs certificates.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// Its own certificate, as PEM.
    pub certificate: String,
}

/// A certificate and its key, as PEM.
pub struct Pair {
    /// The certificate.
    pub certificate: String,
    /// Its key.
    pub key: String,
}

impl Authority {
    /// A new one.
    pub fn new(name: &str) -> Authority {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap().pem();
        Authority { issuer: Issuer::new(params, key), certificate }
    }

    /// A certificate for these names and addresses.
    pub fn sign(&self, names: &[&str]) -> Pair {
        self.sign_until(names, YEAR)
    }

    /// One that ends with the beginning of a year.
    pub fn sign_until(&self, names: &[&str], year: i32) -> Pair {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(year, 1, 1);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap().pem();
        Pair { certificate, key: key.serialize_pem() }
    }

    /// Its certificate in a file.
    pub fn write(&self, path: PathBuf) -> String {
        std::fs::write(&path, &self.certificate).unwrap();
        path.display().to_string()
    }

    /// Connects to `https://host:port` as one who trusts this authority alone, and offers these protocols.
    ///
    /// # Errors
    /// Why there is no connection.
    pub fn connect(&self, base: &str, protocols: &[&str]) -> Result<Tls, String> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.certificate.as_bytes()).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        let address = base.trim_start_matches("https://");
        let host = address.rsplit_once(':').unwrap().0.to_owned();
        let socket = TcpStream::connect(address).map_err(|error| error.to_string())?;
        socket.set_read_timeout(Some(Duration::from_secs(45))).unwrap();
        let client = ClientConnection::new(Arc::new(config), ServerName::try_from(host).unwrap()).unwrap();
        let mut stream = StreamOwned::new(client, socket);
        while stream.conn.is_handshaking() {
            stream.conn.complete_io(&mut stream.sock).map_err(|error| error.to_string())?;
        }
        Ok(Tls(stream))
    }
}

impl Pair {
    /// Writes it into a folder, as the files that [`Pair::arguments`] names: each in one step, as a renewal should.
    pub fn write(&self, folder: &Path) {
        for (name, text) in [("cert.pem", &self.certificate), ("key.pem", &self.key)] {
            std::fs::write(folder.join("next"), text).unwrap();
            std::fs::rename(folder.join("next"), folder.join(name)).unwrap();
        }
    }

    /// What makes `svc serve` show the pair in a folder.
    pub fn arguments(folder: &Path) -> Vec<String> {
        let path = |name: &str| folder.join(name).display().to_string();
        vec!["--tls-cert".to_owned(), path("cert.pem"), "--tls-key".to_owned(), path("key.pem")]
    }

    /// The certificate as it is shown.
    pub fn der(&self) -> Vec<u8> {
        CertificateDer::from_pem_slice(self.certificate.as_bytes()).unwrap().to_vec()
    }
}

/// A connection over TLS.
pub struct Tls(StreamOwned<ClientConnection, TcpStream>);

impl Tls {
    /// The protocol that was agreed on.
    pub fn protocol(&self) -> String {
        self.0.conn.alpn_protocol().map(|name| String::from_utf8(name.to_vec()).unwrap()).unwrap_or_default()
    }

    /// The certificate that was shown.
    pub fn shown(&self) -> Vec<u8> {
        self.0.conn.peer_certificates().unwrap()[0].to_vec()
    }

    /// Says this, and gives all that is answered until the server closes.
    pub fn say_to_end(&mut self, bytes: &[u8]) -> String {
        self.0.write_all(bytes).unwrap();
        let mut answer = String::new();
        self.0.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Says this, and gives what is answered first.
    pub fn say(&mut self, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
        self.0.write_all(bytes)?;
        let mut answer = vec![0; 64 << 10];
        let read = self.0.read(&mut answer)?;
        answer.truncate(read);
        Ok(answer)
    }
}
