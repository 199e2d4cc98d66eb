//! The diff dialect: requests for derivatives of functions.
//!
//! A request names a function and represents a call of its derivative. The pass `differentiate` creates the derivative and
//! replaces the request by the call.
//!
//! ```mlir
//! func.func @f(%x: f64, %y: f64) -> f64 { .. }
//! %dz      = diff.fwd @f(%x, %y)(%dx, %dy) : (f64, f64, f64, f64) -> f64
//! %gx, %gy = diff.rev @f(%x, %y)(%gz) : (f64, f64, f64) -> (f64, f64)
//! ```
//!
//! * A *tangent* or *cotangent* of a value has the type and the extents of the value. Integers have none.
//! * `wrt = [0, 2]` selects the arguments to differentiate with respect to, by default all that have a tangent.
//! * `diff.rule` declares a derivative that the program defines itself, `diff.stop` a value that derivatives take as
//!   constant.
//!
//! The dialect also implements [`TangentSpace`] for builtin types and [`DiffOps`], through which `differentiate` creates
//! loops and storage without depending on their dialects.
#![forbid(unsafe_code)]

mod create;
mod ops;
mod space;
mod storage;

pub use ops::{Fwd, Placeholder, Rev, Rule, Stop, ValueAndFwd, ValueAndRev};

use minoan_ir::dialect;
use minoan_services::{DiffOps, TangentSpace};

dialect! {
    /// The diff dialect.
    pub DiffDialect = "diff":
        ops(Fwd, Placeholder, Rev, Rule, Stop, ValueAndFwd, ValueAndRev),
        services(TangentSpace = space::Builtin, DiffOps = create::Operations)
}
