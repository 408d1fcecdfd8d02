//! Who a caller is and what they may do. Each endpoint says whom it is for (`routes.rs`), and nobody else reaches its handler.
//! Comparisons of secrets take the same time whatever they hold. Whoever is let in is counted from then on as who they are; strangers are
//! never counted as anyone's, nor is a body read of them.

use crate::app::App;
use crate::cookie;
use crate::edge::traffic::{Account, Passage};
use crate::problem::Problem;
use crate::request::{bearer, unauthorized};
use hyper::body::Incoming;
use hyper::header::AUTHORIZATION;
use hyper::{Request, StatusCode};
use std::ops::Deref;
use std::sync::Arc;
use subtle::ConstantTimeEq;
use svc_core::actor::{Actor, ROOT_OPERATOR};
use svc_core::portal_sessions::Visit;
use svc_core::tokens::token_hash;
use svc_core::{Core, CoreError};
use svc_store::Store;
use svc_store::records::{Id, Right, Token, TokenScope};

/// Whom an endpoint is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Whoever asks; a handler looks for itself where a session, a signature or a capability is needed.
    Anyone,
    /// Whoever holds a token, of whatever kind and business.
    Holder,
    /// An operator.
    Operator,
    /// Whoever holds a token of the business that gives this right, or is an operator.
    Business(Right),
    /// A subscriber, by a portal token.
    Subscriber,
    /// A subscriber who only reads: by a portal token, or by the session of the page that asks.
    Viewer,
}

/// A request whose caller was let in.
pub(crate) struct Call<'a, S> {
    app: &'a App<S>,
    /// The use cases, in the caller's name.
    pub(crate) core: Core<S>,
    /// The subscriber, where the caller is one.
    subject: Option<String>,
    /// The caller's token, where the endpoint is for whoever holds one; nothing for the token that the server was started with.
    pub(crate) token: Option<Arc<Token>>,
}

impl<S> Deref for Call<'_, S> {
    type Target = App<S>;

    fn deref(&self) -> &App<S> {
        self.app
    }
}

impl<S: Store> Call<'_, S> {
    /// The subscriber who asks.
    ///
    /// # Errors
    /// Where the endpoint is not for subscribers: the table of endpoints and its handler do not agree.
    pub(crate) fn subject(&self) -> Result<&str, Problem> {
        let missing =
            || CoreError::Internal("an endpoint asks for a subscriber whom its row does not let in".to_owned());
        Ok(self.subject.as_deref().ok_or_else(missing)?)
    }
}

/// Lets a caller in where the endpoint is for them.
///
/// # Errors
/// 401 for nobody who is known, 403 for a token of another kind, 404 for one of another business, 429 for one that calls too often, 503.
pub(crate) async fn enter<'a, S: Store>(
    app: &'a App<S>,
    request: &Request<Incoming>,
    who: Who,
    business: &Id,
) -> Result<Call<'a, S>, Problem> {
    let (actor, subject) = match who {
        Who::Anyone => return Ok(Call { app, core: app.core.clone(), subject: None, token: None }),
        Who::Holder => {
            let (actor, token) = any(app, request).await?;
            return Ok(Call { app, core: app.core.acting(actor), subject: None, token });
        }
        Who::Viewer
            if !request.headers().contains_key(AUTHORIZATION) && cookie::session(request.headers()).is_some() =>
        {
            match visit(app, request, business).await? {
                (_, Visit::Open { subject, .. }) => (Actor::Subscriber { subject: subject.clone() }, Some(subject)),
                (_, Visit::Ended { .. } | Visit::Unknown) => return Err(unauthorized()),
            }
        }
        Who::Operator => (operator(app, request).await?, None),
        Who::Business(right) => (holder(app, request, right, business).await?, None),
        Who::Subscriber | Who::Viewer => {
            let subject = subscriber(app, request, business).await?;
            (Actor::Subscriber { subject: subject.clone() }, Some(subject))
        }
    };
    Ok(Call { app, core: app.core.acting(actor), subject, token: None })
}

/// Lets in whoever holds a token.
async fn any<S: Store>(app: &App<S>, request: &Request<Incoming>) -> Result<(Actor, Option<Arc<Token>>), Problem> {
    if let Some(root) = root(app, request)? {
        return Ok((root, None));
    }
    let token = known(app, request).await?;
    let account = token.business.clone().map_or(Account::Operator, Account::Business);
    Passage::of(request.extensions())?.enter(account)?;
    let actor = Actor::Token { id: token.id.clone(), name: token.name.clone(), kind: token.scope.kind() };
    Ok((actor, Some(token)))
}

/// Lets an operator in: the one whose token the server was started with, or a named one.
async fn operator<S: Store>(app: &App<S>, request: &Request<Incoming>) -> Result<Actor, Problem> {
    if let Some(root) = root(app, request)? {
        return Ok(root);
    }
    let token = known(app, request).await?;
    match token.scope {
        TokenScope::Operator => named_operator(request, &token),
        _ => Err(forbidden("an operator's token is needed")),
    }
}

/// Lets in whoever may do this in the business. An operator may do all that a business may.
async fn holder<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    right: Right,
    business: &Id,
) -> Result<Actor, Problem> {
    if let Some(root) = root(app, request)? {
        return Ok(root);
    }
    let token = known(app, request).await?;
    if token.scope == TokenScope::Operator {
        return named_operator(request, &token);
    }
    let token = of_business(request, token, business, |scope| {
        if scope.gives(right) { Ok(()) } else { Err(forbidden(&needed(scope, right))) }
    })?;
    Ok(Actor::Token { id: token.id.clone(), name: token.name.clone(), kind: token.scope.kind() })
}

/// Lets a subscriber in, and says who it is.
async fn subscriber<S: Store>(app: &App<S>, request: &Request<Incoming>, business: &Id) -> Result<String, Problem> {
    if root(app, request)?.is_some() {
        return Err(forbidden("a portal token is needed"));
    }
    let token = of_business(request, known(app, request).await?, business, |scope| match scope {
        TokenScope::Portal { .. } => Ok(()),
        _ => Err(forbidden("a portal token is needed")),
    })?;
    match &token.scope {
        TokenScope::Portal { subject } => Ok(subject.clone()),
        _ => Err(forbidden("a portal token is needed")),
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

/// The operator whose token the server was started with.
fn root<S>(app: &App<S>, request: &Request<Incoming>) -> Result<Option<Actor>, Problem> {
    if !bool::from(token_hash(bearer(request.headers())?).ct_eq(&app.operator_hash)) {
        return Ok(None);
    }
    Passage::of(request.extensions())?.enter(Account::Operator)?;
    Ok(Some(Actor::Operator { id: None, name: ROOT_OPERATOR.to_owned() }))
}

fn named_operator(request: &Request<Incoming>, token: &Token) -> Result<Actor, Problem> {
    Passage::of(request.extensions())?.enter(Account::Operator)?;
    Ok(Actor::Operator { id: Some(token.id.clone()), name: token.name.clone() })
}

/// The token of a request, where it opens anything. Operators' calls are not limited.
async fn known<S: Store>(app: &App<S>, request: &Request<Incoming>) -> Result<Arc<Token>, Problem> {
    let text = bearer(request.headers())?;
    let token = app.core.token(text, app.now()).await?.ok_or_else(unauthorized)?;
    if !bool::from(token.hash.ct_eq(&token_hash(text))) {
        return Err(unauthorized());
    }
    if token.scope != TokenScope::Operator {
        app.rates.admit(&token.hash)?;
    }
    Ok(token)
}

/// A token of this business that may: one of another business finds nothing here.
fn of_business(
    request: &Request<Incoming>,
    token: Arc<Token>,
    business: &Id,
    may: impl Fn(&TokenScope) -> Result<(), Problem>,
) -> Result<Arc<Token>, Problem> {
    if let Some(own) = token.business.as_ref().filter(|own| *own != business) {
        tracing::info!(token = %token.id, %own, "a token of another business");
        return Err(Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "there is no such business"));
    }
    may(&token.scope)?;
    Passage::of(request.extensions())?.enter(Account::Business(business.clone()))?;
    Ok(token)
}

fn forbidden(detail: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "FORBIDDEN", detail)
}

/// What is said to a token of the business that does not give the right.
fn needed(scope: &TokenScope, right: Right) -> String {
    let kinds = TokenScope::kinds_that_give(right).join(", ");
    format!("a token of kind {} does not do this; one of these does: {kinds}", scope.kind())
}
