//! An event as it is sent: the form, the headers and the signature of Standard Webhooks 1.0.0 (standardwebhooks.com).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use svc_core::CoreError;
use svc_core::secrets::hmac_sha256;
use svc_engine::manifest::ir::ClosedSet;
use svc_store::records::{Event, Id};

/// An event as it is sent.
pub(crate) struct Message {
    id: Id,
    /// `{ "type", "timestamp", "data" }`, the same bytes each time.
    pub(crate) body: String,
}

impl Message {
    pub(crate) fn of(event: &Event) -> Result<Message, CoreError> {
        let data: Json = serde_json::from_str(&event.body).map_err(|error| CoreError::Internal(error.to_string()))?;
        let body = json!({ "type": event.event.as_str(), "timestamp": event.at, "data": data });
        Ok(Message { id: event.id.clone(), body: body.to_string() })
    }

    /// The headers: the event's id, the moment of this try, and a signature per key.
    pub(crate) fn headers(&self, keys: &[Vec<u8>], now: Timestamp) -> [(&'static str, String); 3] {
        let second = now.as_second().to_string();
        let signed = format!("{}.{second}.{}", self.id, self.body);
        let signatures = keys.iter().filter_map(|key| hmac_sha256(key, &[signed.as_bytes()]));
        let signatures: Vec<String> = signatures.map(|mac| format!("v1,{}", STANDARD.encode(mac))).collect();
        [
            ("webhook-id", self.id.to_string()),
            ("webhook-timestamp", second),
            ("webhook-signature", signatures.join(" ")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use svc_store::records::EventType;

    #[test]
    fn the_signature_is_the_published_one() {
        // The test vector of the Standard Webhooks libraries.
        let message =
            Message { id: Id::named("msg_p5jXN8AQM9LWM0D4loKWxJek"), body: r#"{"test": 2432232314}"#.to_owned() };
        let key = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let now = Timestamp::from_second(1_614_265_330).unwrap();
        let [id, timestamp, signature] = message.headers(&[key.clone(), key], now).map(|(_, value)| value);
        assert_eq!((id.as_str(), timestamp.as_str()), ("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330"));
        let one = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signature, format!("{one} {one}"), "while a secret is changed both sign");
    }

    #[test]
    fn an_event_says_what_when_and_the_particulars() {
        let event = Event {
            business: Id::named("biz_1"),
            stream: "sub_1".to_owned(),
            id: Id::named("evt_1"),
            event: EventType::BucketLow,
            body: r#"{"bucketId":"bkt_1","remainingNanos":"20"}"#.to_owned(),
            at: "2026-04-01T00:00:00Z".parse().unwrap(),
            trace: None,
        };
        assert_eq!(
            Message::of(&event).unwrap().body,
            r#"{"type":"bucket.low","timestamp":"2026-04-01T00:00:00Z","data":{"bucketId":"bkt_1","remainingNanos":"20"}}"#
        );
    }
}
