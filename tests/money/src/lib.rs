//! What the tests of money share: real databases, a business under a clock of the test's own, products without a build, and a second
//! model of the money. Helpers for tests: they panic with what went wrong.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test's helper fails the test")]
#![allow(clippy::indexing_slicing, reason = "a test's helper fails the test")]

pub mod counting;
pub mod faulty;
pub mod product;
pub mod proxy;
pub mod random;
pub mod reference;
pub mod stores;
pub mod world;

/// Runs a future to its end.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(future)
}
