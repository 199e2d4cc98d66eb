//! Machine models of processors.
//!
//! [`by_name`] has the processors of a table, by the names of LLVM's `-mcpu`; [`host`] is the processor that executes
//! the compiler. Throughputs and latencies are those of the vendors' optimization guides and of public instruction
//! tables; cache sizes of the host are read from the operating system.
//!
//! ```
//! let machine = minoan_target::by_name("x86-64-v3").expect("it is in the table");
//! assert_eq!((machine.vector_bytes, machine.registers), (32, 16));
//! assert!(minoan_target::host().vector_bytes >= 8);
//! ```
#![forbid(unsafe_code)]

mod host;
mod table;

pub use host::host;
pub use table::{by_name, names};
