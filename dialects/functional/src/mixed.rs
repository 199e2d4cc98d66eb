//! Operations of several dialects in one module.
//!
//! * In a function of the language, an operation of another dialect is copied, and those of the language in its regions are
//!   lowered ([`foreign`]).
//! * In any other function, an operation of the language is lowered in place ([`operations`]).
//!
//! A value whose type the lowering changes crosses between them through unrealized casts, from its components to the source
//! type or back. The conversion ([`contribute`](crate::contribute)) then converts the operations that only forward such values,
//! and casts that cancel are erased.

use crate::convert::{cast, changed};
use crate::{Functional, Parts, Values, one};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::print_type;
use minoan_ir::{
    Block, Body, Builder, InsertionPoint, Mapping, Module, Op, OpRef, OpState, Region, Traits, Type, Value,
};
use minoan_services::{UnrealizedCast, function_types};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Whether an operation belongs to the dialect of the language.
fn is_of_dialect<'a, L: Functional<'a>>(op: OpRef<'_>) -> bool {
    op.name().split_once('.').is_some_and(|(dialect, _)| dialect == L::DIALECT)
}

/// Whether an operation belongs to the dialect of the language, and [`operations`] lowers it.
fn is_own<'a, L: Functional<'a>>(op: OpRef<'_>) -> bool {
    is_of_dialect::<L>(op) && L::lowers(op)
}

/// Whether a module has an operation of the dialect of the language.
pub fn has_operations<'a, L: Functional<'a>>(module: &Module) -> bool {
    module.ops().any(|op| is_of_dialect::<L>(op))
}

/// Whether a module has an operation that the language does not lower.
pub fn is_mixed<'a, L: Functional<'a>>(module: &Module) -> bool {
    module.ops().any(|op| !L::lowers(op))
}

/// The errors of a module that cannot be lowered. `is_function` recognizes the functions of the language, and `problem` returns
/// the reason why one of its operations has no lowering; it receives the first type of an operand or result that is none of the
/// language.
pub fn check<'a, L: Functional<'a>>(
    module: &Module,
    is_function: fn(OpRef<'_>) -> bool,
    problem: impl Fn(OpRef<'_>, Option<Type>) -> Option<String>,
) -> Diagnostics {
    let mut errors = Diagnostics::new();
    // A type may have many parts, and many values.
    let mut is_value: FxHashMap<Type, bool> = FxHashMap::default();
    let (ctx, top) = (module.context(), module.body());
    let mut report = |op: OpRef<'_>, message: String| {
        errors.push(Diagnostic::error(message).at(op.loc().place(ctx)));
    };
    for function in top.block(module.block()).ops() {
        let Some(inside) = top.nested(function) else { continue };
        let is_ours = is_function(top.op(function));
        if is_ours && let Some(ty) = invalid_parameter::<L>(top.op(function)) {
            let (name, ty) = (top.op(function).name(), print_type(ctx, ty));
            report(top.op(function), format!("'{name}' has a value of type '{ty}', which cannot be lowered"));
        }
        // The operations that the lowering replaces: all operations in functions of the language, and in other functions those
        // of its dialect with their regions.
        let mut created = FxHashSet::default();
        for op in inside.walk() {
            let view = inside.op(op);
            let is_created = view.parent().map_or(is_ours, |parent| created.contains(&parent));
            let is_lowered = if is_created { L::lowers(view) } else { is_own::<L>(view) };
            if is_created || is_lowered {
                created.insert(op);
            }
            if !is_lowered {
                continue;
            }
            let mut is_valid = |ty| *is_value.entry(ty).or_insert_with(|| L::is_value(ctx, ty));
            let invalid = view.operand_types().chain(view.result_types()).find(|&ty| !is_valid(ty));
            if let Some(message) = problem(view, invalid) {
                report(view, message);
            }
        }
    }
    errors
}

/// A type in the signature of a function that consists of components, but is none of the language.
fn invalid_parameter<'a, L: Functional<'a>>(function: OpRef<'_>) -> Option<Type> {
    let ctx = function.context();
    let (inputs, results) = function_types(function)?;
    inputs.iter().chain(results).copied().find(|&ty| !L::is_value(ctx, ty) && ty.as_tuple(ctx).is_some())
}

/// The blocks of a copied region by those of the source.
type Blocks = FxHashMap<Block, Block>;

/// Copies an operation of another dialect, and lowers the operations of the language in its regions; returns the components of
/// its first result.
pub(crate) fn foreign<'a, L: Functional<'a>>(lowering: &mut L, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
    copy(lowering, b, op, &Blocks::default())
}

fn copy<'a, L: Functional<'a>>(
    lowering: &mut L,
    b: &mut Builder<'_>,
    op: OpRef<'a>,
    blocks: &Blocks,
) -> Parts {
    if let Some(parts) = forwarded(lowering, b, op) {
        return parts;
    }
    let source = lowering.source();
    let operands: SmallVec<[Value; 4]> = op.operands().map(|operand| whole(lowering, b, operand)).collect();
    let new = if op.nested().is_some() {
        let mut mapping = Mapping::new();
        op.operands().zip(&operands).for_each(|(from, &to)| mapping.map(from, to));
        let point = b.insertion_point();
        b.body_mut().clone_op_from(source, op.id(), point, &mut mapping)
    } else {
        let results: SmallVec<[Type; 2]> = op.result_types().collect();
        let successors: SmallVec<[Block; 2]> =
            op.successors().filter_map(|block| blocks.get(&block).copied()).collect();
        let state = OpState::new(op.kind()).loc(op.loc()).operands(&operands).results(&results);
        let state = state.props(op.props()).attrs(op.attrs()).successors(&successors);
        b.create(state.regions(op.n_regions()))
    };
    let outside = b.insertion_point();
    for (index, region) in op.own_regions().enumerate() {
        let to = b.body().op(new).region(index);
        b.set_insertion_point(InsertionPoint::Before(new));
        copy_region(lowering, b, region, to);
    }
    b.set_insertion_point(outside);
    for (index, result) in op.results().enumerate() {
        let value = b.body().op(new).result(index);
        let parts = components::<L>(b, value);
        lowering.values_mut().insert(result, parts);
    }
    op.results().next().map_or_else(Parts::new, |first| lowering.parts(first))
}

/// Maps the results of an unrealized cast from or to components, which has no effect.
fn forwarded<'a, L: Functional<'a>>(lowering: &mut L, b: &Builder<'_>, op: OpRef<'a>) -> Option<Parts> {
    let ctx = op.context();
    ctx.service::<dyn UnrealizedCast>(op.kind())?;
    let parts = lowering.all_parts(op.operands());
    let types: Vec<Vec<Type>> = op.results().map(|result| component_types::<L>(op.body(), result)).collect();
    if !parts.iter().map(|&part| b.ty(part)).eq(types.iter().flatten().copied()) {
        return None;
    }
    let mut rest = parts.into_iter();
    for (result, types) in op.results().zip(types) {
        let own = rest.by_ref().take(types.len()).collect();
        lowering.values_mut().insert(result, own);
    }
    op.results().next().map(|first| lowering.parts(first))
}

/// Copies the blocks of a region, and lowers the operations of the language in them.
fn copy_region<'a, L: Functional<'a>>(lowering: &mut L, b: &mut Builder<'_>, from: Region, to: Region) {
    let source = lowering.source();
    let order = source.region(from).reverse_post_order();
    let placeholders =
        if is_ordered(source, from) { FxHashMap::default() } else { placeholders(lowering, b, &order) };
    let mut blocks = Blocks::default();
    for block in source.region(from).blocks() {
        let new = b.body_mut().add_block(to, &[]);
        b.set_insertion_point(InsertionPoint::End(new));
        for (arg, loc) in source.block(block).args().zip(source.block(block).arg_locs()) {
            let own = b.body_mut().add_arg(new, source.ty(arg), loc);
            let parts = components::<L>(b, own);
            lowering.values_mut().insert(arg, parts);
        }
        blocks.insert(block, new);
    }
    minoan_ir::with_stack(|| {
        for block in order {
            b.set_insertion_point(InsertionPoint::End(blocks[&block]));
            for op in source.block(block).ops() {
                let view = source.op(op);
                if view.n_successors() > 0 {
                    b.set_loc(view.loc());
                    copy(lowering, b, view, &blocks);
                } else {
                    lowering.ops(b, std::iter::once(op));
                }
                for result in view.results() {
                    if let Some(&placeholder) = placeholders.get(&result) {
                        b.body_mut().set_operands(placeholder, &lowering.parts(result));
                    }
                }
            }
        }
    });
}

/// Whether values of a region are defined before they are used in the order of its operations: it has one block and SSA
/// dominance.
fn is_ordered(body: &Body, region: Region) -> bool {
    let has_dominance = |op| {
        let op: OpRef<'_> = body.op(op);
        op.spec().is_some() && !op.has_trait(Traits::GRAPH_REGION)
    };
    body.region(region).blocks().len() < 2 && body.region(region).parent().is_none_or(has_dominance)
}

/// Creates placeholders for the components of the values that operations of these blocks define: unrealized casts without
/// operands. Their operands are set when the value is lowered, and then they are reconciled like other casts.
fn placeholders<'a, L: Functional<'a>>(
    lowering: &mut L,
    b: &mut Builder<'_>,
    blocks: &[Block],
) -> FxHashMap<Value, Op> {
    let source = lowering.source();
    let mut made = FxHashMap::default();
    let ops = blocks.iter().flat_map(|&block| source.block(block).ops());
    for result in ops.flat_map(|op| source.op(op).results()).filter(|&result| source.is_used(result)) {
        let parts = cast(b, &[], &component_types::<L>(source, result));
        if let Some(op) = parts.first().and_then(|&part| b.body().defining_op(part)) {
            made.insert(result, op);
        }
        lowering.values_mut().insert(result, parts);
    }
    made
}

/// A lowered value of its source type.
fn whole<'a, L: Functional<'a>>(lowering: &L, b: &mut Builder<'_>, value: Value) -> Value {
    let ty = lowering.source().ty(value);
    match lowering.values().get(&value).map_or(&[][..], |parts| parts) {
        &[part] if b.ty(part) == ty => part,
        parts => cast(b, parts, &[ty])[0],
    }
}

/// The types of the components of a value.
fn component_types<'a, L: Functional<'a>>(body: &Body, value: Value) -> Vec<Type> {
    let ty = body.ty(value);
    changed::<L>(body.context(), ty).unwrap_or_else(|| vec![ty])
}

/// The components of a value of its source type.
fn components<'a, L: Functional<'a>>(b: &mut Builder<'_>, value: Value) -> Parts {
    match changed::<L>(&b.context(), b.ty(value)) {
        Some(types) => cast(b, &[value], &types),
        None => one(value),
    }
}

/// Lowers the operations of the language in a function of another dialect, where they are. `inside` is a duplicate of `source`;
/// `begin` creates the state.
///
/// Blocks may be in any order: until an operation is lowered, its results are those of the duplicate, which are then replaced.
pub fn operations<'a, L: Functional<'a>>(
    inside: &mut Body,
    source: &'a Body,
    begin: impl FnOnce(&'a Body, Values) -> L,
) {
    let ops = source.walk();
    // The operations of the language, without those in their regions, and all that are lowered.
    let (mut roots, mut lowered) = (Vec::new(), FxHashSet::default());
    for (at, &op) in ops.iter().enumerate() {
        let view = source.op(op);
        if view.parent().is_some_and(|parent| lowered.contains(&parent)) {
            lowered.insert(op);
        } else if is_own::<L>(view) && !view.has_trait(Traits::ISOLATED) {
            lowered.insert(op);
            roots.push(at);
        }
    }
    if roots.is_empty() {
        return;
    }
    // The duplicate has its operations, blocks and values in the same order.
    let pairs: Vec<(Op, Op)> = ops.into_iter().zip(inside.walk()).collect();
    let values = originals::<L>(inside, source, &pairs, &lowered);
    let mut lowering = begin(source, values);
    for &at in &roots {
        let (from, to) = pairs[at];
        let mut b = Builder::before(inside, to);
        let parts = lowering.op(&mut b, source.op(from));
        if let Some(result) = source.op(from).results().next() {
            lowering.values_mut().insert(result, parts);
            if source.is_used(result) {
                let value = whole(&lowering, &mut b, result);
                let result = inside.op(to).result(0);
                inside.replace_all_uses(result, value);
            }
        }
    }
    roots.into_iter().rev().for_each(|at| inside.erase(pairs[at].1));
}

/// The components of the values of a duplicate that are not lowered, or not before they are used, by the values of the source.
fn originals<'a, L: Functional<'a>>(
    inside: &mut Body,
    source: &Body,
    pairs: &[(Op, Op)],
    lowered: &FxHashSet<Op>,
) -> Values {
    let (from, to) = (regions(source), regions(inside));
    let has_order = from.iter().all(|&region| is_ordered(source, region));
    let mut values = Values::default();
    let kept = from.iter().zip(&to).filter(|&(&region, _)| {
        source.region(region).parent().is_none_or(|parent| !lowered.contains(&parent))
    });
    for (&from, &to) in kept {
        let blocks: Vec<(Block, Block)> =
            source.region(from).blocks().zip(inside.region(to).blocks()).collect();
        for (from, to) in blocks {
            let args: Vec<Value> = inside.block(to).args().collect();
            for (from, to_arg) in
                source.block(from).args().zip(args).filter(|&(from, _)| source.is_used(from))
            {
                let loc = inside.value_loc(to_arg);
                let mut b = Builder::new(inside, InsertionPoint::Start(to)).with_loc(loc);
                values.insert(from, components::<L>(&mut b, to_arg));
            }
        }
    }
    for &(from, to) in pairs {
        let is_lowered = lowered.contains(&from);
        if is_lowered && (has_order || source.op(from).parent().is_some_and(|op| lowered.contains(&op))) {
            continue;
        }
        let results: Vec<Value> = inside.op(to).results().collect();
        for (from, to_result) in
            source.op(from).results().zip(results).filter(|&(from, _)| source.is_used(from))
        {
            let loc = inside.op(to).loc();
            let mut b = Builder::new(inside, InsertionPoint::After(to)).with_loc(loc);
            let parts = match is_lowered {
                // The cast remains when the value is replaced.
                true => cast(&mut b, &[to_result], &component_types::<L>(source, from)),
                false => components::<L>(&mut b, to_result),
            };
            values.insert(from, parts);
        }
    }
    values
}

/// All regions of a body, in order.
fn regions(body: &Body) -> Vec<Region> {
    body.regions().chain(body.walk().into_iter().flat_map(|op| body.op(op).own_regions())).collect()
}
