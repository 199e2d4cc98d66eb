//! The tests of the server that need no executable of their own.

#[path = "../client/mod.rs"]
mod client;
mod edits;
mod files;
mod neovim;
mod sessions;
