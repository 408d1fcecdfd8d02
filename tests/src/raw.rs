//! Requests as they are written, where a client would choose the headers itself.

use std::io::{Read, Write};
use std::net::TcpStream;

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
