//! What the end-to-end tests share: the program under test, cases as files, a server to talk to. Helpers for tests: they
//! panic with what went wrong.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test's helper fails the test")]
#![allow(clippy::indexing_slicing, clippy::string_slice, reason = "a test's helper fails the test")]

pub mod annotation;
pub mod api;
pub mod case;
pub mod certificates;
pub mod contract;
pub mod forge;
pub mod gateway;
pub mod golden;
pub mod hooked;
pub mod origin;
pub mod program;
pub mod raw;
pub mod receiver;
pub mod repository;
