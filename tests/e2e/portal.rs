//! The portal page through the socket: who gets in and who does not, and that it shows the preview's very numbers.

use rusqlite::Connection;
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use svc_tests::api::{Answer, Api, Business, OPERATOR, Server};
use svc_tests::program::block_on;

/// A transparent and an opaque plan, whose names try to be markup.
const PRODUCT: &str = r#"
import { Meter, Plan, Product, creditGrant, svc } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Priced {
  @Meter("tokens") tokens;
  @Plan("clear", { name: "<img src=x onerror=alert(1)> & co", limits: { tokens: { rate: 60, interval: "minute" } },
    price: { amount: 1900, currency: "usd", interval: "month" }, meter: { tokens: { micros: 1 } },
    grants: [creditGrant({ amountCents: 500, recurs: true })] }) clear;
  @Plan("dark", { limits: { tokens: { rate: 60, interval: "minute" } }, spendPolicy: { disclosure: "opaque" }, meter: { tokens: { micros: 1000 } },
    grants: [creditGrant({ amountCents: 3, display: svc.display.multiplier({ factor: 20 }) }), creditGrant({ amountCents: 4, kind: "promo" })] }) dark;
}
"#;

const BACK: &str = "https://app.example/account?a=1&b=2";

/// A browser as far as the page needs one: it keeps one cookie.
struct Browser {
    api: Api,
    /// `/portal/businesses/{id}/`.
    page: String,
    cookie: String,
}

/// An answered page.
struct Seen {
    status: u16,
    headers: hyper::HeaderMap,
    html: String,
}

impl Seen {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The value of a form's hidden field.
    fn proof(&self) -> String {
        let (_, rest) = self.html.split_once("name=\"proof\" value=\"").expect("a form");
        rest.split_once('"').unwrap().0.to_owned()
    }

    #[track_caller]
    fn says(&self, status: u16, text: &str) {
        assert_eq!(self.status, status, "{}", self.html);
        assert!(self.html.contains(text), "{text}\n{}", self.html);
        assert_eq!(self.header("content-type"), "text/html; charset=utf-8");
        assert!(self.header("content-security-policy").contains("script-src 'self'"));
        assert!(!self.html.contains("style=") && !self.html.contains("<style"), "no inline style");
        assert_eq!(self.header("cache-control"), "private, no-store");
        assert_eq!((self.header("referrer-policy"), self.header("x-content-type-options")), ("no-referrer", "nosniff"));
    }
}

impl Browser {
    fn new(business: &Business) -> Browser {
        let page = format!("/portal/businesses/{}/", business.id);
        Browser { api: business.api.clone(), page, cookie: String::new() }
    }

    async fn ask(&self, method: &str, path: &str, body: &str) -> Seen {
        let headers = [("cookie", self.cookie.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        let (status, headers, html) = self.api.page(method, path, &headers, body.to_owned()).await;
        Seen { status, headers, html }
    }

    /// Follows a link, and keeps the cookie.
    async fn follow(&mut self, url: &str) -> Seen {
        let path = format!("/portal{}", url.split_once("/portal").unwrap().1);
        let seen = self.ask("GET", &path, "").await;
        if let Some((cookie, _)) = seen.header("set-cookie").split_once(';') {
            self.cookie = cookie.to_owned();
        }
        seen
    }

    async fn see(&self) -> Seen {
        self.ask("GET", &self.page, "").await
    }

    async fn post(&self, path: &str, body: &str) -> Seen {
        self.ask("POST", &format!("{}{path}", self.page), body).await
    }
}

async fn link(business: &Business, subject: &str) -> String {
    let body = json!({ "subject": subject, "returnUrl": BACK });
    let path = format!("{}/portal-sessions", business.root);
    business.api.post(OPERATOR, &path, body).await.expect(201).text("url")
}

/// A browser with a session of the subject's.
async fn signed_in(business: &Business, subject: &str) -> Browser {
    let mut browser = Browser::new(business);
    assert_eq!(browser.follow(&link(business, subject).await).await.status, 303);
    browser
}

/// Runs a story against a fresh server; the path is its database's.
fn story<F: Future<Output = ()>>(tell: impl FnOnce(Business, PathBuf) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("svc.db");
    let server = Server::start(&data);
    block_on(async {
        let business = Api::new(&server).business(PRODUCT).await;
        tell(business, data).await;
    });
}

/// Changes what is kept, behind the service's back.
fn meddle(data: &PathBuf, sql: &str) {
    let kept = Connection::open(data).unwrap();
    kept.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
    assert!(kept.execute(sql, []).unwrap() > 0, "{sql}");
}

fn is_problem(answer: &Answer, status: u16, code: &str) {
    assert_eq!((answer.status, answer.code()), (status, code), "{:#}", answer.body);
}

#[test]
fn from_a_link_to_the_bill_and_out() {
    story(async |business, _| {
        let _token = business.subscribe("ada", "clear").await;
        let made = business
            .api
            .post(
                OPERATOR,
                &format!("{}/portal-sessions", business.root),
                json!({ "subject": "ada", "returnUrl": BACK }),
            )
            .await
            .expect(201);
        assert!(made.text("expiresAt").ends_with('Z') && made.headers["cache-control"] == "private, no-store");
        let mut browser = Browser::new(&business);
        browser.see().await.says(401, "You are not signed in here");

        let followed = browser.follow(&made.text("url")).await;
        assert_eq!((followed.status, followed.header("location")), (303, browser.page.as_str()));
        let cookie = followed.header("set-cookie");
        assert!(cookie.starts_with("svc_portal=svc_session_"), "{cookie}");
        for attribute in ["; HttpOnly", "; SameSite=Lax", &format!("; Path={}", browser.page), "; Max-Age=3600"] {
            assert!(cookie.contains(attribute), "{attribute} is not in {cookie}");
        }
        assert!(!cookie.contains("Secure"), "the server is reached without TLS");

        let seen = browser.see().await;
        seen.says(200, "<h1>Your bill so far</h1>");
        assert!(seen.html.contains(
            "<a id=\"back\" href=\"https://app.example/account?a=1&amp;b=2\" rel=\"noreferrer\">Back to Test</a>"
        ));
        // Without the slash it leads there; another method has none.
        assert_eq!(browser.ask("GET", browser.page.trim_end_matches('/'), "").await.header("location"), browser.page);

        // The link opens nothing again: not elsewhere, and here it leads to the session that it began.
        let mut other = Browser::new(&business);
        let again = other.follow(&made.text("url")).await;
        again.says(410, "This link was used already");
        assert!(again.header("set-cookie").is_empty() && again.html.contains("Back to Test"));
        assert_eq!(browser.follow(&made.text("url")).await.status, 303);
        browser.see().await.says(200, "Your bill");
        // A session of another link is no reason to say otherwise.
        signed_in(&business, "ada").await.follow(&made.text("url")).await.says(410, "This link was used already");

        let out = browser.post("end", &format!("proof={}", seen.proof())).await;
        out.says(200, "You are signed out");
        assert!(out.header("set-cookie").contains("svc_portal=;") && out.header("set-cookie").contains("Max-Age=0"));
        let after = browser.see().await;
        after.says(401, "This session has ended");
        assert!(after.html.contains("Back to Test"));
        browser.post("end", &format!("proof={}", seen.proof())).await.says(401, "This session has ended");
    });
}

#[test]
fn the_page_says_what_the_preview_says() {
    story(async |business, _| {
        let token = business.subscribe("ada", "clear").await;
        let used = business
            .usage(json!([{ "id": "1", "subject": "ada", "meter": "tokens", "units": "999999999999999.123456789" }]))
            .await;
        assert_eq!(used[0]["status"], "accepted", "{used:?}");
        let browser = signed_in(&business, "ada").await;
        let seen = browser.see().await;
        seen.says(200, "Owed for usage");
        let preview = business.preview(&token).await.expect(200).body;
        assert_eq!(preview["totals"]["ratedNanos"], "999999999999999123");
        for text in [
            "<dt>Owed for usage</dt><dd>$999,999,994.999999123</dd>",
            "<dt>Recurring fee</dt><dd>$19.00</dd>",
            "<dt>Usage in all</dt><dd>$999,999,999.999999123</dd>",
            "<dt>Paid by allowances</dt><dd>$5.00</dd>",
            "<td class=\"svc-bill-number\">1</td><td class=\"svc-bill-number\">$999,999,999.999999123</td>",
            "aria-valuetext=\"$0.00 of $5.00 left\"",
            "<progress value=\"10000\" max=\"10000\"",
            "Used up",
            "There are no invoices yet.",
        ] {
            assert!(seen.html.contains(text), "{text}\n{}", seen.html);
        }
        // What the script begins with is the preview, and what it asks for is answered to the page's cookie.
        let (_, rest) = seen.html.split_once("id=\"preview\" data-business=\"").unwrap();
        let data = rest.split_once('>').unwrap().1.split_once("</script>").unwrap().0;
        assert_eq!(serde_json::from_str::<Json>(data).unwrap(), preview);
        let own = browser.ask("GET", &format!("{}me/bill-preview", browser.page), "").await;
        assert_eq!(serde_json::from_str::<Json>(&own.html).unwrap(), preview);

        // More is taken back than is owed: the ledger's figure, below zero.
        let back = json!({ "subject": "ada", "kind": "correction", "amountNanos": "-1000000000000000001", "reason": "goodwill" });
        let _done = business.api.post(OPERATOR, &format!("{}/adjustments", business.root), back).await.expect(201);
        browser.see().await.says(200, "<dd>-$5.000000878</dd>");
    });
}

#[test]
fn an_opaque_page_has_no_amount_but_the_fee() {
    story(async |business, _| {
        let _token = business.subscribe("grace", "dark").await;
        let used = business.usage(json!([{ "id": "1", "subject": "grace", "meter": "tokens", "units": 10 }])).await;
        assert_eq!(used[0]["status"], "accepted", "{used:?}");
        let seen = signed_in(&business, "grace").await.see().await;
        for text in [
            "13.34 of 20 left",
            "100% left",
            "What is owed for usage is on the invoice.",
            "<dt>Recurring fee</dt><dd>$0.00</dd>",
        ] {
            seen.says(200, text);
        }
        assert_eq!(seen.html.matches('$').count(), 1, "{}", seen.html);
        assert!(!seen.html.contains("Nanos") && !seen.html.contains("Usage</h2>"), "{}", seen.html);
    });
}

#[test]
fn links_and_sessions_end() {
    story(async |business, data| {
        let _token = business.subscribe("ada", "clear").await;
        let late = link(&business, "ada").await;
        meddle(&data, "UPDATE portal_sessions SET link_expires_at = 0");
        let mut browser = Browser::new(&business);
        let seen = browser.follow(&late).await;
        seen.says(410, "This link has expired");
        assert!(seen.header("set-cookie").is_empty());
        browser.follow(&format!("{late}0")).await.says(404, "This link opens nothing");
        browser.follow(&format!("{}links/", browser.page.trim_end_matches('/'))).await;

        let browser = signed_in(&business, "ada").await;
        browser.see().await.says(200, "Your bill");
        meddle(&data, "UPDATE portal_sessions SET session_expires_at = 0 WHERE session_hash IS NOT NULL");
        browser.see().await.says(401, "This session has ended");
        let json = browser.ask("GET", &format!("{}me/bill-preview", browser.page), "").await;
        assert_eq!((json.status, json.header("content-type")), (401, "application/problem+json"));
        // A link of an earlier day is forgotten when the next is made, and its session with it.
        meddle(&data, "UPDATE portal_sessions SET created_at = 0");
        let _next = link(&business, "ada").await;
        browser.see().await.says(401, "You are not signed in here");
        let kept: i64 = Connection::open(&data)
            .unwrap()
            .query_row("SELECT count(*) FROM portal_sessions", [], |row| row.get(0))
            .unwrap();
        assert_eq!(kept, 1);
    });
}

#[test]
fn nothing_else_opens_the_page() {
    story(async |business, data| {
        let token = business.subscribe("ada", "clear").await;
        let other = business.api.business(PRODUCT).await;
        let _token = other.subscribe("ada", "clear").await;
        // A link is of one business, and so is a session.
        let elsewhere = link(&business, "ada").await.replace(&business.id, &other.id);
        Browser::new(&other).follow(&elsewhere).await.says(404, "This link opens nothing");
        let browser = signed_in(&business, "ada").await;
        let strayed = Browser {
            page: format!("/portal/businesses/{}/", other.id),
            cookie: browser.cookie.clone(),
            api: other.api.clone(),
        };
        strayed.see().await.says(401, "You are not signed in here");
        let json = strayed.ask("GET", &format!("{}me/bill-preview", strayed.page), "").await;
        assert_eq!(json.status, 401);
        // Nor do a guess, a portal token, a link's secret, or the session's hash.
        let kept: Vec<u8> = Connection::open(&data)
            .unwrap()
            .query_row("SELECT session_hash FROM portal_sessions WHERE session_hash IS NOT NULL", [], |row| row.get(0))
            .unwrap();
        let hash: String = kept.iter().map(|byte| format!("{byte:02x}")).collect();
        let unused = link(&business, "ada").await;
        for forged in ["x", &token, OPERATOR, unused.rsplit_once('/').unwrap().1, &hash, "svc_session_00"] {
            let cookie = format!("svc_portal={forged}");
            Browser { api: business.api.clone(), page: browser.page.clone(), cookie }
                .see()
                .await
                .says(401, "You are not signed in here");
        }
        // A session opens its page, and nothing that asks for a token.
        let secret = browser.cookie.strip_prefix("svc_portal=").unwrap();
        is_problem(&business.preview(secret).await, 401, "UNAUTHORIZED");
        for path in ["me/invoices", "me/plan-offer"] {
            assert_eq!(browser.ask("GET", &format!("{}{path}", browser.page), "").await.status, 401, "{path}");
        }
        // A browser that looks ahead does not use a link up, nor does a HEAD.
        let path = format!("/portal{}", unused.split_once("/portal").unwrap().1);
        let (status, ..) = business.api.page("GET", &path, &[("sec-purpose", "prefetch;prerender")], "").await;
        assert_eq!(status, 503);
        assert_eq!(business.api.page("HEAD", &path, &[], "").await.0, 503);
        assert_eq!(Browser::new(&business).follow(&unused).await.status, 303);
        // Only the operator makes links.
        let links = format!("{}/portal-sessions", business.root);
        is_problem(&business.api.post(&business.deploy, &links, json!({ "subject": "ada" })).await, 403, "FORBIDDEN");
        for (body, status, code) in [
            (json!({ "subject": "" }), 422, "NAME_FORM"),
            (json!({ "subject": "ada", "returnUrl": "javascript:alert(1)" }), 422, "RETURN_URL_FORM"),
            (json!({ "subject": "ada", "returnURL": BACK }), 400, "BODY_FORM"),
        ] {
            is_problem(&business.api.post(OPERATOR, &links, body).await, status, code);
        }
        let nowhere = json!({ "subject": "ada" });
        is_problem(
            &business.api.post(OPERATOR, "/v1/businesses/biz_no/portal-sessions", nowhere).await,
            404,
            "NOT_FOUND",
        );
        let (status, _, html) = business.api.text("GET", "/portal/businesses/biz_no/").await;
        assert!(status == 401 && html.contains("You are not signed in here"));
    });
}

#[test]
fn an_offer_is_taken_by_the_page_s_own_form_alone() {
    story(async |business, _| {
        let _token = business.subscribe("ada", "clear").await;
        let _token = business.subscribe("bea", "clear").await;
        let _published = business.publish(&PRODUCT.replace("amount: 1900", "amount: 2400")).await.expect(201);
        let order = json!({ "from": "1", "to": "head", "policy": "opt_in" });
        let _ordered = business.api.post(OPERATOR, &format!("{}/plans/clear/migrations", business.root), order).await;
        let (browser, bea) = (signed_in(&business, "ada").await, signed_in(&business, "bea").await);
        let seen = browser.see().await;
        seen.says(200, "Version 2 of <strong>clear</strong> is offered to you. Your recurring fee is $19.00 now, and $24.00 with it.");
        let (_, rest) = seen.html.split_once(&format!("action=\"{}offers/", browser.page)).unwrap();
        let offer = format!("offers/{}", rest.split_once('"').unwrap().0);

        let another = bea.see().await.proof();
        for forged in ["", "proof=", "proof=00", &format!("proof={another}"), &format!("csrf={}", seen.proof())] {
            browser.post(&offer, forged).await.says(403, "does not come from this session&#39;s page");
            browser.post("end", forged).await.says(403, "does not come from this session&#39;s page");
        }
        // Another subscriber's offer is none of hers.
        bea.post(&offer, &format!("proof={another}")).await.says(409, "this offer is not open any more");
        Browser::new(&business)
            .post(&offer, &format!("proof={}", seen.proof()))
            .await
            .says(401, "You are not signed in here");
        browser.see().await.says(200, "is offered to you");

        let taken = browser.post(&offer, &format!("proof={}", seen.proof())).await;
        assert_eq!((taken.status, taken.header("location")), (303, format!("{}?accepted=1", browser.page).as_str()));
        let after = browser.ask("GET", taken.header("location"), "").await;
        after.says(200, "You have the new version of your plan.");
        assert!(!after.html.contains("is offered to you"));
        browser.post(&offer, &format!("proof={}", seen.proof())).await.says(409, "this offer is not open any more");
    });
}

#[test]
fn names_are_text_and_colours_are_checked() {
    story(async |business, _| {
        let _token = business.subscribe("ada", "clear").await;
        let path = format!("{}/portal", business.root);
        let put = async |body: Json| {
            let authorization = format!("Bearer {}", business.deploy);
            let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
            business.api.send("PUT", &path, &headers, body.to_string()).await
        };
        let before = business.api.get(&business.deploy, &path).await.expect(200);
        assert_eq!(before.body, json!({ "name": "Test", "accent": { "light": null, "dark": null } }));
        let named = json!({ "name": "<script>alert(1)</script>\"'", "accent": { "light": "#7A1FA2" } });
        let set = put(named).await.expect(200);
        assert_eq!(set.body["accent"], json!({ "light": "#7a1fa2", "dark": null }));
        for (body, status, code) in [
            (json!({ "name": "" }), 422, "NAME_FORM"),
            (json!({ "accent": { "light": "red" } }), 422, "COLOUR_FORM"),
            (json!({ "accent": { "light": "#7a1fa2;}body{display:none" } }), 422, "COLOUR_FORM"),
            (json!({ "accent": { "dark": "#7a1fa2" } }), 422, "COLOUR_CONTRAST"),
            (json!({ "accents": {} }), 400, "BODY_FORM"),
        ] {
            is_problem(&put(body).await, status, code);
        }
        let browser = signed_in(&business, "ada").await;
        let seen = browser.see().await;
        seen.says(200, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;");
        assert!(!seen.html.contains("<script>") && !seen.html.contains("<img"), "{}", seen.html);
        let (status, headers, theme) = business.api.text("GET", &format!("{}theme.css", browser.page)).await;
        assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, "text/css; charset=utf-8"));
        assert_eq!(theme, ":root{--svc-bar:#7a1fa2}@media (prefers-color-scheme:dark){:root{--svc-bar:initial}}\n");
        let reset = put(json!({})).await.expect(200);
        assert_eq!(reset.body, before.body);
    });
}

#[test]
fn who_has_a_most_of_their_own_sees_it_where_money_is_shown() {
    story(async |business, _| {
        for (subject, plan) in [("ada", "clear"), ("bea", "dark"), ("cy", "clear")] {
            let mut subscribed = json!({ "subject": subject, "plan": plan });
            if subject != "cy" {
                subscribed["maxMonthlySpendCents"] = json!(2_050);
            }
            let subscriptions = format!("{}/subscriptions", business.root);
            let made = business.api.post(OPERATOR, &subscriptions, subscribed).await.expect(201);
            assert_eq!(made.body["maxMonthlySpendCents"] == json!(2_050), subject != "cy");
            let seen = signed_in(&business, subject).await.see().await;
            let told = "You pay $20.50 a month at most, packs of credit aside. Usage beyond that is not billed.";
            assert_eq!(seen.html.contains(told), subject == "ada", "{}", seen.html);
        }
    });
}

#[test]
fn after_the_end_there_are_the_invoices() {
    story(async |business, _| {
        let subscribed = json!({ "subject": "ada", "plan": "clear" });
        let id = business
            .api
            .post(OPERATOR, &format!("{}/subscriptions", business.root), subscribed)
            .await
            .expect(201)
            .text("subscriptionId");
        let browser = signed_in(&business, "ada").await;
        let ended = format!("{}/subscriptions/{id}/cancel", business.root);
        let _ended = business.api.post(OPERATOR, &ended, json!({})).await.expect(200);
        let _closed = business.api.post(OPERATOR, &format!("{}/invoices", business.root), json!({})).await.expect(201);
        let seen = browser.see().await;
        seen.says(200, "You have no subscription now.");
        seen.says(200, "<th scope=\"row\">Invoice 1</th>");
        seen.says(200, "<td>&lt;img src=x onerror=alert(1)&gt; &amp; co</td><td class=\"page-number\">$19.00</td>");
        assert!(seen.html.contains("id=\"preview\"") && seen.html.contains(">null</script>"));
    });
}

#[test]
fn what_the_page_loads_is_there_and_kept() {
    story(async |business, _| {
        let _token = business.subscribe("ada", "clear").await;
        let seen = signed_in(&business, "ada").await.see().await;
        for (before, kind) in [
            ("<script type=\"module\" src=\"", "text/javascript; charset=utf-8"),
            ("<link rel=\"stylesheet\" href=\"", "text/css; charset=utf-8"),
        ] {
            let path = seen.html.split_once(before).unwrap().1.split_once('"').unwrap().0;
            let (status, headers, body) = business.api.text("GET", path).await;
            assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, kind));
            assert_eq!(
                (&headers["cache-control"], &headers["x-content-type-options"]),
                (&"public, max-age=31536000, immutable".parse().unwrap(), &"nosniff".parse().unwrap())
            );
            assert!(body.len() > 2_000);
            // Another server's page may name another version.
            let version = path.split('/').nth(3).unwrap();
            let (status, headers, _) = business.api.text("GET", &path.replace(version, "00")).await;
            assert_eq!((status, headers["cache-control"].to_str().unwrap()), (200, "no-cache"));
        }
        assert_eq!(business.api.text("GET", "/portal/assets/00/secrets.js").await.0, 404);
    });
}

#[test]
fn over_tls_the_cookie_goes_over_tls_alone() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("svc.db").display().to_string();
    let url = "https://svc.example.com".to_owned();
    let server = Server::start_with(&["--data".to_owned(), data, "--public-url".to_owned(), url.clone()]);
    block_on(async {
        let business = Api::new(&server).business(PRODUCT).await;
        let _token = business.subscribe("ada", "clear").await;
        let link = link(&business, "ada").await;
        assert!(link.starts_with(&format!("{url}/portal/businesses/{}/links/svc_link_", business.id)), "{link}");
        let followed = Browser::new(&business).follow(&link).await;
        assert!(followed.header("set-cookie").ends_with("; Secure"), "{}", followed.header("set-cookie"));
    });
}

#[test]
fn a_session_that_calls_too_often_is_told_so_on_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("svc.db").display().to_string();
    let server = Server::start_with(&["--data".to_owned(), data, "--rate-limit".to_owned(), "20".to_owned()]);
    block_on(async {
        let business = Api::new(&server).business(PRODUCT).await;
        let _token = business.subscribe("ada", "clear").await;
        let browser = signed_in(&business, "ada").await;
        // Guesses use up nothing of the session's.
        for guess in 0..40 {
            let cookie = format!("svc_portal={guess}");
            let stranger = Browser { api: business.api.clone(), page: browser.page.clone(), cookie };
            assert_eq!(stranger.see().await.status, 401);
        }
        let mut seen = browser.see().await;
        assert_eq!(seen.status, 200);
        for _ in 0..60 {
            seen = browser.see().await;
            if seen.status == 429 {
                break;
            }
        }
        seen.says(429, "This did not work");
        assert!((1..=10).contains(&seen.header("retry-after").parse::<u32>().unwrap()));
    });
}

#[test]
fn a_subscriber_is_told_why_where_the_plan_shows_amounts() {
    story(async |business, _| {
        for (subject, plan) in [("ada", "clear"), ("eve", "dark")] {
            let token = business.subscribe(subject, plan).await;
            let id = format!("{subject}-1");
            let items = json!([{ "id": id, "subject": subject, "meter": "tokens", "units": 123_457 }]);
            assert_eq!(business.usage(items).await[0]["status"], "accepted");
            let browser = signed_in(&business, subject).await;
            let (seen, why) = (browser.see().await, browser.ask("GET", &format!("{}why", browser.page), "").await);
            let path = format!("/portal/businesses/{}/me/explain", business.id);
            let told = business.api.get(&token, &path).await.expect(200);
            if plan == "clear" {
                assert!(seen.html.contains("href=\"why\""), "{}", seen.html);
                why.says(200, "tokens (123457): <strong>$0.123457</strong>");
                assert!(why.html.contains("paid by included credit bkt_"), "{}", why.html);
                assert!(why.html.contains(": <strong>-$0.123457</strong>"), "{}", why.html);
                assert_eq!(told.body["explanation"]["total"]["nanos"], "19000000000");
            } else {
                assert!(!seen.html.contains("why") && !why.html.contains('$'), "{}", why.html);
                why.says(200, "This plan does not show how its amounts come about.");
                assert_eq!(told.body, json!({ "explanation": null }));
            }
            let page = browser.page.clone();
            Browser::new(&business).ask("GET", &format!("{page}why"), "").await.says(401, "You are not signed in here");
        }
        // The operator's form has the charges, whatever the plan discloses.
        let subscription = business.api.get(OPERATOR, &format!("{}/subscriptions/sub_no/explain", business.root)).await;
        is_problem(&subscription, 404, "NOT_FOUND");
        let wrong = format!("{}/subscriptions/sub_no/explain?cursor=x", business.root);
        is_problem(&business.api.get(OPERATOR, &wrong).await, 400, "QUERY_FORM");
    });
}
