//! Bufferization of `arith.select`.

use crate::select;
use minoan_ir::{Builder, Op, OpRef, Type, Value};
use minoan_services::{BufferOps, OperandUse, Ownership, ToBuffers};

/// `arith.select` of tensors by a scalar condition. If the result is only read, it is one of the two buffers. Otherwise, if both
/// tensors die, one becomes the result and the other is freed; if not, the selected one is copied.
pub(crate) struct ChooseBuffer;

impl Ownership for ChooseBuffer {
    fn operand(&self, op: OpRef<'_>, index: usize) -> OperandUse {
        let by_one = op.operand_types().next() == Some(Type::I1);
        if by_one && index > 0 { OperandUse::ConsumeTogether } else { OperandUse::Borrow }
    }
}

/// The condition and the two buffers.
fn parts(b: &Builder<'_>, op: Op) -> Result<[Value; 3], String> {
    let view = b.body().op(op);
    let operands = [0, 1, 2].map(|index| view.operand(index));
    let [condition, yes, no] = operands.map(|operand| b.ty(operand));
    if condition != Type::I1 {
        return Err("with a condition for each element has no bufferization".to_owned());
    }
    if yes != no {
        return Err("has no bufferization for different layouts".to_owned());
    }
    Ok(operands)
}

impl ToBuffers for ChooseBuffer {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let [condition, yes, no] = parts(b, op)?;
        let chosen = select(b, condition, yes, no);
        let ty = b.ty(chosen);
        let copy = buffers.alloc_like(b, ty, chosen);
        buffers.copy(b, chosen, copy);
        Ok(vec![copy])
    }

    fn to_buffers_taking(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        buffers: &dyn BufferOps,
    ) -> Result<Vec<Value>, String> {
        let [condition, yes, no] = parts(b, op)?;
        let chosen = select(b, condition, yes, no);
        let other = select(b, condition, no, yes);
        buffers.dealloc(b, other);
        Ok(vec![chosen])
    }

    fn to_buffers_choosing(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        _: &dyn BufferOps,
    ) -> Option<Result<Vec<Value>, String>> {
        Some(parts(b, op).map(|[condition, yes, no]| vec![select(b, condition, yes, no)]))
    }
}
