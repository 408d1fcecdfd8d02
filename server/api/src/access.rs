//! Who may do what, and who did what: tokens, operators and the audit log; the operators' endpoints.

use crate::answers::{AuditEntryShown, AuditPage, OperatorPage, OwnToken, Revoked, TokenMade, TokenPage, TokenShown};
use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode, Uri};
use schemars::JsonSchema;
use serde::Deserialize;
use svc_core::CoreError;
use svc_core::audit_log::AUDIT_ENTRIES_MAX;
use svc_core::tokens::{NewToken, TOKENS_MAX};
use svc_store::records::{Id, TokenScope};
use svc_store::{Store, TokenQuery};

/// A token of a business: its kind, the subject where the kind is for one, and what it is called.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TokenBody {
    kind: Kind,
    subject: Option<String>,
    name: Option<String>,
    expires_in_seconds: Option<u32>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Deploy,
    Publish,
    Usage,
    Read,
    Portal,
    Gateway,
}

impl TokenBody {
    fn scope(&self) -> Result<TokenScope, CoreError> {
        match (self.kind, self.subject.clone()) {
            (Kind::Deploy, None) => Ok(TokenScope::Deploy),
            (Kind::Publish, None) => Ok(TokenScope::Publish),
            (Kind::Usage, None) => Ok(TokenScope::Usage),
            (Kind::Read, None) => Ok(TokenScope::Read),
            (Kind::Portal, Some(subject)) => Ok(TokenScope::Portal { subject }),
            (Kind::Gateway, Some(subject)) => Ok(TokenScope::Gateway { subject }),
            (Kind::Portal | Kind::Gateway, None) => {
                Err(CoreError::invalid("TOKEN_FORM", "a portal token and a gateway token are of a subject"))
            }
            (Kind::Deploy | Kind::Publish | Kind::Usage | Kind::Read, Some(_)) => {
                Err(CoreError::invalid("TOKEN_FORM", "only portal tokens and gateway tokens are of a subject"))
            }
        }
    }
}

pub(crate) async fn mint_token<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let body: TokenBody = request::json(request).await?;
    let new = NewToken { scope: body.scope()?, name: body.name, life_seconds: body.expires_in_seconds };
    let minted = call.core.mint_token(business, new, call.now()).await?;
    Ok(Reply::of(StatusCode::CREATED, &TokenMade::from(minted))?.private())
}

/// What the token of the request itself opens.
pub(crate) fn own_token<S: Store>(call: &Call<'_, S>) -> Result<Reply, Problem> {
    let own = call.token.as_deref().map_or_else(OwnToken::root, OwnToken::from);
    Ok(Reply::of(StatusCode::OK, &own)?.private())
}

/// Tokens of a business; with `subject` in the query, those of one.
pub(crate) async fn tokens<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let (tokens, cursor) = list(call, request.uri(), Some(business)).await?;
    Ok(Reply::of(StatusCode::OK, &TokenPage { tokens, cursor })?.private())
}

pub(crate) async fn revoke_token<S: Store>(call: &Call<'_, S>, business: &Id, token: &Id) -> Result<Reply, Problem> {
    let token = call.core.revoke_token(Some(business), token, call.now()).await?;
    Ok(Reply::of(StatusCode::OK, &TokenShown::from(&token))?.private())
}

/// Takes back all tokens of the subject that the query names.
pub(crate) async fn revoke_tokens<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let subject = subject(request.uri())?.ok_or_else(nobody)?;
    let count = call.core.revoke_tokens_of(business, &subject, call.now()).await?;
    Reply::of(StatusCode::OK, &Revoked { revoked: count })
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewOperator {
    name: String,
    expires_in_seconds: Option<u32>,
}

pub(crate) async fn add_operator<S: Store>(call: &Call<'_, S>, request: Request<Incoming>) -> Result<Reply, Problem> {
    let NewOperator { name, expires_in_seconds } = request::json(request).await?;
    let minted = call.core.add_operator(&name, expires_in_seconds, call.now()).await?;
    Ok(Reply::of(StatusCode::CREATED, &TokenMade::from(minted))?.private())
}

pub(crate) async fn operators<S: Store>(call: &Call<'_, S>, request: &Request<Incoming>) -> Result<Reply, Problem> {
    let (operators, cursor) = list(call, request.uri(), None).await?;
    Ok(Reply::of(StatusCode::OK, &OperatorPage { operators, cursor })?.private())
}

pub(crate) async fn revoke_operator<S: Store>(call: &Call<'_, S>, operator: &Id) -> Result<Reply, Problem> {
    let token = call.core.revoke_token(None, operator, call.now()).await?;
    Ok(Reply::of(StatusCode::OK, &TokenShown::from(&token))?.private())
}

/// What was done in a business or, without one, beside them.
pub(crate) async fn audit_log<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: Option<&Id>,
) -> Result<Reply, Problem> {
    let (limit, cursor) = request::page(request.uri(), AUDIT_ENTRIES_MAX)?;
    let (page, cursor) = call.core.audit_entries(business, cursor.as_deref(), limit).await?;
    let entries = page.into_iter().map(AuditEntryShown::from).collect();
    Ok(Reply::of(StatusCode::OK, &AuditPage { entries, cursor })?.private())
}

async fn list<S: Store>(
    call: &Call<'_, S>,
    uri: &Uri,
    business: Option<&Id>,
) -> Result<(Vec<TokenShown>, Option<Id>), Problem> {
    let (limit, before) = request::page(uri, TOKENS_MAX)?;
    let query = TokenQuery { subject: subject(uri)?, before: before.map(Id::named), limit };
    let (page, cursor) = call.core.tokens(business, query).await?;
    Ok((page.iter().map(TokenShown::from).collect(), cursor))
}

/// The subject that the query names.
pub(crate) fn subject(uri: &Uri) -> Result<Option<String>, Problem> {
    match request::query(uri, "subject") {
        Some(subject) if subject.is_empty() => Err(nobody()),
        subject => Ok(subject),
    }
}

pub(crate) fn nobody() -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "QUERY_FORM", "subject names a subscriber")
}
