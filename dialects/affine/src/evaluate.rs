//! Evaluation of the operations without regions.
//!
//! Sums and products that exceed the numbers of `index` are poison. A quotient or remainder by a number that is not positive is
//! undefined behavior.

use crate::flatten::{div_ceil, div_floor};
use crate::index::Element;
use crate::{DelinearizeIndex, LinearizeIndex};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{DYNAMIC, OpDef, OpRef, Type};
use minoan_services::{Datum, Evaluate, Flow, Machine, Tensor, Trap};
use num_integer::Integer;

/// The value of an expression; `None` if it is poison.
pub(crate) fn evaluate_expr(
    expr: &AffineExpr,
    dims: &[Option<i64>],
    symbols: &[Option<i64>],
) -> Result<Option<i64>, Trap> {
    let known = |list: &[Option<i64>], at: u32| {
        list.get(at as usize).copied().ok_or_else(|| Trap::new("an affine map with too few operands"))
    };
    let (op, lhs, rhs) = match expr {
        AffineExpr::Dim(at) => return known(dims, *at),
        AffineExpr::Symbol(at) => return known(symbols, *at),
        AffineExpr::Constant(value) => return Ok(Some(*value)),
        AffineExpr::Binary(op, lhs, rhs) => {
            (*op, evaluate_expr(lhs, dims, symbols)?, evaluate_expr(rhs, dims, symbols)?)
        }
    };
    if !matches!(op, AffineOp::Add | AffineOp::Mul) && rhs.is_none_or(|rhs| rhs <= 0) {
        return Err(Trap::undefined("the divisor of an affine expression is not positive"));
    }
    Ok(lhs.zip(rhs).and_then(|(lhs, rhs)| match op {
        AffineOp::Add => lhs.checked_add(rhs),
        AffineOp::Mul => lhs.checked_mul(rhs),
        AffineOp::Mod => Some(lhs.mod_floor(&rhs)),
        AffineOp::FloorDiv => Some(div_floor(lhs, rhs)),
        AffineOp::CeilDiv => Some(div_ceil(lhs, rhs)),
    }))
}

/// The number of an operand; `None` if it is poison.
fn number(datum: &Datum) -> Result<Option<i64>, Trap> {
    match datum {
        Datum::Poison => Ok(None),
        datum => datum.int().map(Some),
    }
}

/// The results of a map; `None` for poison.
pub(crate) fn evaluate_map(map: &AffineMap, operands: &[Datum]) -> Result<Vec<Option<i64>>, Trap> {
    let numbers = operands.iter().map(number).collect::<Result<Vec<_>, Trap>>()?;
    let (dims, symbols) = numbers.split_at((map.dims as usize).min(numbers.len()));
    map.results.iter().map(|expr| evaluate_expr(expr, dims, symbols)).collect()
}

/// The largest or smallest result of a map; `None` if one is poison.
pub(crate) fn extremum(map: &AffineMap, operands: &[Datum], is_max: bool) -> Result<Option<i64>, Trap> {
    let results = evaluate_map(map, operands)?;
    let best = |best: i64, next: i64| if is_max { best.max(next) } else { best.min(next) };
    let Some((first, rest)) = results.split_first() else {
        return Err(Trap::undefined("the extremum of no values"));
    };
    Ok(rest.iter().fold(*first, |so_far, next| so_far.zip(*next).map(|(so_far, next)| best(so_far, next))))
}

fn datum(number: Option<i64>) -> Datum {
    number.map_or(Datum::Poison, Datum::Int)
}

fn map_of(op: OpRef<'_>) -> Result<&AffineMap, Trap> {
    let map = op.attr_named("map").and_then(|map| map.as_affine_map(op.context()));
    map.ok_or_else(|| Trap::new(format!("'{}' has no map", op.name())))
}

pub(crate) struct EvaluateApply;

impl Evaluate for EvaluateApply {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Ok(Flow::Next(evaluate_map(map_of(op)?, operands)?.into_iter().map(datum).collect()))
    }
}

pub(crate) struct EvaluateExtremum {
    pub(crate) is_max: bool,
}

impl Evaluate for EvaluateExtremum {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(datum(extremum(map_of(op)?, operands, self.is_max)?))
    }
}

/// The indices of an access.
fn place(op: OpRef<'_>, operands: &[Datum]) -> Result<Vec<i64>, Trap> {
    let indices = evaluate_map(map_of(op)?, operands)?;
    let defined = |index: Option<i64>| index.ok_or_else(|| Trap::undefined("an index is poison"));
    indices.into_iter().map(defined).collect()
}

pub(crate) struct EvaluateLoad;

impl Evaluate for EvaluateLoad {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(operands[0].buffer()?.get(&place(op, &operands[1..])?)?)
    }
}

pub(crate) struct EvaluateStore;

impl Evaluate for EvaluateStore {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        operands[1].buffer()?.set(&place(op, &operands[2..])?, &operands[0])?;
        Flow::none()
    }
}

/// The position of an element of a vector in memory: its index is added to the last ones of the place.
fn shifted(place: &[i64], at: &[i64]) -> Result<Vec<i64>, Trap> {
    let mut place = place.to_vec();
    let first =
        place.len().checked_sub(at.len()).ok_or_else(|| Trap::new("a vector with too many dimensions"))?;
    for (index, at) in place[first..].iter_mut().zip(at) {
        *index += at;
    }
    Ok(place)
}

pub(crate) struct EvaluateVectorLoad;

impl Evaluate for EvaluateVectorLoad {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (ctx, place) = (op.context(), place(op, &operands[1..])?);
        let ty = op.result_types().next().unwrap_or(Type::NONE);
        let shape = Tensor::extents(ctx, ty, &[])?;
        let mut vector = Tensor::splat(&shape, &Tensor::zero_of(ctx, ty.element_or_self(ctx))?)?;
        machine.tick(vector.data.len() as u64)?;
        let buffer = operands[0].buffer()?;
        Tensor::each_index(&shape, |at| {
            let element = buffer.get(&shifted(&place, at)?)?;
            let offset = vector.offset(at)?;
            vector.data.set(offset, &element)
        })?;
        Flow::one(vector)
    }
}

pub(crate) struct EvaluateVectorStore;

impl Evaluate for EvaluateVectorStore {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (place, vector) = (place(op, &operands[2..])?, operands[0].tensor()?);
        machine.tick(vector.data.len() as u64)?;
        let buffer = operands[1].buffer()?;
        Tensor::each_index(&vector.shape, |at| {
            buffer.set(&shifted(&place, at)?, &vector.data.get(vector.offset(at)?))
        })?;
        Flow::none()
    }
}

pub(crate) struct EvaluateNothing;

impl Evaluate for EvaluateNothing {
    fn evaluate(&self, _: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::none()
    }
}

/// The numbers of a basis without the first of `count` numbers; `None` for poison.
fn basis(elements: &[Element], values: &[Datum], count: usize) -> Result<Vec<Option<i64>>, Trap> {
    let mut values = values.iter();
    let mut numbers = Vec::new();
    for element in elements {
        numbers.push(match element {
            Element::Number(number) if *number != DYNAMIC => Some(*number),
            _ => number(values.next().ok_or_else(|| Trap::new("a basis with too few operands"))?)?,
        });
    }
    let first = numbers.len().saturating_sub(count.saturating_sub(1));
    Ok(numbers.split_off(first))
}

pub(crate) struct EvaluateDelinearize;

impl Evaluate for EvaluateDelinearize {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let (of, count) = (DelinearizeIndex::from_op_unchecked(op.id()), op.n_results());
        let basis = basis(&of.basis(op.body()), &operands[1..], count)?;
        let Some(mut rest) = number(&operands[0])? else { return Ok(Flow::Next(vec![Datum::Poison; count])) };
        let mut digits = Vec::new();
        for by in basis.into_iter().rev() {
            let by = by.filter(|&by| by > 0);
            let by = by.ok_or_else(|| Trap::undefined("an element of a basis is not positive"))?;
            digits.push(Datum::Int(rest.mod_floor(&by)));
            rest = div_floor(rest, by);
        }
        digits.push(Datum::Int(rest));
        digits.reverse();
        digits.truncate(count);
        Ok(Flow::Next(digits))
    }
}

pub(crate) struct EvaluateLinearize;

impl Evaluate for EvaluateLinearize {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let of = LinearizeIndex::from_op_unchecked(op.id());
        let count = op.operand_range(0).len();
        let (digits, values) = operands.split_at(count);
        let digits = digits.iter().map(number).collect::<Result<Vec<_>, Trap>>()?;
        let elements = of.basis(op.body());
        let disjoint = of.is_disjoint(op.body());
        // The bound of the first digit, if there is one, is only a condition.
        let first = match elements.first() {
            Some(_) if elements.len() == count => {
                basis(&elements[..1], values, 2)?.first().copied().flatten()
            }
            _ => None,
        };
        let basis = basis(&elements, values, count)?;
        let Some((&leading, rest)) = digits.split_first() else { return Flow::one(0i64) };
        let is_small = |digit: Option<i64>, by: Option<i64>| {
            digit.zip(by).is_none_or(|(digit, by)| (0..by).contains(&digit))
        };
        let fits = leading.zip(first).is_none_or(|(digit, by)| digit < by)
            && rest.iter().zip(&basis).all(|(&digit, &by)| is_small(digit, by));
        if disjoint && !fits {
            return Flow::one(Datum::Poison);
        }
        let number = rest
            .iter()
            .zip(basis)
            .fold(leading, |number, (&digit, by)| number?.checked_mul(by?)?.checked_add(digit?));
        Flow::one(datum(number))
    }
}
