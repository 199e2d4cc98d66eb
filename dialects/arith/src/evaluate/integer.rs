//! Evaluation of integer operations: exact results in `i128`, reduced modulo 2^width.

use crate::constraints::{Overflow, overflow_of};
use crate::*;
use minoan_ir::{DialectBuilder, OpRef};
use minoan_services::{
    Bits, Datum, Evaluate, Flow, IntBinary, Machine, Scalar, Trap, UNDEFINED_DIVISION, elementwise,
    elementwise_lenient, operand_scalar, result_scalar,
};
use std::sync::Arc;

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.op_service::<AddI, dyn Evaluate>(Arc::new(Overflowing {
        distance: false,
        signed: |a, b| a + b,
        unsigned: |a, b| Some(a + b),
    }));
    dialect.op_service::<SubI, dyn Evaluate>(Arc::new(Overflowing {
        distance: false,
        signed: |a, b| a - b,
        unsigned: u128::checked_sub,
    }));
    dialect.op_service::<MulI, dyn Evaluate>(Arc::new(Overflowing {
        distance: false,
        signed: |a, b| a * b,
        unsigned: |a, b| Some(a * b),
    }));
    dialect.op_service::<ShLI, dyn Evaluate>(Arc::new(Overflowing {
        distance: true,
        signed: |a, b| a << b,
        unsigned: |a, b| Some(a << b),
    }));
    dialect.op_service::<AddUIExtended, dyn Evaluate>(Arc::new(SumAndOverflow));
    dialect.op_service::<MulSIExtended, dyn Evaluate>(Arc::new(Halves(|a, b| {
        (a.signed() * b.signed()) as u128
    })));
    dialect.op_service::<MulUIExtended, dyn Evaluate>(Arc::new(Halves(|a, b| a.unsigned() * b.unsigned())));

    dialect.op_service::<DivSI, dyn Evaluate>(Arc::new(Exact(|a, b| {
        let (a, b) = signed_division(a, b)?;
        Ok(Some((a / b, a % b != 0)))
    })));
    dialect.op_service::<DivUI, dyn Evaluate>(Arc::new(Exact(|a, b| {
        let (a, b) = unsigned_division(a, b)?;
        Ok(Some((a / b, a % b != 0)))
    })));
    dialect.op_service::<ShRSI, dyn Evaluate>(Arc::new(Exact(|a, b| {
        Ok(distance(b).map(|by| (a.signed() >> by, a.unsigned() & ((1 << by) - 1) != 0)))
    })));
    dialect.op_service::<ShRUI, dyn Evaluate>(Arc::new(Exact(|a, b| {
        Ok(distance(b).map(|by| ((a.unsigned() >> by) as i128, a.unsigned() & ((1 << by) - 1) != 0)))
    })));

    for_division::<CeilDivSI>(dialect, |a, b| {
        let (a, b) = signed_division(a, b)?;
        Ok(a / b + i128::from(a % b != 0 && (a < 0) == (b < 0)))
    });
    for_division::<CeilDivUI>(dialect, |a, b| unsigned_division(a, b).map(|(a, b)| (a + b - 1) / b));
    for_division::<FloorDivSI>(dialect, |a, b| {
        let (a, b) = signed_division(a, b)?;
        Ok(a / b - i128::from(a % b != 0 && (a < 0) != (b < 0)))
    });
    for_division::<RemSI>(dialect, |a, b| signed_division(a, b).map(|(a, b)| a % b));
    for_division::<RemUI>(dialect, |a, b| unsigned_division(a, b).map(|(a, b)| a % b));
    for_binary::<AndI>(dialect, |a, b| Ok(a.signed() & b.signed()));
    for_binary::<OrI>(dialect, |a, b| Ok(a.signed() | b.signed()));
    for_binary::<XOrI>(dialect, |a, b| Ok(a.signed() ^ b.signed()));
    for_binary::<MaxSI>(dialect, |a, b| Ok(a.signed().max(b.signed())));
    for_binary::<MaxUI>(dialect, |a, b| Ok(a.unsigned().max(b.unsigned()) as i128));
    for_binary::<MinSI>(dialect, |a, b| Ok(a.signed().min(b.signed())));
    for_binary::<MinUI>(dialect, |a, b| Ok(a.unsigned().min(b.unsigned()) as i128));
}

fn for_binary<O: minoan_ir::OpDef>(
    dialect: &mut DialectBuilder<'_>,
    compute: fn(Bits, Bits) -> Result<i128, Trap>,
) {
    dialect.op_service::<O, dyn Evaluate>(Arc::new(IntBinary(compute)));
}

fn for_division<O: minoan_ir::OpDef>(
    dialect: &mut DialectBuilder<'_>,
    compute: fn(Bits, Bits) -> Result<i128, Trap>,
) {
    dialect.op_service::<O, dyn Evaluate>(Arc::new(Division(compute)));
}

/// A division without flags.
struct Division(fn(Bits, Bits) -> Result<i128, Trap>);

impl Evaluate for Division {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let result = result_scalar(op)?;
        let width = result.width()?;
        Flow::one(elementwise_lenient(result, operands, machine, |[a, b]: [Datum; 2]| {
            divided(a, b, width, |a, b| result.integer((self.0)(a, b)?))
        })?)
    }
}

/// Divides. A poison divisor is undefined behavior, since it may be zero; a poison dividend makes the quotient poison.
fn divided(
    a: Datum,
    b: Datum,
    width: u32,
    compute: impl FnOnce(Bits, Bits) -> Result<Datum, Trap>,
) -> Result<Datum, Trap> {
    let b = bits(&b, width)?;
    if matches!(a, Datum::Poison) {
        return if b.value == 0 { Err(Trap::undefined(UNDEFINED_DIVISION)) } else { Ok(Datum::Poison) };
    }
    compute(bits(&a, width)?, b)
}

/// The operands of a defined signed division.
fn signed_division(a: Bits, b: Bits) -> Result<(i128, i128), Trap> {
    match (a.signed(), b.signed()) {
        (_, 0) => Err(Trap::undefined(UNDEFINED_DIVISION)),
        (value, -1) if value == a.least() => Err(Trap::undefined(UNDEFINED_DIVISION)),
        pair => Ok(pair),
    }
}

/// The operands of a defined unsigned division.
fn unsigned_division(a: Bits, b: Bits) -> Result<(i128, i128), Trap> {
    match b.unsigned() {
        0 => Err(Trap::undefined(UNDEFINED_DIVISION)),
        divisor => Ok((a.unsigned() as i128, divisor as i128)),
    }
}

/// The distance of a shift; `None` if it is at least the width, which makes the result poison.
fn distance(by: Bits) -> Option<u32> {
    let distance = by.unsigned();
    (distance < u128::from(by.width)).then_some(distance as u32)
}

fn bits(a: &Datum, width: u32) -> Result<Bits, Trap> {
    Ok(Bits { value: a.int()?, width })
}

/// An operation with `overflowFlags`.
struct Overflowing {
    /// Whether the second operand is a shift distance.
    distance: bool,
    signed: fn(i128, i128) -> i128,
    /// The unsigned result; `None` if negative.
    unsigned: fn(u128, u128) -> Option<u128>,
}

impl Evaluate for Overflowing {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let result = result_scalar(op)?;
        let width = result.width()?;
        Flow::one(elementwise(result, operands, machine, |[a, b]: [Datum; 2]| {
            let (a, b) = (bits(&a, width)?, bits(&b, width)?);
            if self.distance && distance(b).is_none() {
                return Ok(Datum::Poison);
            }
            let exact = (self.signed)(a.signed(), b.signed());
            let fits_signed = (a.least()..-a.least()).contains(&exact);
            if !fits_signed && promised(op, Overflow::NoSignedWrap) {
                return Ok(Datum::Poison);
            }
            let unsigned = (self.unsigned)(a.unsigned(), b.unsigned());
            if unsigned.is_none_or(|exact| exact > a.mask()) && promised(op, Overflow::NoUnsignedWrap) {
                return Ok(Datum::Poison);
            }
            result.integer(exact)
        })?)
    }
}

/// Whether an operation has an overflow flag. Queried only if relevant, since it is slow.
pub(super) fn promised(op: OpRef<'_>, flag: Overflow) -> bool {
    overflow_of(op).has(flag)
}

/// The result, and whether the remainder is nonzero; `None` for poison.
type Rest = Option<(i128, bool)>;

/// An operation with `isExact`.
struct Exact(fn(Bits, Bits) -> Result<Rest, Trap>);

impl Evaluate for Exact {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let result = result_scalar(op)?;
        let width = result.width()?;
        let compute = |a: Bits, b: Bits| match (self.0)(a, b)? {
            Some((_, true)) if op.attr_named("isExact").is_some() => Ok(Datum::Poison),
            Some((value, _)) => result.integer(value),
            None => Ok(Datum::Poison),
        };
        let is_division = op.is::<DivSI>() || op.is::<DivUI>();
        Flow::one(elementwise_lenient(result, operands, machine, |[a, b]: [Datum; 2]| match (&a, &b) {
            _ if is_division => divided(a, b, width, compute),
            (Datum::Poison, _) | (_, Datum::Poison) => Ok(Datum::Poison),
            _ => compute(bits(&a, width)?, bits(&b, width)?),
        })?)
    }
}

struct SumAndOverflow;

impl Evaluate for SumAndOverflow {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let scalar = operand_scalar(op, 0)?;
        let width = scalar.width()?;
        let sum = elementwise(scalar, operands, machine, |[a, b]: [Datum; 2]| {
            scalar.integer(i128::from(a.int()?) + i128::from(b.int()?))
        })?;
        let overflow = elementwise(Scalar::Int { width: 1 }, operands, machine, |[a, b]: [Datum; 2]| {
            let (a, b) = (bits(&a, width)?, bits(&b, width)?);
            Ok((a.unsigned() + b.unsigned() > a.mask()).into())
        })?;
        Ok(Flow::Next(vec![sum, overflow]))
    }
}

/// The low and high half of a product, from all its bits.
struct Halves(fn(Bits, Bits) -> u128);

impl Evaluate for Halves {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let scalar = operand_scalar(op, 0)?;
        let width = scalar.width()?;
        let mut half = |shift: u32| {
            elementwise(scalar, operands, machine, |[a, b]: [Datum; 2]| {
                let product = (self.0)(bits(&a, width)?, bits(&b, width)?);
                scalar.integer((product >> shift) as i128)
            })
        };
        Ok(Flow::Next(vec![half(0)?, half(width)?]))
    }
}
