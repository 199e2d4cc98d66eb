//! Folds, and canonical patterns.
//!
//! Upstream applies some identities of the real numbers to floats. Those that change a result, such as `(a - b) + b = a`, apply
//! here to operations with the flags that permit them; `log(exp(x)) = x`, which is wrong for imaginary parts beyond pi, is
//! left out.

use crate::*;
use minoan_arith::constraints::FastMath;
use minoan_arith::{self as arith, has_fastmath_flag};
use minoan_ir::{Attr, Body, Context, DialectBuilder, OpDef, OpRef, Value};
use minoan_rewrite::{PatternSet, pattern};
use minoan_services::{Datum, Fold, FoldFn, Folded};
use std::sync::Arc;

/// The operation of kind `O` that defines a value.
fn def<O: OpDef>(body: &Body, value: Value) -> Option<OpRef<'_>> {
    body.defining_op(value).map(|op| body.op(op)).filter(|op| op.is::<O>())
}

/// The parts of a number that is put together are the number.
pub(crate) fn create(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let body = op.body();
    let parts = def::<Re>(body, op.operand(0)).zip(def::<Im>(body, op.operand(1)));
    let whole = parts.map(|(re, im)| (re.operand(0), im.operand(0))).filter(|(of, also)| of == also);
    whole.map(|(whole, _)| whole).filter(|&whole| body.ty(whole) == body.ty(op.result(0))).into()
}

/// Part `at` of a constant or of a number that is put together.
pub(crate) fn part(op: OpRef<'_>, known: &[Option<Attr>], at: usize) -> Folded {
    let parts = known[0].and_then(|number| number.as_array(op.context()));
    if let Some(&part) = parts.and_then(|parts| parts.get(at)) {
        return Folded::one(part);
    }
    def::<Create>(op.body(), op.operand(0)).map(|number| number.operand(at)).into()
}

/// A bitcast between equal types, and one back to the type of its source.
pub(crate) fn bitcast(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let (body, operand) = (op.body(), op.operand(0));
    let ty = body.ty(op.result(0));
    if body.ty(operand) == ty {
        return Folded::one(operand);
    }
    let source = def::<Bitcast>(body, operand).map(|inner| inner.operand(0));
    source.filter(|&source| body.ty(source) == ty).into()
}

/// Whether a constant is a number with these parts, which are compared with their signs.
fn is(ctx: &Context, constant: Option<Attr>, parts: [f64; 2]) -> bool {
    let found = match constant.and_then(|constant| Datum::of_attr(ctx, constant).ok()) {
        Some(Datum::Complex32(found)) => found.map(f64::from),
        Some(Datum::Complex64(found)) => found,
        _ => return false,
    };
    found.map(f64::to_bits) == parts.map(f64::to_bits)
}

fn has(op: OpRef<'_>, flags: &[FastMath]) -> bool {
    flags.iter().all(|&flag| has_fastmath_flag(op, flag))
}

fn add(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    let (ctx, body) = (op.context(), op.body());
    let no_signed_zero = has(op, &[FastMath::NoSignedZero]);
    for (this, other) in [(0, 1), (1, 0)] {
        if is(ctx, known[this], [-0.0; 2]) || no_signed_zero && is(ctx, known[this], [0.0; 2]) {
            return Folded::one(op.operand(other));
        }
        let difference = def::<Sub>(body, op.operand(this)).filter(|_| has(op, &[FastMath::Reassoc]));
        if let Some(difference) = difference
            && difference.operand(1) == op.operand(other)
        {
            return Folded::one(difference.operand(0));
        }
    }
    Folded::Unchanged
}

fn sub(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    let (ctx, body) = (op.context(), op.body());
    if is(ctx, known[1], [0.0; 2]) || has(op, &[FastMath::NoSignedZero]) && is(ctx, known[1], [-0.0; 2]) {
        return Folded::one(op.operand(0));
    }
    let sum = def::<Add>(body, op.operand(0)).filter(|_| has(op, &[FastMath::Reassoc]));
    let rest = sum.and_then(|sum| {
        [(0, 1), (1, 0)]
            .into_iter()
            .find_map(|(this, other)| (sum.operand(this) == op.operand(1)).then(|| sum.operand(other)))
    });
    rest.into()
}

/// Multiplication and division by one, whose imaginary part zero makes NaN of infinities.
fn by_one(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    let exact = has(op, &[FastMath::NoSignedZero, FastMath::NoNaN, FastMath::NoInf]);
    let one = |at: usize| exact && is(op.context(), known[at], [1.0, 0.0]);
    match (one(0) && op.is::<Mul>(), one(1)) {
        (_, true) => Folded::one(op.operand(0)),
        (true, false) => Folded::one(op.operand(1)),
        (false, false) => Folded::Unchanged,
    }
}

fn exp(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let log = def::<Log>(op.body(), op.operand(0));
    log.filter(|&log| has(op, &[FastMath::Reassoc]) && has(log, &[FastMath::Reassoc]))
        .map(|log| log.operand(0))
        .into()
}

/// Registers the folds of operations that are declared by macros.
pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    fn rule<O: OpDef>(dialect: &mut DialectBuilder<'_>, fold: fn(OpRef<'_>, &[Option<Attr>]) -> Folded) {
        dialect.op_service::<O, dyn Fold>(Arc::new(FoldFn(fold)));
    }
    rule::<Add>(dialect, add);
    rule::<Sub>(dialect, sub);
    rule::<Mul>(dialect, by_one);
    rule::<Div>(dialect, by_one);
    rule::<Exp>(dialect, exp);
}

pub(crate) fn patterns(patterns: &mut PatternSet) {
    patterns
        .add(pattern!("complex-re-neg-create": Re(Neg(Create(re, _))) => arith::NegF(re)))
        .add(pattern!("complex-im-neg-create": Im(Neg(Create(_, im))) => arith::NegF(im)))
        .add(pattern!("complex-re-conj": Re(Conj(x)) => Re(x)))
        .add(pattern!("complex-im-conj-create": Im(Conj(Create(_, im))) => arith::NegF(im)))
        .add(pattern!("complex-bitcast-arith-bitcast":
            root @ Bitcast(arith::Bitcast(x)) => Bitcast(x, { rw.ty(root.result(rw.body())) })))
        .add(pattern!("arith-bitcast-complex-bitcast":
            root @ arith::Bitcast(Bitcast(x))
            if part_type(ctx, rw.ty(x)).is_some()
            => Bitcast(x, { rw.ty(root.out(rw.body())) })));
}
