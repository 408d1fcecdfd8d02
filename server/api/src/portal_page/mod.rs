//! The page on which a subscriber sees their bill. A link for one use, made by the operator, begins a session, which a cookie keeps; the
//! page shows what the preview's JSON says, complete without script. It is HTML to its last error.

mod assets;
mod bill;
mod frame;
mod why;

use crate::answers::{LinkMade, LookShown};
use crate::auth::{self, Call};
use crate::problem::Problem;
use crate::reply::Reply;
use crate::{cookie, request};
use bill::{Account, OwnMost};
use frame::Frame;
use hyper::body::Incoming;
use hyper::header::{HeaderMap, SET_COOKIE};
use hyper::{Request, StatusCode};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_core::CoreError;
use svc_core::actor::Actor;
use svc_core::portal_sessions::{Followed, Visit};
use svc_core::tokens::token_hash;
use svc_engine::money::bill::Preview;
use svc_store::Store;
use svc_store::records::{Id, PortalLook};

/// Invoices that the page shows at once, the newest first: two years of months.
const INVOICES_SHOWN: u32 = 24;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewLink {
    subject: String,
    return_url: Option<String>,
}

/// Makes a link. Like a portal token it opens one subscriber's bill, so it is the operator's to give.
pub(crate) async fn create_link<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let NewLink { subject, return_url } = request::json(request).await?;
    let link = call.core.portal_link(business, &subject, return_url.as_deref(), call.now()).await?;
    Ok(Reply::of(StatusCode::CREATED, &LinkMade::from(link))?.private())
}

/// `{ name?, accent?: { light?, dark? } }`: what is left out is the business's name, and the page's own colours.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewLook {
    name: Option<String>,
    #[serde(default, deserialize_with = "request::object")]
    accent: Accent,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Accent {
    light: Option<String>,
    dark: Option<String>,
}

pub(crate) async fn set_look<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let NewLook { name, accent } = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let accents = [accent.light.as_deref(), accent.dark.as_deref()];
    let look = call.core.set_portal_look(business, name.as_deref(), accents, call.now()).await?;
    Reply::of(StatusCode::OK, &LookShown::from(look))
}

pub(crate) async fn look<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    let look = call.core.portal_look(business).await?;
    Reply::of(StatusCode::OK, &LookShown::from(look.ok_or(CoreError::NotFound("there is no such business"))?))
}

pub(crate) async fn theme<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    let look = call.core.portal_look(business).await?;
    Ok(assets::theme(&look.ok_or(CoreError::NotFound("there is no such business"))?))
}

pub(crate) fn asset(version: &str, file: &str) -> Result<Reply, Problem> {
    assets::show(version, file)
}

/// Begins the session of a link.
pub(crate) async fn follow<S: Store>(
    call: &Call<'_, S>,
    headers: &HeaderMap,
    business: &Id,
    link: &str,
) -> Result<Reply, Problem> {
    as_page(call, business, follow_once(call, headers, business, link).await).await
}

/// Of who only looks whether there is something.
pub(crate) fn only_looking() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "PREFETCH", "this link is for a visit")
}

async fn follow_once<S: Store>(
    call: &Call<'_, S>,
    headers: &HeaderMap,
    business: &Id,
    link: &str,
) -> Result<Reply, Problem> {
    // A browser that only looks ahead must not use the link up.
    let purpose = headers.get("sec-purpose").and_then(|value| value.to_str().ok());
    if purpose.is_some_and(|purpose| purpose.contains("prefetch")) {
        return Err(only_looking());
    }
    let look = call.core.portal_look(business).await?;
    let page = Reply::see_other(&cookie::page_path(business));
    let (return_url, status, title, sentence) = match call.core.follow_portal_link(business, link, call.now()).await? {
        Followed::Begun(secret) => {
            let kept = cookie::keep(business, &secret, over_tls(call));
            return Ok(page.with_header(SET_COOKIE, kept));
        }
        // The browser that used the link comes back to it, or loads it again.
        Followed::Used { session_hash: Some(begun), .. }
            if cookie::session(headers).is_some_and(|secret| token_hash(secret) == begun) =>
        {
            return Ok(page);
        }
        Followed::Used { return_url, .. } => (
            return_url,
            StatusCode::GONE,
            "This link was used already",
            "A link opens the page once. Ask for a new one.",
        ),
        Followed::Expired { return_url } => (
            return_url,
            StatusCode::GONE,
            "This link has expired",
            "A link opens the page within five minutes. Ask for a new one.",
        ),
        Followed::Unknown => (
            None,
            StatusCode::NOT_FOUND,
            "This link opens nothing",
            "It is not whole, or older than a day. Ask for a new one.",
        ),
    };
    let frame = Frame { business, look: look.as_ref(), return_url: return_url.as_deref() };
    Ok(frame.sentence(status, title, sentence))
}

/// The page.
pub(crate) async fn show<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    as_page(call, business, show_once(call, request, business).await).await
}

async fn show_once<S: Store>(call: &Call<'_, S>, request: &Request<Incoming>, business: &Id) -> Result<Reply, Problem> {
    let look = call.core.portal_look(business).await?;
    let (secret, visit) = auth::visit(call, request, business).await?;
    let (subject, return_url) = match visit {
        Visit::Open { subject, return_url } => (subject, return_url),
        other => return Ok(no_session(business, look.as_ref(), &other)),
    };
    let _turn = call.traffic.read(business).await?;
    let now = call.now();
    let before = request::before(request.uri())?;
    let account = account(call, business, &subject, before, now).await?;
    let proof = cookie::form_proof(&secret);
    let accepted = request::query(request.uri(), "accepted").is_some() && account.offer.is_none();
    let foot = format!(
        "<span>Periods begin and end in UTC.</span><form method=\"post\" action=\"{}end\">{}<button id=\"end\">Sign out</button></form>",
        cookie::page_path(business),
        bill::hidden(&proof)
    );
    let frame = Frame { business, look: look.as_ref(), return_url: return_url.as_deref() };
    Ok(frame.page(StatusCode::OK, "Your bill", &bill::main(business, &account, accepted, &proof, now)?, &foot))
}

/// Why the bill is what it is.
pub(crate) async fn why<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    as_page(call, business, why_once(call, request, business).await).await
}

async fn why_once<S: Store>(call: &Call<'_, S>, request: &Request<Incoming>, business: &Id) -> Result<Reply, Problem> {
    let look = call.core.portal_look(business).await?;
    let (_, visit) = auth::visit(call, request, business).await?;
    let Visit::Open { subject, return_url } = visit else { return Ok(no_session(business, look.as_ref(), &visit)) };
    let _turn = call.traffic.read(business).await?;
    let explained = found(call.core.explain_to_subject(business, &subject, call.now()).await)?.flatten();
    let frame = Frame { business, look: look.as_ref(), return_url: return_url.as_deref() };
    Ok(frame.page(StatusCode::OK, "Why this amount", &why::main(business, explained.as_ref()), ""))
}

/// What there is to show of a subscriber.
async fn account<S: Store>(
    call: &Call<'_, S>,
    business: &Id,
    subject: &str,
    before: Option<u64>,
    now: Timestamp,
) -> Result<Account, CoreError> {
    let preview = found(call.core.preview(business, subject, now).await)?;
    let offer = match &preview {
        Some(_) => found(call.core.plan_offer(business, subject, now).await)?.flatten(),
        None => None,
    };
    let most = match preview.as_ref().map(|shown| &***shown) {
        Some(Preview::Transparent { .. }) => call.core.standing(business, subject, now).await?.and_then(OwnMost::of),
        // With how much was used it would tell the rate.
        Some(Preview::Opaque { .. }) | None => None,
    };
    let (invoices, older) = call.core.invoices_of_subject(business, subject, before, INVOICES_SHOWN).await?;
    Ok(Account { preview, most, offer, invoices, older, is_newest: before.is_none() })
}

/// Takes the plan version that is offered.
pub(crate) async fn take_offer<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
    offer: &Id,
) -> Result<Reply, Problem> {
    as_page(call, business, take_offer_once(call, request, business, offer).await).await
}

async fn take_offer_once<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
    offer: &Id,
) -> Result<Reply, Problem> {
    let (secret, visit) = auth::visit(call, &request, business).await?;
    let Visit::Open { subject, .. } = visit else {
        return Ok(no_session(business, call.core.portal_look(business).await?.as_ref(), &visit));
    };
    prove(request, &secret).await?;
    let _place = call.traffic.write(business).await?;
    let own = call.core.acting(Actor::Subscriber { subject: subject.clone() });
    match own.take_offer(business, &subject, offer, call.now()).await {
        Ok(_) => Ok(Reply::see_other(&format!("{}?accepted=1", cookie::page_path(business)))),
        Err(CoreError::NotFound(_)) => {
            let detail = "this offer is not open any more: it was accepted, taken back, or another took its place";
            Err(Problem::new(StatusCode::CONFLICT, "OFFER_GONE", detail))
        }
        Err(error) => Err(error.into()),
    }
}

/// Ends the session.
pub(crate) async fn end<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    as_page(call, business, end_once(call, request, business).await).await
}

async fn end_once<S: Store>(call: &Call<'_, S>, request: Request<Incoming>, business: &Id) -> Result<Reply, Problem> {
    let look = call.core.portal_look(business).await?;
    let (secret, visit) = auth::visit(call, &request, business).await?;
    let Visit::Open { return_url, .. } = visit else { return Ok(no_session(business, look.as_ref(), &visit)) };
    prove(request, &secret).await?;
    call.core.end_portal_session(business, &secret, call.now()).await?;
    let frame = Frame { business, look: look.as_ref(), return_url: return_url.as_deref() };
    let page =
        frame.sentence(StatusCode::OK, "You are signed out", "This page is closed to whoever uses this browser next.");
    Ok(page.with_header(SET_COOKIE, cookie::forget(business, over_tls(call))))
}

/// Lets a form of the session's own page through: another site can send the cookie along, but does not know the proof.
async fn prove(request: Request<Incoming>, secret: &str) -> Result<(), Problem> {
    let proof = request::form_field(request, "proof").await?;
    if proof.is_some_and(|proof| cookie::is_proven(secret, &proof)) {
        return Ok(());
    }
    let detail = "what was sent does not come from this session's page; go back to it and try again";
    Err(Problem::new(StatusCode::FORBIDDEN, "FORM_PROOF", detail))
}

fn no_session(business: &Id, look: Option<&PortalLook>, visit: &Visit) -> Reply {
    let (return_url, title) = match visit {
        Visit::Ended { return_url } => (return_url.as_deref(), "This session has ended"),
        Visit::Open { .. } | Visit::Unknown => (None, "You are not signed in here"),
    };
    let sentence = "The page opens by a link from where you subscribed. Ask for a new one there.";
    Frame { business, look, return_url }.sentence(StatusCode::UNAUTHORIZED, title, sentence)
}

/// What there is; nothing where it is not found.
fn found<T>(result: Result<T, CoreError>) -> Result<Option<T>, CoreError> {
    match result {
        Ok(there) => Ok(Some(there)),
        Err(CoreError::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A problem as a page, with its headers.
async fn as_page<S: Store>(
    call: &Call<'_, S>,
    business: &Id,
    answer: Result<Reply, Problem>,
) -> Result<Reply, Problem> {
    let problem = match answer {
        Ok(reply) => return Ok(reply),
        Err(problem) => problem,
    };
    tracing::info!(code = %problem.code, "the page says why not");
    let look = call.core.portal_look(business).await.ok().flatten();
    let frame = Frame { business, look: look.as_ref(), return_url: None };
    let title = if problem.status.is_server_error() { "The page can't be shown now" } else { "This did not work" };
    let page = frame.sentence(problem.status, title, &format!("{}.", problem.detail));
    Ok(problem.headers.into_iter().fold(page, |page, (name, value)| page.with_header(name, value)))
}

/// Whether subscribers reach the page over TLS, so that its cookie is for nothing less.
fn over_tls<S: Store>(call: &Call<'_, S>) -> bool {
    call.core.public_url().starts_with("https://")
}
