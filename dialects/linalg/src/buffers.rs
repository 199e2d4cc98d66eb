//! Bufferization of the linalg operations.

use crate::structured::{iterator_types, maps, n_inputs, reads_output};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Builder, Op, OpRef, OpState, Value};
use minoan_services::{Alias, AliasModel, BufferOps, IteratorType, RegionExecution, RegionFlow, ToBuffers};

/// Bufferization analysis: result `i` is output `i`, updated in place.
pub(crate) struct UpdatesOutputs;

impl AliasModel for UpdatesOutputs {
    fn alias(&self, op: OpRef<'_>, result: usize) -> Alias {
        Alias::UpdateOf(n_inputs(op) + result)
    }

    fn reads_updated(&self, op: OpRef<'_>, operand: usize) -> bool {
        reads_output(op, operand)
    }

    /// Elementwise: all dimensions are parallel, and both operands are indexed by the same permutation of them.
    fn may_reuse(&self, op: OpRef<'_>, input: usize, output: usize) -> bool {
        let (Some(maps), Some(iterators)) = (maps(op), iterator_types(op)) else { return false };
        iterators.iter().all(|&iterator| iterator == IteratorType::Parallel)
            && maps[input] == maps[output]
            && is_permutation(&maps[output])
    }
}

/// Whether the results of a map are its dimensions, each once.
fn is_permutation(map: &AffineMap) -> bool {
    let mut seen = vec![false; map.dims as usize];
    map.results.len() == seen.len()
        && map.results.iter().all(|result| match result {
            AffineExpr::Dim(dim) => !std::mem::replace(&mut seen[*dim as usize], true),
            _ => false,
        })
}

pub(crate) struct RunsPerElement;

impl RegionFlow for RunsPerElement {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        RegionExecution::Parallel
    }
}

/// Bufferization: recreates the operation without results, writing to the outputs.
pub(crate) struct OutputsAreWritten;

impl ToBuffers for OutputsAreWritten {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, _: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let view = b.body().op(op);
        let operands: Vec<Value> = view.operands().collect();
        // An operation that was on buffers before has no results.
        let outputs = operands[n_inputs(view)..].iter().copied().take(view.n_results()).collect();
        let state = OpState::new(view.kind()).loc(view.loc()).operands(&operands).props(view.props());
        let state = state.attrs(view.attrs()).regions(1);
        let from = view.region(0);
        let new = b.create(state);
        let to = b.body().op(new).region(0);
        b.body_mut().move_blocks(from, to);
        Ok(outputs)
    }
}
