//! Operations of several dialects in one module.
//!
//! * In a function of the language, an operation of another dialect is copied, and those of the language in its regions are
//!   lowered ([`foreign`]).
//! * In any other function, an operation of the language is lowered where it is ([`operations`]).
//!
//! A value that passes between them is of a shared type: one that the lowering leaves as it is.

use crate::{Functional, Parts, Values, flat, one};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::print_type;
use minoan_ir::{Body, Builder, InsertionPoint, Mapping, Module, Op, OpRef, OpState, Type, Value};
use rustc_hash::FxHashSet;
use std::marker::PhantomData;

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
        let scope = Scope::<L>::of(inside, is_function(top.op(function)));
        for op in inside.walk() {
            let view = inside.op(op);
            let message = if scope.lowers(op) {
                problem(view).or_else(|| scope.unshared_border(view))
            } else if scope.contains(op) {
                scope.unshared_copy(view).or_else(|| scope.several_blocks(view))
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

/// The operations that the lowering of a language creates anew in the body of a function: all of a function of the language, and in
/// others the operations of its dialect with what is in their regions.
struct Scope<'b, L> {
    body: &'b Body,
    is_ours: bool,
    /// The operations that are lowered or copied.
    contained: FxHashSet<Op>,
    /// The operations that are lowered.
    lowered: FxHashSet<Op>,
    /// Operations of other dialects that have some that are lowered in their regions.
    around: FxHashSet<Op>,
    language: PhantomData<L>,
}

impl<'a, L: Functional<'a>> Scope<'_, L> {
    fn of(body: &Body, is_ours: bool) -> Scope<'_, L> {
        let (contained, lowered, around) = Default::default();
        let mut scope = Scope { body, is_ours, contained, lowered, around, language: PhantomData };
        for op in body.walk() {
            let view = body.op(op);
            let is_contained = view.parent().map_or(is_ours, |parent| scope.contains(parent));
            let is_lowered = if is_contained { L::lowers(view) } else { is_own::<L>(view) };
            if is_contained || is_lowered {
                scope.contained.insert(op);
            }
            if is_lowered {
                scope.lowered.insert(op);
                let mut parent = view.parent();
                while let Some(op) = parent.filter(|&op| !scope.lowers(op) && scope.around.insert(op)) {
                    parent = body.op(op).parent();
                }
            }
        }
        scope
    }

    fn lowers(&self, op: Op) -> bool {
        self.lowered.contains(&op)
    }

    fn contains(&self, op: Op) -> bool {
        self.contained.contains(&op)
    }

    /// Whether the lowering creates a value from others: results of lowered operations, arguments of their regions and of the function.
    fn makes(&self, value: Value) -> bool {
        let block = self.body.block_of(value);
        let parent = || block.and_then(|block| self.body.block(block).parent());
        match self.body.defining_op(value) {
            Some(op) => self.lowers(op),
            None => parent().map_or(self.is_ours, |op| self.lowers(op)),
        }
    }

    fn is_used(&self, value: Value, by: impl Fn(Op) -> bool) -> bool {
        self.body.uses(value).any(|place| by(place.op))
    }

    /// The message for a value that crosses from the rest of the function to a lowered operation, or back.
    fn unshared_border(&self, op: OpRef<'_>) -> Option<String> {
        let given = op.operands().filter(|&value| match self.body.defining_op(value) {
            Some(op) => !self.contains(op),
            None => !self.is_ours && !self.makes(value),
        });
        let taken = op.results().filter(|&value| self.is_used(value, |op| !self.contains(op)));
        unshared::<L>(op, given.chain(taken))
    }

    /// The message for a value that a copied operation shares with one that is lowered.
    fn unshared_copy(&self, op: OpRef<'_>) -> Option<String> {
        let blocks = op.own_regions().flat_map(|region| self.body.region(region).blocks());
        let args = blocks.flat_map(|block| self.body.block(block).args());
        let given = op.operands().filter(|&value| self.makes(value));
        let taken = op.results().chain(args).filter(|&value| self.is_used(value, |op| self.lowers(op)));
        unshared::<L>(op, given.chain(taken))
    }

    /// The message for an operation that is lowered in a region with several blocks of a copied one.
    fn several_blocks(&self, op: OpRef<'_>) -> Option<String> {
        let has_several = |region| self.body.region(region).blocks().nth(1).is_some();
        (self.around.contains(&op.id()) && op.own_regions().any(has_several)).then(|| {
            let dialect = L::DIALECT;
            format!(
                "'{}' has a region with several blocks, in which operations of the dialect {dialect} cannot be used, \
                 in a function of this dialect",
                op.name()
            )
        })
    }
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

/// Copies an operation of another dialect, and lowers the operations of the language in its regions; returns the components of its
/// first result.
pub(crate) fn foreign<'a, L: Functional<'a>>(lowering: &mut L, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
    let source = lowering.source();
    // Regions with several blocks are copied whole: their blocks may be in any order. So are bodies of their own.
    let single = op.own_regions().all(|region| source.region(region).blocks().nth(1).is_none());
    if !single || op.nested().is_some() || op.successors().next().is_some() {
        return copy(lowering, b, op);
    }
    let results: Vec<Type> = op.result_types().collect();
    let state =
        OpState::new(op.kind()).loc(op.loc()).operands(&lowering.singles(op.operands())).results(&results);
    let new = b.create(state.props(op.props()).attrs(op.attrs()).regions(op.n_regions()));
    let outside = b.insertion_point();
    for (index, region) in op.own_regions().enumerate() {
        let Some(block) = source.region(region).entry() else { continue };
        let into = b.body().op(new).region(index);
        let into = b.body_mut().add_block(into, &[]);
        for (arg, loc) in source.block(block).args().zip(source.block(block).arg_locs()) {
            let own = b.body_mut().add_arg(into, source.ty(arg), loc);
            lowering.values_mut().insert(arg, one(own));
        }
        b.set_insertion_point(InsertionPoint::End(into));
        lowering.all_ops(b, block);
    }
    b.set_insertion_point(outside);
    let made: Vec<Value> = b.body().op(new).results().collect();
    bind(lowering, op, &made)
}

/// Copies an operation with its regions.
fn copy<'a, L: Functional<'a>>(lowering: &mut L, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
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
    let made: Vec<Value> = op.results().map(|result| mapping.value(result)).collect();
    bind(lowering, op, &made)
}

/// Maps the results of an operation; returns the components of the first.
fn bind<'a, L: Functional<'a>>(lowering: &mut L, op: OpRef<'a>, made: &[Value]) -> Parts {
    for (result, &value) in op.results().zip(made) {
        lowering.values_mut().insert(result, one(value));
    }
    made.first().map_or_else(Parts::new, |&first| one(first))
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
