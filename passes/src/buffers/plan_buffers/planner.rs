//! Decides, operation by operation, which tensors are moved, copied and deallocated.

use super::copy_reason::CopyReason;
use super::exchanges::Destinations;
use super::storage::{Class, Classes};
use super::{Constants, views};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Block, Body, Builder, Context, InsertionPoint, Op, Region, Traits, Value};
use minoan_pass::RemarkKind;
use minoan_services::{Alias, AliasModel, BufferOps, OperandUse, RegionExecution, RegionFlow};
use rustc_hash::{FxHashMap, FxHashSet};

/// Plans one function.
pub(super) struct Planner<'a> {
    pub(super) buffers: &'a dyn BufferOps,
    pub(super) constants: &'a mut Constants,
    pub(super) errors: &'a mut Diagnostics,
    /// Remarks, if they are wanted.
    pub(super) remarks: Option<&'a mut Vec<(RemarkKind, Diagnostic)>>,
    pub(super) ctx: &'a Context,
    pub(super) classes: Classes<'a>,
    /// Buffers that were tensors: the planner decides about these alone.
    pub(super) planned: FxHashSet<Value>,
    /// Buffers of uninitialized tensors, such as new ones whose elements are not set.
    pub(super) unspecified: FxHashSet<Value>,
    /// For a view, the buffer that it is a view of.
    pub(super) roots: FxHashMap<Value, Value>,
    /// Views of parts of buffers that are updated in place; they are not owned.
    pub(super) parts: FxHashSet<Value>,
    /// Tensors that are computed in buffers of the program.
    pub(super) destinations: Destinations,
}

/// A buffer that a block owns.
#[derive(Clone, Copy)]
struct Owned {
    /// The tensor whose contents it has, up to the next update.
    class: Class,
    /// Position in the block of the operation that uses it last.
    last_use: u32,
}

/// The buffers that a block owns.
struct Scope {
    /// The operations of the block before planning.
    ops: Vec<Op>,
    owned: FxHashMap<Value, Owned>,
    /// Owned buffers by the position of their last use; entries may be out of date.
    last_uses: FxHashMap<u32, Vec<Value>>,
}

/// The form that an operation takes on buffers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Results in storage of their own, or of the operands that it updates.
    Plain,
    /// A view of an operand.
    View,
    /// A view of a part of an operand, to be updated in place.
    UpdateInPlace,
    /// Results in storage of the operands that are consumed together.
    Consume,
    /// A select of the operands, only read.
    Select,
}

/// The owner of a block's arguments.
#[derive(Clone, Copy)]
enum Arguments<'t> {
    /// The block, which deallocates them after their last use.
    Owned,
    /// The caller of the function, except for those that the function takes.
    Function(&'t dyn Fn(usize) -> bool),
}

impl<'a> Planner<'a> {
    /// Converts the tensors of `body`, the inside of a function that takes the arguments for which `takes` is true.
    pub(super) fn plan(
        body: &mut Body,
        classes: Classes<'a>,
        takes: &dyn Fn(usize) -> bool,
        buffers: &'a dyn BufferOps,
        constants: &'a mut Constants,
        errors: &'a mut Diagnostics,
        remarks: Option<&'a mut Vec<(RemarkKind, Diagnostic)>>,
    ) {
        let ctx = classes.context();
        let (planned, roots) = (FxHashSet::default(), FxHashMap::default());
        let (unspecified, parts) = (FxHashSet::default(), FxHashSet::default());
        let destinations = classes.destinations(body, buffers);
        let mut planner = Planner {
            buffers,
            constants,
            errors,
            remarks,
            ctx,
            classes,
            planned,
            unspecified,
            roots,
            parts,
            destinations,
        };
        for region in body.regions().collect::<Vec<_>>() {
            planner.region(body, region, &[], Arguments::Function(takes));
        }
    }

    /// Plans the blocks of a region, each after those that dominate it. The entry block owns `inherited`, and its arguments
    /// as given; the other blocks own their arguments.
    fn region(
        &mut self,
        body: &mut Body,
        region: Region,
        inherited: &[(Value, Class)],
        arguments: Arguments<'_>,
    ) {
        let entry = body.region(region).entry();
        for block in body.region(region).reverse_post_order() {
            match Some(block) == entry {
                true => self.block(body, block, inherited, arguments),
                false => self.block(body, block, &[], Arguments::Owned),
            }
        }
    }

    /// Plans a block. It owns `inherited`.
    fn block(
        &mut self,
        body: &mut Body,
        block: Block,
        inherited: &[(Value, Class)],
        arguments: Arguments<'_>,
    ) {
        minoan_ir::with_stack(|| {
            let ops: Vec<Op> = body.block(block).ops().collect();
            let mut scope = Scope { ops, owned: FxHashMap::default(), last_uses: FxHashMap::default() };
            let args: Vec<Value> = body.block(block).args().collect();
            let free_at = scope.ops.first().copied().map(InsertionPoint::Before);
            // Skips allocations that the planning of another region of the operation has erased.
            let live = inherited.iter().filter(|&&(value, _)| body.contains_value(value));
            let mut owned: Vec<(Value, Class)> = live.copied().collect();
            let mut unused = Vec::new();
            for (index, arg) in args.into_iter().enumerate() {
                let Some(ty) = self.buffers.buffer_type(self.ctx, body.ty(arg)) else { continue };
                body.set_type(arg, ty);
                self.planned.insert(arg);
                match self.classes.class(arg) {
                    _ if matches!(arguments, Arguments::Function(takes) if !takes(index)) => {}
                    Some(class) => owned.push((arg, class)),
                    None => unused.push(arg),
                }
            }
            for (value, class) in owned {
                let last_use = self.classes.last_use(class, &scope.ops);
                self.own(
                    body,
                    &mut scope,
                    value,
                    last_use.map(|last_use| Owned { class, last_use }),
                    free_at,
                );
            }
            for value in unused {
                self.own(body, &mut scope, value, None, free_at);
            }
            for position in 0..scope.ops.len() {
                self.op(body, &mut scope, position as u32);
            }
        });
    }

    /// The buffer that a value is a view of, or itself.
    pub(super) fn root(&self, value: Value) -> Value {
        self.roots.get(&value).copied().unwrap_or(value)
    }

    /// Makes the scope the owner of `value`. If it has no use, it is deallocated at `free_at`.
    fn own(
        &mut self,
        body: &mut Body,
        scope: &mut Scope,
        value: Value,
        owned: Option<Owned>,
        free_at: Option<InsertionPoint>,
    ) {
        match (owned, free_at) {
            (Some(owned), _) => {
                scope.owned.insert(value, owned);
                scope.last_uses.entry(owned.last_use).or_default().push(value);
            }
            (None, Some(point)) => {
                let mut b = Builder::new(body, point);
                if let InsertionPoint::Before(op) | InsertionPoint::After(op) = point {
                    let loc = b.body().op(op).loc();
                    b.set_loc(loc);
                }
                self.buffers.dealloc(&mut b, value);
            }
            (None, None) => {}
        }
    }

    /// Whether a value is a tensor, or was one.
    pub(super) fn is_planned(&self, body: &Body, value: Value) -> bool {
        self.planned.contains(&value) || body.ty(value).is_tensor(self.ctx)
    }

    /// The operands that the operation consumes if none of them is used again.
    fn taken_together(&self, body: &Body, op: Op) -> Vec<usize> {
        let view = body.op(op);
        (0..view.n_operands())
            .filter(|&index| self.is_planned(body, view.operand(index)))
            .filter(|&index| self.classes.operand_use(view, index) == OperandUse::ConsumeTogether)
            .collect()
    }

    /// Whether the operation has the only remaining use of the storage of one of its operands. A branch has one for each of
    /// its successors, only one of which is taken.
    fn dies_in(&self, body: &Body, scope: &Scope, op: Op, index: usize, position: u32) -> bool {
        let root = self.root(body.op(op).operand(index));
        let uses = body.op(op).n_successors().max(1);
        scope.owned.get(&root).is_some_and(|owned| {
            owned.last_use == position && self.classes.uses_within(owned.class, op) == uses
        })
    }

    /// The operands that the operation consumes or updates, each by itself.
    fn consumed(&self, body: &Body, op: Op) -> Vec<usize> {
        let view = body.op(op);
        let mut is_updated = vec![false; view.n_operands()];
        for (index, result) in view.results().enumerate() {
            if self.classes.is_stored(body, result)
                && let Alias::UpdateOf(operand) = self.classes.alias(view, index)
            {
                is_updated[operand] = true;
            }
        }
        (0..view.n_operands())
            .filter(|&index| self.is_planned(body, view.operand(index)))
            .filter(|&index| {
                is_updated[index] || self.classes.operand_use(view, index) == OperandUse::Consume
            })
            .collect()
    }

    /// Plans an operation and its regions, converts it, and frees the buffers that die with it.
    fn op(&mut self, body: &mut Body, scope: &mut Scope, position: u32) {
        let op = scope.ops[position as usize];
        let mut moved: FxHashSet<Value> = FxHashSet::default();
        self.take_operands(body, scope, op, position, &mut moved);
        let form = self.form(body, scope, op, position, &mut moved);
        self.regions(body, scope, op, position, &mut moved);
        let is_terminator = body.op(op).has_trait(Traits::TERMINATOR);
        // The conversion may erase the operation, so the insertion point after it is determined first.
        let (next, block) = (body.op(op).next(), body.op(op).block());
        let loc = body.op(op).loc();
        let lifetimes: Vec<Option<Owned>> = body
            .op(op)
            .results()
            .map(|result| {
                let class = self.classes.class(result)?;
                let last_use = self.classes.last_use(class, &scope.ops)?;
                Some(Owned { class, last_use })
            })
            .collect();
        let results = self.convert(body, op, form);
        let point = match (is_terminator, next, block) {
            (false, Some(next), _) => InsertionPoint::Before(next),
            (false, None, Some(block)) => InsertionPoint::End(block),
            (true, ..) => InsertionPoint::Before(op),
            (false, None, None) => InsertionPoint::After(op),
        };
        for value in scope.last_uses.remove(&position).unwrap_or_default() {
            if scope.owned.get(&value).is_some_and(|owned| owned.last_use == position) {
                scope.owned.remove(&value);
                if !moved.contains(&value) {
                    let mut b = Builder::new(body, point).with_loc(loc);
                    self.buffers.dealloc(&mut b, value);
                }
            }
        }
        for (value, result) in results {
            self.own(body, scope, value, lifetimes[result], Some(point));
        }
    }

    /// Moves the operands that the operation consumes or updates, each by itself, into it, or replaces them by copies if they
    /// must keep their contents. Adds the buffers that it moves to `moved`.
    fn take_operands(
        &mut self,
        body: &mut Body,
        scope: &Scope,
        op: Op,
        position: u32,
        moved: &mut FxHashSet<Value>,
    ) {
        // A branch with several successors forwards each of its tensors to all of them.
        let mut copies: Option<FxHashMap<Value, Value>> =
            (body.op(op).n_successors() > 1).then(FxHashMap::default);
        for index in self.consumed(body, op) {
            let operand = body.op(op).operand(index);
            let root = self.root(operand);
            if self.parts.contains(&operand) || self.destinations.updates.get(&op) == Some(&index) {
                continue;
            }
            if let Some(copies) = &copies {
                if let Some(&copy) = copies.get(&operand) {
                    body.set_operand(op, index, copy);
                    continue;
                }
                if moved.contains(&root) && self.dies_in(body, scope, op, index, position) {
                    continue;
                }
            }
            if self.reuse_input(body, scope, op, index, position, moved) {
                self.remark(body, op, RemarkKind::Passed, |name| {
                    format!("'{name}' reuses the buffer of an input: this is its last use")
                });
                continue;
            }
            if !moved.contains(&root) && self.dies_in(body, scope, op, index, position) {
                moved.insert(root);
                // From here on the buffer holds the updated tensor.
                self.unspecified.remove(&operand);
                self.unspecified.remove(&root);
                self.remark(body, op, RemarkKind::Passed, |name| {
                    format!("'{name}' updates operand {index} in place: this is its last use")
                });
            } else {
                let reason = match scope.owned.get(&root) {
                    _ if moved.contains(&root) => CopyReason::UpdatedTwice,
                    Some(owned) if owned.last_use != position => CopyReason::UsedLater,
                    Some(_) => CopyReason::UsedTwice,
                    None => CopyReason::NotOwned,
                };
                self.remark(body, op, RemarkKind::Missed, |name| {
                    format!("'{name}' updates a copy of operand {index}: {reason}")
                });
                let copy = self.copy_operand(body, op, index);
                if let Some(copies) = &mut copies {
                    copies.insert(operand, copy);
                }
            }
        }
    }

    /// Chooses the form of an operation on buffers. Adds the operands that it takes together to `moved`.
    fn form(&self, body: &Body, scope: &Scope, op: Op, position: u32, moved: &mut FxHashSet<Value>) -> Form {
        let together = self.taken_together(body, op);
        let is_choice = body.op(op).results().next().is_some_and(|result| self.classes.is_choice(result));
        if self.classes.is_view(op) {
            Form::View
        } else if self.is_updated_part(body, scope, op) {
            Form::UpdateInPlace
        } else if together.is_empty() {
            Form::Plain
        } else if is_choice {
            Form::Select
        } else if together.iter().all(|&index| self.dies_in(body, scope, op, index, position)) {
            moved.extend(together.into_iter().map(|index| self.root(body.op(op).operand(index))));
            Form::Consume
        } else {
            Form::Plain
        }
    }

    /// Whether an operation extracts a slice that is updated and then inserted back at the same place, so that it can be
    /// updated in place. The buffer must have no other use in between.
    fn is_updated_part(&self, body: &Body, scope: &Scope, op: Op) -> bool {
        let back = || {
            let view = body.op(op);
            let base = view.operand(self.classes.may_view(view)?);
            let single = |value: Value| {
                let mut uses = body.uses(value);
                uses.next().filter(|_| uses.next().is_none())
            };
            let update = single(view.result(0))?;
            let updater = body.op(update.op);
            let updated = (0..updater.n_results())
                .find(|&result| self.classes.alias(updater, result) == Alias::UpdateOf(update.index))?;
            let writer = body.op(single(updater.result(updated))?.op);
            let service = self.ctx.service::<dyn AliasModel>(writer.kind())?;
            let source = service.writes_back(writer, view)?;
            let owned = scope.owned.get(&base)?;
            let is_last = scope.ops.get(owned.last_use as usize) == Some(&writer.id());
            let is_only = self.classes.uses_within(owned.class, writer.id()) == 1;
            let is_kept = !self.classes.is_used_between(owned.class, op, writer.id());
            let fits = writer.operand(source) == updater.result(updated)
                && views::writes_any_layout(self.ctx, updater, update.index)
                && updater.block() == view.block();
            (is_last && is_only && is_kept && fits).then_some(())
        };
        back().is_some()
    }

    /// Replaces an output whose old contents are not read by an input that dies, so that the operation works in place.
    fn reuse_input(
        &mut self,
        body: &mut Body,
        scope: &Scope,
        op: Op,
        output: usize,
        position: u32,
        moved: &mut FxHashSet<Value>,
    ) -> bool {
        let view = body.op(op);
        let Some(aliases) = self.ctx.service::<dyn AliasModel>(view.kind()) else { return false };
        let empty = view.operand(output);
        // Only storage that was allocated for this output can be left out.
        let Some(alloc) = body.defining_op(empty) else { return false };
        if aliases.reads_updated(view, output)
            || !self.buffers.is_alloc(body.op(alloc))
            || !self.planned.contains(&empty)
            || body.uses(empty).nth(1).is_some()
            || !scope.owned.contains_key(&empty)
        {
            return false;
        }
        let input = (0..view.n_operands()).find(|&input| {
            let value = view.operand(input);
            input != output
                && body.ty(value) == body.ty(empty)
                && self.root(value) == value
                && !moved.contains(&value)
                && self.dies_in(body, scope, op, input, position)
                && aliases.may_reuse(view, input, output)
        });
        let Some(input) = input else { return false };
        let value = view.operand(input);
        body.set_operand(op, output, value);
        body.erase(alloc);
        moved.extend([value, empty]);
        true
    }

    /// Replaces an operand that must keep its contents by a copy, and returns the copy.
    fn copy_operand(&mut self, body: &mut Body, op: Op, index: usize) -> Value {
        let view = body.op(op);
        let aliases = self.ctx.service::<dyn AliasModel>(view.kind());
        let reads = aliases.is_none_or(|service| service.reads_updated(view, index));
        let value = view.operand(index);
        let ty = body.ty(value);
        let mut b = Builder::before(body, op);
        let copy = self.buffers.alloc_like(&mut b, ty, value);
        if reads && !self.unspecified.contains(&value) {
            self.buffers.copy(&mut b, value, copy);
        }
        body.set_operand(op, index, copy);
        self.planned.insert(copy);
        copy
    }

    /// Plans the regions of an operation.
    fn regions(
        &mut self,
        body: &mut Body,
        scope: &mut Scope,
        op: Op,
        position: u32,
        moved: &mut FxHashSet<Value>,
    ) {
        let view = body.op(op);
        let regions: Vec<_> = view.own_regions().collect();
        if regions.is_empty() {
            return;
        }
        let runs = self.ctx.service::<dyn RegionFlow>(view.kind()).map(|service| service.execution(view));
        let is_single = |&region: &Region| body.region(region).blocks().len() == 1;
        let mut inherited = Vec::new();
        if runs == Some(RegionExecution::ExactlyOne) && regions.iter().all(is_single) {
            // Storage that dies with this operation may be freed or updated in its regions instead.
            let direct: FxHashSet<Value> = view.operands().map(|operand| self.root(operand)).collect();
            for &value in scope.last_uses.get(&position).map_or(&[][..], Vec::as_slice) {
                let owned = scope.owned.get(&value).filter(|owned| owned.last_use == position);
                if let Some(owned) = owned.filter(|_| !direct.contains(&value) && moved.insert(value)) {
                    inherited.push((value, owned.class));
                }
            }
        }
        for region in regions {
            self.region(body, region, &inherited, Arguments::Owned);
        }
    }

    fn remark(&mut self, body: &Body, op: Op, kind: RemarkKind, message: impl FnOnce(&str) -> String) {
        if let Some(remarks) = &mut self.remarks {
            let view = body.op(op);
            remarks.push((kind, Diagnostic::remark(message(view.name())).at(view.loc().place(self.ctx))));
        }
    }

    pub(super) fn report(&mut self, body: &Body, op: Op, message: &str) {
        let view = body.op(op);
        let error = Diagnostic::error(format!("'{}' op {message}", view.name()));
        self.errors.push(error.at(view.loc().place(self.ctx)));
    }
}
