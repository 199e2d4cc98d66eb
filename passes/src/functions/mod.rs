//! Inlining, outlining and cloning of functions, closures, and recursion.

pub mod defunctionalize;
pub mod inline;
pub mod outline;
pub mod partial_evaluate;
pub mod specialize;
pub mod tail_recursion_modulo_constructor;
pub mod tail_recursion_to_loop;
