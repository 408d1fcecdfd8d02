//! Which addresses are of the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks of IPv4 that are not the public internet: address, and bits of the network. Whatever is listed by IANA as special.
const SPECIAL_V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    // Shared by carriers; a cloud's metadata service too.
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // Link-local: the metadata services of most clouds.
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Multicast, reserved, broadcast.
    (Ipv4Addr::new(224, 0, 0, 0), 3),
];
/// A cloud's virtual public address that only its own machines reach.
const AZURE_WIRE_SERVER: Ipv4Addr = Ipv4Addr::new(168, 63, 129, 16);
/// Networks inside IPv6's global unicast that are special, or hold an IPv4 address.
const SPECIAL_V6: &[(Ipv6Addr, u32)] = &[
    // Protocol assignments, Teredo among them.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    // 6to4: the IPv4 address stands in it.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];
/// IPv6's global unicast. All that holds an IPv4 address in another way, and all that is local, lies outside.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Whether an address is one of the public internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            address != AZURE_WIRE_SERVER && !SPECIAL_V4.iter().any(|network| is_in_v4(address, *network))
        }
        IpAddr::V6(address) => {
            is_in_v6(address, GLOBAL_V6) && !SPECIAL_V6.iter().any(|network| is_in_v6(address, *network))
        }
    }
}

fn is_in_v4(address: Ipv4Addr, (network, bits): (Ipv4Addr, u32)) -> bool {
    let mask = u32::MAX.checked_shl(32_u32.saturating_sub(bits)).unwrap_or(0);
    address.to_bits() & mask == network.to_bits()
}

fn is_in_v6(address: Ipv6Addr, (network, bits): (Ipv6Addr, u32)) -> bool {
    let mask = u128::MAX.checked_shl(128_u32.saturating_sub(bits)).unwrap_or(0);
    address.to_bits() & mask == network.to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_that_is_not_public_is_refused() {
        let rows = [
            ("unspecified", "0.0.0.0 0.1.2.3 ::"),
            ("loopback", "127.0.0.1 127.255.255.254 ::1"),
            ("private", "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fd12:3456::1"),
            ("link-local", "169.254.1.1 fe80::1 febf::1"),
            ("metadata", "169.254.169.254 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16 fd00:ec2::254"),
            ("carrier", "100.64.0.1 100.127.255.255"),
            ("multicast", "224.0.0.1 239.255.255.255 ff02::1 ff0e::1"),
            ("reserved and broadcast", "240.0.0.1 255.255.255.255"),
            (
                "documentation and benchmarks",
                "192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 2001:db8::1 3fff::1",
            ),
            ("IPv4 in IPv6, mapped", "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8"),
            ("IPv4 in IPv6, compatible", "::127.0.0.1 ::8.8.8.8"),
            ("IPv4 in IPv6, translated", "64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1"),
            ("IPv4 in IPv6, tunnelled", "2002:7f00:1:: 2002:808:808::1 2001:0:7f00:1::1"),
            ("site-local and discarded", "fec0::1 100::1"),
        ];
        for (kind, addresses) in rows {
            for address in addresses.split(' ') {
                assert!(!is_public(address.parse().unwrap()), "{kind}: {address}");
            }
        }
    }

    #[test]
    fn public_addresses_are_taken_up_to_the_edges() {
        for address in [
            "140.82.121.3",
            "8.8.8.8",
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "223.255.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "2606:50c0:8000::153",
            "2a01:4f8::1",
            "2001:4860:4860::8888",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
