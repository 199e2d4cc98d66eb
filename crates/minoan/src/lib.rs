//! Minoan: a multi-dialect compiler library in the manner of MLIR.
//!
//! A [`Session`] is the entry point: it reads programs, lowers them through the [`Stage`]s, and runs them.
//!
//! ```
//! use minoan::{Backend, Float, Session};
//! let session = Session::new();
//! let text = "(def hyp Float ((a : Float) (b : Float)) (sqrt (add (mul a a) (mul b b))))";
//! let program = session.read_text("hyp.ks", text)?;
//! let entry = session.entry(&program, "hyp", Float::F64)?;
//! let args = entry.interface.parse_args(&serde_json::json!([3.0, 4.0]))?;
//! let result = session.run(&entry, &args, Backend::Interpret)?;
//! assert_eq!(entry.interface.result_json(&result)?, serde_json::json!(5.0));
//! # Ok::<(), minoan::Failure>(())
//! ```
//!
//! The layers below are re-exported by concept: [`ir`] (contexts, operations, verifier, text), [`services`] (the
//! interfaces of dialects), [`rewrite`], [`pass`] and [`passes`], [`interp`], [`diag`], [`knossos`], [`dialects`], and with the
//! feature `mlir` the bridge [`mlir`] and the code generator [`llvm`]. The [`prelude`] has the names that most programs use.
#![forbid(unsafe_code)]

pub mod arrays;
mod bind;
#[cfg(feature = "mlir")]
pub mod call;
#[cfg(feature = "mlir")]
mod compile;
pub mod docs;
mod explained;
mod failure;
mod files;
pub mod gradient;
pub mod header;
#[cfg(feature = "mlir")]
mod heap;
pub mod inputs;
pub mod interface;
pub mod language;
mod library;
mod link;
pub mod listing;
mod modules;
pub mod opt;
pub mod output;
pub mod prelude;
#[cfg(feature = "mlir")]
mod recursion;
mod registry;
mod relay_bindings;
mod relay_layouts;
mod run;
mod session;
pub mod signature;
mod tvm_passes;
mod upstream;

#[cfg(feature = "mlir")]
pub use call::{Argument, Loaded};
pub use failure::{Failure, FailureKind};
pub use library::{Library, LibraryFunction};
pub use minoan_diag as diag;
pub use minoan_explain as explain;
pub use minoan_frontend as frontend;
pub use minoan_generate as generate;
pub use minoan_iexpr as iexpr;
pub use minoan_interp as interp;
pub use minoan_ir as ir;
pub use minoan_knossos as knossos;
#[cfg(feature = "mlir")]
pub use minoan_llvm as llvm;
#[cfg(feature = "mlir")]
pub use minoan_mlir as mlir;
pub use minoan_pass as pass;
pub use minoan_passes as passes;
pub use minoan_relay as relay;
pub use minoan_rewrite as rewrite;
pub use minoan_runtime::set_threads;
pub use minoan_services as services;
pub use minoan_services::Datum;
pub use minoan_xref as xref;
pub use modules::tool;
pub use registry::{context, pass_registry, registry};
pub use run::{Backend, Prepared};
pub use session::{Entry, Float, Options, Program, Session, Stage};
pub use upstream::UPSTREAM;

/// The dialects, one crate each.
pub mod dialects {
    pub use minoan_affine as affine;
    pub use minoan_arith as arith;
    pub use minoan_bufferization as bufferization;
    pub use minoan_builtin as builtin;
    pub use minoan_cf as cf;
    pub use minoan_complex as complex;
    pub use minoan_data as data;
    pub use minoan_diff as diff;
    pub use minoan_dlti as dlti;
    pub use minoan_func as func;
    pub use minoan_functional as functional;
    pub use minoan_iexpr_dialect as iexpr;
    pub use minoan_index as index;
    pub use minoan_knossos_dialect as knossos;
    pub use minoan_linalg as linalg;
    pub use minoan_math as math;
    pub use minoan_memref as memref;
    pub use minoan_relay_dialect as relay;
    pub use minoan_scf as scf;
    pub use minoan_schedule_dialect as schedule;
    pub use minoan_tensor as tensor;
    pub use minoan_ub as ub;
    pub use minoan_vector as vector;
}
