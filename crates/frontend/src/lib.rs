//! Helpers shared by the front ends: [`load`] decodes source files, [`Names`] interns identifiers, [`Reporter`]
//! limits the number of errors, [`with_known_names`] suggests names, [`with_stack`] grows the stack for recursive
//! descent up to a front end's nesting limit, and [`FloatWidth`] selects the width of floats that the language
//! leaves unspecified.
//!
//! ```
//! use minoan_diag::{Diagnostic, SourceMap};
//! use minoan_frontend::{Names, Reporter, load};
//!
//! let sources = SourceMap::new();
//! let error = load(&sources, "bad.ks", b"(def \xff".to_vec()).expect_err("it is not UTF-8");
//! assert_eq!(error.message, "'bad.ks' is not UTF-8: invalid byte 0xff");
//!
//! let mut names = Names::default();
//! let x = names.intern("x");
//! assert_eq!((names.intern("x"), names.text(x)), (x, "x"));
//!
//! let mut reporter = Reporter::default();
//! (0..1000).for_each(|_| reporter.report(Diagnostic::error("wrong")));
//! assert_eq!(reporter.finish().error_count(), Reporter::MAX_ERRORS + 1);
//! ```
#![forbid(unsafe_code)]

mod float;
mod names;
mod report;
mod source;
mod suggest;

pub use float::FloatWidth;
pub use minoan_ir::with_stack;
pub use names::{Names, Symbol};
pub use report::{Reporter, clip};
pub use source::load;
pub use suggest::with_known_names;
