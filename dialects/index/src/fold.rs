//! Folds of identities and of operations on constants.

use crate::{Add, And, MaxS, MaxU, MinS, MinU, Mul, Or, Sub, Xor};
use minoan_ir::{Attr, Context, DialectBuilder, OpDef};
use minoan_rewrite::{AddPatterns, CanonicalPatterns, pattern};
use minoan_services::{Fold, FoldFn, Folded};
use std::sync::Arc;

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    fn neutral<O: OpDef>(dialect: &mut DialectBuilder<'_>, fold: FoldFn) {
        dialect.op_service::<O, dyn Fold>(Arc::new(fold));
    }
    neutral::<Add>(dialect, FoldFn(|op, known| rhs_is(op, known, 0)));
    neutral::<Sub>(dialect, FoldFn(|op, known| rhs_is(op, known, 0)));
    neutral::<Mul>(
        dialect,
        FoldFn(|op, known| match number(op.context(), known[1]) {
            Some(0) => known[1].into(),
            _ => rhs_is(op, known, 1),
        }),
    );
    macro_rules! associative {
        ($($op:ident $name:literal $compute:expr;)*) => {
            dialect.service::<dyn CanonicalPatterns>(Arc::new(AddPatterns(|patterns| {
                $(
                    patterns.add(pattern!($name:
                        $op($op(x, constant(a)), constant(b))
                        if let Some(both) = combined(ctx, a, b, $compute)
                        => $op(x, constant(both))));
                )*
            })));
        };
    }
    associative! {
        Add "index-add-add-constant" i64::wrapping_add;
        Mul "index-mul-mul-constant" i64::wrapping_mul;
        And "index-and-and-constant" |a, b| a & b;
        Or "index-or-or-constant" |a, b| a | b;
        Xor "index-xor-xor-constant" |a, b| a ^ b;
        MaxS "index-maxs-maxs-constant" i64::max;
        MinS "index-mins-mins-constant" i64::min;
        MaxU "index-maxu-maxu-constant" |a, b| (a as u64).max(b as u64) as i64;
        MinU "index-minu-minu-constant" |a, b| (a as u64).min(b as u64) as i64;
    }
}

/// A constant operand as a number.
fn number(ctx: &Context, attr: Option<Attr>) -> Option<i64> {
    attr.and_then(|attr| attr.as_i64(ctx))
}

/// Folds to the left operand if the right one is the neutral element.
fn rhs_is(op: minoan_ir::OpRef<'_>, known: &[Option<Attr>], neutral: i64) -> Folded {
    (number(op.context(), known[1]) == Some(neutral)).then(|| op.operand(0)).into()
}

fn combined(ctx: &Context, a: Attr, b: Attr, compute: fn(i64, i64) -> i64) -> Option<Attr> {
    Some(Attr::index_value(ctx, compute(a.as_i64(ctx)?, b.as_i64(ctx)?)))
}
