//! Test-case reduction of functions.

use crate::Return;
use minoan_ir::{Block, Body, Builder, Op, OpRef, Type, Value};
use minoan_services::{ConstantMaterializer, Reduce, Scalar};

/// Reduces a function to one that returns zeros.
pub(crate) struct ToConstants;

impl Reduce for ToConstants {
    fn n_simplifications(&self, op: OpRef<'_>) -> usize {
        usize::from(op.nested().is_some_and(|inside| !inside.region(inside.root(0)).is_empty()))
    }

    fn simplify(&self, body: &mut Body, op: Op, _: usize) -> bool {
        let (ctx, kind) = (body.context().clone(), body.op(op).kind());
        let results = body.op(op).attr(ctx.names().function_type).and_then(|ty| ty.as_type(&ctx));
        let Some((inputs, results)) = results.and_then(|ty| ty.as_function(&ctx)) else { return false };
        let constant = |&ty: &Type| {
            let zero = Scalar::of(&ctx, ty).ok().filter(|_| !ty.is_memref(&ctx))?.zero();
            let value = zero.to_attr(&ctx, ty).or_else(|| zero.to_splat(&ctx, ty))?;
            <dyn ConstantMaterializer>::constant(&ctx, kind, value, ty)
        };
        let Some(constants) = results.iter().map(constant).collect::<Option<Vec<_>>>() else { return false };
        let Some(inside) = body.nested_mut(op) else { return false };
        let region = inside.root(0);
        let old: Vec<Block> = inside.region(region).blocks().collect();
        if inside.try_erase_blocks(&old).is_err() {
            return false;
        }
        let entry = inside.add_block(region, inputs);
        let mut b = Builder::at_end(inside, entry);
        let mut values: Vec<Value> = Vec::new();
        for state in constants {
            let op = b.create(state);
            values.push(b.body().op(op).result(0));
        }
        Return::build(&mut b, &values);
        true
    }
}
