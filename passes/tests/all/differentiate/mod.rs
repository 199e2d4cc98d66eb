//! Derivatives agree with central differences, and reverse mode with forward mode: `<J v, w> = <v, J^T w>`. Derivatives of
//! derivatives likewise.

mod complex;
mod conditionals;
mod operations;
mod programs;
mod support;
