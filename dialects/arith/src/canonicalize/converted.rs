//! Comparisons of converted integers with float constants become integer comparisons.

use crate::fold::integer_attr;
use crate::*;
use minoan_ir::{Attr, FloatKind, OpDef, Type, Value};
use minoan_rewrite::{Matched, NoMatch, Rewriter};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, One};

/// The equivalent of such a comparison.
enum Outcome {
    Known(bool),
    Compare(CmpIPredicate, BigInt),
}

/// The number of significand bits.
fn precision(kind: FloatKind) -> Option<i32> {
    match kind {
        FloatKind::F16 => Some(11),
        FloatKind::BF16 => Some(8),
        FloatKind::F32 => Some(24),
        FloatKind::F64 => Some(53),
        _ => None,
    }
}

pub(super) fn compare(op: CmpF, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let [lhs, rhs] = op.operand_values(body);
    let (value, unsigned) =
        converted(rewriter, lhs).ok_or(NoMatch::because("no operand has a supported float type"))?;
    let constant = rewriter.constant_of(rhs).and_then(|attr| attr.as_f64(&ctx)).filter(|rhs| !rhs.is_nan());
    let constant = constant.ok_or(NoMatch::because("the other operand is not a constant"))?;
    let predicate = op.predicate(body);
    let ty = body.ty(value);
    let width = ty.integer_width(&ctx).and_then(|width| i32::try_from(width).ok());
    let precision = body.ty(rhs).float_kind(&ctx).and_then(precision);
    let (width, precision) = width.zip(precision).ok_or(NoMatch::because("the types differ"))?;
    if !is_exact(constant, width, precision, unsigned) {
        return Err(NoMatch::because("the conversion may not preserve the order"));
    }
    match outcome(predicate, constant, width, unsigned) {
        Outcome::Known(truth) => {
            let truth = rewriter.constant(op.op(), Attr::bool(truth), Type::I1)?;
            rewriter.replace(op.op(), &[truth]);
        }
        Outcome::Compare(predicate, number) => {
            let number = integer_attr(&ctx, number, ty).ok_or(NoMatch::SILENT)?;
            let number = rewriter.constant(op.op(), number, ty)?;
            let new = CmpI::build(&mut rewriter.builder(), value, number, predicate);
            let new = new.result(rewriter.body());
            rewriter.replace(op.op(), &[new]);
        }
    }
    Ok(Matched)
}

/// The integer that was converted, and whether the conversion was unsigned.
fn converted(rewriter: &Rewriter<'_>, value: Value) -> Option<(Value, bool)> {
    let body = rewriter.body();
    let def = body.op(body.defining_op(value)?);
    (def.is::<SIToFP>() || def.is::<UIToFP>()).then(|| (def.operand(0), def.is::<UIToFP>()))
}

/// Whether comparing integers of a width with a constant is equivalent to comparing the converted floats.
fn is_exact(constant: f64, width: i32, precision: i32, unsigned: bool) -> bool {
    if width <= precision {
        return true;
    }
    let bits = width - i32::from(!unsigned);
    if constant.is_infinite() {
        // The largest integer must be finite in the format.
        let greatest_exponent = match precision {
            11 => 15,
            53 => 1023,
            _ => 127,
        };
        return bits <= greatest_exponent;
    }
    let exponent = if constant == 0.0 { i32::MIN } else { constant.abs().log2().floor() as i32 };
    !(precision..=bits).contains(&exponent)
}

fn outcome(predicate: CmpFPredicate, constant: f64, width: i32, unsigned: bool) -> Outcome {
    use CmpFPredicate as F;
    use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    let (lt, le, gt, ge) = if unsigned { (Ult, Ule, Ugt, Uge) } else { (Slt, Sle, Sgt, Sge) };
    let predicate = match predicate {
        // A converted integer is never NaN.
        F::False | F::Uno => return Outcome::Known(false),
        F::True | F::Ord => return Outcome::Known(true),
        F::Oeq | F::Ueq => Eq,
        F::One | F::Une => Ne,
        F::Ogt | F::Ugt => gt,
        F::Oge | F::Uge => ge,
        F::Olt | F::Ult => lt,
        F::Ole | F::Ule => le,
    };
    let least = if unsigned { BigInt::ZERO } else { -(BigInt::one() << (width - 1)) };
    let greatest = (BigInt::one() << (width - i32::from(!unsigned))) - 1;
    // The outcome for a constant above all integers, and for one below.
    let [above, below] = [[Ne, lt, le], [Ne, gt, ge]].map(|these| Outcome::Known(these.contains(&predicate)));
    let Some(whole) = BigInt::from_f64(constant) else { return if constant > 0.0 { above } else { below } };
    let is_whole = constant.trunc() == constant;
    if whole > greatest || whole == greatest && !is_whole && constant > 0.0 {
        return above;
    }
    if whole < least || whole == least && !is_whole && constant < 0.0 {
        return below;
    }
    if is_whole {
        return Outcome::Compare(predicate, whole);
    }
    // For a constant between two integers: round toward zero.
    let below_zero = constant < 0.0;
    match predicate {
        Eq => Outcome::Known(false),
        Ne => Outcome::Known(true),
        _ if predicate == lt || predicate == le => Outcome::Compare(if below_zero { lt } else { le }, whole),
        _ => Outcome::Compare(if below_zero { ge } else { gt }, whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use minoan_ir::AttrEnum;
    use std::cmp::Ordering;

    fn holds_of_floats(predicate: CmpFPredicate, order: Ordering) -> bool {
        use CmpFPredicate as F;
        match predicate {
            F::False | F::Uno => false,
            F::True | F::Ord => true,
            F::Oeq | F::Ueq => order.is_eq(),
            F::One | F::Une => order.is_ne(),
            F::Ogt | F::Ugt => order.is_gt(),
            F::Oge | F::Uge => order.is_ge(),
            F::Olt | F::Ult => order.is_lt(),
            F::Ole | F::Ule => order.is_le(),
        }
    }

    fn holds_of_integers(predicate: CmpIPredicate, order: Ordering) -> bool {
        use CmpIPredicate::*;
        match predicate {
            Eq => order.is_eq(),
            Ne => order.is_ne(),
            Slt | Ult => order.is_lt(),
            Sle | Ule => order.is_le(),
            Sgt | Ugt => order.is_gt(),
            Sge | Uge => order.is_ge(),
        }
    }

    #[test]
    fn converted_integers_compare_like_floats() {
        let constants = [
            0.0,
            -0.0,
            0.5,
            -0.5,
            1.0,
            -1.0,
            4.4,
            -4.4,
            126.5,
            127.0,
            127.5,
            128.0,
            -128.0,
            -128.5,
            -129.0,
            254.5,
            255.0,
            255.5,
            256.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        for (&predicate, constant) in CmpFPredicate::ALL.iter().flat_map(|p| constants.map(|c| (p, c))) {
            for (unsigned, values) in [(false, -128..128), (true, 0..256)] {
                for value in values {
                    let wanted = holds_of_floats(predicate, f64::from(value).total_cmp(&(constant + 0.0)));
                    let found = match outcome(predicate, constant, 8, unsigned) {
                        Outcome::Known(truth) => truth,
                        Outcome::Compare(predicate, number) => {
                            holds_of_integers(predicate, BigInt::from(value).cmp(&number))
                        }
                    };
                    assert_eq!(wanted, found, "{value} {predicate:?} {constant}, unsigned: {unsigned}");
                }
            }
        }
    }

    #[test]
    fn rounding_conversion_is_inexact_near_constant() {
        assert!(is_exact(1.0e18, 32, 24, false));
        assert!(is_exact(4.5, 64, 24, false));
        assert!(!is_exact(16_777_216.0, 32, 24, false));
        assert!(!is_exact(2_147_483_648.0, 32, 24, false));
        assert!(!is_exact(f64::INFINITY, 32, 11, false));
        assert!(is_exact(f64::INFINITY, 64, 8, true));
        assert!(is_exact(f64::INFINITY, 128, 24, false) && !is_exact(f64::INFINITY, 128, 24, true));
    }
}
