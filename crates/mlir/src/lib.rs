//! The MLIR bridge: from memrefs, loops and arithmetic to machine code.
//!
//! A [`Backend`] owns an MLIR context. It takes modules of the upstream dialects `func`, `memref`, `scf`, `linalg`, `vector`,
//! `affine`, `math`, `arith`, `index`, `cf` and `ub` (from text, or built with melior), converts them to the `llvm` dialect by
//! [`PIPELINE`], translates that to LLVM IR, and hands it to minoan-llvm. Other dialects of MLIR are not registered.
//!
//! Guarantees:
//! * MLIR's diagnostics are returned as [`minoan_diag::Diagnostics`] with file, line, column and notes; nothing goes to
//!   standard error.
//! * Memory of `memref.alloc` comes from the runtime (64-byte aligned, counted), through the three functions
//!   `_mlir_memref_to_llvm_alloc`, `_aligned_alloc` and `_free`.
//! * A failing `cf.assert` reports its location, which is prepended to its message.
//! * Scalable vectors, if the processor has none, are an error at the first operation with one; LLVM would abort.
//! * An allocation whose size overflows, or for which memory is exhausted, is reported at its location.
//!
//! ```
//! use minoan_llvm::{Jit, JitOptions, Target, Value};
//! use minoan_mlir::{Backend, Entries};
//!
//! let backend = Backend::new();
//! let mut module = backend.parse("module {
//!     func.func @square(%x: f64) -> f64 {
//!       %r = arith.mulf %x, %x : f64
//!       return %r : f64
//!     }
//! }", "square.mlir").unwrap();
//! let target = Target::host(&Default::default()).unwrap();
//! let compiled = backend.compile(&mut module, &target, &Entries::Jit, &Default::default()).unwrap();
//! // SAFETY: the module is sound for any argument.
//! let jit = unsafe { Jit::load(&[&compiled.code], compiled.functions, &JitOptions::default()) }.unwrap();
//! assert_eq!(jit.call("square", &mut [Value::F64(3.0)]).unwrap(), [Value::F64(9.0)]);
//! ```

mod allocations;
mod asserts;
mod atomics;
mod canonicalize;
mod compile;
mod constants;
mod context;
mod diagnostics;
mod extrema;
mod legalize;
mod packed_vectors;
mod pipeline;
mod powers;
mod registration;
mod scalable;
mod signature;
pub mod translate;

pub use compile::{CompileOptions, Compiled, Entries, load};
pub use context::Backend;
/// MLIR's C API in Rust. On Linux, its `utility::register_all_*` functions register the dialects, passes and translations of
/// the back end only, since no others are linked.
pub use melior;
pub use pipeline::PIPELINE;
