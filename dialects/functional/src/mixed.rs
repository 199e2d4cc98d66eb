//! Operations of several dialects in one module.
//!
//! * In a function of the language, an operation of another dialect is copied ([`foreign`]).
//! * In any other function, an operation of the language is lowered where it is ([`operations`]).
//!
//! A value that passes between them is of a shared type: one that the lowering leaves as it is.

use crate::{Functional, Parts, Values, flat, one};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::print_type;
use minoan_ir::{Body, Builder, Mapping, Module, Op, OpRef, Value};
use rustc_hash::FxHashSet;

/// Whether an operation belongs to the dialect of the language.
fn is_own<'a, L: Functional<'a>>(op: OpRef<'_>) -> bool {
    op.name().split_once('.').is_some_and(|(dialect, _)| dialect == L::DIALECT)
}

/// The errors of a module that cannot be lowered. `is_function` recognizes the functions of the language, and `problem` states
/// why one of its operations has no lowering.
pub fn check<'a, L: Functional<'a>>(
    module: &Module,
    is_function: fn(OpRef<'_>) -> bool,
    problem: impl Fn(OpRef<'_>) -> Option<String>,
) -> Diagnostics {
    let mut errors = Diagnostics::new();
    let (ctx, top) = (module.context(), module.body());
    for function in top.block(module.block()).ops() {
        let Some(inside) = top.nested(function) else { continue };
        let is_ours = is_function(top.op(function));
        let lowers = |op: OpRef<'_>| if is_ours { L::lowers(op) } else { is_own::<L>(op) };
        // The operations that the language lowers; it lowers or copies those in their regions.
        let mut around: FxHashSet<Op> = FxHashSet::default();
        for op in inside.walk() {
            let view = inside.op(op);
            let parent = view.parent();
            let in_ours = parent.map_or(is_ours, |parent| around.contains(&parent));
            let message = if lowers(view) || in_ours && L::lowers(view) {
                around.insert(op);
                match parent.filter(|_| is_ours && !in_ours) {
                    Some(parent) => Some(format!(
                        "'{}' cannot be used in a region of '{}', in a function of the dialect {}",
                        view.name(),
                        inside.op(parent).name(),
                        L::DIALECT
                    )),
                    None => problem(view).or_else(|| {
                        // Values of other operations, or for them.
                        let is_given = |value: &Value| {
                            inside.defining_op(*value).is_none_or(|def| !around.contains(&def))
                        };
                        let is_used = |value: &Value| {
                            inside.uses(*value).any(|place| !is_own::<L>(inside.op(place.op)))
                        };
                        let values = view.operands().filter(is_given).chain(view.results().filter(is_used));
                        unshared::<L>(view, values).filter(|_| !in_ours)
                    }),
                }
            } else if in_ours {
                let is_defined =
                    |value: &Value| inside.defining_op(*value).is_none_or(|def| around.contains(&def));
                let is_used = |value: &Value| inside.uses(*value).any(|place| L::lowers(inside.op(place.op)));
                unshared::<L>(view, view.operands().filter(is_defined).chain(view.results().filter(is_used)))
            } else {
                None
            };
            if let Some(message) = message {
                errors.push(Diagnostic::error(message).at(view.loc().place(ctx)));
            }
        }
    }
    errors
}

/// The message for a value that an operation of the language and one of another dialect share, but whose type the lowering changes.
fn unshared<'a, L: Functional<'a>>(op: OpRef<'_>, values: impl Iterator<Item = Value>) -> Option<String> {
    let (body, ctx) = (op.body(), op.context());
    let ty = values.map(|value| body.ty(value)).find(|&ty| flat::<L>(ctx, ty) != [ty])?;
    let ty = print_type(ctx, ty);
    Some(format!(
        "'{}' has a value of type '{ty}', which only operations of the dialect {} have",
        op.name(),
        L::DIALECT
    ))
}

/// Whether a module has an operation that [`operations`] lowers.
pub fn has_operations<'a, L: Functional<'a>>(module: &Module) -> bool {
    module.ops().any(|op| is_own::<L>(op))
}

/// Copies an operation of another dialect; returns the components of its first result.
pub(crate) fn foreign<'a, L: Functional<'a>>(lowering: &mut L, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
    let source = lowering.source();
    let mut mapping = Mapping::new();
    let mut pending = vec![op.id()];
    while let Some(op) = pending.pop() {
        let view = source.op(op);
        for operand in view.operands() {
            if let Some([value]) = lowering.values().get(&operand).map(|parts| &parts[..]) {
                mapping.map(operand, *value);
            }
        }
        let blocks = view.own_regions().flat_map(|region| source.region(region).blocks());
        pending.extend(blocks.flat_map(|block| source.block(block).ops()));
    }
    let point = b.insertion_point();
    b.body_mut().clone_op_from(source, op.id(), point, &mut mapping);
    for result in op.results() {
        lowering.values_mut().insert(result, one(mapping.value(result)));
    }
    op.results().next().map_or_else(Parts::new, |first| one(mapping.value(first)))
}

/// Lowers the operations of the language in a function of another dialect, where they are. `inside` is a duplicate of `source`;
/// `begin` creates the state.
pub fn operations<'a, L: Functional<'a>>(
    inside: &mut Body,
    source: &'a Body,
    begin: impl FnOnce(&'a Body, Values) -> L,
) {
    let ops = source.walk();
    if !ops.iter().any(|&op| is_own::<L>(source.op(op))) {
        return;
    }
    // The duplicate has its operations, blocks and values in the same order.
    let pairs: Vec<(Op, Op)> = ops.into_iter().zip(inside.walk()).collect();
    let values: Values =
        args(source).into_iter().zip(args(inside)).map(|(from, to)| (from, one(to))).collect();
    let mut lowering = begin(source, values);
    let mut lowered: FxHashSet<Op> = FxHashSet::default();
    let mut replaced = Vec::new();
    for (from, to) in pairs {
        let view = source.op(from);
        if view.parent().is_some_and(|parent| lowered.contains(&parent)) {
            lowered.insert(from);
        } else if is_own::<L>(view) {
            lowered.insert(from);
            let mut b = Builder::before(inside, to);
            let parts = lowering.op(&mut b, view);
            let result = inside.op(to).results().next();
            if let (Some(from), Some(to)) = (view.results().next(), result) {
                // A value of several parts, or of another type, has no other users than operations that are erased.
                if let [value] = parts[..]
                    && inside.ty(value) == inside.ty(to)
                {
                    inside.replace_all_uses(to, value);
                }
                lowering.values_mut().insert(from, parts);
            }
            replaced.push(to);
        } else {
            for (result, value) in view.results().zip(inside.op(to).results()) {
                lowering.values_mut().insert(result, one(value));
            }
        }
    }
    replaced.into_iter().rev().for_each(|op| inside.erase(op));
}

/// The arguments of all blocks of a body, in order.
fn args(body: &Body) -> Vec<Value> {
    let nested = body.walk().into_iter().flat_map(|op| body.op(op).own_regions());
    let regions: Vec<_> = body.regions().chain(nested).collect();
    let blocks = regions.into_iter().flat_map(|region| body.region(region).blocks());
    blocks.flat_map(|block| body.block(block).args()).collect()
}
