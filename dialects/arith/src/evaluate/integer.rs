//! Evaluation of integer operations: exact results in `i128`, reduced modulo 2^width.

use crate::constraints::has_overflow_flag;
use crate::*;
use minoan_ir::{DialectBuilder, OpRef};
use minoan_services::{
    Bits, Datum, Evaluate, Flow, IntBinary, Machine, Scalar, Trap, elementwise, operand_scalar, result_scalar,
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
        Ok((a / b, a % b != 0))
    })));
    dialect.op_service::<DivUI, dyn Evaluate>(Arc::new(Exact(|a, b| {
        let (a, b) = unsigned_division(a, b)?;
        Ok((a / b, a % b != 0))
    })));
    dialect.op_service::<ShRSI, dyn Evaluate>(Arc::new(Exact(|a, b| {
        let by = distance(b)?;
        Ok((a.signed() >> by, a.unsigned() & ((1 << by) - 1) != 0))
    })));
    dialect.op_service::<ShRUI, dyn Evaluate>(Arc::new(Exact(|a, b| {
        let by = distance(b)?;
        Ok(((a.unsigned() >> by) as i128, a.unsigned() & ((1 << by) - 1) != 0))
    })));

    for_binary::<CeilDivSI>(dialect, |a, b| {
        let (a, b) = signed_division(a, b)?;
        Ok(a / b + i128::from(a % b != 0 && (a < 0) == (b < 0)))
    });
    for_binary::<CeilDivUI>(dialect, |a, b| unsigned_division(a, b).map(|(a, b)| (a + b - 1) / b));
    for_binary::<FloorDivSI>(dialect, |a, b| {
        let (a, b) = signed_division(a, b)?;
        Ok(a / b - i128::from(a % b != 0 && (a < 0) != (b < 0)))
    });
    for_binary::<RemSI>(dialect, |a, b| signed_division(a, b).map(|(a, b)| a % b));
    for_binary::<RemUI>(dialect, |a, b| unsigned_division(a, b).map(|(a, b)| a % b));
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

/// The operands of a defined signed division.
fn signed_division(a: Bits, b: Bits) -> Result<(i128, i128), Trap> {
    match (a.signed(), b.signed()) {
        (_, 0) => Err(Trap::new("division by zero")),
        (value, -1) if value == a.least() => Err(Trap::new("signed overflow in a division")),
        pair => Ok(pair),
    }
}

/// The operands of a defined unsigned division.
fn unsigned_division(a: Bits, b: Bits) -> Result<(i128, i128), Trap> {
    match b.unsigned() {
        0 => Err(Trap::new("division by zero")),
        divisor => Ok((a.unsigned() as i128, divisor as i128)),
    }
}

/// The distance of a defined shift.
fn distance(by: Bits) -> Result<u32, Trap> {
    match by.unsigned() {
        distance if distance < u128::from(by.width) => Ok(distance as u32),
        distance => Err(Trap::new(format!("shift of an integer of {} bits by {distance}", by.width))),
    }
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
            if self.distance {
                distance(b)?;
            }
            let exact = (self.signed)(a.signed(), b.signed());
            let fits_signed = (a.least()..-a.least()).contains(&exact);
            if !fits_signed && promised(op, "nsw") {
                return Err(Trap::new("signed overflow, but 'nsw' is set"));
            }
            let unsigned = (self.unsigned)(a.unsigned(), b.unsigned());
            if unsigned.is_none_or(|exact| exact > a.mask()) && promised(op, "nuw") {
                return Err(Trap::new("unsigned overflow, but 'nuw' is set"));
            }
            result.integer(exact)
        })?)
    }
}

/// Whether an operation has an overflow flag. Queried only if relevant, since it is slow.
pub(super) fn promised(op: OpRef<'_>, flag: &str) -> bool {
    op.attr_named("overflowFlags").is_some_and(|flags| has_overflow_flag(op.context(), flags, flag))
}

/// An operation with `isExact`: the result, and whether the remainder is nonzero.
struct Exact(fn(Bits, Bits) -> Result<(i128, bool), Trap>);

impl Evaluate for Exact {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let result = result_scalar(op)?;
        let width = result.width()?;
        Flow::one(elementwise(result, operands, machine, |[a, b]: [Datum; 2]| {
            let (value, remains) = (self.0)(bits(&a, width)?, bits(&b, width)?)?;
            if remains && op.attr_named("isExact").is_some() {
                return Err(Trap::new("nonzero remainder, but 'exact' is set"));
            }
            result.integer(value)
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
