//! Canonicalization patterns: reassociate constants, hoist conversions, and simplify selects.
//!
//! Flags (`nsw`, `nuw`, `exact`) are dropped if the new operation computes different intermediate results.

mod cast;
mod compare;
mod converted;
mod float;
mod integer;

use crate::fold::{Integer, integer_attr};
use minoan_ir::{Attr, Context};
use minoan_rewrite::PatternSet;
use num_bigint::BigInt;

pub(crate) fn patterns(patterns: &mut PatternSet) {
    integer::add_patterns(patterns);
    float::add_patterns(patterns);
    compare::add_patterns(patterns);
    cast::add_patterns(patterns);
}

/// Combines two constants to a constant of the type of both.
fn combine(ctx: &Context, a: Attr, b: Attr, compute: fn(BigInt, BigInt) -> BigInt) -> Option<Attr> {
    let (x, y) = (Integer::of(ctx, a)?, Integer::of(ctx, b)?);
    integer_attr(ctx, compute(x.number(), y.number()), a.value_type(ctx)?)
}

fn add(ctx: &Context, a: Attr, b: Attr) -> Option<Attr> {
    combine(ctx, a, b, |a, b| a + b)
}

fn sub(ctx: &Context, a: Attr, b: Attr) -> Option<Attr> {
    combine(ctx, a, b, |a, b| a - b)
}

fn mul(ctx: &Context, a: Attr, b: Attr) -> Option<Attr> {
    combine(ctx, a, b, |a, b| a * b)
}

fn is_zero(ctx: &Context, attr: Attr) -> bool {
    Integer::of(ctx, attr).is_some_and(|integer| integer.is_zero())
}

fn is_one(ctx: &Context, attr: Attr) -> bool {
    Integer::of(ctx, attr).is_some_and(|integer| integer.is_one())
}

fn is_all_ones(ctx: &Context, attr: Attr) -> bool {
    Integer::of(ctx, attr).is_some_and(|integer| integer.is_all_ones())
}
