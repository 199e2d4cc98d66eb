//! Random generation of operations, and simplifications for test-case reduction.

mod declared;
mod generate;
mod reduce;

pub use declared::{Declared, Guard, TypeFilter};
pub use generate::{Generate, Inside, Maker, OPEN_EXTENT};
pub use reduce::Reduce;
