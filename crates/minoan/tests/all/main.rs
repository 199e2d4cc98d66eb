//! The tests of the facade that need no executable of their own.

mod ad;
mod bugs;
#[path = "../../../../fuzz/src/lib.rs"]
mod checks;
mod corpus;
mod embed;
mod frame;
mod gradients;
mod kernels;
mod link;
mod lower;
mod modules;
mod nested;
mod reference;
mod scalars;
mod services;
mod threads;
mod tidy;
mod vectors;
