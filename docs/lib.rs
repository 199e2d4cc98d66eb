//! The book, whose programs are compiled and run.
//!
//! The Rust blocks of a chapter in `src`, one after another, are one program: `tangle.rs` writes it out, and
//! `chapters.rs` includes it as a module of tests. So a chapter reads like a page and is tested as a whole.
#![forbid(unsafe_code)]
