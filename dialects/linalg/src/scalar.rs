//! The scalar computations of named operations.

use crate::attributes::TypeFn;
use crate::{Index, Yield};
use minoan_arith as arith;
use minoan_complex as complex;
use minoan_ir::text::print_type;
use minoan_ir::{Builder, Type, Value};
use minoan_math as math;

/// The scalar computation of a named operation on the elements of its operands, the output's last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combine {
    MulAdd,
    /// Like `MulAdd`, after subtracting the zero points, which are the third and fourth input.
    MulAddZeroPoints,
    /// A pseudo-random number from a minimum, a maximum and a seed.
    Random,
    First,
    Add,
    Sub,
    Mul,
    Div,
    Max,
    Min,
    MaxUnsigned,
    MinUnsigned,
    Exp,
    Log,
    Abs,
    Sqrt,
    Tanh,
    Neg,
    PoolSum,
    PoolMax,
    PoolMin,
    PoolMaxUnsigned,
    PoolMinUnsigned,
    Ceil,
    Floor,
    Erf,
    Round,
    Rsqrt,
    Reciprocal,
    Square,
    DivUnsigned,
    Pow,
    Select,
}

impl Combine {
    /// The number of inputs.
    pub(crate) const fn inputs(self) -> usize {
        use Combine::*;
        match self {
            First | Exp | Log | Abs | Sqrt | Tanh | Neg | Ceil | Floor | Erf | Round | Rsqrt | Reciprocal
            | Square => 1,
            Select | Random => 3,
            MulAddZeroPoints => 4,
            _ => 2,
        }
    }

    /// Whether integers are unsigned regardless of attributes.
    fn is_unsigned(self) -> bool {
        use Combine::*;
        matches!(self, PoolMaxUnsigned | PoolMinUnsigned)
    }
}

/// Builds the computation and its `linalg.yield`, which terminates the block in any case.
///
/// # Errors
/// A message if the computation does not support the element types.
pub(crate) fn emit(
    b: &mut Builder<'_>,
    combine: Combine,
    args: &[Value],
    cast: TypeFn,
) -> Result<(), String> {
    let cast = if combine.is_unsigned() { TypeFn::CastUnsigned } else { cast };
    let value = compute(b, combine, args, cast);
    let yielded = value.as_ref().ok().or(args.last());
    Yield::build(b, yielded.copied().as_slice());
    value.map(|_| ())
}

fn compute(b: &mut Builder<'_>, combine: Combine, args: &[Value], cast: TypeFn) -> Result<Value, String> {
    let Some((&output, inputs)) = args.split_last() else { return Err("has no output".to_owned()) };
    let ty = b.ty(output);
    if let Some(unary) = unary(combine) {
        let &[input] = inputs else { return Err(many(inputs)) };
        let is_float = b.ty(input).is_float(&b.context());
        return if is_float { Ok(unary(b, input)) } else { Err("unsupported non numeric type".to_owned()) };
    }
    match (combine, inputs) {
        (Combine::First, &[input]) => Ok(convert(b, input, ty, cast)),
        (Combine::MulAdd, &[lhs, rhs]) => {
            let (lhs, rhs) = (convert(b, lhs, ty, cast), convert(b, rhs, ty, cast));
            let product = binary(b, Combine::Mul, lhs, rhs)?;
            binary(b, Combine::Add, output, product)
        }
        (Combine::MulAddZeroPoints, &[lhs, rhs, lhs_zero, rhs_zero]) => {
            let [lhs, rhs] = [(lhs, lhs_zero), (rhs, rhs_zero)].map(|(value, zero)| {
                let (value, zero) = (convert(b, value, ty, cast), convert(b, zero, ty, cast));
                binary(b, Combine::Sub, value, zero)
            });
            let product = binary(b, Combine::Mul, lhs?, rhs?)?;
            binary(b, Combine::Add, output, product)
        }
        (Combine::Random, &[least, most, seed]) => random(b, least, most, seed, ty),
        // The second input only determines the window size.
        (Combine::PoolSum, &[input, _]) => pool(b, Combine::Add, output, input, cast),
        (Combine::PoolMax, &[input, _]) => pool(b, Combine::Max, output, input, cast),
        (Combine::PoolMin, &[input, _]) => pool(b, Combine::Min, output, input, cast),
        (Combine::PoolMaxUnsigned, &[input, _]) => pool(b, Combine::MaxUnsigned, output, input, cast),
        (Combine::PoolMinUnsigned, &[input, _]) => pool(b, Combine::MinUnsigned, output, input, cast),
        (Combine::Select, &[condition, then, other]) => Ok(arith::select(b, condition, then, other)),
        (_, &[lhs, rhs]) => binary(b, combine, lhs, rhs),
        _ => Err(many(inputs)),
    }
}

fn many(inputs: &[Value]) -> String {
    format!("has no computation of {} inputs", inputs.len())
}

fn pool(
    b: &mut Builder<'_>,
    combine: Combine,
    output: Value,
    input: Value,
    cast: TypeFn,
) -> Result<Value, String> {
    let ty = b.ty(output);
    let input = convert(b, input, ty, cast);
    binary(b, combine, output, input)
}

fn unary(combine: Combine) -> Option<fn(&mut Builder<'_>, Value) -> Value> {
    Some(match combine {
        Combine::Exp => math::exp,
        Combine::Log => math::log,
        Combine::Abs => math::absf,
        Combine::Sqrt => math::sqrt,
        Combine::Tanh => math::tanh,
        Combine::Neg => arith::negf,
        Combine::Ceil => math::ceil,
        Combine::Floor => math::floor,
        Combine::Erf => math::erf,
        Combine::Round => math::round,
        Combine::Rsqrt => math::rsqrt,
        Combine::Square => |b, value| arith::mulf(b, value, value),
        Combine::Reciprocal => |b, value| {
            let ty = b.ty(value);
            let one = arith::constant_float(b, 1.0, ty);
            arith::divf(b, one, value)
        },
        _ => return None,
    })
}

/// Builds a binary operation for the element type; `i1` uses "or" for addition and "and" for multiplication.
fn binary(b: &mut Builder<'_>, combine: Combine, lhs: Value, rhs: Value) -> Result<Value, String> {
    let (ctx, left, right) = (b.context(), b.ty(lhs), b.ty(rhs));
    if left == right && complex::part_type(&ctx, left).is_some_and(|part| part.is_float(&ctx)) {
        return binary_complex(b, combine, lhs, rhs);
    }
    let is_float = left.is_float(&ctx) && left == right;
    if !is_float && (left.integer_width(&ctx).is_none() || left != right) {
        let (left, right) = (print_type(&ctx, left), print_type(&ctx, right));
        return Err(format!(
            "Cannot build binary Linalg operation: expects allComplex, allFloatingPoint, or allInteger, got '{left}' and '{right}'"
        ));
    }
    let is_bit = left == Type::I1;
    let unsupported = |what| Err(format!("unsupported operation: {what}"));
    let operation: Binary = match (combine, is_float) {
        (Combine::Add, true) => arith::addf,
        (Combine::Add, false) if is_bit => arith::ori,
        (Combine::Add, false) => arith::addi,
        (Combine::Sub, true) => arith::subf,
        (Combine::Sub, false) if is_bit => return unsupported("sub with bools"),
        (Combine::Sub, false) => arith::subi,
        (Combine::Mul, true) => arith::mulf,
        (Combine::Mul, false) if is_bit => arith::andi,
        (Combine::Mul, false) => arith::muli,
        (Combine::Div, true) => arith::divf,
        (Combine::Div, false) if is_bit => return unsupported("div with bools"),
        (Combine::Div, false) => arith::divsi,
        (Combine::DivUnsigned, false) if !is_bit => arith::divui,
        (Combine::DivUnsigned, _) => return unsupported("unsigned div not on uint"),
        (Combine::MaxUnsigned, is_float) if is_float || is_bit => {
            return unsupported("unsigned max not on uint");
        }
        (Combine::MinUnsigned, is_float) if is_float || is_bit => {
            return unsupported("unsigned min not on uint");
        }
        (Combine::Max, true) => arith::maximumf,
        (Combine::Min, true) => arith::minimumf,
        (Combine::Max, false) => arith::maxsi,
        (Combine::Min, false) => arith::minsi,
        (Combine::MaxUnsigned, false) => arith::maxui,
        (Combine::MinUnsigned, false) => arith::minui,
        (Combine::Pow, _) => math::powf,
        _ => return Err(many(&[lhs, rhs])),
    };
    Ok(operation(b, lhs, rhs))
}

/// Builds a binary operation of complex numbers.
fn binary_complex(b: &mut Builder<'_>, combine: Combine, lhs: Value, rhs: Value) -> Result<Value, String> {
    let operation: Binary = match combine {
        Combine::Add => complex::add,
        Combine::Sub => complex::sub,
        Combine::Mul => complex::mul,
        Combine::Div => complex::div,
        Combine::Pow => complex::pow,
        Combine::DivUnsigned => return Err("unsupported operation: unsigned div not on uint".to_owned()),
        _ => return Err("unsupported operation: complex numbers have no order".to_owned()),
    };
    Ok(operation(b, lhs, rhs))
}

/// A number between a minimum and a maximum: two steps of a linear congruential generator from the seed and the
/// indices of the element.
fn random(b: &mut Builder<'_>, least: Value, most: Value, seed: Value, ty: Type) -> Result<Value, String> {
    let half_range = arith::constant_int(b, 2_147_483_647, Type::I64);
    let half_range = convert(b, half_range, Type::F64, TypeFn::CastSigned);
    let [column, row] = [1, 0].map(|dim| {
        let index = Index::build(b, dim).result(b.body());
        arith::index_cast(b, index, Type::I32)
    });
    let mut state = binary(b, Combine::Add, row, seed)?;
    for step in 0..2 {
        let [times, plus] = [1_103_515_245, 12_345];
        let times = arith::constant_int(b, times, Type::I64);
        let times = arith::trunci(b, times, Type::I32);
        state = arith::muli(b, state, times);
        let plus = arith::constant_int(b, plus, Type::I64);
        let plus = arith::trunci(b, plus, Type::I32);
        state = arith::addi(b, state, plus);
        if step == 0 {
            state = arith::addi(b, column, state);
        }
    }
    let number = convert(b, state, Type::F64, TypeFn::CastSigned);
    let number = arith::addf(b, half_range, number);
    let (least, most) =
        (convert(b, least, Type::F64, TypeFn::CastSigned), convert(b, most, Type::F64, TypeFn::CastSigned));
    let range = arith::subf(b, most, least);
    let scale = arith::constant_float(b, 2.328_306_4e-10, Type::F64);
    let scale = arith::mulf(b, range, scale);
    let number = arith::mulf(b, number, scale);
    let number = arith::addf(b, number, least);
    Ok(convert(b, number, ty, TypeFn::CastSigned))
}

type Binary = fn(&mut Builder<'_>, Value, Value) -> Value;

/// Converts a value as upstream's named operations do.
fn convert(b: &mut Builder<'_>, value: Value, to: Type, cast: TypeFn) -> Value {
    let (ctx, from) = (b.context(), b.ty(value));
    if from == to {
        return value;
    }
    let float_width = |ty: Type| ty.float_kind(&ctx).map(minoan_ir::FloatKind::width);
    let (from_int, to_int) = (from.integer_width(&ctx), to.integer_width(&ctx));
    let cast: Cast = match (from_int, to_int, float_width(from), float_width(to)) {
        (Some(from), Some(to), ..) if from > to => arith::trunci,
        (Some(_), Some(_), ..) if cast == TypeFn::CastUnsigned => arith::extui,
        (Some(_), Some(_), ..) => arith::extsi,
        (Some(_), None, None, Some(_)) if cast == TypeFn::CastUnsigned => arith::uitofp,
        (Some(_), None, None, Some(_)) => arith::sitofp,
        (None, Some(_), Some(_), None) if cast == TypeFn::CastUnsigned => arith::fptoui,
        (None, Some(_), Some(_), None) => arith::fptosi,
        (None, None, Some(from), Some(to)) if from > to => arith::truncf,
        (None, None, Some(from), Some(to)) if from < to => arith::extf,
        _ if from == Type::INDEX && to_int.is_some() => arith::index_cast,
        // An unsupported conversion keeps the value; the verifier reports it.
        _ => return value,
    };
    cast(b, value, to)
}

type Cast = fn(&mut Builder<'_>, Value, Type) -> Value;
