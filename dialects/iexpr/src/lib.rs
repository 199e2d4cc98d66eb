//! The iexpr dialect: index expressions as operations, with their schedules, before loops are chosen.
//!
//! An i-expression applies one scalar operation over a domain of named indices: `ik*kj~ijk` multiplies, `+ijk~ij` sums
//! over `k`. The operation `iexpr.expr` is one on tensors, in functions of whatever dialect; an expression's text is
//! its custom form. [`Expr`] is the expression by itself, [`parse`] reads one, [`check`] knows the static rules.
//!
//! | segment | here |
//! |---|---|
//! | `ik*kj~ijk` | `operator`, `inputs`, `output` |
//! | <code>&#124;i:16,k:4&#124;</code> | `splits` |
//! | `ikji'k'0!` | `loops` |
//!
//! [`Lower`] gives `linalg.generic` for expressions without schedule and a nest of `scf.for` for those with one:
//! splits and order are the loops', and a staged input is computed inside them, into a tile of just the extents that
//! the loops around it leave open. What an expression computes does not depend on its schedule. Extents are checked
//! before any element is read; those that differ stop the program with the name of the index.
//!
//! Evaluation says the same without lowering, and takes no notice of schedules.
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
mod rules;
mod stages;

pub use expr::{Expr, Pattern, Schedule, Split, Step};
pub use operator::{Class, Operator};
pub use ops::ExprOp;
pub use parse::{LARGEST_FACTOR, parse};
pub use plan::Part;
pub use problem::{Places, Problem};
pub use rules::{MOST_DIMENSIONS, MOST_FACTORS, check};
pub use stages::{DEEPEST_LOOPS, MOST_COPIES, StageProblem, check_stages};

use minoan_ir::{Dialect, DialectBuilder};
use minoan_services::{EffectSet, Effects, Evaluate, Lower};
use std::sync::Arc;

/// The iexpr dialect.
pub struct IexprDialect;

impl Dialect for IexprDialect {
    fn name(&self) -> &'static str {
        "iexpr"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<ExprOp>();
        dialect
            .op_service::<ExprOp, dyn Evaluate>(Arc::new(evaluate::EvaluateExpr))
            // It stops the program where extents differ.
            .op_service::<ExprOp, dyn Effects>(Arc::new(EffectSet::OUTSIDE))
            .service::<dyn Lower>(Arc::new(lower::LowerIexpr));
    }
}
