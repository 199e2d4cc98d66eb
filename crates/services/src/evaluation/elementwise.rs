//! Evaluation of elementwise operations, on scalars and on vectors and tensors.
//!
//! A dialect implements [`Evaluate`](crate::Evaluate) for such an operation by one of the types here and a scalar
//! function:
//!
//! ```
//! use minoan_services::{FloatUnary, IntBits as _, int_binary};
//! let square_root = FloatUnary::new(f32::sqrt, f64::sqrt);
//! let and = int_binary!(|a, b| Ok(a.signed() & b.signed()));
//! ```

use crate::{Bits, Datum, Evaluate, Flow, IntBits, Machine, Scalar, Tensor, Trap, WideBits};
use minoan_ir::OpRef;
use num_bigint::BigInt;

/// Applies a scalar computation to scalars, or to each position of tensors of equal extents. Scalars are broadcast.
///
/// # Errors
/// The errors of the computation; tensors of different extents.
pub fn elementwise<const N: usize>(
    result: Scalar,
    operands: &[Datum],
    machine: &mut dyn Machine,
    mut compute: impl FnMut([Datum; N]) -> Result<Datum, Trap>,
) -> Result<Datum, Trap> {
    elementwise_lenient(result, operands, machine, |operands| {
        if operands.iter().any(|operand| matches!(operand, Datum::Poison)) {
            return Ok(Datum::Poison);
        }
        compute(operands)
    })
}

/// [`elementwise`] for a computation that sees poison operands, such as a choice between two values.
///
/// # Errors
/// The errors of the computation; operands are tensors of different extents.
pub fn elementwise_lenient<const N: usize>(
    result: Scalar,
    operands: &[Datum],
    machine: &mut dyn Machine,
    mut compute: impl FnMut([Datum; N]) -> Result<Datum, Trap>,
) -> Result<Datum, Trap> {
    let operands: &[Datum; N] = operands
        .try_into()
        .map_err(|_| Trap::new(format!("{N} operands expected, {} given", operands.len())))?;
    let mut shape: Option<&[usize]> = None;
    for operand in operands {
        if let Datum::Tensor(tensor) = operand {
            match shape {
                None => shape = Some(&tensor.shape),
                Some(shape) if shape == tensor.shape => {}
                Some(shape) => {
                    let other = &tensor.shape;
                    return Err(Trap::new(format!("operands of extents {shape:?} and {other:?}")));
                }
            }
        }
    }
    let Some(shape) = shape else { return compute(operands.clone()) };
    let count = shape.iter().product();
    machine.tick(count as u64)?;
    let mut data = result.with_capacity(count);
    for index in 0..count {
        let at = |operand: &Datum| match operand {
            Datum::Tensor(tensor) => tensor.data.get(index),
            scalar => scalar.clone(),
        };
        data.push(&compute(operands.each_ref().map(at))?)?;
    }
    Ok(Tensor { shape: shape.into(), data }.into())
}

/// The scalar type of the first result.
pub fn result_scalar(op: OpRef<'_>) -> Result<Scalar, Trap> {
    Scalar::of(op.context(), op.body().ty(op.result(0)))
}

/// The scalar type of an operand.
pub fn operand_scalar(op: OpRef<'_>, index: usize) -> Result<Scalar, Trap> {
    Scalar::of(op.context(), op.body().ty(op.operand(index)))
}

/// A float function on floats of one type: computed in `f32` for types of at most 32 bits, then rounded.
#[derive(Clone, Copy, Debug)]
pub struct FloatOp<Single, Double> {
    single: Single,
    double: Double,
}

/// A unary float function.
pub type FloatUnary = FloatOp<fn(f32) -> f32, fn(f64) -> f64>;
/// A binary float function.
pub type FloatBinary = FloatOp<fn(f32, f32) -> f32, fn(f64, f64) -> f64>;
/// A ternary float function.
pub type FloatTernary = FloatOp<fn(f32, f32, f32) -> f32, fn(f64, f64, f64) -> f64>;

impl<Single, Double> FloatOp<Single, Double> {
    /// Creates the function from its implementation in each format.
    pub fn new(single: Single, double: Double) -> Self {
        Self { single, double }
    }
}

fn not_floats(found: &[Datum]) -> Trap {
    Trap::new(format!("expected floats of one type, found {found:?}"))
}

impl Evaluate for FloatUnary {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let result = result_scalar(op)?;
        Flow::one(elementwise(result, operands, machine, |operands| match operands {
            [Datum::F32(a)] => Ok(result.round((self.single)(a)).into()),
            [Datum::F64(a)] => Ok((self.double)(a).into()),
            other => Err(not_floats(&other)),
        })?)
    }
}

impl Evaluate for FloatBinary {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let result = result_scalar(op)?;
        Flow::one(elementwise(result, operands, machine, |operands| match operands {
            [Datum::F32(a), Datum::F32(b)] => Ok(result.round((self.single)(a, b)).into()),
            [Datum::F64(a), Datum::F64(b)] => Ok((self.double)(a, b).into()),
            other => Err(not_floats(&other)),
        })?)
    }
}

impl Evaluate for FloatTernary {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let result = result_scalar(op)?;
        Flow::one(elementwise(result, operands, machine, |operands| match operands {
            [Datum::F32(a), Datum::F32(b), Datum::F32(c)] => Ok(result.round((self.single)(a, b, c)).into()),
            [Datum::F64(a), Datum::F64(b), Datum::F64(c)] => Ok((self.double)(a, b, c).into()),
            other => Err(not_floats(&other)),
        })?)
    }
}

/// A unary integer function; the result is taken modulo 2^width. [`int_unary!`](crate::int_unary) makes it of an expression.
#[derive(Clone, Copy, Debug)]
pub struct IntUnary {
    narrow: fn(Bits) -> i128,
    wide: fn(WideBits) -> BigInt,
}

impl IntUnary {
    /// Creates the function from its implementation for integers of at most 64 bits and for wider ones.
    pub fn new(narrow: fn(Bits) -> i128, wide: fn(WideBits) -> BigInt) -> Self {
        Self { narrow, wide }
    }
}

/// An [`IntUnary`] that computes an expression of the [`IntBits`] of its operand, for every width.
#[macro_export]
macro_rules! int_unary {
    (|$a:ident| $value:expr) => {
        $crate::IntUnary::new(|$a| $value, |$a| $value)
    };
}

impl Evaluate for IntUnary {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        fn run<B: IntBits>(
            compute: fn(B) -> B::Signed,
            result: Scalar,
            operands: &[Datum],
            machine: &mut dyn Machine,
        ) -> Result<Flow, Trap> {
            let width = result.width()?;
            Flow::one(elementwise(result, operands, machine, |[a]: [Datum; 1]| {
                Ok(B::wrapped(compute(B::of(&a, width)?), width).datum())
            })?)
        }
        let result = result_scalar(op)?;
        match result.is_wide() {
            false => run(self.narrow, result, operands, machine),
            true => run(self.wide, result, operands, machine),
        }
    }
}

/// A binary integer function; the result is taken modulo 2^width. [`int_binary!`](crate::int_binary) makes it of an expression.
#[derive(Clone, Copy, Debug)]
pub struct IntBinary {
    narrow: fn(Bits, Bits) -> Result<i128, Trap>,
    wide: fn(WideBits, WideBits) -> Result<BigInt, Trap>,
}

impl IntBinary {
    /// Creates the function from its implementation for integers of at most 64 bits and for wider ones.
    pub fn new(
        narrow: fn(Bits, Bits) -> Result<i128, Trap>,
        wide: fn(WideBits, WideBits) -> Result<BigInt, Trap>,
    ) -> Self {
        Self { narrow, wide }
    }
}

/// An [`IntBinary`] that computes an expression of the [`IntBits`] of its operands, for every width.
#[macro_export]
macro_rules! int_binary {
    (|$a:ident, $b:ident| $value:expr) => {
        $crate::IntBinary::new(|$a, $b| $value, |$a, $b| $value)
    };
}

impl Evaluate for IntBinary {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        fn run<B: IntBits>(
            compute: fn(B, B) -> Result<B::Signed, Trap>,
            result: Scalar,
            operands: &[Datum],
            machine: &mut dyn Machine,
        ) -> Result<Flow, Trap> {
            let width = result.width()?;
            Flow::one(elementwise(result, operands, machine, |[a, b]: [Datum; 2]| {
                Ok(B::wrapped(compute(B::of(&a, width)?, B::of(&b, width)?)?, width).datum())
            })?)
        }
        let result = result_scalar(op)?;
        match result.is_wide() {
            false => run(self.narrow, result, operands, machine),
            true => run(self.wide, result, operands, machine),
        }
    }
}
