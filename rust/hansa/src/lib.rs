//! The engine of `hansa`: rules, states, playouts and search of Hanseatic trade board games.
//!
//! `core` is the vocabulary, `games` the rules, `search` everything that plays; the erased layer (`table`, `batch`,
//! `record`, `catalogue`) is what bindings and command lines use. ARCHITECTURE.md at the root shows the whole.

#![deny(unsafe_code)]

pub mod batch;
pub mod catalogue;
#[cfg(feature = "conform")]
pub mod conform;
pub mod core;
pub mod games;
pub mod record;
pub mod search;
pub mod table;
