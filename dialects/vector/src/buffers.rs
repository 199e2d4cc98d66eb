//! Bufferization of the vector operations: reads of tensors become reads of buffers, updates of tensors become writes
//! to buffers.

use minoan_ir::{Builder, Op, OpRef, OpState, Type, Value};
use minoan_services::{Alias, AliasModel, BufferOps, ToBuffers};

/// Recreates the operation with these result types.
fn again(b: &mut Builder<'_>, op: Op, results: &[Type]) -> Op {
    let view = b.body().op(op);
    let operands: Vec<Value> = view.operands().collect();
    let state = OpState::new(view.kind()).operands(&operands).results(results);
    let state = state.props(view.props()).attrs(view.attrs());
    b.create(state)
}

/// Bufferization of operations that only read tensors.
pub(crate) struct Reads;

impl ToBuffers for Reads {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, _: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let results: Vec<Type> = b.body().op(op).result_types().collect();
        let new = again(b, op, &results);
        Ok(b.body().op(new).results().collect())
    }
}

/// Bufferization of operations that return an operand tensor with updated elements.
pub(crate) struct Updates(pub(crate) usize);

impl AliasModel for Updates {
    fn alias(&self, _: OpRef<'_>, _: usize) -> Alias {
        Alias::UpdateOf(self.0)
    }
}

impl ToBuffers for Updates {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, _: &dyn BufferOps) -> Result<Vec<Value>, String> {
        again(b, op, &[]);
        let view = b.body().op(op);
        Ok(if view.n_results() > 0 { vec![view.operand(self.0)] } else { Vec::new() })
    }
}
