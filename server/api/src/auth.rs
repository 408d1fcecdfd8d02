//! Who a caller is and what they may do. Comparisons of secrets take the same time whatever they hold. Whoever is let in is counted from
//! then on as who they are; strangers are never counted as anyone's, nor is a body read of them.

use crate::app::App;
use crate::cookie;
use crate::edge::traffic::{Account, Passage};
use crate::problem::Problem;
use crate::request::{bearer, unauthorized};
use hyper::body::Incoming;
use hyper::header::AUTHORIZATION;
use hyper::{Request, StatusCode};
use subtle::ConstantTimeEq;
use svc_core::businesses::token_hash;
use svc_core::portal_sessions::Visit;
use svc_store::Store;
use svc_store::records::{Id, TokenScope};

/// Lets the operator in.
pub(crate) fn operator<S: Store>(app: &App<S>, request: &Request<Incoming>) -> Result<(), Problem> {
    let hash = token_hash(bearer(request.headers())?);
    if !bool::from(hash.ct_eq(&app.operator_hash)) {
        return Err(unauthorized());
    }
    Passage::of(request.extensions())?.enter(Account::Operator)
}

/// Lets a business's deploy token in. The operator may do all that a business may.
pub(crate) async fn deploy<S: Store>(app: &App<S>, request: &Request<Incoming>, business: &Id) -> Result<(), Problem> {
    match operator(app, request) {
        Err(problem) if problem.status == StatusCode::UNAUTHORIZED => {}
        let_in_or_busy => return let_in_or_busy,
    }
    match scope(app, request, business).await? {
        TokenScope::Deploy => Ok(()),
        TokenScope::Portal { .. } => {
            Err(Problem::new(StatusCode::FORBIDDEN, "FORBIDDEN", "this token reads one subscriber's preview only"))
        }
        TokenScope::Gateway { .. } => {
            Err(Problem::new(StatusCode::FORBIDDEN, "FORBIDDEN", "this token opens the product at its gateway only"))
        }
    }
}

/// Lets a subscriber in, and says who it is.
pub(crate) async fn subject<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<String, Problem> {
    match scope(app, request, business).await? {
        TokenScope::Portal { subject } => Ok(subject),
        TokenScope::Deploy | TokenScope::Gateway { .. } => {
            Err(Problem::new(StatusCode::FORBIDDEN, "FORBIDDEN", "a portal token is needed"))
        }
    }
}

/// Lets a subscriber in who only reads: by a portal token, or by the session of the page that asks.
pub(crate) async fn reader<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<String, Problem> {
    if request.headers().contains_key(AUTHORIZATION) || cookie::session(request.headers()).is_none() {
        return subject(app, request, business).await;
    }
    match visit(app, request, business).await? {
        (_, Visit::Open { subject, .. }) => Ok(subject),
        (_, Visit::Ended { .. } | Visit::Unknown) => Err(unauthorized()),
    }
}

/// What the cookie of a request opens, and the session's secret.
pub(crate) async fn visit<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<(String, Visit), Problem> {
    let Some(secret) = cookie::session(request.headers()) else { return Ok((String::new(), Visit::Unknown)) };
    let visit = app.core.portal_visit(business, secret, app.now()).await?;
    // Guesses use up nobody's limit, nor the limiter's memory.
    if visit != Visit::Unknown {
        app.rates.admit(&token_hash(secret))?;
        Passage::of(request.extensions())?.enter(Account::Business(business.clone()))?;
    }
    Ok((secret.to_owned(), visit))
}

/// What the caller's token allows in this business; a token of another one finds nothing here.
async fn scope<S: Store>(app: &App<S>, request: &Request<Incoming>, business: &Id) -> Result<TokenScope, Problem> {
    let text = bearer(request.headers())?;
    let token = app.core.token(text, app.now()).await?.ok_or_else(unauthorized)?;
    if !bool::from(token.hash.ct_eq(&token_hash(text))) {
        return Err(unauthorized());
    }
    app.rates.admit(&token.hash)?;
    if token.business != *business {
        return Err(Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "there is no such business"));
    }
    Passage::of(request.extensions())?.enter(Account::Business(token.business))?;
    Ok(token.scope)
}
