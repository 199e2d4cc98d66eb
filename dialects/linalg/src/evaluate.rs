//! Evaluation of the linalg operations.

use crate::runtime_verification::extents_message;
use crate::structured;
use minoan_ir::OpRef;
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_services::{Datum, Evaluate, Flow, Machine, Tensor, Trap};

/// The extents of an operand; empty for a scalar.
pub(crate) fn shape(datum: &Datum) -> Result<Vec<usize>, Trap> {
    match datum {
        Datum::Tensor(tensor) => Ok(tensor.shape.clone()),
        Datum::Buffer(buffer) => buffer.shape(),
        _ => Ok(Vec::new()),
    }
}

fn element(datum: &Datum, at: &[i64]) -> Result<Datum, Trap> {
    match datum {
        Datum::Tensor(tensor) => Ok(tensor.data.get(tensor.offset(at)?)),
        Datum::Buffer(buffer) => buffer.get(at),
        scalar => Ok(scalar.clone()),
    }
}

fn set_element(datum: &mut Datum, at: &[i64], value: &Datum) -> Result<(), Trap> {
    match datum {
        Datum::Tensor(tensor) => {
            let tensor = std::rc::Rc::make_mut(tensor);
            let offset = tensor.offset(at)?;
            tensor.data.set(offset, value)
        }
        Datum::Buffer(buffer) => buffer.set(at, value),
        other => Err(Trap::new(format!("an output cannot be {}", other.describe()))),
    }
}

/// The results: the outputs that are tensors.
fn results(outputs: Vec<Datum>) -> Flow {
    Flow::Next(outputs.into_iter().filter(|output| matches!(output, Datum::Tensor(_))).collect())
}

/// The extents of the iteration domain: each dimension has the extent of the operand dimensions that it indexes
/// alone.
fn domain(maps: &[AffineMap], operands: &[Datum]) -> Result<Vec<usize>, Trap> {
    let dims = maps.first().map_or(0, |map| map.dims as usize);
    let mut extents: Vec<Option<usize>> = vec![None; dims];
    for (map, operand) in maps.iter().zip(operands) {
        for (result, extent) in map.results.iter().zip(shape(operand)?) {
            let AffineExpr::Dim(dim) = result else { continue };
            match extents[*dim as usize].replace(extent) {
                Some(other) if other != extent => {
                    return Err(Trap::assertion(extents_message(*dim, other, extent)));
                }
                _ => {}
            }
        }
    }
    let missing = || Trap::new("a loop without an extent");
    extents.into_iter().map(|extent| extent.ok_or_else(missing)).collect()
}

/// Evaluates operations whose region computes new elements of the outputs at each point of the iteration domain.
pub(crate) struct EvaluateStructured;

impl Evaluate for EvaluateStructured {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let maps = structured::maps(op).ok_or_else(|| Trap::new("an operation without indexing maps"))?;
        run(op, &maps, operands, machine)
    }
}

/// Evaluates the region at each point of the iteration domain.
fn run(
    op: OpRef<'_>,
    maps: &[AffineMap],
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let (body, region) = (op.body(), op.region(0));
    let n_inputs = structured::n_inputs(op);
    let inputs = &operands[..n_inputs];
    let mut outputs = operands[n_inputs..].to_vec();
    let place = |map: &AffineMap, at: &[i64]| -> Result<Vec<i64>, Trap> {
        let value = |expr: &AffineExpr| expr.evaluate(at, &[]);
        map.results.iter().map(value).collect::<Option<_>>().ok_or_else(|| Trap::new("an index overflows"))
    };
    let around = machine.point().to_vec();
    Tensor::each_index(&domain(maps, operands)?, |at| {
        machine.tick(1)?;
        machine.go_to(at.to_vec());
        let mut args = Vec::with_capacity(operands.len());
        for (operand, map) in inputs.iter().chain(&outputs).zip(maps) {
            args.push(element(operand, &place(map, at)?)?);
        }
        let values = machine.run_region(body, region, &args)?;
        for ((output, map), value) in outputs.iter_mut().zip(&maps[n_inputs..]).zip(&values) {
            set_element(output, &place(map, at)?, value)?;
        }
        Ok(())
    })?;
    machine.go_to(around);
    Ok(results(outputs))
}

pub(crate) struct EvaluateFill;

impl Evaluate for EvaluateFill {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let mut outputs = operands[1..].to_vec();
        for output in &mut outputs {
            let filled = Tensor::splat(&shape(output)?, &operands[0])?;
            match output {
                Datum::Buffer(buffer) => buffer.assign(filled)?,
                output => *output = filled.into(),
            }
        }
        Ok(results(outputs))
    }
}

pub(crate) struct EvaluateIndex;

impl Evaluate for EvaluateIndex {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let dim = op.attr_value::<i64>("dim");
        let at = dim.and_then(|dim| machine.point().get(usize::try_from(dim).ok()?).copied());
        Flow::one(at.ok_or_else(|| Trap::new("an index outside of its iteration domain"))?)
    }
}
