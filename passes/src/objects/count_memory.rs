//! `count-memory`: counts copies of buffers and creations of objects while the program runs.
//!
//! Inserts a call of a counter of the runtime before each memory event ([`MemoryEvents`]).
//! The pass follows `expand-counts`; `kc run --memory-check` runs it, and prints the counters.

use minoan_diag::Diagnostics;
use minoan_ir::{Body, Builder, Context, InsertionPoint, OpRef};
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_services::{FunctionMaterializer, MemoryEvent, MemoryEvents};
use std::collections::BTreeSet;

/// Inserts calls that count.
pub struct CountMemory;

impl Pass for CountMemory {
    fn name(&self) -> &'static str {
        "count-memory"
    }

    fn description(&self) -> &'static str {
        "count copies of buffers and creations of objects at run time"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(MemoryEvents, FunctionMaterializer);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-counted", "Number of operations that are counted")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(functions) = <dyn FunctionMaterializer>::any(&ctx) else { return Ok(()) };
        let module = run.module_mut();
        let block = module.block();
        let body = module.body_mut();
        let mut used = BTreeSet::new();
        let mut counted = 0;
        for nested in body.nested_bodies_mut() {
            counted += count(&ctx, nested, functions, &mut used);
        }
        for event in used {
            let mut b = Builder::new(body, InsertionPoint::Start(block));
            functions.declare(&mut b, event.counter(), &[], &[]);
        }
        run.count("num-counted", counted);
        Ok(())
    }
}

/// Inserts calls before the operations of a body that are events; returns their number.
fn count(
    ctx: &Context,
    body: &mut Body,
    functions: &dyn FunctionMaterializer,
    used: &mut BTreeSet<MemoryEvent>,
) -> u64 {
    let event = |op: OpRef<'_>| ctx.service::<dyn MemoryEvents>(op.kind())?.event(op);
    let mut counted = 0;
    for op in body.walk() {
        let Some(event) = event(body.op(op)) else { continue };
        used.insert(event);
        counted += 1;
        let loc = body.op(op).loc();
        let call = functions.call(ctx, event.counter(), &[], &[]).loc(loc);
        body.create(&call, InsertionPoint::Before(op));
    }
    counted
}
