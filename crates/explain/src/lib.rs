//! A page that explains a compilation.
//!
//! A [`Recorder`] observes pass managers and collects the IR after each pass with the source lines of each operation,
//! times, memory, remarks, kernels, lifetimes of buffers, data flow graphs, and code that other tools emit.
//! [`Recorder::page`] writes all of it as one HTML file that refers to nothing outside of it.
//!
//! ```
//! use minoan_diag::SourceMap;
//! use minoan_explain::Recorder;
//! use minoan_ir::{Context, Loc, Module};
//! use minoan_pass::{PassManager, PassRegistry, Pipeline};
//!
//! let mut module = Module::new(&Context::bare(), Loc::UNKNOWN);
//! let pipeline = Pipeline::parse("builtin.module()", &PassRegistry::new(), &SourceMap::new()).expect("it is empty");
//! let recorder = Recorder::new();
//! recorder.begin("input", &module);
//! let outcome = PassManager::new(&pipeline).instrument(&recorder).remarks(true).run(&mut module);
//! recorder.end(&outcome, &module, &SourceMap::new());
//! assert!(recorder.page("nothing").starts_with("<!doctype html>"));
//! ```
//!
//! Guarantees:
//! * The time is linear in the size of the module and the number of passes that change it; text that a pass does not change
//!   is stored once, and lines that differ only in the numbers of values share their text.
//! * Names, text and messages of the program are data on the page: none is interpreted as HTML or as a program.
//! * A pass over many functions is recorded function by function, so its cost does not depend on the rest of the module.
#![forbid(unsafe_code)]

mod buffers;
mod code;
mod diff;
mod graph;
mod kernels;
mod memory;
mod page;
mod recorder;
mod text;

pub use code::{CodeLine, assembly, llvm_ir, mlir};
pub use recorder::Recorder;
