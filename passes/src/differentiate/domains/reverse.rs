//! Reverse mode.

use super::masks::{Mask, Masked, mask_of};
use super::windows::Windows;
use super::{Inputs, Output, Point, Structured, Target};
use crate::differentiate::work::Work;
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Builder, Op, Type, Value};
use minoan_services::{Extent, permutation};
use rustc_hash::FxHashSet;

/// An operation with its cotangents.
struct Pulled<'p, 'c> {
    op: Op,
    structured: &'p Structured<'c>,
    operands: Vec<Value>,
    results: Vec<Value>,
    seeds: Vec<Option<Value>>,
    extents: Vec<Extent>,
    /// Active scalars from outside that the computation of a point uses.
    scalars: Vec<Value>,
}

impl<'w, 'c> Work<'w, 'c> {
    /// Adds the cotangents of the operands of an operation over a domain.
    pub(in crate::differentiate) fn reverse_domain(
        &mut self,
        b: &mut Builder<'_>,
        op: Op,
        structured: &Structured<'c>,
    ) {
        let mut scalars = self.captures(b.body(), op);
        let view = b.body().op(op);
        let (operands, results): (Vec<Value>, Vec<Value>) =
            (view.operands().collect(), view.results().collect());
        let seeds: Vec<Option<Value>> =
            results.iter().map(|result| self.derivatives.remove(result)).collect();
        let domain = &structured.domain;
        let is_scalar = |b: &Builder<'_>, value: Value| !b.ty(value).is_tensor(self.engine.ctx);
        let mut targets: Vec<Target> = Vec::new();
        for (at, read) in domain.reads.iter().enumerate() {
            let value = operands[read.operand];
            if !self.is_active(value) || structured.is_old(at) {
                continue;
            }
            if is_scalar(b, value) {
                scalars.push(value);
                continue;
            }
            match targets.iter_mut().find(|target| target.value == value && target.map == read.map) {
                Some(target) => target.reads.push(at),
                None => targets.push(Target { value, map: read.map.clone(), reads: vec![at] }),
            }
        }
        let mut seen = FxHashSet::default();
        scalars.retain(|&value| seen.insert(value));
        let dims = domain.iterator_types.len() as u32;
        targets.extend(scalars.iter().map(|&value| Target {
            value,
            map: AffineMap::projection(dims, &[]),
            reads: Vec::new(),
        }));
        for (result, &seed) in seeds.iter().enumerate() {
            let old = structured.old(result).map(|read| operands[domain.reads[read].operand]);
            if let (Some(seed), Some(old)) = (seed, old)
                && self.is_active(old)
            {
                self.accumulate(b, old, seed);
            }
        }
        let extents = self.extents(b, domain, &operands);
        let pulled = Pulled { op, structured, operands, results, seeds, extents, scalars };
        // Targets whose maps keep the same dimensions, in groups of different values.
        let kept = |target: &Target| {
            let mut found = FxHashSet::default();
            target.map.results.iter().for_each(|expr| expr.for_each_dim(&mut |dim| _ = found.insert(dim)));
            let mut dims: Vec<u32> = found.into_iter().collect();
            dims.sort_unstable();
            dims
        };
        let mut groups: Vec<(Vec<u32>, Vec<Target>)> = Vec::new();
        for target in targets {
            let dims = kept(&target);
            // Windows are inverted for one operand.
            let is_window = |target: &Target| target.map.as_projection().is_none();
            let fits = |(own, group): &&mut (Vec<u32>, Vec<Target>)| {
                let joins = |other: &Target| other.value != target.value && !is_window(other);
                *own == dims && !is_window(&target) && group.iter().all(joins)
            };
            match groups.iter_mut().find(fits) {
                Some((_, group)) => group.push(target),
                None => groups.push((dims, vec![target])),
            }
        }
        for (_, group) in groups {
            if self.pull_group(b, &pulled, &group).is_none() {
                return self.report(b.body().op(op), "has a domain that its derivative cannot have");
            }
        }
    }

    /// The output for the cotangents of a target, which are added to those so far.
    fn cotangent_output(&self, b: &mut Builder<'_>, target: &Target, so_far: Option<Value>) -> Output {
        let (ops, ctx) = (self.engine.ops, self.engine.ctx);
        let ty = b.ty(target.value);
        let (init, adds) = match so_far {
            _ if !ty.is_tensor(ctx) => {
                let start = match so_far {
                    Some(so_far) => so_far,
                    None => self.zero_like(b, target.value),
                };
                let room = ops.empty(b, Type::tensor(ctx, &[], ty), &[]);
                (ops.store(b, start, room, &[]), true)
            }
            Some(so_far) => (so_far, true),
            // Each element is read at one point.
            None if permutation(&target.map).is_some() => {
                let rank = target.map.results.len();
                let sizes: Vec<Value> = (0..rank).map(|dim| ops.extent(b, target.value, dim)).collect();
                (ops.empty(b, ty, &sizes), false)
            }
            None => (self.zero_like(b, target.value), true),
        };
        Output { init, map: target.map.clone(), adds }
    }

    /// Creates the operation that adds the cotangents of some operands.
    fn pull_group(&mut self, b: &mut Builder<'_>, pulled: &Pulled<'_, 'c>, targets: &[Target]) -> Option<()> {
        let (ops, ctx) = (self.engine.ops, self.engine.ctx);
        let Pulled { op, structured, operands, results, seeds, extents, scalars } = pulled;
        let domain = &structured.domain;
        let mut outputs = Vec::with_capacity(targets.len());
        let mut first_so_far = None;
        let mut is_new = Vec::with_capacity(targets.len());
        for target in targets {
            let so_far = self.derivatives.remove(&target.value);
            first_so_far = first_so_far.or(so_far);
            is_new.push(so_far.is_none());
            outputs.push(self.cotangent_output(b, target, so_far));
        }
        // The inputs are the tensors that are read, the cotangents, and the computed tensors.
        let mut inputs = Inputs::reads(ctx, b.body(), structured, operands);
        let of_results = seeds.iter().zip(&domain.writes);
        let seeded: Vec<Option<usize>> =
            of_results.map(|(seed, map)| Some(inputs.push((*seed)?, map))).collect();
        inputs.push_computed(structured, results);
        let windows = self.windows(b, pulled, targets);
        let masked = match windows.is_some() || structured.is_reduction() {
            true => vec![None; seeds.len()],
            false => self.masked(&mut inputs, seeds, &domain.writes),
        };
        let (mut masks, given_seeds) = (vec![None; targets.len()], seeds.iter().flatten().count());
        let others: Vec<Value> = scalars
            .iter()
            .copied()
            .filter(|&value| targets.iter().all(|target| target.value != value))
            .collect();
        let outer: Vec<bool> = others.iter().map(|value| self.active.remove(value)).collect();
        let mut compute = |work: &mut Self, b: &mut Builder<'_>, point: &mut Point<'_>| {
            let given = point.inputs;
            let elements = work.elements(b, structured, operands, &|read| inputs.element(given, read));
            let wanted = targets.iter().flat_map(|target| &target.reads);
            work.active.extend(wanted.map(|&at| elements[at]));
            let (inner, values) = work.replay_point(b, *op, structured, &elements, point);
            let mut selected = None;
            for ((&value, &seed), masked) in values.iter().zip(&seeded).zip(&masked) {
                if let Some(seed) = seed.and_then(|input| given[input])
                    && work.is_active(value)
                {
                    let chosen = masked.as_ref().map_or(seed, |masked| masked.select(work, b, seed, given));
                    selected = Some((chosen, seed));
                    work.accumulate(b, value, chosen);
                }
            }
            work.reverse_ops(b, &inner);
            let mut cotangents = Vec::with_capacity(targets.len());
            for target in targets {
                let sources: Vec<Value> = match target.reads.is_empty() {
                    true => vec![target.value],
                    false => target.reads.iter().map(|&at| elements[at]).collect(),
                };
                let parts: Vec<Value> =
                    sources.iter().filter_map(|source| work.derivatives.remove(source)).collect();
                let sum = parts.into_iter().reduce(|sum, part| work.add(b, sum, part));
                // A cotangent that is only moved is zero where it is not selected.
                let sum = sum
                    .map(|sum| selected.filter(|&(chosen, _)| chosen == sum).map_or(sum, |(_, seed)| seed));
                cotangents.push(match sum {
                    Some(sum) => sum,
                    None => work.zero_like(b, sources[0]),
                });
            }
            inputs.use_computed(b.body_mut(), given, &inner, &values, &mut cotangents);
            let seeds: Vec<Masked> = masked.iter().flatten().cloned().collect();
            let seeds = if seeds.len() == given_seeds { &seeds[..] } else { &[] };
            for (mask, (target, &cotangent)) in masks.iter_mut().zip(targets.iter().zip(&cotangents)) {
                *mask = mask_of(b.body(), cotangent, target, &inputs.list, given, seeds);
            }
            cotangents
        };
        let inverted = windows.and_then(|windows| {
            let target = (targets[0].value, &targets[0].map, first_so_far);
            self.over_windows(b, &windows, &inputs.list, target, &mut compute)
        });
        let made = match inverted {
            Some(value) => Some(vec![value]),
            None => self.over_domain(b, extents, &inputs.list, &outputs, &mut compute),
        };
        let restored = others.into_iter().zip(outer).filter(|&(_, was)| was).map(|(value, _)| value);
        self.active.extend(restored);
        for (((target, value), mask), is_new) in targets.iter().zip(made?).zip(masks).zip(is_new) {
            let is_tensor = b.ty(target.value).is_tensor(ctx);
            let value = if is_tensor { value } else { ops.load(b, value, &[]) };
            if let Some(mask) = mask.filter(|_| is_new && is_tensor) {
                self.masks.insert(value, mask);
            }
            self.derivatives.insert(target.value, value);
        }
        Some(())
    }

    /// The windows in which an operand is read that is the only target.
    fn windows(&self, b: &Builder<'_>, pulled: &Pulled<'_, 'c>, targets: &[Target]) -> Option<Windows> {
        let [target] = targets else { return None };
        let shape: Vec<i64> = b.ty(target.value).shape(self.engine.ctx).unwrap_or(&[]).to_vec();
        let writes = &pulled.structured.domain.writes;
        let position = |dim: u32| writes.iter().any(|map| map.results.contains(&AffineExpr::Dim(dim)));
        Windows::of(&target.map, &shape, &pulled.extents, &position)
    }

    /// The cotangents of results that are masked, whose conditions become inputs.
    fn masked(
        &self,
        inputs: &mut Inputs,
        seeds: &[Option<Value>],
        writes: &[AffineMap],
    ) -> Vec<Option<Masked>> {
        let mask = |(seed, map): (&Option<Value>, &AffineMap)| {
            let mask: &Mask = self.masks.get(&(*seed)?)?;
            let (condition, at) = mask.input(map)?;
            Some(Masked { mask: mask.clone(), input: inputs.push(condition, &at), map: map.clone() })
        };
        seeds.iter().zip(writes).map(mask).collect()
    }
}
