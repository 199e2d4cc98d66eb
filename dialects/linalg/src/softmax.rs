//! `linalg.softmax`.

use crate::{differentiate, evaluate, runtime_verification, structured};
use minoan_arith::FastMath;
use minoan_ir::constraints::{RANKED_TENSOR, SHAPED};
use minoan_ir::{Body, DYNAMIC, Flags, Op, OpRef, Type, Violations, op};
use minoan_services::{
    Datum, DerivativeRule, Differentiate, Effects, Evaluate, FloatFlags, Flow, Machine, OnBuffers,
    RuntimeVerification, Scalar, Tensor, TensorData, Trap,
};
use std::ops::{Add, Div, Sub};

/// The exponentials of an array, divided by their sum along a dimension.
///
/// `linalg.softmax dimension(1) ins(%x : tensor<4x5xf32>) outs(%y : tensor<4x5xf32>) -> tensor<4x5xf32>`. The maximum
/// is subtracted first, so that no exponential overflows.
///
/// `fastmath` has the flags of the operations that it consists of: `reassoc` and `contract` those of the sum, `arcp` that of the
/// quotient, all others those of each.
#[op(
    "linalg.softmax",
    assembly = "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)` (`->` type($result)^)?",
    verify = verify,
    services(
        Evaluate = EvaluateSoftmax,
        RuntimeVerification = runtime_verification::SameExtents,
        Effects = OnBuffers,
        Differentiate = DerivativeRule::new(differentiate::softmax),
        FloatFlags = minoan_arith::FastMathFlags,
    )
)]
pub struct Softmax {
    /// The input.
    input: Operand<SHAPED>,
    /// The output.
    output: Operand<SHAPED>,
    /// The dimension of the sum.
    dimension: i64,
    /// The flags.
    fastmath: Option<Flags<FastMath>>,
    /// The updated output, if it is a tensor.
    result: Vec<OpResult<RANKED_TENSOR>>,
}

/// Whether two shapes are compatible.
pub(crate) fn compatible(one: &[i64], other: &[i64]) -> bool {
    let fits = |(&one, &other): (&i64, &i64)| one == other || one == DYNAMIC || other == DYNAMIC;
    one.len() == other.len() && one.iter().zip(other).all(fits)
}

fn verify(body: &Body, op: Op, errors: &mut Violations) {
    if let Err(message) = check(body.op(op)) {
        errors.push(message);
    }
}

fn check(op: OpRef<'_>) -> Result<(), String> {
    let ctx = op.context();
    let types: Vec<Type> = op.operand_types().collect();
    if types[0].element(ctx) != types[1].element(ctx) {
        return Err("failed to verify that input and output have same element type".to_owned());
    }
    structured::verify_destinations(op)?;
    let [input, output] = [0, 1].map(|at| types[at].shape(ctx).unwrap_or(&[]));
    if !compatible(input, output) {
        return Err("incompatible output shape".to_owned());
    }
    let dimension = op.attr_named("dimension").and_then(|attr| attr.as_i64(ctx)).unwrap_or(-1);
    match usize::try_from(dimension) {
        Ok(dimension) if dimension < input.len() => Ok(()),
        _ => Err("incorrect dimension specified".to_owned()),
    }
}

pub(crate) struct EvaluateSoftmax;

impl Evaluate for EvaluateSoftmax {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let dimension = op.attr_value::<i64>("dimension");
        let dimension = dimension.and_then(|dimension| usize::try_from(dimension).ok()).unwrap_or(0);
        let mut tensor = match &operands[0] {
            Datum::Tensor(tensor) => Tensor::clone(tensor),
            Datum::Buffer(buffer) => buffer.snapshot()?,
            other => return Err(Trap::new(format!("an input cannot be {}", other.describe()))),
        };
        let output = evaluate::shape(&operands[1])?;
        for (dim, (&have, want)) in tensor.shape.iter().zip(output).enumerate() {
            if have != want {
                return Err(Trap::assertion(runtime_verification::extents_message(dim as u32, have, want)));
            }
        }
        machine.tick(tensor.data.len() as u64)?;
        let Some(&extent) = tensor.shape.get(dimension) else { return Err(Trap::new("no such dimension")) };
        let step = tensor.shape[dimension + 1..].iter().product();
        match &mut tensor.data {
            TensorData::F32(data) => {
                let element = op.operand(0);
                let element = Scalar::of(op.context(), op.body().ty(element).element_or_self(op.context()))?;
                let round = |value| element.round(value);
                normalize(data, extent, step, f32::max, f32::NEG_INFINITY, f32::exp, round)
            }
            TensorData::F64(data) => {
                normalize(data, extent, step, f64::max, f64::NEG_INFINITY, f64::exp, |value| value)
            }
            TensorData::Partial(_) => tensor = Tensor::splat(&tensor.shape, &Datum::Poison)?,
            TensorData::Int(_)
            | TensorData::Wide(_)
            | TensorData::Complex32(_)
            | TensorData::Complex64(_) => return Err(Trap::new("a softmax of elements that are not floats")),
        }
        match &operands[1] {
            Datum::Buffer(buffer) => {
                buffer.assign(tensor)?;
                Ok(Flow::Next(Vec::new()))
            }
            _ => Flow::one(tensor),
        }
    }
}

/// Applies softmax to each run of `extent` elements with a stride of `step`. Each number is rounded to the type of the
/// elements, as in the operations that it consists of.
fn normalize<T: Copy + Default + Add<Output = T> + Sub<Output = T> + Div<Output = T>>(
    data: &mut [T],
    extent: usize,
    step: usize,
    max: fn(T, T) -> T,
    least: T,
    exp: fn(T) -> T,
    round: impl Fn(T) -> T,
) {
    let size = extent * step;
    for block in data.chunks_mut(size.max(1)) {
        for first in 0..step {
            let places = || (0..extent).map(move |at| first + at * step);
            let largest = places().map(|at| block[at]).fold(least, max);
            places().for_each(|at| block[at] = round(exp(round(block[at] - largest))));
            let sum = places().fold(T::default(), |sum, at| round(sum + block[at]));
            places().for_each(|at| block[at] = round(block[at] / sum));
        }
    }
}
