//! Evaluation of comparisons and selects.

use crate::*;
use minoan_ir::OpRef;
use minoan_services::{
    Bits, Datum, Evaluate, Flow, IntBits, Machine, Scalar, Trap, WideBits, elementwise, elementwise_lenient,
    operand_scalar, result_scalar,
};
use std::cmp::Ordering;

const TRUTH: Scalar = Scalar::Int { width: 1 };

fn no_predicate() -> Trap {
    Trap::new("a comparison without predicate")
}

impl CmpIPredicate {
    /// Whether the predicate holds for two integers of the same width.
    fn holds<B: IntBits>(self, a: &B, b: &B) -> bool {
        let signed = || a.signed().cmp(&b.signed());
        let unsigned = || a.unsigned().cmp(&b.unsigned());
        match self {
            CmpIPredicate::Eq => signed().is_eq(),
            CmpIPredicate::Ne => signed().is_ne(),
            CmpIPredicate::Slt => signed().is_lt(),
            CmpIPredicate::Sle => signed().is_le(),
            CmpIPredicate::Sgt => signed().is_gt(),
            CmpIPredicate::Sge => signed().is_ge(),
            CmpIPredicate::Ult => unsigned().is_lt(),
            CmpIPredicate::Ule => unsigned().is_le(),
            CmpIPredicate::Ugt => unsigned().is_gt(),
            CmpIPredicate::Uge => unsigned().is_ge(),
        }
    }
}

impl CmpFPredicate {
    /// Whether the predicate holds for an ordering of two floats; `None` if unordered.
    pub(crate) fn holds(self, order: Option<Ordering>) -> bool {
        // A set of orderings: equal, greater, less, unordered, from the lowest bit.
        let set = match self {
            CmpFPredicate::Uno => 8,
            CmpFPredicate::True => 15,
            unordered if unordered as u8 >= 8 => (unordered as u8 - 7) | 8,
            ordered => ordered as u8,
        };
        let bit = match order {
            Some(Ordering::Equal) => 1,
            Some(Ordering::Greater) => 2,
            Some(Ordering::Less) => 4,
            None => 8,
        };
        set & bit != 0
    }
}

pub(crate) struct CompareIntegers;

impl Evaluate for CompareIntegers {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let scalar = operand_scalar(op, 0)?;
        let width = scalar.width()?;
        let predicate = op.attr_value::<CmpIPredicate>("predicate").ok_or_else(no_predicate)?;
        Flow::one(elementwise(TRUTH, operands, machine, |[a, b]: [Datum; 2]| {
            let holds = match scalar.is_wide() {
                false => predicate.holds(&Bits::of(&a, width)?, &Bits::of(&b, width)?),
                true => predicate.holds(&WideBits::of(&a, width)?, &WideBits::of(&b, width)?),
            };
            Ok(holds.into())
        })?)
    }
}

pub(crate) struct CompareFloats;

impl Evaluate for CompareFloats {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let predicate = op.attr_value::<CmpFPredicate>("predicate").ok_or_else(no_predicate)?;
        Flow::one(elementwise(TRUTH, operands, machine, |operands: [Datum; 2]| {
            let order = match operands {
                [Datum::F32(a), Datum::F32(b)] => a.partial_cmp(&b),
                [Datum::F64(a), Datum::F64(b)] => a.partial_cmp(&b),
                [a, b] => {
                    let (a, b) = (a.describe(), b.describe());
                    return Err(Trap::new(format!("expected floats of one type, found {a} and {b}")));
                }
            };
            Ok(predicate.holds(order).into())
        })?)
    }
}

pub(crate) struct Choose;

impl Evaluate for Choose {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        if let [Datum::Int(condition), yes, no] = operands {
            return Flow::one(if *condition != 0 { yes } else { no }.clone());
        }
        let result = result_scalar(op)?;
        // Only the chosen value counts: the other one may be poison.
        Flow::one(elementwise_lenient(result, operands, machine, |[condition, yes, no]: [Datum; 3]| {
            Ok(match condition {
                Datum::Poison => Datum::Poison,
                condition if condition.bool()? => yes,
                _ => no,
            })
        })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_predicates() {
        let nan = f32::NAN.partial_cmp(&0.0);
        let less = 0.0f32.partial_cmp(&1.0);
        let zeros = (-0.0f32).partial_cmp(&0.0);
        assert!(CmpFPredicate::Olt.holds(less) && CmpFPredicate::One.holds(less));
        assert!(!CmpFPredicate::Olt.holds(nan) && CmpFPredicate::Ult.holds(nan));
        assert!(CmpFPredicate::Oeq.holds(zeros) && !CmpFPredicate::Une.holds(zeros));
        assert!(CmpFPredicate::Une.holds(nan) && !CmpFPredicate::One.holds(nan));
        assert!(CmpFPredicate::Uno.holds(nan) && CmpFPredicate::Ord.holds(less));
        assert!(CmpFPredicate::True.holds(nan) && !CmpFPredicate::False.holds(less));
    }

    #[test]
    fn signed_i1_is_minus_one() {
        let (yes, no) = (Bits { value: 1, width: 1 }, Bits { value: 0, width: 1 });
        assert!(CmpIPredicate::Slt.holds(&yes, &no));
        assert!(CmpIPredicate::Ugt.holds(&yes, &no));
    }
}
