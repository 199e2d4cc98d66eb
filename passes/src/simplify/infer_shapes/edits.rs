//! Applies the inferred types of `infer-shapes`, with the necessary casts.

use minoan_ir::{Attr, Body, Context, InsertionPoint, Op, OpState, Type, Value};
use minoan_services::ShapeCast;
use rustc_hash::FxHashMap;

/// The edits of a body.
#[derive(Default)]
pub(super) struct Edits {
    /// Operands that need a cast: the inferred type of the value, and the type that the operation requires.
    pub(super) operands: Vec<(Op, usize, Type, Type)>,
    /// Values that get a type: in place, or by a cast after the definition.
    pub(super) types: Vec<(Value, Type, bool)>,
    /// Functions that get a type.
    pub(super) functions: Vec<(Op, Type)>,
}

impl Edits {
    /// Applies the edits; returns the number of casts.
    pub(super) fn apply(self, body: &mut Body) -> u64 {
        let ctx = body.context().clone();
        let mut made = 0;
        for (value, ty, in_place) in self.types {
            if in_place {
                body.set_type(value, ty);
                continue;
            }
            let from = body.ty(value);
            let cast = create(&ctx, body, value, from, ty);
            let user = body.defining_op(cast);
            body.replace_uses_if(value, cast, |found| Some(found.op) != user);
            made += 1;
        }
        let mut casts: FxHashMap<(Value, Type), Value> = FxHashMap::default();
        for (op, index, from, to) in self.operands {
            let value = body.op(op).operand(index);
            let cast = *casts.entry((value, to)).or_insert_with(|| {
                made += 1;
                create(&ctx, body, value, from, to)
            });
            body.set_operand(op, index, cast);
        }
        for (function, ty) in self.functions {
            body.set_attr(function, ctx.names().function_type, Some(Attr::ty(&ctx, ty)));
        }
        erase_casts(&ctx, body);
        made
    }
}

/// Erases casts between equal types.
fn erase_casts(ctx: &Context, body: &mut Body) {
    for op in body.walk() {
        let view = body.op(op);
        let is_cast = ctx.service::<dyn ShapeCast>(view.kind()).is_some_and(|service| service.is_cast(view));
        if is_cast && view.operand_types().eq(view.result_types()) {
            let operands: Vec<Value> = view.operands().collect();
            body.replace(op, &operands);
        }
    }
}

/// Casts a value after its definition.
fn create(ctx: &Context, body: &mut Body, value: Value, from: Type, to: Type) -> Value {
    let mut services = ctx.dialects().iter().filter_map(|dialect| dialect.service::<dyn ShapeCast>());
    let state = services.find_map(|service| service.cast(ctx, value, from, to));
    let state: OpState = state.expect("the types of tensors differ in known extents");
    let point = match body.defining_op(value) {
        Some(op) => InsertionPoint::After(op),
        None => InsertionPoint::Start(body.block_of(value).expect("an argument has a block")),
    };
    let loc = body.value_loc(value);
    let cast = body.create(&state.loc(loc), point);
    body.op(cast).result(0)
}
