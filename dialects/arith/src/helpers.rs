//! Short forms that create an operation and give its result.

use crate::*;
use minoan_ir::{Builder, Type, Value};

macro_rules! binary {
    ($($(#[doc = $doc:literal])* $name:ident $op:ident $(($($extra:expr),*))?;)*) => {$(
        $(#[doc = $doc])*
        #[track_caller]
        pub fn $name(b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
            let op = $op::build(b, lhs, rhs $($(, $extra)*)?);
            op.result(b.body())
        }
    )*};
}

binary! {
    /// Creates an `arith.addi`.
    addi AddI;
    /// Creates an `arith.subi`.
    subi SubI;
    /// Creates an `arith.muli`.
    muli MulI;
    /// Creates an `arith.divsi`.
    divsi DivSI (None);
    /// Creates an `arith.divui`.
    divui DivUI (None);
    /// Creates an `arith.ceildivsi`.
    ceildivsi CeilDivSI;
    /// Creates an `arith.ceildivui`.
    ceildivui CeilDivUI;
    /// Creates an `arith.floordivsi`.
    floordivsi FloorDivSI;
    /// Creates an `arith.remsi`.
    remsi RemSI;
    /// Creates an `arith.remui`.
    remui RemUI;
    /// Creates an `arith.andi`.
    andi AndI;
    /// Creates an `arith.ori`.
    ori OrI;
    /// Creates an `arith.xori`.
    xori XOrI;
    /// Creates an `arith.shli`.
    shli ShLI;
    /// Creates an `arith.shrsi`.
    shrsi ShRSI (None);
    /// Creates an `arith.shrui`.
    shrui ShRUI (None);
    /// Creates an `arith.maxsi`.
    maxsi MaxSI;
    /// Creates an `arith.maxui`.
    maxui MaxUI;
    /// Creates an `arith.minsi`.
    minsi MinSI;
    /// Creates an `arith.minui`.
    minui MinUI;
    /// Creates an `arith.addf`.
    addf AddF;
    /// Creates an `arith.subf`.
    subf SubF;
    /// Creates an `arith.mulf`.
    mulf MulF;
    /// Creates an `arith.divf`.
    divf DivF;
    /// Creates an `arith.remf`.
    remf RemF;
    /// Creates an `arith.maximumf`.
    maximumf MaximumF;
    /// Creates an `arith.minimumf`.
    minimumf MinimumF;
    /// Creates an `arith.maxnumf`.
    maxnumf MaxNumF;
    /// Creates an `arith.minnumf`.
    minnumf MinNumF;
}

/// Creates an `arith.negf`.
#[track_caller]
pub fn negf(b: &mut Builder<'_>, operand: Value) -> Value {
    let op = NegF::build(b, operand);
    op.result(b.body())
}

/// Creates an `arith.cmpi`.
#[track_caller]
pub fn cmpi(b: &mut Builder<'_>, predicate: CmpIPredicate, lhs: Value, rhs: Value) -> Value {
    let predicate = predicate.attr(b.body().context());
    let op = CmpI::build(b, lhs, rhs, predicate);
    op.result(b.body())
}

/// Creates an `arith.cmpf`.
#[track_caller]
pub fn cmpf(b: &mut Builder<'_>, predicate: CmpFPredicate, lhs: Value, rhs: Value) -> Value {
    let predicate = predicate.attr(b.body().context());
    let op = CmpF::build(b, lhs, rhs, predicate);
    op.result(b.body())
}

/// Creates an `arith.select`.
#[track_caller]
pub fn select(b: &mut Builder<'_>, condition: Value, true_value: Value, false_value: Value) -> Value {
    let op = Select::build(b, condition, true_value, false_value);
    op.result(b.body())
}

macro_rules! casts {
    ($($(#[doc = $doc:literal])* $name:ident $op:ident $(($($extra:expr),*))?;)*) => {$(
        $(#[doc = $doc])*
        #[track_caller]
        pub fn $name(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
            let op = $op::build(b, value $($(, $extra)*)?, ty);
            op.out(b.body())
        }
    )*};
}

casts! {
    /// Creates an `arith.extf` to a type.
    extf ExtF (None);
    /// Creates an `arith.truncf` to a type.
    truncf TruncF (None, None);
    /// Creates an `arith.extsi` to a type.
    extsi ExtSI;
    /// Creates an `arith.extui` to a type.
    extui ExtUI;
    /// Creates an `arith.trunci` to a type.
    trunci TruncI;
    /// Creates an `arith.sitofp` to a type.
    sitofp SIToFP;
    /// Creates an `arith.uitofp` to a type.
    uitofp UIToFP;
    /// Creates an `arith.fptosi` to a type.
    fptosi FPToSI;
    /// Creates an `arith.fptoui` to a type.
    fptoui FPToUI;
    /// Creates an `arith.index_cast` to a type.
    index_cast IndexCast;
    /// Creates an `arith.index_castui` to a type.
    index_castui IndexCastUI;
    /// Creates an `arith.bitcast` to a type.
    bitcast Bitcast;
}
