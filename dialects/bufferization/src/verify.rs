//! Verification.

use crate::{AllocTensor, Dealloc, MaterializeInDestination};
use minoan_ir::verify::bare;
use minoan_ir::{Body, DYNAMIC, Op, OpDef, Type, Value, Violations};
use minoan_services::{RuntimeChecks, RuntimeVerification};

pub(crate) fn alloc_tensor(body: &Body, op: Op, errors: &mut Violations) {
    let (alloc, ctx) = (AllocTensor::from_op_unchecked(op), body.context());
    let (sizes, ty) = (alloc.dynamic_sizes(body).len(), body.ty(alloc.result(body)));
    let Some(copy) = alloc.copy(body) else {
        let shape = ty.shape(ctx).unwrap_or(&[]);
        let dynamic = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
        if sizes != dynamic {
            errors.push(format!("incorrect number of dynamic sizes, has {sizes}, expected {dynamic}"));
        }
        return;
    };
    if sizes > 0 {
        errors.push(bare("dynamic sizes not needed when copying a tensor"));
    } else if body.ty(copy) != ty {
        errors.push(bare("expected that `copy` and return type match"));
    }
}

pub(crate) fn dealloc(body: &Body, op: Op, errors: &mut Violations) {
    let dealloc = Dealloc::from_op_unchecked(op);
    if dealloc.memrefs(body).len() != dealloc.conditions(body).len() {
        errors.push("must have the same number of conditions as memrefs to deallocate");
    } else if dealloc.retained(body).len() != body.op(op).n_results() {
        errors.push("must have the same number of updated conditions (results) as retained operands");
    }
}

pub(crate) fn materialize(body: &Body, op: Op, errors: &mut Violations) {
    let (write, ctx) = (MaterializeInDestination::from_op_unchecked(op), body.context());
    let (source, dest) = (body.ty(write.source(body)), body.ty(write.dest(body)));
    let (is_tensor, is_buffer) = (dest.is_tensor(ctx), dest.is_memref(ctx));
    let result = write.result(body).map(|result| body.ty(result));
    let fits = |(a, b): (&i64, &i64)| a == b || *a == DYNAMIC || *b == DYNAMIC;
    errors.push(if source.element(ctx) != dest.element(ctx) {
        "failed to verify that all of {source, dest} have same element type"
    } else if !is_tensor && !is_buffer {
        "'dest' must be a tensor or a memref"
    } else if is_tensor && result.is_none() {
        "tensor 'dest' implies exactly one tensor result"
    } else if is_tensor && result != Some(dest) {
        "result and 'dest' types must match"
    } else if is_buffer && result.is_some() {
        "memref 'dest' implies zero results"
    } else if write.restrict(body) && !is_buffer {
        "'restrict' is valid only for memref destinations"
    } else if write.writable(body) != is_buffer {
        "'writable' must be specified if and only if the destination is of memref type"
    } else {
        match (source.shape(ctx), dest.shape(ctx)) {
            (Some(from), Some(to)) if from.len() != to.len() => {
                "rank mismatch between source and destination shape"
            }
            (Some(from), Some(to)) if from.iter().zip(to).all(fits) => return,
            (None, None) => return,
            _ => "source/destination shapes are incompatible",
        }
    });
}

pub(crate) fn to_tensor(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    same_type(body, body.ty(view.result(0)), body.ty(view.operand(0)), errors);
}

pub(crate) fn to_buffer(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    same_type(body, body.ty(view.operand(0)), body.ty(view.result(0)), errors);
}

fn same_type(body: &Body, tensor: Type, buffer: Type, errors: &mut Violations) {
    let ctx = body.context();
    if tensor.shape(ctx) != buffer.shape(ctx) {
        errors.push(bare("shapes do not match"));
    } else if tensor.element(ctx) != buffer.element(ctx) {
        errors.push(bare("element types do not match"));
    } else {
        return;
    }
    errors.push("failed to verify that specified tensor and buffer types match");
}

/// The tensor and its destination have the same extents.
pub(crate) struct SameExtents;

impl RuntimeVerification for SameExtents {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let operands: Vec<Value> = checks.op(op).operands().collect();
        let (from, to) = (checks.extents(operands[0]), checks.extents(operands[1]));
        for (dim, (from, to)) in from.into_iter().zip(to).enumerate() {
            let same = checks.equal(from, to);
            let message =
                format!("a tensor of extent {{}} in dimension {dim} is materialized in extent {{}}");
            checks.expect(same, &message, &[from, to]);
        }
    }
}
