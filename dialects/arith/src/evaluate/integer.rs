//! Evaluation of integer operations: exact results, reduced modulo 2^width.

use crate::constraints::{Overflow, overflow_of};
use crate::*;
use minoan_ir::{DialectBuilder, OpRef};
use minoan_services::{
    Bits, Datum, Evaluate, Flow, IntBits, Machine, Scalar, Trap, UNDEFINED_DIVISION, WideBits, elementwise,
    elementwise_lenient, int_binary, operand_scalar, result_scalar,
};
use num_integer::Integer;
use num_traits::{CheckedSub, One, ToPrimitive, Zero};
use std::sync::Arc;

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    register_overflowing(dialect);
    register_exact(dialect);
    dialect.op_service::<AddUIExtended, dyn Evaluate>(Arc::new(SumAndOverflow));
    dialect.op_service::<MulSIExtended, dyn Evaluate>(Arc::new(Halves { signed: true }));
    dialect.op_service::<MulUIExtended, dyn Evaluate>(Arc::new(Halves { signed: false }));

    macro_rules! division {
        ($op:ident |$a:ident, $b:ident| $value:expr) => {
            dialect.op_service::<$op, dyn Evaluate>(Arc::new(Division {
                narrow: |$a, $b| $value,
                wide: |$a, $b| $value,
            }));
        };
    }
    division!(CeilDivSI | a, b | signed_division(a, b).map(|(a, b)| Integer::div_ceil(&a, &b)));
    division!(CeilDivUI | a, b | unsigned_division(a, b).map(|(a, b)| Integer::div_ceil(&a, &b)));
    division!(FloorDivSI | a, b | signed_division(a, b).map(|(a, b)| Integer::div_floor(&a, &b)));
    division!(RemSI | a, b | signed_division(a, b).map(|(a, b)| a % b));
    division!(RemUI | a, b | unsigned_division(a, b).map(|(a, b)| a % b));

    macro_rules! binary {
        ($op:ident |$a:ident, $b:ident| $value:expr) => {
            dialect.op_service::<$op, dyn Evaluate>(Arc::new(int_binary!(|$a, $b| Ok($value))));
        };
    }
    binary!(AndI | a, b | a.signed() & b.signed());
    binary!(OrI | a, b | a.signed() | b.signed());
    binary!(XOrI | a, b | a.signed() ^ b.signed());
    binary!(MaxSI | a, b | a.signed().max(b.signed()));
    binary!(MaxUI | a, b | a.magnitude().max(b.magnitude()));
    binary!(MinSI | a, b | a.signed().min(b.signed()));
    binary!(MinUI | a, b | a.magnitude().min(b.magnitude()));
}

fn register_overflowing(dialect: &mut DialectBuilder<'_>) {
    macro_rules! overflowing {
        ($op:ident $distance:expr, |$a:ident, $b:ident| $signed:expr, $unsigned:expr) => {
            dialect.op_service::<$op, dyn Evaluate>(Arc::new(Overflowing {
                distance: $distance,
                narrow: Exactly { signed: |$a, $b| $signed, unsigned: |$a, $b| $unsigned },
                wide: Exactly { signed: |$a, $b| $signed, unsigned: |$a, $b| $unsigned },
            }));
        };
    }
    overflowing!(AddI false, |a, b| a + b, Some(a + b));
    overflowing!(SubI false, |a, b| a - b, CheckedSub::checked_sub(&a, &b));
    overflowing!(MulI false, |a, b| a * b, Some(a * b));
    overflowing!(ShLI true, |a, b| a << places(&b), Some(a << places(&b)));
}

fn register_exact(dialect: &mut DialectBuilder<'_>) {
    macro_rules! exact {
        ($op:ident |$a:ident, $b:ident| $value:expr) => {
            dialect.op_service::<$op, dyn Evaluate>(Arc::new(Exact {
                narrow: |$a, $b| $value,
                wide: |$a, $b| $value,
            }));
        };
    }
    exact!(DivSI | a, b | signed_division(a, b).map(|(a, b)| Some(quotient(&a, &b))));
    exact!(DivUI | a, b | unsigned_division(a, b).map(|(a, b)| Some(quotient(&a, &b))));
    exact!(ShRSI | a, b | Ok(distance(&b).map(|by| (a.signed() >> by, a.trailing_zeros() < by))));
    exact!(ShRUI | a, b | Ok(distance(&b).map(|by| (a.magnitude() >> by, a.trailing_zeros() < by))));
}

/// A division without flags.
struct Division {
    narrow: Compute<Bits>,
    wide: Compute<WideBits>,
}

type Compute<B> = fn(B, B) -> Result<<B as IntBits>::Signed, Trap>;

impl Evaluate for Division {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        fn run<B: IntBits>(
            compute: Compute<B>,
            result: Scalar,
            operands: &[Datum],
            machine: &mut dyn Machine,
        ) -> Result<Flow, Trap> {
            let width = result.width()?;
            Flow::one(elementwise_lenient(result, operands, machine, |[a, b]: [Datum; 2]| {
                divided(&a, &b, width, |a, b| Ok(B::wrapped(compute(a, b)?, width).datum()))
            })?)
        }
        let result = result_scalar(op)?;
        match result.is_wide() {
            false => run(self.narrow, result, operands, machine),
            true => run(self.wide, result, operands, machine),
        }
    }
}

/// Divides. A poison divisor is undefined behavior, since it may be zero; a poison dividend makes the quotient poison.
fn divided<B: IntBits>(
    a: &Datum,
    b: &Datum,
    width: u32,
    compute: impl FnOnce(B, B) -> Result<Datum, Trap>,
) -> Result<Datum, Trap> {
    let b = B::of(b, width)?;
    if matches!(a, Datum::Poison) {
        let is_zero = b.signed().is_zero();
        return if is_zero { Err(Trap::undefined(UNDEFINED_DIVISION)) } else { Ok(Datum::Poison) };
    }
    compute(B::of(a, width)?, b)
}

/// The operands of a defined signed division.
fn signed_division<B: IntBits>(a: B, b: B) -> Result<(B::Signed, B::Signed), Trap> {
    let pair = (a.signed(), b.signed());
    if pair.1.is_zero() || pair.1 == -B::Signed::one() && pair.0 == a.least() {
        return Err(Trap::undefined(UNDEFINED_DIVISION));
    }
    Ok(pair)
}

/// The operands of a defined unsigned division.
fn unsigned_division<B: IntBits>(a: B, b: B) -> Result<(B::Signed, B::Signed), Trap> {
    let pair = (a.magnitude(), b.magnitude());
    if pair.1.is_zero() { Err(Trap::undefined(UNDEFINED_DIVISION)) } else { Ok(pair) }
}

/// The quotient, and whether there is a remainder.
fn quotient<N: Integer>(a: &N, b: &N) -> (N, bool) {
    let (quotient, rest) = a.div_rem(b);
    (quotient, !rest.is_zero())
}

/// The distance of a shift; `None` if it is at least the width, which makes the result poison.
fn distance<B: IntBits>(by: &B) -> Option<u32> {
    by.magnitude().to_u32().filter(|distance| *distance < by.width())
}

/// The distance of a shift that is less than the width.
fn places(by: &impl ToPrimitive) -> u32 {
    by.to_u32().unwrap_or(0)
}

/// An operation with `overflowFlags`.
struct Overflowing {
    /// Whether the second operand is a shift distance.
    distance: bool,
    narrow: Exactly<Bits>,
    wide: Exactly<WideBits>,
}

/// The exact result of an operation.
#[derive(Clone, Copy)]
struct Exactly<B: IntBits> {
    signed: fn(B::Signed, B::Signed) -> B::Signed,
    /// The unsigned result; `None` if negative.
    unsigned: fn(B::Unsigned, B::Unsigned) -> Option<B::Unsigned>,
}

impl<B: IntBits> Exactly<B> {
    /// The result modulo 2^width, or poison if it overflows although the flags of `op` exclude that.
    fn compute(&self, op: OpRef<'_>, a: &B, b: &B) -> Datum {
        let exact = (self.signed)(a.signed(), b.signed());
        let least = a.least();
        let fits_signed = exact >= least && exact < -least;
        if !fits_signed && promised(op, Overflow::NoSignedWrap) {
            return Datum::Poison;
        }
        let unsigned = (self.unsigned)(a.unsigned(), b.unsigned());
        if unsigned.is_none_or(|exact| exact > a.mask()) && promised(op, Overflow::NoUnsignedWrap) {
            return Datum::Poison;
        }
        B::wrapped(exact, a.width()).datum()
    }
}

impl Evaluate for Overflowing {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        fn run<B: IntBits>(
            exactly: &Exactly<B>,
            is_shift: bool,
            op: OpRef<'_>,
            operands: &[Datum],
            machine: &mut dyn Machine,
        ) -> Result<Flow, Trap> {
            let result = result_scalar(op)?;
            let width = result.width()?;
            Flow::one(elementwise(result, operands, machine, |[a, b]: [Datum; 2]| {
                let (a, b) = (B::of(&a, width)?, B::of(&b, width)?);
                if is_shift && distance(&b).is_none() {
                    return Ok(Datum::Poison);
                }
                Ok(exactly.compute(op, &a, &b))
            })?)
        }
        match result_scalar(op)?.is_wide() {
            false => run(&self.narrow, self.distance, op, operands, machine),
            true => run(&self.wide, self.distance, op, operands, machine),
        }
    }
}

/// Whether an operation has an overflow flag. Queried only if relevant, since it is slow.
pub(super) fn promised(op: OpRef<'_>, flag: Overflow) -> bool {
    overflow_of(op).has(flag)
}

/// Computes the result, and whether the remainder is nonzero; `None` for poison.
type WithRest<B> = fn(B, B) -> Result<Option<(<B as IntBits>::Signed, bool)>, Trap>;

/// An operation with `isExact`.
struct Exact {
    narrow: WithRest<Bits>,
    wide: WithRest<WideBits>,
}

impl Evaluate for Exact {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        fn run<B: IntBits>(
            exact: WithRest<B>,
            op: OpRef<'_>,
            operands: &[Datum],
            machine: &mut dyn Machine,
        ) -> Result<Flow, Trap> {
            let result = result_scalar(op)?;
            let width = result.width()?;
            let compute = |a: B, b: B| match exact(a, b)? {
                Some((_, true)) if op.attr_named("isExact").is_some() => Ok(Datum::Poison),
                Some((value, _)) => Ok(B::wrapped(value, width).datum()),
                None => Ok(Datum::Poison),
            };
            let is_division = op.is::<DivSI>() || op.is::<DivUI>();
            Flow::one(elementwise_lenient(result, operands, machine, |[a, b]: [Datum; 2]| match (&a, &b) {
                _ if is_division => divided(&a, &b, width, compute),
                (Datum::Poison, _) | (_, Datum::Poison) => Ok(Datum::Poison),
                _ => compute(B::of(&a, width)?, B::of(&b, width)?),
            })?)
        }
        match result_scalar(op)?.is_wide() {
            false => run(self.narrow, op, operands, machine),
            true => run(self.wide, op, operands, machine),
        }
    }
}

struct SumAndOverflow;

impl Evaluate for SumAndOverflow {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        fn run<B: IntBits>(
            scalar: Scalar,
            operands: &[Datum],
            machine: &mut dyn Machine,
        ) -> Result<Flow, Trap> {
            let width = scalar.width()?;
            let bits = |a: &Datum| B::of(a, width);
            let sum = elementwise(scalar, operands, machine, |[a, b]: [Datum; 2]| {
                Ok(B::wrapped(bits(&a)?.signed() + bits(&b)?.signed(), width).datum())
            })?;
            let overflow = elementwise(Scalar::Int { width: 1 }, operands, machine, |[a, b]: [Datum; 2]| {
                let (a, b) = (bits(&a)?, bits(&b)?);
                Ok((a.unsigned() + b.unsigned() > a.mask()).into())
            })?;
            Ok(Flow::Next(vec![sum, overflow]))
        }
        let scalar = operand_scalar(op, 0)?;
        match scalar.is_wide() {
            false => run::<Bits>(scalar, operands, machine),
            true => run::<WideBits>(scalar, operands, machine),
        }
    }
}

/// The low and high half of a product, from all its bits.
struct Halves {
    signed: bool,
}

impl Halves {
    /// A half of the product of two integers of at most 64 bits: the bits from `shift` on.
    fn narrow(&self, a: Bits, b: Bits, shift: u32) -> Datum {
        let product = match self.signed {
            true => (a.signed() * b.signed()) as u128,
            false => a.unsigned() * b.unsigned(),
        };
        Bits::wrapped((product >> shift) as i128, a.width).datum()
    }

    /// The same half of the product of two wider integers.
    fn wide(&self, a: &WideBits, b: &WideBits, shift: u32) -> Datum {
        let product = match self.signed {
            true => a.signed() * b.signed(),
            false => a.magnitude() * b.magnitude(),
        };
        WideBits::wrapped(product >> shift, a.width).datum()
    }
}

impl Evaluate for Halves {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let scalar = operand_scalar(op, 0)?;
        let width = scalar.width()?;
        let mut half = |shift: u32| {
            elementwise(scalar, operands, machine, |[a, b]: [Datum; 2]| {
                Ok(match scalar.is_wide() {
                    false => self.narrow(Bits::of(&a, width)?, Bits::of(&b, width)?, shift),
                    true => self.wide(&WideBits::of(&a, width)?, &WideBits::of(&b, width)?, shift),
                })
            })
        };
        Ok(Flow::Next(vec![half(0)?, half(width)?]))
    }
}
