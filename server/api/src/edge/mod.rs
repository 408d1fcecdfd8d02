//! The edge: what stands between a socket and an endpoint. Connections are bounded and end by a deadline, a request's head is
//! looked at, its body is read within bounds, and nothing that one business or one peer does takes another's place.

pub(crate) mod answer;
pub(crate) mod body;
pub(crate) mod connections;
pub(crate) mod handshake;
pub(crate) mod head;
pub(crate) mod layers;
pub mod limits;
pub(crate) mod meters;
pub(crate) mod pulse;
pub(crate) mod server;
pub(crate) mod shares;
pub(crate) mod stream;
pub(crate) mod strict;
pub(crate) mod traffic;
