//! Evaluation of expressions, element by element and independent of schedules.

use crate::lower::different_extents;
use crate::operator::{Class, Operator};
use crate::ops::ExprOp;
use crate::plan::Plan;
use minoan_ir::OpRef;
use minoan_services::{Datum, Evaluate, Flow, Machine, Scalar, Tensor, Trap, result_scalar};
use std::rc::Rc;

pub(crate) struct EvaluateExpr;

impl Evaluate for EvaluateExpr {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (expr, _) = ExprOp::expr(op).map_err(|problem| Trap::new(problem.message))?;
        let plan = Plan::of(&expr.semantics());
        let inputs: Vec<&Rc<Tensor>> = operands.iter().map(Datum::tensor).collect::<Result<_, _>>()?;
        let extents = extents(&plan, &inputs)?;
        let scalar = result_scalar(op)?;
        let reducer = expr.operator.filter(|_| expr.is_reduction());
        let first = match reducer {
            Some(operator) => identity(operator, scalar)?,
            None => scalar.zero(),
        };
        let mut output = Tensor::splat(&extents[..plan.rank()], &first)?;
        Tensor::each_index(&extents, |at| {
            machine.tick(1)?;
            let element = |(axes, tensor): (&Vec<usize>, &&Rc<Tensor>)| {
                let indices: Vec<i64> = axes.iter().map(|&axis| at[axis]).collect();
                Ok(tensor.data.get(tensor.offset(&indices)?))
            };
            let elements: Vec<Datum> =
                plan.inputs.iter().zip(&inputs).map(element).collect::<Result<_, _>>()?;
            let offset = output.offset(&at[..plan.rank()])?;
            let value = match (reducer, expr.operator) {
                (Some(operator), _) => {
                    binary(operator, &output.data.get(offset), &number(operator, &elements[0], scalar)?)?
                }
                (None, Some(operator)) => apply(operator, &elements, scalar)?,
                (None, None) => elements[0].clone(),
            };
            output.data.set(offset, &value)
        })?;
        Flow::one(output)
    }
}

/// The extent of each axis.
fn extents(plan: &Plan, inputs: &[&Rc<Tensor>]) -> Result<Vec<usize>, Trap> {
    let mut extents: Vec<Option<usize>> = vec![None; plan.axes.len()];
    for (input, (axes, tensor)) in plan.inputs.iter().zip(inputs).enumerate() {
        if axes.len() != tensor.shape.len() {
            let (want, have) = (axes.len(), tensor.shape.len());
            return Err(Trap::assertion(format!(
                "`{}`: input {input} has rank {have}, expected {want}",
                plan.expr
            )));
        }
        for (dimension, (&axis, &extent)) in axes.iter().zip(&tensor.shape).enumerate() {
            if let Some(known) = extents[axis].replace(extent).filter(|&known| known != extent) {
                let message = different_extents(plan, axis, (input, dimension), [known, extent]);
                return Err(Trap::assertion(message));
            }
        }
    }
    Ok(extents.into_iter().flatten().collect())
}

fn identity(operator: Operator, scalar: Scalar) -> Result<Datum, Trap> {
    match operator {
        Operator::And => Ok(true.into()),
        Operator::Or | Operator::Xor => Ok(false.into()),
        Operator::Mul => scalar.float(1.0),
        Operator::Max => scalar.float(f64::NEG_INFINITY),
        Operator::Min => scalar.float(f64::INFINITY),
        _ => scalar.float(0.0),
    }
}

/// The operand of a numeric operator: booleans are 0 and 1.
fn number(operator: Operator, value: &Datum, scalar: Scalar) -> Result<Datum, Trap> {
    match value {
        Datum::Int(value) if operator.class() == Class::Numeric => scalar.float(*value as f64),
        value => Ok(value.clone()),
    }
}

fn apply(operator: Operator, elements: &[Datum], scalar: Scalar) -> Result<Datum, Trap> {
    let elements: Vec<Datum> =
        elements.iter().map(|value| number(operator, value, scalar)).collect::<Result<_, _>>()?;
    match (&elements[..], operator.class()) {
        ([left, right], Class::Comparison) => compare(operator, left, right),
        ([left, right], _) => binary(operator, left, right),
        ([only], Class::Comparison) => compare(operator, only, &Datum::Int(0)),
        ([only], _) => unary(operator, only),
        _ => Err(Trap::new("an expression has one or two inputs")),
    }
}

fn compare(operator: Operator, left: &Datum, right: &Datum) -> Result<Datum, Trap> {
    // f64 represents every compared value exactly.
    let wide = |value: &Datum| match value {
        Datum::Int(value) => Ok(*value as f64),
        Datum::F32(value) => Ok(f64::from(*value)),
        Datum::F64(value) => Ok(*value),
        other => Err(Trap::new(format!("expected a number, found {}", other.describe()))),
    };
    let (left, right) = (wide(left)?, wide(right)?);
    Ok(match operator {
        Operator::Gt => left > right,
        Operator::Gte => left >= right,
        Operator::Lt => left < right,
        Operator::Lte => left <= right,
        Operator::Eq => left == right,
        _ => left != right,
    }
    .into())
}

/// Arithmetic in one float type.
macro_rules! arithmetic {
    ($float:ty) => {
        |operator: Operator, left: $float, right: $float| -> $float {
            match operator {
                Operator::Mul => left * right,
                Operator::Sub => left - right,
                Operator::Div => left / right,
                Operator::Max | Operator::Min if left.is_nan() || right.is_nan() => <$float>::NAN,
                // The positive zero is the larger one.
                Operator::Max if left == right => {
                    if left.is_sign_negative() {
                        right
                    } else {
                        left
                    }
                }
                Operator::Min if left == right => {
                    if left.is_sign_negative() {
                        left
                    } else {
                        right
                    }
                }
                Operator::Max => {
                    if left > right {
                        left
                    } else {
                        right
                    }
                }
                Operator::Min => {
                    if left < right {
                        left
                    } else {
                        right
                    }
                }
                Operator::Pow => left.powf(right),
                Operator::Log => right.ln() / left.ln(),
                _ => left + right,
            }
        }
    };
}

fn binary(operator: Operator, left: &Datum, right: &Datum) -> Result<Datum, Trap> {
    match (left, right) {
        (&Datum::F32(left), &Datum::F32(right)) => Ok(arithmetic!(f32)(operator, left, right).into()),
        (&Datum::F64(left), &Datum::F64(right)) => Ok(arithmetic!(f64)(operator, left, right).into()),
        (Datum::Int(_), Datum::Int(_)) => {
            let (left, right) = (left.bool()?, right.bool()?);
            Ok(match operator {
                Operator::And => left & right,
                Operator::Or => left | right,
                _ => left ^ right,
            }
            .into())
        }
        (left, right) => Err(Trap::new(format!("`{operator}` of {left:?} and {right:?}"))),
    }
}

fn unary(operator: Operator, value: &Datum) -> Result<Datum, Trap> {
    macro_rules! float {
        ($value:expr, $float:ty) => {
            match operator {
                Operator::Sub => -$value,
                Operator::Div => 1.0 / $value,
                Operator::Max | Operator::Min => arithmetic!($float)(operator, 0.0, $value),
                Operator::Pow => $value.exp(),
                Operator::Log => $value.ln(),
                _ => $value,
            }
            .into()
        };
    }
    Ok(match *value {
        Datum::F32(value) => float!(value, f32),
        Datum::F64(value) => float!(value, f64),
        Datum::Int(value) if operator == Operator::Not => Datum::Int(i64::from(value == 0)),
        ref value => value.clone(),
    })
}
