//! Requests as they are written, where a client would choose the headers itself.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Asks `address` for a path with these header lines, and gives the status and the body.
pub fn get(address: &str, path: &str, headers: &[&str]) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    write!(stream, "GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default();
    (status, body)
}

/// How long a peer waits for what must come, in seconds: far longer than any deadline of a server under test.
const PATIENCE_SECONDS: u64 = 45;

/// Connects to `http://host:port`.
pub fn connect(base: &str) -> TcpStream {
    let stream = TcpStream::connect(base.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(PATIENCE_SECONDS))).unwrap();
    stream.set_write_timeout(Some(Duration::from_secs(PATIENCE_SECONDS))).unwrap();
    stream
}

/// Reads until the server closes; panics where it does not.
pub fn to_end(stream: &mut TcpStream) -> Vec<u8> {
    let mut read = Vec::new();
    match stream.read_to_end(&mut read) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("the server does not close the connection"),
        // A reset is an end, too.
        Ok(_) | Err(_) => read,
    }
}

/// An answer as it was written.
#[derive(Debug)]
pub struct Written {
    /// Its status.
    pub status: u16,
    /// Its head, in lower case.
    pub head: String,
    /// What follows.
    pub body: String,
}

impl Written {
    /// The code of the problem that it is; panics where it is none, or not of its head's status and request.
    pub fn code(&self) -> String {
        assert!(self.head.contains("content-type: application/problem+json"), "{self:?}");
        let body: serde_json::Value = serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?}"));
        assert_eq!(body["status"], self.status);
        assert!(self.head.contains(&format!("x-request-id: {}", body["requestId"].as_str().unwrap())), "{self:?}");
        body["code"].as_str().unwrap().to_owned()
    }
}

/// Says this to a server, and gives all that it answers until it closes.
pub fn say(base: &str, request: impl AsRef<[u8]>) -> Written {
    let mut stream = connect(base);
    // A server that refuses a head may close before all of it is sent.
    let _sent = stream.write_all(request.as_ref());
    let answer = String::from_utf8(to_end(&mut stream)).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer:?} is no answer"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Written { status, head: head.to_lowercase(), body: body.to_owned() }
}

/// HTTP/2 by hand: frames, and heads without compression.
pub mod http2 {
    /// What a client begins with, and its settings.
    pub fn preface(settings: &[(u16, u32)]) -> Vec<u8> {
        let settings: Vec<u8> = settings
            .iter()
            .flat_map(|(name, value)| [&name.to_be_bytes()[..], &value.to_be_bytes()].concat())
            .collect();
        [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), frame(SETTINGS, 0, 0, &settings)].concat()
    }

    /// Frame types.
    pub const DATA: u8 = 0;
    /// A head's beginning.
    pub const HEADERS: u8 = 1;
    /// A stream's end before its time.
    pub const RESET: u8 = 3;
    /// Settings.
    pub const SETTINGS: u8 = 4;
    /// A question whether one lives.
    pub const PING: u8 = 6;
    /// A head's next part.
    pub const CONTINUATION: u8 = 9;
    /// The flag of the last frame of a stream.
    pub const END_STREAM: u8 = 1;
    /// The flag of the last frame of a head.
    pub const END_HEADERS: u8 = 4;
    /// The setting of how much a stream may send unasked.
    pub const INITIAL_WINDOW: u16 = 4;

    /// A frame.
    pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
    }

    /// A request's head, each field as a literal that is not remembered.
    pub fn head(method: &str, path: &str, more: &[(&str, &str)]) -> Vec<u8> {
        let pseudo = [(":method", method), (":scheme", "http"), (":path", path), (":authority", "localhost")];
        pseudo.iter().chain(more).flat_map(|(name, value)| literal(name, value)).collect()
    }

    fn literal(name: &str, value: &str) -> Vec<u8> {
        [&[0], &text(name)[..], &text(value)].concat()
    }

    /// A text, whose length is a number with a prefix of seven bits.
    fn text(text: &str) -> Vec<u8> {
        let mut length = match text.len() {
            short @ 0..127 => vec![u8::try_from(short).unwrap()],
            long => {
                vec![127, u8::try_from((long - 127) % 128 + 128).unwrap(), u8::try_from((long - 127) / 128).unwrap()]
            }
        };
        length.extend_from_slice(text.as_bytes());
        length
    }
}
