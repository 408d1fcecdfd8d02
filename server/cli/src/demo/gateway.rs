//! `svc demo --gateway`: a product, an origin in ten lines, a loop of requests that meets its limit, and the bill that it made.

use super::text;
use crate::bill_text;
use crate::client::Client;
use crate::global::{Exit, SystemClock};
use crate::output::{CommandError, Output};
use crate::serve::{self, ServeArgs};
use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper_util::client::legacy::Client as Http;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::time::Duration;
use svc_store::sqlite::Sqlite;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Requests of the loop: more than the plan lets through.
const REQUESTS: usize = 8;
/// How long the demo waits for what was served to be on the bill, in looks of [`LOOK_MS`].
const LOOKS_MAX: u32 = 100;
/// The pause between two looks, in milliseconds.
const LOOK_MS: u64 = 50;
/// Longest request that the demo's origin reads, in bytes.
const REQUEST_MAX_BYTES: usize = 8_192;

/// The product, whose origin is put in.
const PRODUCT: &str = r#"import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "ORIGIN", displayName: "Weather" })
export default class Weather {
  @Meter("forecasts", { unit: "forecast" }) forecasts!: void;

  @Feature("weather", { plans: ["hobby"], routes: { "GET /v1/forecast/{city}": { cost: { forecasts: 1 } } } })
  weather!: void;

  @Plan("hobby", {
    price: { amount: 500, currency: "usd", interval: "month" },
    limits: { requests: { rate: 5, interval: "minute" } },
    meter: { forecasts: { micros: 2_000 } },
  })
  hobby!: void;
}
"#;

/// The origin: a product's business logic. Here, one answer.
async fn origin(listener: TcpListener) {
    while let Ok((mut stream, _)) = listener.accept().await {
        let mut request = vec![0; REQUEST_MAX_BYTES];
        let Ok(_read) = stream.read(&mut request).await else { continue };
        let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 21\r\nconnection: close\r\n\r\n{\"forecast\":\"sunny\"}\n";
        let _told = stream.write_all(answer.as_bytes()).await;
    }
}

/// Shows it.
pub(super) async fn show(
    folder: &Path,
    serve_args: ServeArgs,
    once: bool,
    output: &Output,
    clock: SystemClock,
) -> Result<Exit, CommandError> {
    let failed = |error: std::io::Error| CommandError::new(Exit::Unreachable, "DEMO", error.to_string());
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(failed)?;
    let product = PRODUCT.replace("ORIGIN", &format!("http://{}", listener.local_addr().map_err(failed)?));
    let _origin = tokio::spawn(origin(listener));
    let data = folder.join("demo.db");
    let store = Sqlite::open(&data).map_err(serve::unopened(&data.display().to_string()))?;
    let anywhere = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
    let args = ServeArgs { gateway: Some(anywhere), allow_host: vec!["127.0.0.1".to_owned()], ..serve_args };
    let ready = serve::prepare(store, None, args, clock).await?;
    let gateway = ready.gateway.as_ref().map(|(listener, _)| listener.local_addr()).transpose().map_err(failed)?;
    let gateway = gateway.map(|address| format!("http://{address}")).unwrap_or_default();
    let base = ready.url();
    let operator = Client::new(base.as_str(), ready.operator_token.as_str());
    let server = tokio::spawn(serve::serve(ready));
    let (business, key) = publish(&operator, &product, output).await?;
    output.note(&format!("the key        {key}"));
    let url = format!("{gateway}/v1/forecast/berlin");
    let asked = ask(&url, &key).await?;
    let preview = bill(&operator, &base, &business, asked.iter().filter(|asked| asked.status == 200).count()).await?;
    let curl = format!("curl -i -H 'Authorization: Bearer {key}' {url}");
    let lines: Vec<String> = asked.iter().map(Asked::human).collect();
    let bill = bill_text::human(&preview);
    let human = format!("{product}\n{}\n\n# the bill\n{bill}\n\n{curl}", lines.join("\n"));
    let requests: Vec<Json> = asked.iter().map(Asked::json).collect();
    let told = json!({ "url": base, "gateway": gateway, "requests": requests, "preview": preview, "curl": curl });
    let exit = output.done("demo", &human, told);
    if !once {
        output.note(&format!("\nserving on {base}, and the product on {gateway}; press Ctrl-C to end"));
        server.await.map_err(|error| CommandError::new(Exit::Unreachable, "SERVER", error.to_string()))??;
    }
    Ok(exit)
}

/// Publishes the product and subscribes somebody. Gives the business and their key.
async fn publish(operator: &Client, product: &str, output: &Output) -> Result<(String, String), CommandError> {
    let business = operator.post("/v1/businesses", &json!({ "name": "Weather" })).await?;
    let root = format!("/v1/businesses/{}", text(&business, "businessId"));
    let files = json!({ "files": { "product/product.config.ts": product } });
    let build = operator.post(&format!("{root}/builds"), &files).await?;
    operator.post(&format!("{root}/releases"), &json!({ "buildId": text(&build, "buildId") })).await?;
    output.note(&format!("built and published {}", text(&build, "irHash")));
    operator.post(&format!("{root}/subscriptions"), &json!({ "subject": "ada", "plan": "hobby" })).await?;
    let key = operator.post(&format!("{root}/tokens"), &json!({ "kind": "gateway", "subject": "ada" })).await?;
    Ok((text(&business, "businessId").to_owned(), text(&key, "token").to_owned()))
}

/// A request, and what came of it.
struct Asked {
    status: u16,
    limit: String,
    code: Option<String>,
}

impl Asked {
    fn human(&self) -> String {
        let Asked { status, limit, code } = self;
        let code = code.as_ref().map(|code| format!(" {code}")).unwrap_or_default();
        format!("GET /v1/forecast/berlin: {status}{code}  {limit}").trim_end().to_owned()
    }

    fn json(&self) -> Json {
        json!({ "status": self.status, "rateLimit": self.limit, "code": self.code })
    }
}

/// Asks again and again, past the plan's limit.
async fn ask(url: &str, key: &str) -> Result<Vec<Asked>, CommandError> {
    let failed = |why: String| CommandError::new(Exit::Unreachable, "DEMO", why);
    let http: Http<HttpConnector, Empty<Bytes>> = Http::builder(TokioExecutor::new()).build_http();
    let mut all = Vec::with_capacity(REQUESTS);
    for _ in 0..REQUESTS {
        let request = hyper::Request::get(url).header("authorization", format!("Bearer {key}")).body(Empty::new());
        let response = http.request(request.map_err(|error| failed(error.to_string()))?).await;
        let (parts, body) = response.map_err(|error| failed(error.to_string()))?.into_parts();
        let body = body.collect().await.map_err(|error| failed(error.to_string()))?.to_bytes();
        let problem: Json = serde_json::from_slice(&body).unwrap_or_default();
        let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let limit = header("ratelimit").map(|left| format!("RateLimit: {left}"));
        let limit = limit.or_else(|| header("retry-after").map(|seconds| format!("Retry-After: {seconds}")));
        let code = problem.get("code").and_then(Json::as_str).map(str::to_owned);
        all.push(Asked { status: parts.status.as_u16(), limit: limit.unwrap_or_default(), code });
    }
    Ok(all)
}

/// The subscriber's bill, once all that was served is on it.
async fn bill(operator: &Client, base: &str, business: &str, served: usize) -> Result<Json, CommandError> {
    let tokens = format!("/v1/businesses/{business}/tokens");
    let token = operator.post(&tokens, &json!({ "kind": "portal", "subject": "ada" })).await?;
    let subscriber = Client::new(base, text(&token, "token"));
    let path = format!("/portal/businesses/{business}/me/bill-preview");
    let mut preview = subscriber.get(&path).await?;
    for _ in 0..LOOKS_MAX {
        let charges = preview.pointer("/windows/0/chargeCount").and_then(Json::as_u64).unwrap_or_default();
        if usize::try_from(charges).is_ok_and(|charges| charges >= served) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(LOOK_MS)).await;
        preview = subscriber.get(&path).await?;
    }
    Ok(preview)
}
