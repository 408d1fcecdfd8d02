//! The connections that are open: bounded as a whole and per peer. At a bound the one that has rested longest makes room, those first
//! that never asked anything; where none rests, the new one is turned away.

use crate::edge::limits::Limits;
use crate::edge::pulse::Pulse;
use crate::live::Live;
use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Who is at the other end, as far as it is counted: an IPv4 address, or the network of 64 bits that one customer has of IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Peer(IpAddr);

impl From<IpAddr> for Peer {
    fn from(address: IpAddr) -> Peer {
        Peer(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
            plain => plain,
        })
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The connections that are open.
#[derive(Debug)]
pub(crate) struct Connections {
    limits: Live<Limits>,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    all: HashMap<u64, (Peer, Arc<Pulse>)>,
    each: HashMap<Peer, usize>,
}

/// An open connection; closed when this is dropped.
#[derive(Debug)]
pub(crate) struct Connected {
    connections: Arc<Connections>,
    id: u64,
    pub(crate) peer: Peer,
    pub(crate) pulse: Arc<Pulse>,
}

impl Connections {
    pub(crate) fn new(limits: Live<Limits>) -> Arc<Connections> {
        Arc::new(Connections { limits, open: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a connection in, or turns it away.
    pub(crate) fn admit(self: &Arc<Self>, peer: Peer) -> Option<Connected> {
        let limits = self.limits.get();
        let mut open = self.lock();
        if open.each.get(&peer).copied().unwrap_or_default() >= limits.connections_per_peer {
            open.displace(Some(peer)).then_some(())?;
        } else if open.all.len() >= limits.connections {
            open.displace(None).then_some(())?;
        }
        let (id, pulse) = (open.next, Pulse::new(limits));
        open.next = id.wrapping_add(1);
        open.all.insert(id, (peer, Arc::clone(&pulse)));
        let own = open.each.entry(peer).or_default();
        *own = own.saturating_add(1);
        Some(Connected { connections: Arc::clone(self), id, peer, pulse })
    }

    /// Ends the one that has rested longest: there are no more files.
    pub(crate) fn make_room(&self) -> bool {
        self.lock().displace(None)
    }
}

impl Open {
    fn displace(&mut self, of: Option<Peer>) -> bool {
        let resting = self.all.iter().filter(|(_, (peer, _))| of.is_none_or(|of| of == *peer));
        let resting = resting.filter_map(|(id, (_, pulse))| pulse.rest().map(|rest| (rest, *id)));
        let Some((_, id)) = resting.min() else { return false };
        if let Some(pulse) = self.remove(id) {
            pulse.displace();
        }
        true
    }

    fn remove(&mut self, id: u64) -> Option<Arc<Pulse>> {
        let (peer, pulse) = self.all.remove(&id)?;
        if let Some(own) = self.each.get_mut(&peer) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                self.each.remove(&peer);
            }
        }
        Some(pulse)
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        // One that was displaced is not there any more.
        let _gone = self.connections.lock().remove(self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(last: u8) -> Peer {
        Peer::from(IpAddr::from([10, 0, 0, last]))
    }

    fn three_and_two() -> Arc<Connections> {
        Connections::new(Live::new(Limits { connections: 3, connections_per_peer: 2, ..Limits::default() }))
    }

    #[test]
    fn a_peer_at_its_bound_displaces_its_own() {
        let connections = three_and_two();
        let first = connections.admit(peer(1)).unwrap();
        let other = connections.admit(peer(2)).unwrap();
        let second = connections.admit(peer(1)).unwrap();
        let third = connections.admit(peer(1)).unwrap();
        let open = |one: &Connected| connections.lock().all.contains_key(&one.id);
        assert!(!open(&first) && open(&other) && open(&second) && open(&third));
        drop((first, second, third, other));
        assert!(connections.lock().all.is_empty() && connections.lock().each.is_empty());
    }

    #[test]
    fn at_the_whole_bound_what_never_asked_goes_first_and_what_works_stays() {
        let connections = three_and_two();
        let kept: Vec<_> = [1, 2, 3].map(|last| connections.admit(peer(last)).unwrap()).into();
        drop(kept[0].pulse.asked());
        let works = kept[1].pulse.asked();
        let newest = connections.admit(peer(4)).unwrap();
        assert!(!connections.lock().all.contains_key(&kept[2].id), "the one that never asked");
        let _working = (kept[0].pulse.asked(), newest.pulse.asked(), &works);
        assert!(connections.admit(peer(5)).is_none() && !connections.make_room(), "all of them work");
    }

    #[test]
    fn a_network_of_ipv6_is_one_peer() {
        let of = |text: &str| Peer::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:10.0.0.1"), peer(1));
    }
}
