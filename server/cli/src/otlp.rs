//! Spans to whoever collects them, by OTLP over HTTP. Nothing is sent unless OpenTelemetry's own variables name a collector.

use crate::global::Exit;
use crate::output::CommandError;
use async_trait::async_trait;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::{Request, Response};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use opentelemetry::trace::{SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState};
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanExporter as _, SpanLinks};
use std::path::PathBuf;
use std::time::Duration;
use svc_tls::{Check, Trust, client_config};
use svc_trace::{Kind, Sampling, Span, Value};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::JoinHandle;

/// Spans that wait to be sent; one more is lost.
const SPANS_MAX: usize = 2_048;
/// Spans that are sent at once.
const BATCH_MAX: usize = 512;
/// How long a span waits for others, in seconds.
const BATCH_SECONDS: u64 = 5;
/// How long what is left may take when the server ends, in seconds.
const LAST_SECONDS: u64 = 5;
/// Longest answer of a collector that is read, in bytes.
const ANSWER_MAX_BYTES: usize = 1 << 20;

/// What sends spans; dropped, what was not sent is lost.
pub(crate) struct Sending {
    sending: JoinHandle<()>,
    end: tokio::sync::oneshot::Sender<()>,
}

impl Sending {
    /// Sends what is left, and ends.
    pub(crate) async fn end(self) {
        let _ended_already = self.end.send(());
        let _late = tokio::time::timeout(Duration::from_secs(LAST_SECONDS), self.sending).await;
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Begins to send spans, where a collector is named.
pub(crate) fn begin() -> Result<Option<Sending>, CommandError> {
    let is_off = variable("OTEL_SDK_DISABLED").is_some_and(|text| text.eq_ignore_ascii_case("true"));
    let exports = variable("OTEL_TRACES_EXPORTER").unwrap_or_else(|| "otlp".to_owned());
    let collectors = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
    if is_off || exports == "none" || !collectors.iter().any(|name| variable(name).is_some()) {
        return Ok(None);
    }
    let wrong = |why: String| CommandError::new(Exit::Usage, "OTEL", why);
    let protocol = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];
    if let Some(other) = protocol.iter().find_map(|name| variable(name)).filter(|text| text != "http/protobuf") {
        return Err(wrong(format!("{other:?} is not spoken: OTEL_EXPORTER_OTLP_PROTOCOL is http/protobuf")));
    }
    let sampling = sampling().map_err(wrong)?;
    let exporter = SpanExporter::builder().with_http().with_http_client(Collector::new()?).build();
    let mut exporter = exporter.map_err(|error| wrong(error.to_string()))?;
    exporter.set_resource(&resource());
    let (spans, waiting) = channel(SPANS_MAX);
    svc_trace::collect(spans, sampling);
    let (end, ended) = tokio::sync::oneshot::channel();
    let sending = tokio::spawn(async move { send(exporter, waiting, ended).await });
    Ok(Some(Sending { sending, end }))
}

/// Who sends: `svc`, unless the variables say otherwise.
fn resource() -> Resource {
    let builder = Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    match variable("OTEL_SERVICE_NAME") {
        None => builder.with_service_name("svc").build(),
        Some(_) => builder.build(),
    }
}

/// Which traces are recorded, by `OTEL_TRACES_SAMPLER`.
fn sampling() -> Result<Sampling, String> {
    let name = variable("OTEL_TRACES_SAMPLER").unwrap_or_else(|| "parentbased_always_on".to_owned());
    let (asks_parent, kind) = name.strip_prefix("parentbased_").map_or((false, name.as_str()), |kind| (true, kind));
    let share = match kind {
        "always_on" => Sampling::DEFAULT.share,
        "always_off" => 0,
        "traceidratio" => ratio(variable("OTEL_TRACES_SAMPLER_ARG").as_deref().unwrap_or("1"))?,
        _ => return Err(format!("OTEL_TRACES_SAMPLER={name:?} is no sampler")),
    };
    Ok(Sampling { share, asks_parent })
}

/// A part of one, as so many of 2^32.
#[expect(
    clippy::float_arithmetic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share, not money"
)]
fn ratio(text: &str) -> Result<u64, String> {
    let ratio: Option<f64> = text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    let ratio = ratio.ok_or_else(|| format!("OTEL_TRACES_SAMPLER_ARG={text:?} is no number from 0 to 1"))?;
    Ok((ratio * (1_u64 << 32) as f64) as u64)
}

async fn send(exporter: SpanExporter, mut waiting: Receiver<Span>, mut ended: tokio::sync::oneshot::Receiver<()>) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    let mut was_taken = true;
    let mut is_last = false;
    while !is_last {
        let since = tokio::time::Instant::now();
        let until = since.checked_add(Duration::from_secs(BATCH_SECONDS)).unwrap_or(since);
        while batch.len() < BATCH_MAX && !is_last {
            tokio::select! {
                span = waiting.recv() => match span {
                    Some(span) => batch.push(data(span)),
                    None => is_last = true,
                },
                () = tokio::time::sleep_until(until) => break,
                _end = &mut ended => is_last = true,
            }
        }
        while let Ok(span) = waiting.try_recv() {
            batch.push(data(span));
        }
        if batch.is_empty() {
            continue;
        }
        let taken = exporter.export(std::mem::take(&mut batch)).await;
        // Once, and not with each batch of a collector that is gone.
        if let Err(error) = taken.as_ref().map_err(ToString::to_string)
            && was_taken
        {
            tracing::warn!(error, "spans were not taken by their collector");
        }
        was_taken = taken.is_ok();
    }
}

fn data(span: Span) -> SpanData {
    let flags = if span.context.is_sampled { TraceFlags::SAMPLED } else { TraceFlags::default() };
    let (trace, id) = (TraceId::from_bytes(span.context.trace), SpanId::from_bytes(span.context.span));
    let value = |(name, value)| match value {
        Value::Text(text) => KeyValue::new(name, text),
        Value::Number(number) => KeyValue::new(name, number),
    };
    SpanData {
        span_context: SpanContext::new(trace, id, flags, false, TraceState::NONE),
        parent_span_id: span.parent.map_or(SpanId::INVALID, |(parent, _)| SpanId::from_bytes(parent)),
        parent_span_is_remote: span.parent.is_some_and(|(_, is_remote)| is_remote),
        span_kind: match span.kind {
            Kind::Server => SpanKind::Server,
            Kind::Client => SpanKind::Client,
            Kind::Internal => SpanKind::Internal,
        },
        name: span.name.into(),
        start_time: span.begun,
        end_time: span.ended,
        attributes: span.attributes.into_iter().map(value).collect(),
        dropped_attributes_count: 0,
        events: SpanEvents::default(),
        links: SpanLinks::default(),
        status: span.error.map_or(Status::Unset, Status::error),
        instrumentation_scope: InstrumentationScope::builder("svc").build(),
    }
}

/// The connections to the collector.
#[derive(Debug)]
struct Collector(Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl Collector {
    /// Over TLS it trusts whom the system trusts, or the authorities in the file that OpenTelemetry's variable names.
    fn new() -> Result<Collector, CommandError> {
        let files = ["OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", "OTEL_EXPORTER_OTLP_CERTIFICATE"];
        let file = files.iter().find_map(|name| variable(name)).map(PathBuf::from);
        let config = client_config(&file.map_or(Trust::System, Trust::File), Check::SignedForName);
        let config = config.map_err(|error| CommandError::new(Exit::Unreachable, "TLS_ROOTS", error.to_string()))?;
        let connector = HttpsConnectorBuilder::new().with_tls_config(config).https_or_http().enable_http1().build();
        Ok(Collector(Client::builder(TokioExecutor::new()).build(connector)))
    }
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let response = self.0.request(request.map(Full::new)).await?;
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, ANSWER_MAX_BYTES).collect().await?.to_bytes();
        Ok(Response::from_parts(parts, body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_number_from_nothing_to_one() {
        assert_eq!((ratio("0"), ratio("0.5"), ratio("1")), (Ok(0), Ok(1 << 31), Ok(1 << 32)));
        for wrong in ["", "-0.1", "1.1", "NaN", "half"] {
            assert!(ratio(wrong).is_err(), "{wrong}");
        }
    }
}
