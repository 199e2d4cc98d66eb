//! Forward mode.

use super::{Inputs, Output, Point, Structured};
use crate::differentiate::work::Work;
use minoan_ir::{Body, Builder, InsertionPoint, Op, Value};
use minoan_services::{Domain, Read};

/// An operation whose tangents are computed.
struct Pushed<'p, 'c> {
    op: Op,
    structured: &'p Structured<'c>,
    operands: Vec<Value>,
    results: Vec<Value>,
}

/// An input with the tangents of the elements of a read.
#[derive(Clone, Copy)]
struct TangentInput {
    lane: usize,
    read: usize,
    input: usize,
}

impl<'w, 'c> Work<'w, 'c> {
    /// Computes the tangents of the results of an operation over a domain.
    pub(in crate::differentiate) fn forward_domain(
        &mut self,
        body: &mut Body,
        op: Op,
        structured: &Structured<'c>,
    ) {
        let view = body.op(op);
        let (operands, results): (Vec<Value>, Vec<Value>) =
            (view.operands().collect(), view.results().collect());
        let moving: Vec<usize> = (0..structured.domain.reads.len())
            .filter(|&at| self.derivatives.contains_key(&operands[structured.domain.reads[at].operand]))
            .collect();
        let captured = self.captures(body, op).iter().any(|value| self.derivatives.contains_key(value));
        if moving.is_empty() && !captured {
            return;
        }
        let loc = view.loc();
        let mut b = Builder::new(body, InsertionPoint::After(op)).with_loc(loc);
        let pushed = Pushed { op, structured, operands, results };
        let made = match structured.is_reduction() && !structured.is_sum {
            true => self.push_together(&mut b, &pushed, &moving),
            false => self.push(&mut b, &pushed, &moving),
        };
        if made.is_none() {
            self.report(body.op(op), "has a domain that its derivative cannot have");
        }
    }

    /// Creates the tangents of the results. Those of a sum are the sums of the tangents with respect to each operand.
    fn push(&mut self, b: &mut Builder<'_>, pushed: &Pushed<'_, 'c>, moving: &[usize]) -> Option<()> {
        let (ops, ctx) = (self.engine.ops, self.engine.ctx);
        let Pushed { op, structured, operands, results } = pushed;
        let domain = &structured.domain;
        let operand = |at: usize| operands[domain.reads[at].operand];
        let wanted: Vec<usize> = (0..results.len()).filter(|&at| self.is_active(results[at])).collect();
        let lanes = self.lanes();
        let mut tangents: Vec<Option<Value>> = Vec::with_capacity(lanes * wanted.len());
        for lane in 0..lanes {
            let known = |&at: &usize| self.lane(lane).get(&operand(structured.old(at)?)).copied();
            tangents.extend(wanted.iter().map(known));
        }
        let (tensors, scalars): (Vec<usize>, Vec<usize>) = moving
            .iter()
            .copied()
            .filter(|&at| !structured.is_old(at))
            .partition(|&at| b.ty(operand(at)).is_tensor(ctx));
        let mut outer: Vec<Value> = scalars.into_iter().map(operand).collect();
        outer.extend(self.captures(b.body(), *op));
        outer.retain(|value| self.derivatives.contains_key(value));
        let mut groups: Vec<(Vec<usize>, bool)> = match structured.is_reduction() {
            true => tensors.into_iter().map(|at| (vec![at], false)).collect(),
            false => vec![(tensors, true)],
        };
        if structured.is_reduction() && !outer.is_empty() {
            groups.push((Vec::new(), true));
        }
        let extents = self.extents(b, domain, operands);
        for (group, with_outer) in groups {
            let mut inputs = Inputs::reads(ctx, b.body(), structured, operands);
            let mut moved: Vec<TangentInput> = Vec::new();
            for lane in 0..lanes {
                for &read in &group {
                    if let Some(&tangent) = self.lane(lane).get(&operand(read)) {
                        let input = inputs.push(tangent, &domain.reads[read].map);
                        moved.push(TangentInput { lane, read, input });
                    }
                }
            }
            inputs.push_computed(structured, results);
            let of_outputs = wanted.iter().cycle().zip(&tangents);
            let outputs: Vec<Output> =
                of_outputs.map(|(&at, &tangent)| self.output(b, pushed, at, tangent)).collect();
            let mut hidden: Vec<(usize, Value, Value)> = Vec::new();
            for lane in 0..if with_outer { 0 } else { lanes } {
                let known = self.lane_mut(lane);
                hidden.extend(outer.iter().filter_map(|&value| Some((lane, value, known.remove(&value)?))));
            }
            let mut compute = |work: &mut Self, b: &mut Builder<'_>, point: &mut Point<'_>| {
                let given = point.inputs;
                let elements = work.elements(b, structured, operands, &|read| inputs.element(given, read));
                for &TangentInput { lane, read, input } in &moved {
                    let tangent = match given[input] {
                        Some(tangent) => tangent,
                        None => {
                            let ty = b.ty(elements[read]);
                            ops.placeholder(b, ty)
                        }
                    };
                    work.active.insert(elements[read]);
                    work.lane_mut(lane).insert(elements[read], tangent);
                }
                let (inner, values) = work.forward_point(b, *op, structured, &elements, point);
                let mut found = Vec::with_capacity(lanes * wanted.len());
                for lane in 0..lanes {
                    found.extend(wanted.iter().map(|&at| work.tangent(b, lane, values[at])));
                }
                inputs.use_computed(b.body_mut(), given, &inner, &values, &mut found);
                found
            };
            let made = self.over_domain(b, &extents, &inputs.list, &outputs, &mut compute);
            for (lane, value, tangent) in hidden {
                self.lane_mut(lane).insert(value, tangent);
            }
            tangents = made?.into_iter().map(Some).collect();
        }
        for (lane, tangents) in tangents.chunks(wanted.len().max(1)).enumerate() {
            let found = wanted.iter().zip(tangents);
            let found = found.filter_map(|(&at, &tangent)| Some((results[at], tangent?)));
            self.lane_mut(lane).extend(found);
        }
        Some(())
    }

    /// The output for the tangents of a result. `tangent` are those so far, which are added to.
    fn output(
        &self,
        b: &mut Builder<'_>,
        pushed: &Pushed<'_, 'c>,
        result: usize,
        tangent: Option<Value>,
    ) -> Output {
        let Pushed { structured, results, .. } = pushed;
        let map = structured.domain.writes[result].clone();
        let (init, adds) = match tangent {
            Some(tangent) => (tangent, true),
            None if structured.is_reduction() => (self.zero_like(b, results[result]), true),
            None if structured.is_partial(result) => (self.zero_like(b, results[result]), false),
            None => {
                let ty = b.ty(results[result]);
                let ops = self.engine.ops;
                let sizes: Vec<Value> =
                    (0..map.results.len()).map(|dim| ops.extent(b, results[result], dim)).collect();
                (ops.empty(b, ty, &sizes), false)
            }
        };
        Output { init, map, adds }
    }

    /// Replaces a reduction by one that computes the tangents as well.
    fn push_together(
        &mut self,
        b: &mut Builder<'_>,
        pushed: &Pushed<'_, 'c>,
        moving: &[usize],
    ) -> Option<()> {
        let ctx = self.engine.ctx;
        let Pushed { op, structured, operands, results } = pushed;
        let domain = &structured.domain;
        let operand = |at: usize| operands[domain.reads[at].operand];
        let wanted: Vec<usize> = (0..results.len()).filter(|&at| self.is_active(results[at])).collect();
        let lanes = self.lanes();
        let mut ins: Vec<(usize, Value, Option<usize>)> = Vec::new();
        for at in 0..domain.reads.len() {
            if !structured.is_old(at) && b.ty(operand(at)).is_tensor(ctx) {
                ins.push((at, operand(at), None));
            }
        }
        for lane in 0..lanes {
            for &at in moving {
                let tangent = *self.lane(lane).get(&operand(at))?;
                if !structured.is_old(at) && b.ty(tangent).is_tensor(ctx) {
                    ins.push((at, tangent, Some(lane)));
                }
            }
        }
        let mut outs = Vec::new();
        let mut writes = domain.writes.clone();
        for result in 0..results.len() {
            outs.push(operand(structured.old(result)?));
        }
        for lane in 0..lanes {
            for &result in &wanted {
                let init = operand(structured.old(result)?);
                outs.push(self.tangent(b, lane, init));
                writes.push(domain.writes[result].clone());
            }
        }
        let extents = self.extents(b, domain, operands);
        let maps = ins.iter().map(|&(at, ..)| &domain.reads[at].map).chain(&writes);
        let shapes = self.shapes(b, &extents, maps);
        let maps = ins.iter().map(|&(at, ..)| &domain.reads[at].map).chain(shapes.iter().map(|(_, map)| map));
        let reads = maps.enumerate().map(|(number, map)| Read::new(number, map.clone())).collect();
        let iterator_types = domain.iterator_types.clone();
        let joint = Domain { iterator_types, extents, reads, writes };
        let read = ins.iter().map(|&(_, value, _)| value);
        let values: Vec<Value> = read.chain(shapes.iter().map(|&(value, _)| value)).collect();
        let makers = self.engine.makers?;
        let made = makers.make(b, &joint, &values, &outs, &mut |b, found, index| {
            let (inputs, olds) = found.split_at(values.len());
            let (old, tangents) = olds.split_at(results.len());
            let element = |at: usize| {
                let result = (0..results.len()).find(|&result| structured.old(result) == Some(at));
                let own = ins.iter().position(|&(read, _, lane)| read == at && lane.is_none());
                result.map(|result| old[result]).or_else(|| own.map(|number| inputs[number]))
            };
            let elements = self.elements(b, structured, operands, &element);
            for (&(at, _, lane), &tangent) in ins.iter().zip(inputs) {
                if let Some(lane) = lane {
                    self.lane_mut(lane).insert(elements[at], tangent);
                    self.active.insert(elements[at]);
                }
            }
            for (lane, tangents) in tangents.chunks(wanted.len().max(1)).enumerate() {
                for (&result, &tangent) in wanted.iter().zip(tangents) {
                    self.lane_mut(lane).insert(old[result], tangent);
                    self.active.insert(old[result]);
                }
            }
            let mut point = Point { inputs: &[], index };
            let (_, mut values) = self.forward_point(b, *op, structured, &elements, &mut point);
            let moved: Vec<Value> = (0..lanes)
                .flat_map(|lane| wanted.iter().map(move |&at| (lane, at)))
                .map(|(lane, at)| self.tangent(b, lane, values[at]))
                .collect();
            values.extend(moved);
            values
        })?;
        let all: Vec<Value> = b.body().op(made).results().collect();
        self.active.extend(wanted.iter().map(|&at| all[at]));
        for (lane, tangents) in all[results.len()..].chunks(wanted.len().max(1)).enumerate() {
            self.lane_mut(lane).extend(wanted.iter().zip(tangents).map(|(&at, &tangent)| (all[at], tangent)));
        }
        b.body_mut().replace(*op, &all[..results.len()]);
        Some(())
    }

    /// Computes a point and the tangents of its values; returns the operations of the point and the values.
    fn forward_point(
        &mut self,
        b: &mut Builder<'_>,
        op: Op,
        structured: &Structured<'_>,
        elements: &[Value],
        point: &mut Point<'_>,
    ) -> (Vec<Op>, Vec<Value>) {
        let (inner, mut values) = self.replay_point(b, op, structured, elements, point);
        self.forward_ops(b.body_mut(), &inner);
        for value in &mut values {
            *value = self.replaced.get(value).copied().unwrap_or(*value);
        }
        (inner, values)
    }
}
