//! Who may do what, and who did what: tokens, operators and the audit log; the operators' endpoints.

use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode, Uri};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use svc_core::CoreError;
use svc_core::audit_log::AUDIT_ENTRIES_MAX;
use svc_core::tokens::{MintedToken, NewToken, TOKENS_MAX};
use svc_store::records::{AuditEntry, Id, Token, TokenScope};
use svc_store::{Store, TokenQuery};

/// A token of a business: its kind, the subject where the kind is for one, and what it is called.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Body {
    kind: Kind,
    subject: Option<String>,
    name: Option<String>,
    expires_in_seconds: Option<u32>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Deploy,
    Publish,
    Usage,
    Read,
    Portal,
    Gateway,
}

impl Body {
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
    let body: Body = request::json(request).await?;
    let new = NewToken { scope: body.scope()?, name: body.name, life_seconds: body.expires_in_seconds };
    let minted = call.core.mint_token(business, new, call.now()).await?;
    Ok(told(&minted))
}

/// Tokens of a business; with `subject` in the query, those of one.
pub(crate) async fn tokens<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    list(call, request.uri(), Some(business)).await
}

pub(crate) async fn revoke_token<S: Store>(call: &Call<'_, S>, business: &Id, token: &Id) -> Result<Reply, Problem> {
    let token = call.core.revoke_token(Some(business), token, call.now()).await?;
    Ok(Reply::new(StatusCode::OK, shown(&token)).private())
}

/// Takes back all tokens of the subject that the query names.
pub(crate) async fn revoke_tokens<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let subject = request::query(request.uri(), "subject").filter(|subject| !subject.is_empty());
    let missing = || Problem::new(StatusCode::BAD_REQUEST, "QUERY_FORM", "?subject= names whose tokens to take back");
    let count = call.core.revoke_tokens_of(business, &subject.ok_or_else(missing)?, call.now()).await?;
    Ok(Reply::new(StatusCode::OK, json!({ "revoked": count })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewOperator {
    name: String,
    expires_in_seconds: Option<u32>,
}

pub(crate) async fn add_operator<S: Store>(call: &Call<'_, S>, request: Request<Incoming>) -> Result<Reply, Problem> {
    let NewOperator { name, expires_in_seconds } = request::json(request).await?;
    let minted = call.core.add_operator(&name, expires_in_seconds, call.now()).await?;
    Ok(told(&minted))
}

pub(crate) async fn operators<S: Store>(call: &Call<'_, S>, request: &Request<Incoming>) -> Result<Reply, Problem> {
    list(call, request.uri(), None).await
}

pub(crate) async fn revoke_operator<S: Store>(call: &Call<'_, S>, operator: &Id) -> Result<Reply, Problem> {
    let token = call.core.revoke_token(None, operator, call.now()).await?;
    Ok(Reply::new(StatusCode::OK, shown(&token)).private())
}

/// What was done in a business or, without one, beside them.
pub(crate) async fn audit_log<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: Option<&Id>,
) -> Result<Reply, Problem> {
    let limit = request::limit(request.uri(), AUDIT_ENTRIES_MAX)?;
    let cursor = request::query(request.uri(), "cursor");
    let (page, next) = call.core.audit_entries(business, cursor.as_deref(), limit).await?;
    let entries = page.iter().map(entry).collect::<Vec<_>>();
    Ok(Reply::new(StatusCode::OK, json!({ "entries": entries, "cursor": next })).private())
}

async fn list<S: Store>(call: &Call<'_, S>, uri: &Uri, business: Option<&Id>) -> Result<Reply, Problem> {
    let query = TokenQuery {
        subject: request::query(uri, "subject"),
        before: request::query(uri, "cursor").map(Id::named),
        limit: request::limit(uri, TOKENS_MAX)?,
    };
    let (page, next) = call.core.tokens(business, query).await?;
    let tokens = page.iter().map(shown).collect::<Vec<_>>();
    let name = if business.is_some() { "tokens" } else { "operators" };
    Ok(Reply::new(StatusCode::OK, json!({ name: tokens, "cursor": next })).private())
}

/// A token that was just made, with its text.
fn told(minted: &MintedToken) -> Reply {
    let mut body = shown(&minted.token);
    if let Json::Object(members) = &mut body {
        members.insert("token".to_owned(), json!(minted.text));
    }
    Reply::new(StatusCode::CREATED, body).private()
}

/// A token without its text, which is kept nowhere.
fn shown(token: &Token) -> Json {
    json!({
        "tokenId": token.id,
        "kind": token.scope.kind(),
        "subject": token.scope.subject(),
        "name": token.name,
        "createdAt": token.created_at,
        "expiresAt": token.expires_at,
        "lastUsedAt": token.last_used_at,
        "revokedAt": token.revoked_at,
    })
}

fn entry(entry: &AuditEntry) -> Json {
    let detail: Option<Json> = entry.detail.as_ref().and_then(|detail| serde_json::from_str(detail).ok());
    json!({
        "id": entry.id,
        "at": entry.at,
        "actor": { "kind": entry.actor_kind, "id": entry.actor, "name": entry.actor_name },
        "action": entry.action,
        "target": entry.target,
        "detail": detail,
    })
}
