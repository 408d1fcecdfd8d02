//! A backend of a product under test, byte by byte: it keeps what it is sent, and answers what it is told to.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What backends under test sign their reports with.
pub const USAGE_SECRET: &str = "a-secret-of-the-tests-0123456789abcdef";

/// A request as the backend got it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Its first line.
    pub line: String,
    /// Its headers as they were written, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body, without its framing.
    pub body: Vec<u8>,
}

impl Seen {
    /// The value of a header that stands once; nothing where it does not stand.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let first = found.next().map(|(_, value)| value.as_str());
        assert!(found.next().is_none(), "{name} stands twice in {self:?}");
        first
    }

    /// The gateway's id of it.
    pub fn id(&self) -> String {
        self.header("svc-request-id").unwrap_or_default().to_owned()
    }

    /// The path.
    pub fn path(&self) -> &str {
        self.line.split(' ').nth(1).unwrap_or_default()
    }
}

/// A backend.
pub struct Origin {
    /// `127.0.0.1:port`.
    pub address: String,
    /// What it was sent, whole requests alone.
    pub seen: Arc<Mutex<Vec<Seen>>>,
}

/// What a backend does with a request: it writes, and says whether the connection is kept.
pub type Answering = dyn Fn(&Seen, &mut TcpStream) -> bool + Send + Sync;

impl Origin {
    /// A backend that answers so.
    pub fn start(answering: impl Fn(&Seen, &mut TcpStream) -> bool + Send + Sync + 'static) -> Origin {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        Origin::on(listener, Arc::new(answering))
    }

    /// A backend that answers every request with this.
    pub fn answering(answer: &'static str) -> Origin {
        Origin::start(move |_, stream| stream.write_all(answer.as_bytes()).is_ok())
    }

    fn on(listener: TcpListener, answering: Arc<Answering>) -> Origin {
        let address = listener.local_addr().unwrap().to_string();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (noted, answering) = (Arc::clone(&noted), Arc::clone(&answering));
                std::thread::spawn(move || serve(stream, &noted, answering.as_ref()));
            }
        });
        Origin { address, seen }
    }

    /// How many whole requests came.
    pub fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    /// The one request that came.
    pub fn only(&self) -> Seen {
        let seen = self.seen.lock().unwrap();
        assert_eq!(seen.len(), 1, "{seen:#?}");
        seen[0].clone()
    }
}

fn serve(stream: TcpStream, noted: &Mutex<Vec<Seen>>, answering: &Answering) {
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    while let Some(seen) = read(&mut reader) {
        noted.lock().unwrap().push(seen.clone());
        if !answering(&seen, &mut writer) {
            let _gone = writer.shutdown(std::net::Shutdown::Both);
            return;
        }
    }
}

fn line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    let read = reader.read_line(&mut line).ok()?;
    (read > 0).then(|| line.trim_end().to_owned())
}

fn read(reader: &mut impl BufRead) -> Option<Seen> {
    let first = line(reader)?;
    let mut headers = Vec::new();
    loop {
        let line = line(reader)?;
        let Some((name, value)) = line.split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let value = |name: &str| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let mut body = Vec::new();
    if value("transfer-encoding").is_some() {
        loop {
            let size = usize::from_str_radix(&line(reader)?, 16).ok()?;
            let mut chunk = vec![0; size];
            reader.read_exact(&mut chunk).ok()?;
            body.extend(chunk);
            line(reader)?;
            if size == 0 {
                break;
            }
        }
    } else if let Some(length) = value("content-length") {
        body.resize(length.parse().ok()?, 0);
        reader.read_exact(&mut body).ok()?;
    }
    Some(Seen { line: first, headers, body })
}

/// The value of `svc-usage` for a request, of canonical JSON.
pub fn signed(secret: &str, request_id: &str, json: &str) -> String {
    use base64::Engine;
    let moment = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let payload = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(json);
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("svc-usage-v1\n{request_id}\n{moment}\n{payload}").as_bytes());
    let signature: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={moment},p={payload},v1={signature}")
}
