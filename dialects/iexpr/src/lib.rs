//! The iexpr dialect: index expressions with their schedules as operations.
//!
//! An i-expression applies one scalar operation over a domain of named indices: `ik*kj~ijk` multiplies, `+ijk~ij`
//! sums over `k`. The operation `iexpr.expr` applies an expression to tensors, in functions of any dialect; its
//! assembly is the expression's text. [`Expr`] is the expression itself, [`parse`] parses one, [`check`] verifies the
//! static rules.
//!
//! | segment | here |
//! |---|---|
//! | `ik*kj~ijk` | `operator`, `inputs`, `output` |
//! | <code>&#124;i:16,k:4&#124;</code> | `splits` |
//! | `ikji'k'0!` | `loops` |
//!
//! [`Lower`] creates a `linalg.generic` for expressions without a schedule and a nest of `scf.for` for those with
//! one: splits and order determine the loops, and a staged input is computed inside them, into a tile with the
//! extents that the enclosing loops leave open. The value of an expression does not depend on its schedule. Extents
//! are checked before any element is read; inconsistent extents stop the program with the name of the index.
//!
//! The evaluation yields the same results without lowering, and ignores schedules.
//!
//! ```
//! use minoan_iexpr_dialect::{check, parse};
//! let (expr, places) = parse("+ijk~ij | i:16, k:16 | ik j i'k' 0").map_err(|problem| problem.message)?;
//! assert_eq!(check(&expr, &places), []);
//! assert_eq!(expr.to_string(), "+ijk~ij|i:16,k:16|ikji'k'0");
//! assert_eq!(expr.reduced_axes(), ['k']);
//! # Ok::<(), String>(())
//! ```
#![forbid(unsafe_code)]

mod evaluate;
mod expr;
mod lower;
mod operator;
mod ops;
mod parse;
mod plan;
mod problem;
mod program;
mod rules;
mod stages;

pub use expr::{Expr, Pattern, Schedule, Split, Step};
pub use operator::{Class, Operator};
pub use ops::ExprOp;
pub use parse::{MAX_FACTOR, parse};
pub use plan::Part;
pub use problem::{Places, Problem};
pub use rules::{MAX_DIMENSIONS, MAX_FACTORS, check};
pub use stages::{MAX_COPIES, MAX_LOOP_DEPTH, StageProblem, check_stages};

use minoan_ir::dialect;
use minoan_rewrite::Lower;

dialect! {
    /// The iexpr dialect.
    pub IexprDialect = "iexpr":
        depends(
            minoan_arith::ArithDialect, minoan_data::DataDialect, minoan_linalg::LinalgDialect,
            minoan_math::MathDialect, minoan_scf::ScfDialect, minoan_tensor::TensorDialect,
        ),
        ops(ExprOp),
        services(Lower = lower::LowerIexpr)
}
