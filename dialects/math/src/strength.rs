//! Powers with a known exponent as products and roots, as a named set of patterns.
//!
//! The results have at most 2 ulp of error and the special values of C's `pow`: for the bases 0, -0 and infinity, and for NaN. The
//! product of two square roots for the exponent 0.75 would have more.

use crate::{PowF, sqrt};
use minoan_arith::{self as arith, CmpFPredicate, DivF, FastMath, MulF};
use minoan_ir::{Attr, Builder, Flags, OpDef, Type, Value};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternStage, Rewriter};
use minoan_services::Datum;

pub(crate) const SETS: &[NamedPatterns] = &[NamedPatterns {
    name: "math-algebraic-simplification",
    description: "express powers with small constant exponents by multiplication, division and square roots",
    stage: PatternStage::AfterDifferentiation,
    add: |patterns| {
        patterns.on("math-powf-strength-reduction", reduce_power);
    },
}];

/// The base of a power, and how its parts are computed.
struct Power<'a, 'b> {
    b: &'a mut Builder<'b>,
    base: Value,
    ty: Type,
    flags: Flags<FastMath>,
}

impl Power<'_, '_> {
    fn times(&mut self, lhs: Value, rhs: Value) -> Value {
        MulF::builder(lhs, rhs).fastmath(self.flags).build(self.b).result(self.b.body())
    }

    fn square(&mut self) -> Value {
        self.times(self.base, self.base)
    }

    fn reciprocal(&mut self, of: Value) -> Value {
        let one = arith::constant_float(self.b, 1.0, self.ty);
        DivF::builder(one, of).fastmath(self.flags).build(self.b).result(self.b.body())
    }

    /// The base, or 0 if it is -0, the positive powers of which are 0.
    fn without_negative_zero(&mut self) -> Value {
        let zero = arith::constant_float(self.b, 0.0, self.ty);
        arith::addf(self.b, self.base, zero)
    }

    fn root(&mut self) -> Value {
        let base = self.without_negative_zero();
        sqrt(self.b, base)
    }

    /// The result, or `limit` for the base minus infinity, which has no square root.
    fn or_at_minus_infinity(&mut self, result: Value, limit: f64) -> Value {
        if self.flags.iter().any(|flag| flag == FastMath::NoInf) {
            return result;
        }
        let lowest = arith::constant_float(self.b, f64::NEG_INFINITY, self.ty);
        let limit = arith::constant_float(self.b, limit, self.ty);
        let is_lowest = arith::cmpf(self.b, CmpFPredicate::Oeq, self.base, lowest);
        arith::select(self.b, is_lowest, limit, result)
    }

    fn with_exponent(&mut self, exponent: f64) -> Option<Value> {
        Some(match exponent {
            1.0 => self.base,
            2.0 => self.square(),
            3.0 => {
                let square = self.square();
                self.times(square, self.base)
            }
            4.0 => {
                let square = self.square();
                self.times(square, square)
            }
            -1.0 => self.reciprocal(self.base),
            // The square of the reciprocal does not overflow where the result is a denormal number.
            -2.0 => {
                let reciprocal = self.reciprocal(self.base);
                self.times(reciprocal, reciprocal)
            }
            0.5 => {
                let root = self.root();
                self.or_at_minus_infinity(root, f64::INFINITY)
            }
            -0.5 => {
                let root = self.root();
                let result = self.reciprocal(root);
                self.or_at_minus_infinity(result, 0.0)
            }
            1.5 => {
                let base = self.without_negative_zero();
                let root = sqrt(self.b, base);
                let result = self.times(root, base);
                self.or_at_minus_infinity(result, f64::INFINITY)
            }
            _ => return None,
        })
    }
}

fn reduce_power(op: PowF, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (base, exponent) = (op.lhs(rewriter.body()), op.rhs(rewriter.body()));
    let constant = rewriter.constant_of(exponent).ok_or(NoMatch::because("the exponent is not constant"))?;
    let exponent =
        number(rewriter, constant).ok_or(NoMatch::because("the exponents of the elements differ"))?;
    let (ty, flags) = (rewriter.ty(base), op.fastmath(rewriter.body()));
    let mut b = rewriter.builder();
    let result = Power { b: &mut b, base, ty, flags }.with_exponent(exponent);
    let result = result.ok_or(NoMatch::because("the power is not a short product or root"))?;
    rewriter.replace(op.op(), &[result]);
    Ok(Matched)
}

/// The value of a constant of a float type, or of each element of a splat.
fn number(rewriter: &Rewriter<'_>, constant: Attr) -> Option<f64> {
    let ctx = rewriter.context();
    match Datum::of_splat(ctx, constant).or_else(|| Datum::of_attr(ctx, constant).ok())? {
        Datum::F32(value) => Some(value.into()),
        Datum::F64(value) => Some(value),
        _ => None,
    }
}
