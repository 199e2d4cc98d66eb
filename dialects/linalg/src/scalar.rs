//! The scalar computations of the named operations.

use crate::Yield;
use minoan_arith as arith;
use minoan_ir::{Builder, Type, Value};
use minoan_math as math;

/// What a named operation does with the elements of its operands, the output's last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combine {
    MulAdd,
    First,
    Add,
    Sub,
    Mul,
    Div,
    Max,
    Min,
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
    /// Whether only the first input counts: the others say how large windows are.
    fn is_pool(self) -> bool {
        use Combine::*;
        matches!(self, PoolSum | PoolMax | PoolMin | PoolMaxUnsigned | PoolMinUnsigned)
    }

    /// Whether integers are read as unsigned, whatever attributes say.
    fn is_unsigned(self) -> bool {
        use Combine::*;
        matches!(self, PoolMaxUnsigned | PoolMinUnsigned | DivUnsigned)
    }
}

/// Writes the computation and its `linalg.yield`; whether the types allow it. Always ends the block.
pub(crate) fn emit(b: &mut Builder<'_>, combine: Combine, args: &[Value], unsigned: bool) -> bool {
    let value = compute(b, combine, args, unsigned);
    Yield::build(b, value.or(args.last().copied()).as_slice());
    value.is_some()
}

fn compute(b: &mut Builder<'_>, combine: Combine, args: &[Value], unsigned: bool) -> Option<Value> {
    let (&output, inputs) = args.split_last()?;
    let ty = b.ty(output);
    let mut cast = Vec::with_capacity(inputs.len());
    let used = if combine.is_pool() { 1 } else { inputs.len() };
    for (at, &input) in inputs.get(..used)?.iter().enumerate() {
        let is_condition = combine == Combine::Select && at == 0;
        cast.push(if is_condition {
            input
        } else {
            convert(b, input, ty, unsigned || combine.is_unsigned())?
        });
    }
    let first = *cast.first()?;
    let is_float = ty.is_float(&b.context());
    let unary: Option<fn(&mut Builder<'_>, Value) -> Value> = match combine {
        Combine::Exp => Some(math::exp),
        Combine::Log => Some(math::log),
        Combine::Abs => Some(math::absf),
        Combine::Sqrt => Some(math::sqrt),
        Combine::Tanh => Some(math::tanh),
        Combine::Neg => Some(arith::negf),
        Combine::Ceil => Some(math::ceil),
        Combine::Floor => Some(math::floor),
        Combine::Erf => Some(math::erf),
        Combine::Round => Some(math::round),
        Combine::Rsqrt => Some(math::rsqrt),
        Combine::Square => Some(|b, value| arith::mulf(b, value, value)),
        Combine::Reciprocal => Some(|b, value| {
            let ty = b.ty(value);
            let one = arith::constant_float(b, 1.0, ty);
            arith::divf(b, one, value)
        }),
        _ => None,
    };
    if let Some(unary) = unary {
        return is_float.then(|| unary(b, first));
    }
    let binary = |float: Binary, int: Binary, bit: Option<Binary>| match (is_float, ty == Type::I1) {
        (true, _) => Some(float),
        (false, true) => bit,
        (false, false) => Some(int),
    };
    let add = || binary(arith::addf, arith::addi, Some(arith::ori));
    let mul = || binary(arith::mulf, arith::muli, Some(arith::andi));
    let max = || binary(arith::maximumf, arith::maxsi, None);
    let min = || binary(arith::minimumf, arith::minsi, None);
    let unsigned_max = || binary(arith::maximumf, arith::maxui, None);
    let unsigned_min = || binary(arith::minimumf, arith::minui, None);
    let (operation, lhs, rhs): (Binary, Value, Value) = match combine {
        Combine::PoolMaxUnsigned => (unsigned_max()?, output, first),
        Combine::PoolMinUnsigned => (unsigned_min()?, output, first),
        Combine::DivUnsigned if !is_float => (arith::divui, first, *cast.get(1)?),
        Combine::Pow if is_float => (math::powf, first, *cast.get(1)?),
        Combine::Select if b.ty(first) == Type::I1 => {
            return Some(arith::select(b, first, *cast.get(1)?, *cast.get(2)?));
        }
        Combine::First => return Some(first),
        Combine::MulAdd => {
            let product = mul()?(b, first, *cast.get(1)?);
            (add()?, output, product)
        }
        Combine::PoolSum => (add()?, output, first),
        Combine::PoolMax => (max()?, output, first),
        Combine::PoolMin => (min()?, output, first),
        Combine::Add => (add()?, first, *cast.get(1)?),
        Combine::Sub => (binary(arith::subf, arith::subi, None)?, first, *cast.get(1)?),
        Combine::Mul => (mul()?, first, *cast.get(1)?),
        Combine::Div => (binary(arith::divf, arith::divsi, None)?, first, *cast.get(1)?),
        Combine::Max => (max()?, first, *cast.get(1)?),
        Combine::Min => (min()?, first, *cast.get(1)?),
        _ => return None,
    };
    Some(operation(b, lhs, rhs))
}

type Binary = fn(&mut Builder<'_>, Value, Value) -> Value;

/// The value in another type, as upstream's named operations convert it; `None` where there is no conversion.
fn convert(b: &mut Builder<'_>, value: Value, to: Type, unsigned: bool) -> Option<Value> {
    let (ctx, from) = (b.context(), b.ty(value));
    if from == to {
        return Some(value);
    }
    let float_width = |ty: Type| ty.float_kind(&ctx).map(minoan_ir::FloatKind::width);
    let (from_int, to_int) = (from.integer_width(&ctx), to.integer_width(&ctx));
    let cast: Cast = match (from_int, to_int, float_width(from), float_width(to)) {
        (Some(from), Some(to), ..) if from > to => arith::trunci,
        (Some(_), Some(_), ..) if unsigned => arith::extui,
        (Some(_), Some(_), ..) => arith::extsi,
        (Some(_), None, None, Some(_)) if unsigned => arith::uitofp,
        (Some(_), None, None, Some(_)) => arith::sitofp,
        (None, Some(_), Some(_), None) if unsigned => arith::fptoui,
        (None, Some(_), Some(_), None) => arith::fptosi,
        (None, None, Some(from), Some(to)) if from > to => arith::truncf,
        (None, None, Some(from), Some(to)) if from < to => arith::extf,
        _ => return None,
    };
    Some(cast(b, value, to))
}

type Cast = fn(&mut Builder<'_>, Value, Type) -> Value;
