//! Source files, spans and diagnostics.
//!
//! Guarantees:
//! * A [`SourceMap`] only grows and can be shared between threads; a [`Span`] stays valid as long as its map.
//! * A [`Diagnostic`] is plain data. Nothing is printed until a tool calls [`render`], so a library that
//!   embeds the compiler decides where messages go.
//! * Rendering never fails: a span outside its file, a line of ten megabytes or invalid UTF-8 shortens the message
//!   and does not crash.
//!
//! ```
//! use minoan_diag::{Diagnostic, SourceMap, Span, render};
//! let sources = SourceMap::new();
//! let file = sources.add("a.ks", "(def f Float (x : Flaot) x)");
//! let error = Diagnostic::error("unknown type 'Flaot'")
//!     .at(Span::new(file, 18, 23))
//!     .help("did you mean 'Float'?");
//! let text = render(&error, &sources);
//! assert!(text.starts_with("error: unknown type 'Flaot'"));
//! assert!(text.contains("a.ks:1:19"));
//! assert!(text.contains("^^^^^"));
//! ```
#![forbid(unsafe_code)]

mod diagnostic;
mod render;
mod source;
mod suggest;

pub use diagnostic::{
    Diagnostic, Diagnostics, Label, Part, Place, Severity, Subject, Suggestion, trace_diagnostics,
};
pub use render::{render, render_colored, render_plain};
pub use source::{FileId, LineCol, SourceFile, SourceMap, Span};
pub use suggest::nearest;
