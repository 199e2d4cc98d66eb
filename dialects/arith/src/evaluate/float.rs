//! Evaluation of floating-point operations, in the IEEE 754 format of their type.

use crate::*;
use minoan_ir::DialectBuilder;
use minoan_services::{Evaluate, FloatBinary, FloatUnary};
use std::sync::Arc;

/// The same expression in both formats.
macro_rules! both {
    ($a:ident => $value:expr) => {
        Arc::new(FloatUnary::new(|$a| $value, |$a| $value))
    };
    ($a:ident, $b:ident => $value:expr) => {
        Arc::new(FloatBinary::new(|$a, $b| $value, |$a, $b| $value))
    };
}

/// The maximum of two numbers; of two zeros, the positive one.
macro_rules! larger {
    ($a:ident, $b:ident) => {
        if $a > $b || ($a == $b && $a.is_sign_positive()) { $a } else { $b }
    };
}

/// The minimum of two numbers; of two zeros, the negative one.
macro_rules! smaller {
    ($a:ident, $b:ident) => {
        if $a < $b || ($a == $b && $a.is_sign_negative()) { $a } else { $b }
    };
}

/// The minimum or maximum of two numbers; NaN if one of them is NaN.
macro_rules! nan_wins {
    ($choose:ident) => {
        both!(a, b => if a.is_nan() || b.is_nan() { a + b } else { $choose!(a, b) })
    };
}

/// The minimum or maximum of two numbers; if one of them is NaN, the other.
macro_rules! number_wins {
    ($choose:ident) => {
        both!(a, b => if a.is_nan() { b } else if b.is_nan() { a } else { $choose!(a, b) })
    };
}

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.op_service::<AddF, dyn Evaluate>(both!(a, b => a + b));
    dialect.op_service::<SubF, dyn Evaluate>(both!(a, b => a - b));
    dialect.op_service::<MulF, dyn Evaluate>(both!(a, b => a * b));
    dialect.op_service::<DivF, dyn Evaluate>(both!(a, b => a / b));
    dialect.op_service::<RemF, dyn Evaluate>(both!(a, b => a % b));
    dialect.op_service::<NegF, dyn Evaluate>(both!(a => -a));
    dialect.op_service::<MaximumF, dyn Evaluate>(nan_wins!(larger));
    dialect.op_service::<MinimumF, dyn Evaluate>(nan_wins!(smaller));
    dialect.op_service::<MaxNumF, dyn Evaluate>(number_wins!(larger));
    dialect.op_service::<MinNumF, dyn Evaluate>(number_wins!(smaller));
}
