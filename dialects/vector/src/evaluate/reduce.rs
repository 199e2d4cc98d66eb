//! Evaluation of reductions, outer products, contractions and scans.

use super::mask::Under;
use super::{build, element, extents, result_type};
use crate::Contract;
use crate::contract::{domain, place};
use crate::kind::CombiningKind;
use crate::rules::{numbers, operand};
use minoan_ir::affine::AffineMap;
use minoan_ir::{OpDef, OpRef};
use minoan_services::{Datum, Evaluate, FloatTernary, Flow, Machine, Scalar, Tensor, Trap};
use std::rc::Rc;

pub(crate) fn evaluate_reduction(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    reduction(op, operands, Under::default(), machine)
}

pub(crate) fn evaluate_multi_reduction(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    multi_reduction(op, operands, Under::default(), machine)
}

pub(crate) fn outer_product(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    outerproduct(op, operands, Under::default(), machine)
}

pub(crate) fn evaluate_contract(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    contract(op, operands, Under::default(), machine)
}

pub(crate) fn fused() -> FloatTernary {
    FloatTernary::new(f32::mul_add, f64::mul_add)
}

/// Combines the active elements; without any and without an accumulator, the neutral element.
pub(super) fn reduction(
    op: OpRef<'_>,
    operands: &[Datum],
    under: Under<'_>,
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let (data, kind) = (&operands[0].tensor()?.data, CombiningKind::of(op));
    machine.tick(data.len() as u64)?;
    let mut total = operands.get(1).cloned();
    let is_plain = operands[0].tensor()?.shape.is_empty();
    for index in 0..data.len() {
        let at = [index as i64];
        if !under.takes(if is_plain { &[] } else { &at })? {
            continue;
        }
        let element = data.get(index);
        total = Some(match total {
            Some(total) => kind.combine(op, machine, total, element)?,
            None => element,
        });
    }
    let neutral = || kind.neutral(op.context(), result_type(op, 0).ok()?);
    Flow::one(total.or_else(neutral).ok_or_else(|| Trap::new("a reduction of no elements"))?)
}

/// An accumulator: a scalar, or a vector that is updated element by element.
struct Total(Datum);

impl Total {
    fn add(
        &mut self,
        op: OpRef<'_>,
        machine: &mut dyn Machine,
        at: &[i64],
        value: Datum,
    ) -> Result<(), Trap> {
        let kind = CombiningKind::of(op);
        match &mut self.0 {
            Datum::Tensor(total) => {
                let total = Rc::make_mut(total);
                let offset = total.offset(at)?;
                let sum = kind.combine(op, machine, total.data.get(offset), value)?;
                total.data.set(offset, &sum)
            }
            total => {
                *total = kind.combine(op, machine, total.clone(), value)?;
                Ok(())
            }
        }
    }
}

pub(super) fn multi_reduction(
    op: OpRef<'_>,
    operands: &[Datum],
    under: Under<'_>,
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let (source, dims) = (operands[0].tensor()?, numbers(op, "reduction_dims"));
    let kept: Vec<usize> = (0..source.shape.len()).filter(|&dim| !dims.contains(&(dim as i64))).collect();
    let mut total = Total(operands[1].clone());
    Tensor::each_index(&source.shape, |at| {
        machine.tick(1)?;
        if !under.takes(at)? {
            return Ok(());
        }
        let place: Vec<i64> = kept.iter().map(|&dim| at[dim]).collect();
        total.add(op, machine, &place, element(source, at)?)
    })?;
    Flow::one(total.0)
}

/// A float sum is fused, as in its lowering to `vector.fma`. Inactive elements are those of the accumulator, or zero.
pub(super) fn outerproduct(
    op: OpRef<'_>,
    operands: &[Datum],
    under: Under<'_>,
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let (ctx, ty, kind) = (op.context(), result_type(op, 0)?, CombiningKind::of(op));
    let lhs = operands[0].tensor()?;
    let is_fused = kind == CombiningKind::Add && ty.element_or_self(ctx).is_float(ctx);
    Flow::one(build(op, ty, machine, |machine, at| {
        let a = element(lhs, &at[..1])?;
        let b = match &operands[1] {
            Datum::Tensor(rhs) => element(rhs, &at[1..])?,
            scalar => scalar.clone(),
        };
        let acc = operands.get(2).map(|acc| element(acc.tensor()?, at)).transpose()?;
        if !under.takes(at)? {
            return acc.map_or_else(|| Tensor::zero_of(ctx, ty.element_or_self(ctx)), Ok);
        }
        match acc {
            Some(acc) if is_fused => match fused().evaluate(op, &[a, b, acc], machine)? {
                Flow::Next(mut sums) if sums.len() == 1 => Ok(sums.remove(0)),
                _ => Err(Trap::new("a sum without a value")),
            },
            Some(acc) => {
                let product = CombiningKind::Mul.combine(op, machine, a, b)?;
                kind.combine(op, machine, product, acc)
            }
            None => CombiningKind::Mul.combine(op, machine, a, b),
        }
    })?)
}

/// Extends a value to a wider type: factors may be narrower than the accumulator.
fn promoted(value: Datum, to: Scalar) -> Result<Datum, Trap> {
    match value {
        Datum::F32(value) => to.float(f64::from(value)),
        Datum::F64(value) => to.float(value),
        other => Ok(other),
    }
}

/// Products are rounded before they are combined, in the order of the domain's points. A mask has the shape of the
/// domain.
pub(super) fn contract(
    op: OpRef<'_>,
    operands: &[Datum],
    under: Under<'_>,
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let (ctx, ty) = (op.context(), result_type(op, 0)?);
    let contract = Contract::from_op_unchecked(op.id());
    let maps = contract.maps(op.body());
    let shapes = [0, 1].map(|at| operand(op, at).shape(ctx).unwrap_or(&[]));
    extents(op, operand(op, 0))?;
    let domain: Option<Vec<usize>> = domain(&maps, shapes)
        .into_iter()
        .map(|extent| extent.and_then(|extent| usize::try_from(extent).ok()))
        .collect();
    let domain = domain.ok_or_else(|| Trap::new("a dimension without an extent"))?;
    let factors = [operands[0].tensor()?, operands[1].tensor()?];
    let scalar = Scalar::of(ctx, ty)?;
    let mut total = Total(operands[2].clone());
    Tensor::each_index(&domain, |at| {
        machine.tick(1)?;
        if !under.takes(at)? {
            return Ok(());
        }
        let factor = |side: usize| promoted(element(factors[side], &picked(&maps[side], at))?, scalar);
        let product = CombiningKind::Mul.combine(op, machine, factor(0)?, factor(1)?)?;
        total.add(op, machine, &picked(&maps[2], at), product)
    })?;
    Flow::one(total.0)
}

/// Applies a map that selects dimensions.
fn picked(map: &AffineMap, at: &[i64]) -> Vec<i64> {
    let mut place_of = vec![0; map.results.len()];
    for (dim, &at) in at.iter().enumerate() {
        if let Some(result) = place(map, dim) {
            place_of[result] = at;
        }
    }
    place_of
}

pub(crate) fn scan(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let ctx = op.context();
    let (source, kind) = (operands[0].tensor()?, CombiningKind::of(op));
    let inclusive = op.attr_named("inclusive").and_then(|attr| attr.as_bool(ctx)).unwrap_or(false);
    let dim = op.attr_named("reduction_dim").and_then(|dim| dim.as_i64(ctx));
    let dim = dim.and_then(|dim| usize::try_from(dim).ok()).filter(|&dim| dim < source.shape.len());
    let dim = dim.ok_or_else(|| Trap::new("a scan along no dimension"))?;
    let mut running = Tensor::clone(operands[1].tensor()?);
    let mut dest = Tensor::clone(source);
    // The first active element is taken unchanged.
    Tensor::each_index(&source.shape, |at| {
        machine.tick(1)?;
        let place = [&at[..dim], &at[dim + 1..]].concat();
        let (offset, slot) = (dest.offset(at)?, running.offset(&place)?);
        let (value, before) = (source.data.get(offset), running.data.get(slot));
        let after =
            if inclusive && at[dim] == 0 { value } else { kind.combine(op, machine, before.clone(), value)? };
        dest.data.set(offset, if inclusive { &after } else { &before })?;
        running.data.set(slot, &after)
    })?;
    // The second result of a scan is its last combination.
    let end = source.shape[dim] as i64 - 1;
    let last = build(op, result_type(op, 1)?, machine, |_, at| {
        element(&dest, &[&at[..dim], &[end], &at[dim..]].concat())
    })?;
    Ok(Flow::Next(vec![dest.into(), last.into()]))
}
