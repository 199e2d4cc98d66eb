//! `fuse`: what is computed point by point is computed where it is read.
//!
//! An operation that computes a tensor over an iteration domain is taken into the operation that reads it, when that is
//! its only reader and stands in the same block, and nothing in it touches memory or the outside: so every element is
//! computed at most as often as before, and the tensor between them is never made. Readers are visited last first, and a
//! reader takes in the producers of what it took in. Its scalar computation does not grow beyond `max-operations`, which
//! keeps the time linear.

use minoan_diag::Diagnostics;
use minoan_ir::{Body, Context, Op, ServiceId, ServiceTable, Traits};
use minoan_pass::{Pass, PassRun, own_options, pass_options};
use minoan_services::{EffectSet, Effects, EffectsTable, Fusion, IterationDomain, Producer};

pass_options! {
    /// The options of the pass.
    pub struct FuseOptions {
        /// No scalar computation grows beyond so many operations
        "max-operations" max_operations: usize = 500,
    }
}

/// Takes producers into their readers.
#[derive(Default)]
pub struct Fuse {
    /// Its options.
    pub options: FuseOptions,
}

impl Pass for Fuse {
    fn name(&self) -> &'static str {
        "fuse"
    }

    fn description(&self) -> &'static str {
        "compute elements of tensors where they are read"
    }

    own_options!();

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-fused", "Number of operations taken into their reader")]
    }

    fn asks(&self) -> Vec<ServiceId> {
        vec![
            ServiceId::of::<dyn IterationDomain>(),
            ServiceId::of::<dyn Fusion>(),
            ServiceId::of::<dyn Effects>(),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let domains = ctx.service_table::<dyn IterationDomain>();
        let (Some(domains), Some(fusions)) = (domains, ctx.service_table::<dyn Fusion>()) else {
            return Ok(());
        };
        let largest = self.options.max_operations;
        let fused = run.each_body(|body| fuse_body(body, domains, fusions, largest));
        run.count("num-fused", fused.into_iter().sum());
        Ok(())
    }
}

/// Fuses in a body, and says how many operations went.
fn fuse_body(
    body: &mut Body,
    domains: &ServiceTable<dyn IterationDomain>,
    fusions: &ServiceTable<dyn Fusion>,
    largest: usize,
) -> u64 {
    let ctx = body.context().clone();
    let is_reader = |&op: &Op| fusions.get(body.op(op).kind()).is_some();
    let mut readers: Vec<Op> = body.walk().into_iter().filter(is_reader).collect();
    let mut fused = 0;
    while let Some(reader) = readers.pop() {
        // It may have stood in an operation that was taken in.
        if !body.contains(reader) {
            continue;
        }
        let Some(fusion) = fusions.get(body.op(reader).kind()) else { continue };
        for operand in 0..body.op(reader).n_operands() {
            let Some((op, result)) = only_for(body, reader, operand) else { continue };
            let view = body.op(op);
            let Some(answer) = domains.get(view.kind()) else { continue };
            let Some(domain) = answer.domain(view) else { continue };
            if size(body, op) + size(body, reader) > largest || !is_harmless(&ctx, body, op) {
                continue;
            }
            let producer = Producer { op, result, domain: &domain, answer };
            if let Some(now) = fusion.fuse(body, reader, operand, producer) {
                body.erase(op);
                readers.extend(now);
                fused += 1;
                break;
            }
        }
    }
    fused
}

/// The operation of the same block that has no other purpose than to compute an operand, and which result that is.
fn only_for(body: &Body, reader: Op, operand: usize) -> Option<(Op, usize)> {
    let value = body.op(reader).operand(operand);
    let op = body.defining_op(value)?;
    body.only_use(value)?;
    if body.op(op).block() != body.op(reader).block() {
        return None;
    }
    let mut result = None;
    for (index, other) in body.op(op).results().enumerate() {
        match other == value {
            true => result = Some(index),
            false if body.is_used(other) => return None,
            false => {}
        }
    }
    Some((op, result?))
}

/// The operation and what is directly in its regions.
fn size(body: &Body, op: Op) -> usize {
    let blocks = body.op(op).regions().flat_map(|region| body.region(region).blocks());
    1 + blocks.map(|block| body.block(block).len()).sum::<usize>()
}

/// Whether nothing in the operation touches memory or the outside, so that it may be computed later.
fn is_harmless(ctx: &Context, body: &Body, op: Op) -> bool {
    let effects = EffectsTable::new(ctx);
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let view = body.op(op);
        if effects.own(view) != EffectSet::NONE || (view.nested().is_some() && !view.has_trait(Traits::PURE))
        {
            return false;
        }
        for region in view.regions() {
            let blocks = body.region(region).blocks();
            pending.extend(blocks.flat_map(|block| body.block(block).ops()));
        }
    }
    true
}
