//! Scalar code of the operators.

use crate::operator::{Class, Operator};
use minoan_arith::{self as arith, CmpFPredicate as F, CmpIPredicate as I};
use minoan_ir::{Builder, Type, Value};
use minoan_math as math;

/// The value of a pointwise expression on elements, of type `result`; for a reduction, the reduced element.
pub(super) fn apply(
    b: &mut Builder<'_>,
    operator: Option<Operator>,
    reduces: bool,
    elements: &[Value],
    result: Type,
) -> Value {
    let Some(operator) = operator else { return elements[0] };
    match operator.class() {
        Class::Numeric => {
            let numbers: Vec<Value> = elements.iter().map(|&it| number(b, it, result)).collect();
            match numbers[..] {
                [left, right] => numeric(b, operator, left, right),
                _ if reduces => numbers[0],
                _ => numeric_unary(b, operator, numbers[0]),
            }
        }
        Class::Comparison => compare(b, operator, elements),
        Class::Logical => match elements[..] {
            [left, right] => combine(b, operator, left, right),
            [only, ..] if operator == Operator::Not => {
                let yes = arith::constant_bool(b, true);
                arith::xori(b, only, yes)
            }
            _ => elements[0],
        },
    }
}

/// The identity of a reduction operator.
pub(super) fn identity(b: &mut Builder<'_>, operator: Operator, ty: Type) -> Value {
    match operator {
        Operator::And => arith::constant_bool(b, true),
        Operator::Or | Operator::Xor => arith::constant_bool(b, false),
        Operator::Mul => arith::constant_float(b, 1.0, ty),
        Operator::Max => arith::constant_float(b, f64::NEG_INFINITY, ty),
        Operator::Min => arith::constant_float(b, f64::INFINITY, ty),
        _ => arith::constant_float(b, 0.0, ty),
    }
}

/// Combines two values of the result's type by a reduction operator.
pub(super) fn combine(b: &mut Builder<'_>, operator: Operator, left: Value, right: Value) -> Value {
    match operator {
        Operator::And => arith::andi(b, left, right),
        Operator::Or => arith::ori(b, left, right),
        Operator::Xor => arith::xori(b, left, right),
        _ => numeric(b, operator, left, right),
    }
}

/// Combines the old value of a reduction with an element. The association of sums and products is open.
pub(super) fn accumulate(b: &mut Builder<'_>, operator: Operator, old: Value, element: Value) -> Value {
    let value = combine(b, operator, old, element);
    let flags = [arith::FastMath::Reassoc, arith::FastMath::Contract];
    if b.ty(value).is_float(&b.context()) { arith::with_fastmath(b, value, flags) } else { value }
}

/// Converts to a number: booleans are 0 and 1.
fn number(b: &mut Builder<'_>, value: Value, float: Type) -> Value {
    if b.ty(value) == Type::I1 { arith::uitofp(b, value, float) } else { value }
}

fn numeric(b: &mut Builder<'_>, operator: Operator, left: Value, right: Value) -> Value {
    match operator {
        Operator::Mul => arith::mulf(b, left, right),
        Operator::Sub => arith::subf(b, left, right),
        Operator::Div => arith::divf(b, left, right),
        Operator::Max => arith::maximumf(b, left, right),
        Operator::Min => arith::minimumf(b, left, right),
        Operator::Pow => math::powf(b, left, right),
        Operator::Log => {
            let (base, value) = (math::log(b, left), math::log(b, right));
            arith::divf(b, value, base)
        }
        _ => arith::addf(b, left, right),
    }
}

fn numeric_unary(b: &mut Builder<'_>, operator: Operator, value: Value) -> Value {
    let ty = b.ty(value);
    match operator {
        Operator::Sub => arith::negf(b, value),
        Operator::Div => {
            let one = arith::constant_float(b, 1.0, ty);
            arith::divf(b, one, value)
        }
        Operator::Max | Operator::Min => {
            let zero = arith::constant_float(b, 0.0, ty);
            numeric(b, operator, zero, value)
        }
        Operator::Pow => math::exp(b, value),
        Operator::Log => math::log(b, value),
        _ => value,
    }
}

fn compare(b: &mut Builder<'_>, operator: Operator, elements: &[Value]) -> Value {
    let float = elements.iter().map(|&it| b.ty(it)).find(|&ty| ty != Type::I1);
    let Some(float) = float else {
        let right = elements.get(1).copied();
        let right = right.unwrap_or_else(|| arith::constant_bool(b, false));
        let predicate = match operator {
            Operator::Gt => I::Ugt,
            Operator::Gte => I::Uge,
            Operator::Lt => I::Ult,
            Operator::Lte => I::Ule,
            Operator::Eq => I::Eq,
            _ => I::Ne,
        };
        return arith::cmpi(b, predicate, elements[0], right);
    };
    let left = number(b, elements[0], float);
    let right = match elements.get(1) {
        Some(&right) => number(b, right, float),
        None => arith::constant_float(b, 0.0, float),
    };
    let predicate = match operator {
        Operator::Gt => F::Ogt,
        Operator::Gte => F::Oge,
        Operator::Lt => F::Olt,
        Operator::Lte => F::Ole,
        Operator::Eq => F::Oeq,
        _ => F::Une,
    };
    arith::cmpf(b, predicate, left, right)
}
