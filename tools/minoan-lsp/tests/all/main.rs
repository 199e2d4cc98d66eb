//! The tests of the server that need no executable of their own.

#[path = "../client/mod.rs"]
mod client;
mod editing;
mod edits;
mod files;
mod neovim;
mod references;
mod request;
mod sessions;
