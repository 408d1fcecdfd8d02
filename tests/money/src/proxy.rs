//! A way to a database that is cut and delayed: every connection through it, at any byte.

use crate::random::SplitMix64;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Most bytes that are passed on at once.
const CHUNK_BYTES: usize = 8 << 10;

/// Listens on loopback and passes on to `to`, as long as the runtime lives. A connection is cut, one chunk in `cut_one_in`, in either
/// direction: with the chunk lost or passed on. One chunk in eight is late. Returns its port.
pub async fn flaky(to: String, cut_one_in: u64, seed: u64) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let mut chance = SplitMix64(seed);
        while let Ok((near, _)) = listener.accept().await {
            let Ok(far) = TcpStream::connect(&to).await else { continue };
            let seeds = [SplitMix64(chance.below(u64::MAX)), SplitMix64(chance.below(u64::MAX))];
            let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), far.into_split());
            let [there, back] = seeds;
            tokio::spawn(async move {
                // Whichever ends first ends both.
                tokio::select! {
                    () = pass(near_read, far_write, there, cut_one_in) => {}
                    () = pass(far_read, near_write, back, cut_one_in) => {}
                }
            });
        }
    });
    port
}

async fn pass(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    mut chance: SplitMix64,
    cut_one_in: u64,
) {
    let mut chunk = vec![0; CHUNK_BYTES];
    while let Ok(length) = from.read(&mut chunk).await {
        if length == 0 {
            return;
        }
        let is_cut = chance.one_in(cut_one_in);
        if is_cut && chance.one_in(2) {
            return;
        }
        if chance.one_in(8) {
            tokio::time::sleep(Duration::from_millis(chance.below(5))).await;
        }
        if to.write_all(&chunk[..length]).await.is_err() || is_cut {
            return;
        }
    }
}
