//! The names that most dialects, passes and tools use, for `use minoan::prelude::*`.
//!
//! Declarations, the IR, services with their implementations by functions, patterns and conversions, passes, sessions, and the
//! shared dialects by their names: `arith::addi`, `scf::For`.

pub use crate::diag::{Diagnostic, Diagnostics};
pub use crate::dialects::{arith, builtin, cf, func, linalg, math, memref, scf, tensor, vector};
pub use crate::ir::constraints::{F32, F64, I1, I32, I64, INDEX, element_of, same_as};
pub use crate::ir::{
    Attr, AttrEnum, Block, Body, Builder, Context, DYNAMIC, Dialect, DialectBuilder, InsertionPoint, Module,
    Op, OpDef, OpRef, OpState, Region, Registry, Type, TypeConstraint, Value, Violation, Violations, attr,
    dialect, ensure, op, ty,
};
pub use crate::opt;
pub use crate::pass::{Pass, PassManager, PassRegistry, PassRun, Pipeline};
pub use crate::passes::conversion_pass::ConversionPass;
pub use crate::rewrite::{
    AddPatterns, CanonicalPatterns, Conversion, ConversionMode, ConversionTarget, Converted,
    DialectConversion, Lower, LowerBy, Lowering, Matched, NoMatch, PatternFilter, PatternSet, Rewriter,
    TypeConversion, TypeConverter, Values, pattern,
};
pub use crate::services::{
    Datum, EffectSet, Effects, Evaluate, EvaluateFn, EvaluateOp, EvaluateYield, Flow, Fold, FoldFn, Folded,
    Machine, Trap,
};
pub use crate::{Backend, Entry, Failure, Float, Session, Stage};
pub use std::process::ExitCode;
pub use std::sync::Arc;
