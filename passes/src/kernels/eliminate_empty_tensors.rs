//! `eliminate-empty-tensors`: computes tensors in the slice of another tensor where they are inserted.
//!
//! An operation that writes all elements of an uninitialized tensor, whose result replaces a slice of another tensor, writes to
//! that slice instead: the uninitialized tensor is replaced by the slice, and the insertion follows the operation, where it
//! has nothing to copy. Kernels that read the result read the slice instead.
//!
//! ```text
//! %e = tensor.empty(%n)                        %p = tensor.extract_slice %t[%i, 0] [1, %n] [1, 1]
//! %r = schedule.kernel .. outs(%e)             %r = schedule.kernel .. outs(%p)
//! ..                                      ->   %s = tensor.insert_slice %r into %t[%i, 0] [1, %n] [1, 1]
//! %s = tensor.insert_slice %r into %t[..]      ..
//! ```
//!
//! The whole tensor must be owned by the block, and the insertion its only use, so that `plan-buffers` updates it in place.
//! There must be no effects between the two operations: an assertion may ensure that the slice is in bounds. An inserted splat
//! tensor becomes a fill of the slice. The time is linear.

use crate::analysis::effect_sums::effect_sums;
use crate::form_kernels::initial::Fills;
use crate::form_kernels::predicates::creates_tensor;
use crate::plan_buffers::writes_any_layout;
use minoan_diag::Diagnostics;
use minoan_ir::{
    Block, Body, Builder, Context, InsertionPoint, Op, Region, ServiceTable, Traits, Use, Value,
};
use minoan_pass::{Pass, PassRun, queries, requires};
use minoan_services::{
    Alias, AliasModel, DomainOps, EffectSet, Insertion, IterationDomain, KernelOps, PartInsertion,
    RegionExecution, RegionFlow, TensorOps,
};
use rustc_hash::FxHashMap;

/// Upper bound on the uses of a result that are examined, which keeps the time linear.
const MAX_USES: usize = 32;

/// Computes tensors where they are inserted.
pub struct EliminateEmptyTensors;

impl Pass for EliminateEmptyTensors {
    fn name(&self) -> &'static str {
        "eliminate-empty-tensors"
    }

    fn description(&self) -> &'static str {
        "compute tensors in the part of another tensor where they are inserted"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-eliminated", "Number of tensors computed where they are inserted")]
    }

    requires!(PartInsertion, AliasModel);

    queries!(DomainOps, IterationDomain, KernelOps, RegionFlow, TensorOps);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let (Some(insertions), Some(aliases)) = (ctx.service_table(), ctx.service_table()) else {
            return Ok(());
        };
        let kernels = <dyn KernelOps>::any(&ctx);
        let fills = Fills::of(&ctx);
        let eliminator = Eliminator { ctx: &ctx, insertions, aliases, kernels, fills };
        let eliminated = run.each_body(|body| eliminator.body(body));
        run.count("num-eliminated", eliminated.into_iter().sum());
        Ok(())
    }
}

struct Eliminator<'c> {
    ctx: &'c Context,
    insertions: &'c ServiceTable<dyn PartInsertion>,
    aliases: &'c ServiceTable<dyn AliasModel>,
    kernels: Option<&'c dyn KernelOps>,
    fills: Option<Fills<'c>>,
}

/// The order of the operations of a block.
struct Positions {
    /// The position of each operation; a moved operation has the position of the one that it follows.
    of: FxHashMap<Op, usize>,
    /// The number of operations with effects before each position.
    effects: Vec<u32>,
}

impl Positions {
    fn new(ops: &[Op], effects: &[EffectSet]) -> Positions {
        let mut before = Vec::with_capacity(ops.len());
        let mut count = 0;
        for &op in ops {
            before.push(count);
            count += u32::from(effects[op.index()] != EffectSet::NONE);
        }
        Positions { of: ops.iter().copied().zip(0..).collect(), effects: before }
    }

    fn get(&self, op: Op) -> Option<usize> {
        self.of.get(&op).copied()
    }

    /// Whether no operation between two of the block has effects.
    fn are_free_between(&self, first: Op, last: Op) -> bool {
        let [first, last] = [first, last].map(|op| self.get(op).map(|at| self.effects[at]));
        first.is_some() && first == last
    }
}

impl Eliminator<'_> {
    /// Returns the number of tensors that are computed elsewhere.
    fn body(&self, body: &mut Body) -> u64 {
        let mut regions: Vec<(Region, bool)> = body.regions().map(|region| (region, true)).collect();
        for op in body.walk() {
            let view = body.op(op);
            let flow = self.ctx.service::<dyn RegionFlow>(view.kind());
            if flow.is_some_and(|flow| flow.execution(view) != RegionExecution::Parallel) {
                regions.extend(view.own_regions().map(|region| (region, false)));
            }
        }
        let mut eliminated = 0;
        let effects = effect_sums(body, &body.walk());
        for (region, is_root) in regions {
            let entry = body.region(region).entry();
            for block in body.region(region).blocks().collect::<Vec<Block>>() {
                // The arguments of a function belong to its caller.
                let owns_args = !is_root || entry != Some(block);
                eliminated += self.block(body, block, owns_args, &effects);
            }
        }
        eliminated
    }

    fn block(&self, body: &mut Body, block: Block, owns_args: bool, effects: &[EffectSet]) -> u64 {
        let ops: Vec<Op> = body.block(block).ops().collect();
        let is_insertion = |&op: &Op| self.insertions.get(body.op(op).kind()).is_some();
        let found: Vec<Op> = ops.iter().copied().filter(is_insertion).collect();
        if found.is_empty() {
            return 0;
        }
        let mut positions = Positions::new(&ops, effects);
        let mut eliminated = 0;
        for op in found {
            let is_placed = self.fill(body, op).is_some()
                || self.place(body, op, block, owns_args, &mut positions).is_some();
            eliminated += u64::from(is_placed);
        }
        eliminated
    }

    /// Replaces the insertion of equal elements by a fill of the part.
    fn fill(&self, body: &mut Body, op: Op) -> Option<()> {
        let (view, fills) = (body.op(op), self.fills.as_ref()?);
        let service = self.insertions.get(view.kind())?;
        let Insertion { part, whole } = service.insertion(view);
        let (result, tensor) = (view.operand(part), view.operand(whole));
        let (source, loc) = (body.defining_op(result)?, view.loc());
        let mut b = Builder::before(body, op).with_loc(loc);
        let place = service.part(&mut b, op, tensor);
        let fits = self.is_view(b.body(), place);
        let filled = fits.then(|| fills.filled(&mut b, source, &mut |_| Some(place))).flatten();
        let Some(filled) = filled else {
            self.erase_part(body, place);
            return None;
        };
        body.set_operand(op, part, filled);
        if !body.is_used(result) {
            body.erase(source);
        }
        Some(())
    }

    /// Erases a slice that turned out to be unusable.
    fn erase_part(&self, body: &mut Body, part: Value) {
        let made = body.defining_op(part).expect("an operation creates the part");
        body.erase(made);
    }

    /// Moves the computation of an inserted tensor into the slice where it is inserted.
    fn place(
        &self,
        body: &mut Body,
        op: Op,
        block: Block,
        owns_args: bool,
        positions: &mut Positions,
    ) -> Option<()> {
        let view = body.op(op);
        let service = self.insertions.get(view.kind())?;
        let Insertion { part, whole } = service.insertion(view);
        let (result, tensor, inserted) = (view.operand(part), view.operand(whole), view.result(0));
        let producer = body.defining_op(result).filter(|&def| body.op(def).block() == Some(block))?;
        if !self.is_owned(body, tensor, block, owns_args) || body.only_use(tensor).is_none() {
            return None;
        }
        let at = positions.get(producer)?;
        if !positions.are_free_between(producer, op) {
            return None;
        }
        let is_known = |value: Value| match body.defining_op(value) {
            Some(def) if body.op(def).block() == Some(block) => {
                positions.get(def).is_some_and(|position| position < at)
            }
            _ => true,
        };
        let late =
            view.operands().enumerate().filter(|&(operand, value)| operand != part && !is_known(value));
        let late: Vec<Op> = late.filter_map(|(_, value)| body.defining_op(value)).collect();
        // There are no effects in between, so an operation whose operands are known there may precede the producer. What the
        // producer reads must not be updated before.
        let may_precede = |&op: &Op| {
            let view = body.op(op);
            let alias = self.aliases.get(view.kind()).map(|service| service.alias(view, 0));
            let updates = matches!(alias, Some(Alias::UpdateOf(_)));
            !updates && view.n_regions() == 0 && view.operands().all(is_known)
        };
        if !late.iter().all(may_precede) {
            return None;
        }
        let output = self.uninitialized_output(body, producer, result)?;
        let readers = self.readers(body, result, (op, inserted), positions)?;

        for op in late {
            body.try_move_op(op, InsertionPoint::Before(producer)).ok()?;
            positions.of.insert(op, at.saturating_sub(1));
        }
        let loc = body.op(op).loc();
        let own = service.part(&mut Builder::before(body, producer).with_loc(loc), op, tensor);
        let empty = body.op(producer).operand(output);
        if !self.is_view(body, own) || body.ty(own) != body.ty(empty) {
            self.erase_part(body, own);
            return None;
        }
        body.set_operand(producer, output, own);
        let source = body.defining_op(empty).filter(|_| !body.is_used(empty));
        source.into_iter().for_each(|source| body.erase(source));
        body.try_move_op(op, InsertionPoint::After(producer)).ok()?;
        positions.of.insert(op, at);
        if !readers.is_empty() {
            let read =
                service.part(&mut Builder::new(body, InsertionPoint::After(op)).with_loc(loc), op, inserted);
            positions.of.extend(body.defining_op(read).map(|made| (made, at)));
            readers.into_iter().for_each(|place| body.set_operand(place.op, place.index, read));
        }
        Some(())
    }

    /// Whether a tensor belongs to a block, so that its last use may update it.
    fn is_owned(&self, body: &Body, tensor: Value, block: Block, owns_args: bool) -> bool {
        let Some(def) = body.defining_op(tensor) else {
            return owns_args && body.block_of(tensor) == Some(block);
        };
        let view = body.op(def);
        let number = view.results().position(|result| result == tensor).unwrap_or(0);
        let alias = self.aliases.get(view.kind()).map_or(Alias::Fresh, |service| service.alias(view, number));
        view.block() == Some(block)
            && !view.has_trait(Traits::CONSTANT_LIKE)
            && matches!(alias, Alias::Fresh | Alias::UpdateOf(_))
    }

    /// Whether a tensor may be a view of another one.
    fn is_view(&self, body: &Body, tensor: Value) -> bool {
        let def = body.defining_op(tensor).map(|def| body.op(def));
        def.is_some_and(|def| {
            let alias = self.aliases.get(def.kind()).map(|service| service.alias(def, 0));
            matches!(alias, Some(Alias::MayViewOf(_)))
        })
    }

    /// The operand that an operation writes a result to, if it is an uninitialized tensor and may have any layout.
    fn uninitialized_output(&self, body: &Body, producer: Op, result: Value) -> Option<usize> {
        let view = body.op(producer);
        let service = self.aliases.get(view.kind())?;
        let number = view.results().position(|other| other == result)?;
        let Alias::UpdateOf(output) = service.alias(view, number) else { return None };
        let source = body.op(body.defining_op(view.operand(output))?);
        let is_empty =
            creates_tensor(source) && self.ctx.service::<dyn IterationDomain>(source.kind()).is_none();
        let fits =
            is_empty && !service.reads_updated(view, output) && writes_any_layout(self.ctx, view, output);
        fits.then_some(output)
    }

    /// The uses of a result, besides its insertion, if they can read the part of `inserted` instead: kernels before anything
    /// uses `inserted`.
    fn readers(
        &self,
        body: &Body,
        result: Value,
        (op, inserted): (Op, Value),
        positions: &Positions,
    ) -> Option<Vec<Use>> {
        let uses: Vec<Use> = body.uses(result).take(MAX_USES + 1).collect();
        let others: Vec<Use> = uses.iter().copied().filter(|place| place.op != op).collect();
        if uses.len() > MAX_USES || others.len() + 1 != uses.len() {
            return None;
        }
        let position = |place: Use| {
            let mut outer = body.op(place.op).ancestors();
            outer.find_map(|outer| positions.get(outer.id()))
        };
        let mut last = None;
        for &place in &others {
            let kernel = self.kernels.and_then(|kernels| kernels.kernel(body.op(place.op)));
            if kernel.is_none_or(|kernel| place.index >= kernel.inputs) {
                return None;
            }
            last = last.max(Some(position(place)?));
        }
        let is_later = |place: Use| position(place).is_some_and(|at| last.is_none_or(|last| at > last));
        let later: Vec<Use> = body.uses(inserted).take(MAX_USES + 1).collect();
        let are_later = later.len() <= MAX_USES && later.into_iter().all(is_later);
        (others.is_empty() || are_later).then_some(others)
    }
}
