//! What the code that `#[op]` generates calls. Not for use by hand.

use crate::{Attr, Body, Builder, Context, InferInput, Op, OpDef, OpState, Type};

/// The declared attribute number `index`: the operation's own, or the default.
#[track_caller]
pub fn attr<O: OpDef>(body: &Body, op: Op, index: usize) -> Attr {
    let spec = &O::SPEC.attrs[index];
    let own = body.op(op).attr_named(spec.name);
    own.or_else(|| default_attr::<O>(body.context(), index))
        .unwrap_or_else(|| panic!("'{}' has no attribute '{}'", O::SPEC.name, spec.name))
}

/// The properties of a new operation: the given ones, and the defaults of the others.
pub fn props<O: OpDef>(ctx: &Context, given: &[(&str, Option<Attr>)]) -> Attr {
    let given = given.iter().filter_map(|&(name, attr)| Some((ctx.name(name), attr?)));
    let defaults = O::SPEC.attrs.iter().enumerate().filter(|(_, spec)| spec.default.is_some());
    let defaults =
        defaults.filter_map(|(index, spec)| Some((ctx.name(spec.name), default_attr::<O>(ctx, index)?)));
    let entries: Vec<_> = defaults.chain(given).collect();
    if entries.is_empty() { Attr::EMPTY } else { Attr::dictionary(ctx, &entries) }
}

fn default_attr<O: OpDef>(ctx: &Context, index: usize) -> Option<Attr> {
    ctx.info(ctx.kind_of::<O>())?.default_attr(ctx, index)
}

/// The type of the first operand, which all results have too.
#[track_caller]
pub fn first_type<O: OpDef>(b: &Builder<'_>, state: &OpState) -> Type {
    match state.operands.first() {
        Some(&value) => b.ty(value),
        None => panic!("'{}' has the result type of its operands, but no operand", O::SPEC.name),
    }
}

/// Infers the result types from the operands and properties in `state`.
#[track_caller]
pub fn infer<O: OpDef>(b: &Builder<'_>, state: &mut OpState) {
    let operands: Vec<Type> = state.operands.iter().map(|&value| b.ty(value)).collect();
    let ctx = b.body().context();
    let types = O::SPEC.infer_types(&InferInput { ctx, operands: &operands, props: state.props });
    match types.expect("the declaration has an `infer` function") {
        Ok(types) => state.results.extend(types),
        Err(message) => panic!("'{}' op {message}", O::SPEC.name),
    }
}
