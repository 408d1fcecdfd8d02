//! A receiver of events that checks what Standard Webhooks says, and that answers as it is told to.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value as Json;
use sha2::Sha256;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// An event that came.
#[derive(Clone, Debug)]
pub struct Came {
    /// Its id.
    pub id: String,
    /// Its body.
    pub body: Json,
    /// The status that it was answered.
    pub status: u16,
    /// How many of the secrets that were tried had signed it.
    pub signatures: usize,
}

type Answers = Box<dyn FnMut(&Json) -> u16 + Send>;

struct State {
    secrets: Vec<String>,
    came: Vec<Came>,
    answers: Answers,
}

/// A running receiver.
#[derive(Clone)]
pub struct Receiver {
    /// Its address.
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Receiver {
    /// Listens on a free port of loopback, as long as the runtime lives. `answers` says with which status an event is answered.
    pub async fn start(answers: impl FnMut(&Json) -> u16 + Send + 'static) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = State { secrets: Vec::new(), came: Vec::new(), answers: Box::new(answers) };
        let receiver = Receiver { address, state: Arc::new(Mutex::new(state)) };
        let serving = receiver.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let receiver = serving.clone();
                let service = service_fn(move |request| {
                    let receiver = receiver.clone();
                    async move { receiver.answer(request).await }
                });
                tokio::spawn(
                    hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
                );
            }
        });
        receiver
    }

    /// Where it is.
    pub fn url(&self) -> String {
        format!("http://{}/events", self.address)
    }

    /// Takes what is signed with this secret too.
    pub fn trust(&self, secret: &str) {
        self.state.lock().unwrap().secrets.push(secret.to_owned());
    }

    /// All that came, in order.
    pub fn came(&self) -> Vec<Came> {
        self.state.lock().unwrap().came.clone()
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
        let header = |name: &str| request.headers()[name].to_str().unwrap().to_owned();
        let (id, at, signatures) = (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"));
        assert_eq!(header("content-type"), "application/json");
        let Ok(body) = request.into_body().collect().await else { return Ok(Response::default()) };
        let body = String::from_utf8(body.to_bytes().to_vec()).unwrap();
        let mut state = self.state.lock().unwrap();
        let wanted = |secret: &String| format!("v1,{}", STANDARD.encode(sign(secret, &format!("{id}.{at}.{body}"))));
        let signed = state.secrets.iter().map(wanted).filter(|wanted| signatures.split(' ').any(|one| one == wanted));
        let signatures = signed.count();
        let body: Json = serde_json::from_str(&body).unwrap();
        let status = if signatures > 0 { (state.answers)(&body) } else { 401 };
        state.came.push(Came { id, body, status, signatures });
        Ok(Response::builder().status(status).body(Full::default()).unwrap())
    }
}

fn sign(secret: &str, text: &str) -> Vec<u8> {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key).unwrap();
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}
