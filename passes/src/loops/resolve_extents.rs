//! `resolve-extents`: replaces extents of tensors that loops and conditionals pass on by those of the tensors that they started
//! with.
//!
//! A loop that replaces elements of a tensor, or adds to it, does not change its extents. By induction, the extents equal those
//! of the initial value if the yielded value preserves the extents of the region argument ([`RegionFlow`], [`ExtentOf`]).
//! Allocations, assertions and comparisons that depend on them are then loop-invariant.
//!
//! ```text
//! scf.while (%x = %init) {                          scf.while (%x = %init) {
//!   %n = tensor.dim %x, %c0                   ->      %n = tensor.dim %init, %c0
//!   %y = tensor.insert %v into %x[%i]                 %y = tensor.insert %v into %x[%i]
//! ```
//!
//! All loops of a body are solved at once, and then each separately: an extent that changes in an outer loop may be invariant in
//! an inner one. The time is linear.

use crate::analysis::extents::{Extents, Key};
use minoan_diag::Diagnostics;
use minoan_ir::{Body, Builder, Def, InsertionPoint, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{ExtentOf, IndexOps, RegionFlow, TensorOps};
use rustc_hash::FxHashMap;

/// Replaces extents by those of other tensors through loops and conditionals.
pub struct ResolveExtents;

impl Pass for ResolveExtents {
    fn name(&self) -> &'static str {
        "resolve-extents"
    }

    fn description(&self) -> &'static str {
        "replace extents of tensors in loops by those of the tensors from before them"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-resolved", "Number of extents replaced")]
    }

    queries!(ExtentOf, RegionFlow, IndexOps, TensorOps);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let makers = (<dyn IndexOps>::any(&ctx), <dyn TensorOps>::any(&ctx));
        let (Some(index_ops), Some(tensor_ops)) = makers else { return Ok(()) };
        let resolved = run.each_body(|body| {
            let mut extents = Extents::new(&ctx);
            extents.follow_regions(body);
            if extents.known.is_empty() { 0 } else { replace(body, &extents, index_ops, tensor_ops) }
        });
        run.count("num-resolved", resolved.into_iter().sum());
        Ok(())
    }
}

/// Replaces the operations that compute extents originating from another tensor or value; returns their number.
fn replace(
    body: &mut Body,
    extents: &Extents<'_>,
    index_ops: &dyn IndexOps,
    tensor_ops: &dyn TensorOps,
) -> u64 {
    let mut made: FxHashMap<Key, Value> = FxHashMap::default();
    let mut count = 0;
    for op in body.walk() {
        let Some((tensor, dim)) = extents.dimension(body, op) else { continue };
        let key = extents.of_dim(body, tensor, dim);
        if key == Key::Of(tensor, dim) {
            continue;
        }
        let loc = body.op(op).loc();
        let value = match key {
            Key::Value(value) => value,
            Key::Known(known) => {
                index_ops.index(&mut Builder::new(body, InsertionPoint::Before(op)).with_loc(loc), known)
            }
            Key::Of(origin, dim) => *made.entry(key).or_insert_with(|| {
                let point = after_definition(body, origin);
                tensor_ops.extent(&mut Builder::new(body, point).with_loc(loc), origin, dim)
            }),
        };
        body.replace(op, &[value]);
        count += 1;
    }
    count
}

/// The first place where a value is available.
fn after_definition(body: &Body, value: Value) -> InsertionPoint {
    match body.def(value) {
        Def::Result(op, _) => InsertionPoint::After(op),
        Def::Arg(block, _) => InsertionPoint::Start(block),
    }
}
