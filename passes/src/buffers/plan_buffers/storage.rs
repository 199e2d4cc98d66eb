//! Uses of the storage of tensors, numbered in program order.
//!
//! A *storage class* is a tensor with all views of it: the values that are in the same storage by
//! [`AliasModel`](minoan_services::AliasModel). Each class has a sorted list of its uses, so the last use of a class in a
//! block, and the number of its uses within an operation, take a binary search. Computing the classes takes three
//! linear walks over a function. The buffers of tensors that the program accesses have classes, too.

use super::exchanges::{Destinations, Finder, tracked};
use super::lent_results::{LentResults, is_return};
use super::taken_arguments::TakenArguments;
use super::views::{self, Views};
use minoan_ir::{Body, Context, Name, Op, OpRef, ServiceTable, Type, Value};
use minoan_services::{Alias, AliasModel, BufferOps, EffectSet, EffectsTable, OperandUse, Ownership};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Upper bound on the classes that one choice keeps alive, which keeps the time linear.
const MAX_BASES: usize = 8;

/// A storage class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Class(u32);

/// The tensors among the operands and results of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    None,
    /// Buffers of tensors, which the program accesses, and no tensors.
    OnlyBuffers,
    /// Tensors.
    Tensors,
}

/// The uses of a class, and the classes that it is chosen from.
#[derive(Default)]
struct Uses {
    /// Numbers of the operations that use it, one for each operand, in order.
    at: SmallVec<[u32; 4]>,
    /// Classes that a use of this one uses as well.
    bases: SmallVec<[Class; 2]>,
}

/// Storage classes of a body before it is changed.
pub(super) struct Classes<'c> {
    ctx: &'c Context,
    aliases: Option<&'c ServiceTable<dyn AliasModel>>,
    ownership: Option<&'c ServiceTable<dyn Ownership>>,
    /// The operations in text order; their position is their number.
    order: Vec<Op>,
    /// Indexed by [`Op::index`]: the number of an operation, and the end of the range of numbers nested in it.
    spans: Vec<(u32, u32)>,
    /// Indexed by [`Value::index`]: the class of a tensor.
    classes: Vec<Option<Class>>,
    /// Indexed by [`Value::index`]: whether a tensor or a view of it is consumed or updated.
    is_consumed: Vec<bool>,
    uses: Vec<Uses>,
    /// Operations whose result, a possible view, is a view.
    views: Views,
    /// Buffers of tensors, and views of them, that the program accesses.
    tracked: FxHashSet<Value>,
    /// Indexed by [`Op::index`]: the access of an operation.
    accesses: Vec<Access>,
    lent: &'c LentResults<'c>,
    taken: &'c TakenArguments<'c>,
    /// For each result of the function, whether it is lent.
    lends: Vec<bool>,
}

impl<'c> Classes<'c> {
    /// Computes the classes of all tensors in `body`, the inside of a function with this symbol.
    pub(super) fn of(
        body: &Body,
        ctx: &'c Context,
        lent: &'c LentResults<'c>,
        taken: &'c TakenArguments<'c>,
        symbol: Option<Name>,
    ) -> Self {
        let mut classes = Classes {
            ctx,
            aliases: ctx.service_table::<dyn AliasModel>(),
            ownership: ctx.service_table::<dyn Ownership>(),
            order: body.walk(),
            spans: vec![(0, 0); body.op_capacity()],
            classes: vec![None; body.value_capacity()],
            is_consumed: vec![false; body.value_capacity()],
            uses: Vec::new(),
            views: Views::default(),
            tracked: FxHashSet::default(),
            accesses: vec![Access::None; body.op_capacity()],
            lent,
            taken,
            lends: lent.of_function(symbol),
        };
        classes.number(body);
        classes.tracked = tracked(body, ctx, &classes.order);
        for &op in &classes.order {
            let view = body.op(op);
            let is_tensor = |ty: Type| ty.is_tensor(ctx);
            let values = || view.operands().chain(view.results());
            classes.accesses[op.index()] = match () {
                () if view.operand_types().chain(view.result_types()).any(is_tensor) => Access::Tensors,
                () if values().any(|value| classes.tracked.contains(&value)) => Access::OnlyBuffers,
                () => Access::None,
            };
        }
        classes.views = views::find(body, ctx, lent, &classes.order, |op| classes.spans[op.index()]);
        classes.find_consumed(body);
        for number in 0..classes.order.len() {
            classes.add(body.op(classes.order[number]), number as u32);
        }
        classes
    }

    fn number(&mut self, body: &Body) {
        for (number, op) in self.order.iter().enumerate() {
            self.spans[op.index()] = (number as u32, number as u32 + 1);
        }
        for op in self.order.iter().rev() {
            if let Some(parent) = body.op(*op).parent() {
                let end = self.spans[op.index()].1;
                let outer = &mut self.spans[parent.index()].1;
                *outer = end.max(*outer);
            }
        }
    }

    /// Walks from the end, since whether an operand is consumed depends on the users of results.
    fn find_consumed(&mut self, body: &Body) {
        for &op in self.order.iter().rev() {
            let view = body.op(op);
            let mut any_result = false;
            for (index, result) in view.results().enumerate() {
                if !self.is_stored(body, result) {
                    continue;
                }
                let is_consumed = self.is_consumed[result.index()];
                any_result |= is_consumed;
                match self.alias(view, index) {
                    Alias::UpdateOf(operand) => self.is_consumed[view.operand(operand).index()] = true,
                    Alias::ViewOf(operand) => self.is_consumed[view.operand(operand).index()] |= is_consumed,
                    Alias::Fresh | Alias::MayViewOf(_) | Alias::Static => {}
                }
            }
            for (index, operand) in view.operands().enumerate() {
                if self.is_stored(body, operand) {
                    self.is_consumed[operand.index()] |= match self.operand_use(view, index) {
                        OperandUse::Consume => true,
                        OperandUse::ConsumeTogether => any_result,
                        OperandUse::Borrow => false,
                    };
                }
            }
        }
    }

    fn add(&mut self, view: OpRef<'_>, number: u32) {
        let body = view.body();
        let mut together: SmallVec<[Class; 2]> = SmallVec::new();
        for (index, operand) in view.operands().enumerate() {
            if !self.is_stored(body, operand) {
                continue;
            }
            let class = self.class_or_new(operand);
            self.uses[class.0 as usize].at.push(number);
            for base in self.uses[class.0 as usize].bases.clone() {
                self.uses[base.0 as usize].at.push(number);
            }
            if self.operand_use(view, index) == OperandUse::ConsumeTogether {
                together.push(class);
            }
        }
        for (index, result) in view.results().enumerate() {
            if !self.is_stored(body, result) {
                continue;
            }
            if let Alias::ViewOf(base) = self.alias(view, index) {
                let base = self.class_or_new(view.operand(base));
                self.classes[result.index()] = Some(base);
                continue;
            }
            let class = self.class_or_new(result);
            if !together.is_empty() && !self.is_consumed[result.index()] {
                let mut bases = together.clone();
                bases.extend(together.iter().flat_map(|base| self.uses[base.0 as usize].bases.clone()));
                bases.sort_by_key(|base| base.0);
                bases.dedup();
                if bases.len() <= MAX_BASES {
                    self.uses[class.0 as usize].bases = bases;
                }
            }
        }
    }

    /// Whether a value is a tensor, or the buffer of one.
    pub(super) fn is_stored(&self, body: &Body, value: Value) -> bool {
        body.ty(value).is_tensor(self.ctx) || self.tracked.contains(&value)
    }

    /// The access to tensors of an operation that was there from the beginning.
    pub(super) fn access(&self, op: Op) -> Access {
        self.accesses.get(op.index()).copied().unwrap_or(Access::None)
    }

    /// The buffers of tensors, and views of them, that the program accesses.
    pub(super) fn tracked(&self) -> &FxHashSet<Value> {
        &self.tracked
    }

    /// The tensors of the body that are computed in buffers of the program.
    pub(super) fn destinations(&self, body: &Body, buffers: &dyn BufferOps) -> Destinations {
        let Classes { ctx, order, spans, views, .. } = self;
        Finder { body, ctx, buffers, ops: order, spans, views }.find(|op, result| self.alias(op, result))
    }

    fn class_or_new(&mut self, value: Value) -> Class {
        *self.classes[value.index()].get_or_insert_with(|| {
            self.uses.push(Uses::default());
            Class(self.uses.len() as u32 - 1)
        })
    }

    /// The context.
    pub(super) fn context(&self) -> &'c Context {
        self.ctx
    }

    /// The ownership of an operand of an operation: a return borrows what the function lends, and a call consumes what the
    /// callee takes.
    pub(super) fn operand_use(&self, op: OpRef<'_>, index: usize) -> OperandUse {
        match self.ownership.and_then(|table| table.get(op.kind())) {
            _ if self.taken.by_call(op, index) => OperandUse::Consume,
            Some(_) if self.lends.get(index) == Some(&true) && is_return(op) => OperandUse::Borrow,
            Some(service) => service.operand(op, index),
            None if self.is_freed(op) => OperandUse::Consume,
            None => OperandUse::Borrow,
        }
    }

    /// Whether the program frees the buffer of a tensor, which the block does not own any more then.
    fn is_freed(&self, op: OpRef<'_>) -> bool {
        let effects = || EffectsTable::new(self.ctx).own(op);
        self.access(op.id()) == Access::OnlyBuffers
            && effects() != EffectSet::UNKNOWN
            && effects().intersects(EffectSet::FREE)
    }

    /// The storage of a result; possible views are resolved.
    pub(super) fn alias(&self, op: OpRef<'_>, result: usize) -> Alias {
        if let Some(operand) = self.lent.of_call(op, result) {
            return Alias::ViewOf(operand);
        }
        let service = self.aliases.and_then(|table| table.get(op.kind()));
        match service.map_or(Alias::Fresh, |service| service.alias(op, result)) {
            Alias::MayViewOf(operand) if self.is_view(op.id()) => Alias::ViewOf(operand),
            Alias::MayViewOf(_) => Alias::Fresh,
            alias => alias,
        }
    }

    /// The operand that a result may be a view of.
    pub(super) fn may_view(&self, op: OpRef<'_>) -> Option<usize> {
        let service = self.aliases.and_then(|table| table.get(op.kind()))?;
        match (op.n_results() == 1).then(|| service.alias(op, 0))? {
            Alias::MayViewOf(operand) => Some(operand),
            _ => None,
        }
    }

    /// Whether the result of an operation, a possible view, is a view.
    pub(super) fn is_view(&self, op: Op) -> bool {
        self.views.contains(op)
    }

    /// The class of a tensor that was there from the beginning.
    pub(super) fn class(&self, value: Value) -> Option<Class> {
        self.classes.get(value.index()).copied().flatten()
    }

    /// Whether a tensor that was there from the beginning, or a view of it, is consumed or updated.
    pub(super) fn consumes(&self, value: Value) -> bool {
        self.is_consumed.get(value.index()).copied().unwrap_or(false)
    }

    /// Whether the result is only read and its operands live as long, so that it may be one of them.
    pub(super) fn is_choice(&self, result: Value) -> bool {
        self.class(result).is_some_and(|class| !self.uses[class.0 as usize].bases.is_empty())
    }

    /// The number of uses of the class by an operation or inside it.
    pub(super) fn uses_within(&self, class: Class, op: Op) -> usize {
        let (start, end) = self.spans[op.index()];
        let uses = &self.uses[class.0 as usize].at;
        uses.partition_point(|&at| at < end) - uses.partition_point(|&at| at < start)
    }

    /// Whether the class is used between two operations, or inside of the first.
    pub(super) fn is_used_between(&self, class: Class, first: Op, second: Op) -> bool {
        let (after, before) = (self.spans[first.index()].0 + 1, self.spans[second.index()].0);
        let uses = &self.uses[class.0 as usize].at;
        uses.partition_point(|&at| at < after) < uses.partition_point(|&at| at < before)
    }

    /// The position in a block, whose operations are given, of the last one that uses the class, itself or inside.
    pub(super) fn last_use(&self, class: Class, block: &[Op]) -> Option<u32> {
        let (start, _) = self.spans[block.first()?.index()];
        let (_, end) = self.spans[block.last()?.index()];
        let uses = &self.uses[class.0 as usize].at;
        let last = uses[..uses.partition_point(|&at| at < end)].last().copied()?;
        let after = block.partition_point(|op| self.spans[op.index()].0 <= last);
        (last >= start).then(|| after as u32 - 1)
    }
}
