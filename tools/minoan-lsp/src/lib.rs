//! A language server for Knossos, Relay, i-expressions and MLIR.
//!
//! The server has no parser: the front ends and the parser of MLIR's text report diagnostics and
//! [cross references](minoan::xref), from which every request is answered.
//!
//! Guarantees:
//! * A request is answered for the text that the client had sent when it asked; if a newer change arrives before the
//!   analysis, the answer is the error `ContentModified`.
//! * A newer change cancels the pending analysis of an older one, and diagnostics are published for the newest text only.
//! * A panic in a request is an error response with the code `InternalError`; the server goes on.
//! * Columns are those of UTF-16, as the protocol defines; lines end with `\n`, `\r\n` or `\r`.
#![forbid(unsafe_code)]

mod analysis;
mod capabilities;
mod convert;
mod docs;
mod document;
mod requests;
mod server;
mod workspace;

pub use document::{Snapshot, Text};
pub use server::serve;
