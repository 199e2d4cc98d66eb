//! Passing additional values through the regions of conditionals.

use super::control::{Get, If, MakeTuple, Yield};
use minoan_ir::{Body, Builder, InsertionPoint, Op, OpDef, OpRef, Type, Value};
use minoan_services::{PassThrough, ThreadedEnd, ThreadedOp};

/// The values become components of a tuple, since a conditional has one result.
pub(crate) struct InTuple;

/// The terminators of the regions.
fn yields(op: OpRef<'_>) -> impl Iterator<Item = Option<Op>> {
    let body = op.body();
    op.own_regions().map(|region| {
        let last = body.block(body.region(region).entry()?).last()?;
        body.op(last).is::<Yield>().then_some(last)
    })
}

impl PassThrough for InTuple {
    fn can_thread(&self, op: OpRef<'_>) -> bool {
        op.is::<If>() && yields(op).all(|end| end.is_some())
    }

    fn thread(&self, body: &mut Body, op: Op, values: &[Value]) -> ThreadedOp {
        let view = body.op(op);
        let operands: Vec<Value> = view.operands().collect();
        let types: Vec<Type> =
            view.result_types().chain(values.iter().map(|&value| body.ty(value))).collect();
        let ctx = body.context().clone();
        let new = body.recreate(op, &operands, &[Type::tuple(&ctx, &types)]);
        let (tuple, loc) = (body.op(new).result(0), body.op(new).loc());
        let mut b = Builder::new(body, InsertionPoint::After(new)).with_loc(loc);
        let parts: Vec<Value> =
            (0..types.len() as i64).map(|at| Get::build(&mut b, tuple, at).result(b.body())).collect();
        body.replace(op, &parts[..1]);
        let mut ends = Vec::new();
        for end in yields(body.op(new)).flatten().collect::<Vec<Op>>() {
            let own = body.op(end).operand(0);
            let components: Vec<Value> = std::iter::once(own).chain(values.iter().copied()).collect();
            let tuple = MakeTuple::build(&mut Builder::before(body, end), &components);
            let value = tuple.result(body);
            body.set_operand(end, 0, value);
            ends.push(ThreadedEnd { end, user: tuple.op(), first: 1 });
        }
        ThreadedOp { op: new, args: vec![values.to_vec(); 2], ends, results: parts[1..].to_vec() }
    }
}
