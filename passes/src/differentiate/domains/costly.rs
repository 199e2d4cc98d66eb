//! Costly numbers of operations over iteration domains in loops.
//!
//! The reverse of an iteration computes the points of a domain again. Exponentials and the like become additional results of the
//! operation, which the derivative reads, so that a loop whose iterations depend on each other saves them
//! ([`residuals`](crate::differentiate::residuals)).

use super::{Input, Output, Structured};
use crate::differentiate::work::{Work, nested};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Body, Builder, DYNAMIC, Op, Traits, Type, Value};
use minoan_services::{Domain, Extent, permutation};

impl<'c> Work<'_, 'c> {
    /// Makes the costly numbers of the active operations over domains in loops results of these; returns whether there are some.
    pub(in crate::differentiate) fn return_costly(&mut self, body: &mut Body) -> bool {
        let Some(loops) = self.engine.loops else { return false };
        let mut found = false;
        for op in body.walk() {
            // The operation may have been erased together with the one around it.
            let Ok(view) = body.try_op(op) else { continue };
            let wanted = view.results().any(|result| self.is_active(result))
                && view.ancestors().skip(1).any(|around| loops.get(around.kind()).is_some());
            if !wanted {
                continue;
            }
            if let Some(structured) = self.engine.structured(body, op, &self.active, false) {
                found |= self.return_costly_of(body, op, &structured).is_some();
            }
        }
        found
    }

    /// Makes the costly numbers of an operation without reductions results of it.
    fn return_costly_of(&mut self, body: &mut Body, op: Op, structured: &Structured<'c>) -> Option<()> {
        let view = body.op(op);
        let (operands, results): (Vec<Value>, Vec<Value>) =
            (view.operands().collect(), view.results().collect());
        let (domain, loc) = (&structured.domain, view.loc());
        let dims = domain.iterator_types.len();
        // Only if an operand has an element for each point: saved numbers then need at most as much memory as that operand.
        let reads_all = domain
            .reads
            .iter()
            .any(|read| read.map.results.len() == dims && permutation(&read.map).is_some());
        if !reads_all || !(0..results.len()).all(|result| structured.reuses(result)) {
            return None;
        }
        let costly = self.costly(body, &nested(body, op));
        let is_yielded =
            |&value: &Value| body.uses(value).any(|place| body.op(place.op).has_trait(Traits::TERMINATOR));
        let types: Vec<Type> =
            costly.into_iter().filter(|value| !is_yielded(value)).map(|value| body.ty(value)).collect();
        if types.is_empty() {
            return None;
        }
        let mut b = Builder::before(body, op).with_loc(loc);
        let extents = self.defined_extents(&mut b, structured, &operands);
        let sizes: Vec<Value> = extents.iter().map(|&extent| self.engine.size(&mut b, extent)).collect();
        let shape: Vec<i64> = extents.iter().map(|extent| extent.in_shape()).collect();
        let mut inputs: Vec<Input> = Vec::new();
        let read: Vec<Option<usize>> = domain
            .reads
            .iter()
            .map(|read| {
                let value = operands[read.operand];
                b.ty(value).is_tensor(self.engine.ctx).then(|| {
                    inputs.push((value, read.map.clone()));
                    inputs.len() - 1
                })
            })
            .collect();
        let mut outputs = Vec::with_capacity(results.len() + types.len());
        for (result, map) in domain.writes.iter().enumerate() {
            let init = match structured.updated[result] {
                Some(operand) => operands[operand],
                None => {
                    let ty = b.ty(results[result]);
                    let sizes: Vec<Value> = map
                        .results
                        .iter()
                        .map(|expr| match expr {
                            AffineExpr::Dim(dim) => sizes[*dim as usize],
                            _ => unreachable!("the map is a permutation"),
                        })
                        .collect();
                    self.engine.ops.empty(&mut b, ty, &sizes)
                }
            };
            outputs.push(Output { init, map: map.clone(), adds: false });
        }
        for element in types {
            let ty = Type::tensor(self.engine.ctx, &shape, element);
            let init = self.engine.ops.empty(&mut b, ty, &sizes);
            outputs.push(Output { init, map: AffineMap::identity(dims as u32), adds: false });
        }
        let made = self.over_domain(&mut b, &extents, &inputs, &outputs, &mut |work, b, point| {
            let given = point.inputs;
            let elements =
                work.elements(b, structured, &operands, &|at| read[at].and_then(|input| given[input]));
            let (inner, mut values) = work.replay_point(b, op, structured, &elements, point);
            let mut costly = work.costly(b.body(), &inner);
            costly.retain(|value| !values.contains(value));
            values.extend(costly);
            values
        })?;
        body.replace(op, &made[..results.len()]);
        Some(())
    }

    /// The results of costly operations among these.
    fn costly(&self, body: &Body, ops: &[Op]) -> Vec<Value> {
        let costly = ops.iter().map(|&op| body.op(op)).filter(|&op| {
            self.is_costly(op)
                && self.engine.effects.all(op).removable()
                && op.result_types().all(|ty| self.engine.is_active_type(ty))
        });
        costly.flat_map(|op| op.results()).collect()
    }

    /// The extents of a domain, by the sizes that operands are defined with if possible: those may be known outside of the loop.
    fn defined_extents(
        &self,
        b: &mut Builder<'_>,
        structured: &Structured<'_>,
        operands: &[Value],
    ) -> Vec<Extent> {
        let Domain { extents, reads, writes, .. } = &structured.domain;
        let updated = structured.updated.iter().zip(writes);
        let updated = updated.filter_map(|(operand, map)| Some((operands[(*operand)?], map)));
        let tensors: Vec<(Value, &AffineMap)> =
            updated.chain(reads.iter().map(|read| (operands[read.operand], &read.map))).collect();
        let found = extents.iter().enumerate().map(|(dim, &extent)| {
            let (operand, of) = match extent {
                Extent::Known(_) | Extent::Value(_) => return extent,
                Extent::Plus { .. } => {
                    return Extent::Value(self.engine.ops.extent_value(b, extent, operands));
                }
                Extent::Of { operand, dim } => (operand, dim),
            };
            let own = AffineExpr::Dim(dim as u32);
            let sizes = tensors.iter().find_map(|(tensor, map)| {
                let at = map.results.iter().position(|expr| *expr == own)?;
                let sizes = self.engine.ops.sizes(b.body().op(b.body().defining_op(*tensor)?))?;
                let shape = b.ty(*tensor).shape(self.engine.ctx)?;
                let before = shape[..at].iter().filter(|&&extent| extent == DYNAMIC).count();
                (shape[at] == DYNAMIC).then(|| sizes.get(before).copied()).flatten()
            });
            Extent::Value(sizes.unwrap_or_else(|| self.engine.ops.extent(b, operands[operand], of)))
        });
        found.collect()
    }
}
