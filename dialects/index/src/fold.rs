//! Folds of identities and of operations on constants.

use crate::binary::{ALL, Compute, constant};
use crate::others::predicate_of;
use crate::*;
use minoan_ir::{Attr, Context, DialectBuilder, OpDef, OpRef, Signedness, Type};
use minoan_rewrite::{AddPatterns, CanonicalPatterns, pattern};
use minoan_services::{Bits, Datum, Fold, Folded, Scalar, wrap};
use std::sync::Arc;

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    for &(name, compute) in ALL {
        let simplify: Simplify = match name {
            _ if name == Add::SPEC.name || name == Sub::SPEC.name => |op, known| rhs_is(op, known, 0),
            _ if name == Mul::SPEC.name => |op, known| match number(op.context(), known[1]) {
                Some(0) => known[1].into(),
                _ => rhs_is(op, known, 1),
            },
            _ => |_, _| Folded::Unchanged,
        };
        dialect.service_of::<dyn Fold>(name, Arc::new(OfConstants { compute, simplify }));
    }
    macro_rules! associative {
        ($($op:ident $name:literal)*) => {
            dialect.service::<dyn CanonicalPatterns>(Arc::new(AddPatterns(|patterns| {
                $(
                    patterns.add(pattern!($name:
                        $op($op(x, constant(a)), constant(b))
                        if let Some(both) = combined::<$op>(ctx, a, b)
                        => $op(x, constant(both))));
                )*
            })));
        };
    }
    associative! {
        Add "index-add-add-constant"
        Mul "index-mul-mul-constant"
        And "index-and-and-constant"
        Or "index-or-or-constant"
        Xor "index-xor-xor-constant"
        MaxS "index-maxs-maxs-constant"
        MinS "index-mins-mins-constant"
        MaxU "index-maxu-maxu-constant"
        MinU "index-minu-minu-constant"
    }
}

/// A rule for operands some of which are constants.
type Simplify = fn(OpRef<'_>, &[Option<Attr>]) -> Folded;

/// Folds an operation of two indices. Two constants fold only to a result that holds for indices of 32 and of 64 bits;
/// otherwise the operation is kept, since an evaluation would assume 64 bits.
struct OfConstants {
    compute: Compute,
    simplify: Simplify,
}

impl Fold for OfConstants {
    fn fold(&self, op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
        match (self.simplify)(op, known) {
            Folded::Unchanged => {}
            folded => return folded,
        }
        let [Some(a), Some(b)] = *known else { return Folded::Unchanged };
        constant(op.context(), a, b, self.compute).map_or(Folded::Stays, Folded::one)
    }
}

/// A comparison of an index with itself, or of two constants that comes out alike for 32 and 64 bits.
pub(crate) fn compare(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    let ctx = op.context();
    if op.operand(0) == op.operand(1) {
        let zero = Bits { value: 0, width: 64 };
        return predicate_of(op)
            .map(|predicate| Attr::bool(predicate.holds(zero, zero)))
            .map_or(Folded::Unchanged, Folded::one);
    }
    let [Some(a), Some(b)] = *known else { return Folded::Unchanged };
    let holds = |width: u32| {
        let bits = |attr: Attr| Some(Bits { value: wrap(attr.as_i64(ctx)?.into(), width), width });
        Some(predicate_of(op)?.holds(bits(a)?, bits(b)?))
    };
    match (holds(32), holds(64)) {
        (Some(narrow), Some(wide)) if narrow == wide => Folded::one(Attr::bool(wide)),
        _ => Folded::Stays,
    }
}

/// Folds a conversion of a constant: to an index as for 64 bits, whose low bits are those for 32; from an index only if 32 and
/// 64 bits result in the same integer.
pub(crate) fn cast(op: OpRef<'_>, known: &[Option<Attr>], signed: bool) -> Folded {
    let (ctx, body) = (op.context(), op.body());
    let Some(value) = known[0].and_then(|attr| Datum::of_attr(ctx, attr).ok()) else {
        return Folded::Unchanged;
    };
    let (from, to) = (body.ty(op.operand(0)), body.ty(op.result(0)));
    let signedness = if signed { Signedness::Signed } else { Signedness::Unsigned };
    // The result for a source of a width.
    let read = |width: u32| {
        let number = value.wide().ok()?.wrapped(width, signedness).to_big();
        Scalar::of(ctx, to).ok()?.big_integer(number).ok()
    };
    let result = match (from.integer_width(ctx), to.integer_width(ctx)) {
        (Some(from), None) if to == Type::INDEX => read(from),
        (None, Some(_)) if from == Type::INDEX => read(64).filter(|wide| Some(wide) == read(32).as_ref()),
        _ => None,
    };
    match result.and_then(|value| value.to_attr(ctx, to)) {
        Some(attr) => Folded::one(attr),
        None => Folded::Stays,
    }
}

/// A constant operand as a number.
fn number(ctx: &Context, attr: Option<Attr>) -> Option<i64> {
    attr.and_then(|attr| attr.as_i64(ctx))
}

/// Folds to the left operand if the right one is the neutral element.
fn rhs_is(op: OpRef<'_>, known: &[Option<Attr>], neutral: i64) -> Folded {
    (number(op.context(), known[1]) == Some(neutral)).then(|| op.operand(0)).into()
}

/// Two constants combined, as an operation would.
fn combined<O: OpDef>(ctx: &Context, a: Attr, b: Attr) -> Option<Attr> {
    let (_, compute) = ALL.iter().find(|(name, _)| *name == O::SPEC.name)?;
    constant(ctx, a, b, *compute)
}
