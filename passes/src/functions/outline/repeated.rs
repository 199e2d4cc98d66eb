//! `outline{repeated=N}`: shares computations that occur several times.
//!
//! Kernels and operations whose regions are executed many times, on buffers, are grouped by their [`Form`]. If one function in
//! place of all operations of a group saves at least `N` operations, each of them becomes a call of that function, which is not
//! inlined again. Unrolled models consist of few computations that occur hundreds of times.
//!
//! An operation that allocates or frees storage is left in place, since `hoist-buffers` moves that out of loops. One that
//! may end the program is shared only with those of its location, which its message contains. An operation that is nested in
//! another candidate is considered if that one is not shared, up to a depth of [`MAX_DEPTH`] candidates, so the time is linear
//! in the size of the module.

use super::{Captures, OutlineOptions, Outliner, escapes, has_required_parent, is_copied};
use minoan_ir::{
    Attr, Block, Body, Context, InsertionPoint, Loc, Op, OpKind, OpRef, SymbolTable, Traits, Type, Value,
};
use minoan_services::{
    EffectSet, EffectsTable, FunctionMaterializer, KernelOps, RegionExecution, RegionFlow,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Assumed number of operations of a kernel after emission, which unrolls its inner loops.
const KERNEL_OPERATIONS: usize = 100;

/// Assumed number of operations of the loops of an operation over an iteration domain.
const LOOP_OPERATIONS: usize = 8;

/// Candidates with this many candidates around them are not considered.
const MAX_DEPTH: u8 = 4;

/// An item of a [`Form`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Item {
    /// The kind, properties and discardable attributes of an operation.
    Op(OpKind, Attr, Attr),
    /// The number of operands, results, regions, blocks, arguments or operations that follow.
    Count(usize),
    /// The type of a captured value, a result or an argument.
    Type(Type),
    /// A value or block of the form, or a captured value, by the order of first occurrence.
    Number(usize),
    /// The location of an operation that may end the program.
    Loc(Loc),
}

/// The structure of an operation with everything in it. Operations of the same form compute the same function of the values
/// that they capture; captured constants belong to the form.
type Form = Vec<Item>;

/// The candidates of one form.
#[derive(Default)]
struct Group {
    /// The estimated number of operations of one occurrence.
    weight: usize,
    count: usize,
    /// The name of the function, if it was created.
    function: Option<String>,
}

/// A candidate: an operation of one function of the module.
struct Candidate {
    owner: Op,
    op: Op,
    group: usize,
}

/// Shares the repeated computations of the functions `owners`; returns the number of functions created.
pub(super) fn share(
    ctx: &Context,
    body: &mut Body,
    owners: &[Op],
    options: &OutlineOptions,
    symbols: &mut SymbolTable,
) -> u64 {
    let mut groups: Vec<Group> = Vec::new();
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut by_form: FxHashMap<(OpKind, Form), usize> = FxHashMap::default();
    let finder = Finder::new(ctx);
    for &owner in owners {
        let Some(inside) = body.op(owner).nested() else { continue };
        // For each operation, the number of candidates among it and its ancestors.
        let mut depths = vec![0u8; inside.op_capacity()];
        for op in inside.walk() {
            let view = inside.op(op);
            let around = view.parent().map_or(0, |parent| depths[parent.index()]);
            depths[op.index()] = around;
            if around >= MAX_DEPTH || !finder.is_candidate(view) {
                continue;
            }
            depths[op.index()] += 1;
            let Some((form, weight)) = finder.form(view) else { continue };
            let group = *by_form.entry((body.op(owner).kind(), form)).or_insert_with(|| {
                groups.push(Group { weight, ..Group::default() });
                groups.len() - 1
            });
            groups[group].count += 1;
            candidates.push(Candidate { owner, op, group });
        }
    }
    drop(by_form);
    let pays =
        |group: &Group| group.count > 1 && (group.count - 1).saturating_mul(group.weight) >= options.repeated;
    let any = <dyn FunctionMaterializer>::any(ctx);
    let mut made = 0;
    // Enclosing candidates come before nested ones, which `body.walk` guarantees.
    for Candidate { owner, op, group } in candidates {
        if !pays(&groups[group]) {
            continue;
        }
        let name = body.op(owner).symbol_name().map(str::to_owned);
        let own = ctx.service::<dyn FunctionMaterializer>(body.op(owner).kind());
        let (Some(name), Some(inside)) = (name, body.nested_mut(owner)) else { continue };
        if !inside.contains(op) {
            continue;
        }
        let results: Vec<Value> = inside.op(op).results().collect();
        let types: Vec<Type> = results.iter().map(|&result| inside.ty(result)).collect();
        let own = own.filter(|own| own.fits(ctx, &types, 1));
        let mut outliner =
            Outliner { ctx, own, any, mark: None, least: 0, most: 0, name, number: made as usize };
        let Some(functions) = outliner.functions_for(&types, 1) else { continue };
        let loc = inside.op(op).loc();
        let (part, captured) = match groups[group].function {
            Some(_) => (None, Captures::collect(inside, &[op], std::iter::empty()).values),
            None => match outliner.part(inside, &[op], &results, symbols) {
                Some((part, captured)) => (Some(part), captured),
                None => continue,
            },
        };
        let callee = groups[group]
            .function
            .get_or_insert_with(|| part.as_ref().map_or_else(String::new, |part| part.name.clone()));
        let call = functions.call(ctx, callee, &captured, &types).loc(loc);
        let call = inside.create(&call, InsertionPoint::Before(op));
        let results: Vec<Value> = inside.op(call).results().collect();
        inside.replace(op, &results);
        if let Some(mut part) = part {
            part.is_out_of_line = true;
            part.insert(ctx, body, owner, symbols);
            made += 1;
        }
    }
    made
}

/// Finds candidates and their forms.
struct Finder<'c> {
    ctx: &'c Context,
    kernels: Option<&'c dyn KernelOps>,
    effects: EffectsTable<'c>,
}

impl<'c> Finder<'c> {
    fn new(ctx: &'c Context) -> Self {
        Self { ctx, kernels: <dyn KernelOps>::any(ctx), effects: EffectsTable::new(ctx) }
    }

    fn is_kernel(&self, op: OpRef<'_>) -> bool {
        self.kernels.is_some_and(|kernels| kernels.kernel(op).is_some())
    }

    /// Whether an operation may become a call: it works on buffers, and is a kernel or a loop of some kind.
    fn is_candidate(&self, op: OpRef<'_>) -> bool {
        let fixed = [Traits::TERMINATOR, Traits::SYMBOL, Traits::CONSTANT_LIKE];
        let is_tensor = |ty: Type| ty.is_tensor(self.ctx);
        let execution = self.ctx.service::<dyn RegionFlow>(op.kind()).map(|flow| flow.execution(op));
        let is_loop = matches!(execution, Some(RegionExecution::Repeated | RegionExecution::Parallel));
        op.n_regions() > 0
            && !fixed.into_iter().any(|fixed| op.has_trait(fixed))
            && !op.operand_types().chain(op.result_types()).any(is_tensor)
            && (is_loop || self.is_kernel(op))
            && !has_required_parent(op)
            && !escapes(op.body(), op.results())
    }

    /// The form of an operation, and its estimated number of operations after lowering. `None` if it allocates or frees
    /// storage.
    fn form(&self, op: OpRef<'_>) -> Option<(Form, usize)> {
        let moved = EffectSet::ALLOCATE.and(EffectSet::FREE);
        let mut form = Form::new();
        let mut weight = 0;
        let mut values: FxHashMap<Value, usize> = FxHashMap::default();
        let mut blocks: FxHashMap<Block, usize> = FxHashMap::default();
        // Operations in order of their first visit, so that definitions precede uses but for values of later blocks, which
        // are numbered at their first use.
        let mut pending = vec![op];
        let mut own: FxHashSet<Block> = FxHashSet::default();
        while let Some(op) = pending.pop() {
            let effects = self.effects.own(op);
            let (body, regions) = op.inside();
            form.push(Item::Op(op.kind(), op.props(), op.attrs()));
            if effects.intersects(EffectSet::OUTSIDE) && !self.is_kernel(op) {
                form.push(Item::Loc(op.loc()));
            } else if effects.intersects(moved) && !self.is_kernel(op) {
                return None;
            }
            weight += match op.n_regions() {
                _ if self.is_kernel(op) => KERNEL_OPERATIONS,
                0 => 1,
                _ => LOOP_OPERATIONS,
            };
            form.push(Item::Count(op.n_operands()));
            for value in op.operands() {
                let next = values.len();
                let number = *values.entry(value).or_insert(next);
                form.push(Item::Number(number));
                if number == next && !op.body().block_of(value).is_some_and(|block| own.contains(&block)) {
                    self.capture(op.body(), value, &mut form);
                }
            }
            form.push(Item::Count(op.n_successors()));
            for block in op.successors() {
                let next = blocks.len();
                form.push(Item::Number(*blocks.entry(block).or_insert(next)));
            }
            form.push(Item::Count(op.n_results()));
            for (value, ty) in op.results().zip(op.result_types()) {
                let next = values.len();
                form.extend([Item::Number(*values.entry(value).or_insert(next)), Item::Type(ty)]);
            }
            form.push(Item::Count(regions.len()));
            let first = pending.len();
            for region in regions {
                let region = body.region(region);
                form.push(Item::Count(region.blocks().len()));
                own.extend(region.blocks());
                for block in region.blocks() {
                    let next = blocks.len();
                    form.push(Item::Number(*blocks.entry(block).or_insert(next)));
                    form.extend([
                        Item::Count(body.block(block).n_args()),
                        Item::Count(body.block(block).len()),
                    ]);
                    for arg in body.block(block).args() {
                        let next = values.len();
                        form.extend([
                            Item::Number(*values.entry(arg).or_insert(next)),
                            Item::Type(body.ty(arg)),
                        ]);
                    }
                    pending.extend(body.block(block).ops().map(|op| body.op(op)));
                }
            }
            pending[first..].reverse();
        }
        Some((form, weight))
    }

    /// Describes a value from outside: a constant by its definition, any other by its type.
    fn capture(&self, body: &Body, value: Value, form: &mut Form) {
        form.push(Item::Type(body.ty(value)));
        if let Some(op) = body.defining_op(value).map(|op| body.op(op)).filter(|&op| is_copied(op)) {
            let result = op.results().position(|result| result == value).unwrap_or_default();
            form.extend([Item::Op(op.kind(), op.props(), op.attrs()), Item::Count(result)]);
        }
    }
}
