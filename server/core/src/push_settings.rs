//! What build on push needs to know of the service that it runs in.

use crate::secrets::Secrets;

/// What build on push needs of the service.
#[derive(Clone, Debug, Default)]
pub struct PushSettings {
    /// The keys for secrets; without them there are no sources.
    pub secrets: Option<Secrets>,
    /// Hosts that the operator named: `host` or `host:port`. They may have private addresses and speak HTTP without TLS.
    pub named_hosts: Vec<String>,
    /// Where this service is reached from outside: `https://svc.example.com`.
    pub public_url: String,
}
