//! Arguments of functions that the callee takes: it owns them, and may update them in place or return their storage.
//!
//! A function takes an argument that it would copy otherwise, if all callers are known and none of them needs the tensor after
//! the call. So a tensor that is handed from call to call, such as a cotangent to which each call of a recursion adds, is
//! updated in place. Callers that pass an argument of their own are assumed to take it until another call shows the opposite.

use super::lent_results::LentResults;
use super::storage::Classes;
use crate::analysis::call_sites::{known_functions, levels};
use minoan_ir::{Block, Body, Context, Name, Op, OpRef, ServiceTable, Value};
use minoan_services::{Calls, RegionExecution, RegionFlow};
use rustc_hash::{FxHashMap, FxHashSet};

/// An argument of a function.
type Argument = (Name, usize);

/// The arguments that the functions of a module take.
#[derive(Default)]
pub(super) struct TakenArguments<'c> {
    ctx: Option<&'c Context>,
    calls: Option<&'c ServiceTable<dyn Calls>>,
    taken: FxHashSet<Argument>,
}

impl<'c> TakenArguments<'c> {
    /// Finds the arguments that the functions in the top-level block of `top` take.
    pub(super) fn of(top: &Body, ctx: &'c Context, lent: &'c LentResults<'c>) -> Self {
        let calls = ctx.service_table::<dyn Calls>();
        let mut found = TakenArguments { ctx: Some(ctx), calls, taken: FxHashSet::default() };
        let levels = levels(top);
        let known = known_functions(ctx, top, false, &levels, calls);
        let none = TakenArguments::default();
        for (&name, &op) in &known {
            let Some(inside) = top.nested(op) else { continue };
            found.consumed(inside, &Classes::of(inside, ctx, lent, &none, None), name);
        }
        for result in lent.arguments() {
            found.taken.remove(&result);
        }
        if found.taken.is_empty() {
            return found;
        }
        let (mut refused, mut needed) = (Vec::new(), FxHashMap::default());
        for (owner, inside) in levels {
            let name = owner.and_then(|owner| top.try_op(owner).ok()?.symbol_name());
            found.visit_calls(inside, name.map(|name| ctx.name(name)), lent, &mut refused, &mut needed);
        }
        while let Some(argument) = refused.pop() {
            if found.taken.remove(&argument) {
                refused.extend(needed.remove(&Some(argument)).unwrap_or_default());
            }
        }
        found
    }

    /// Adds the arguments of a function that it would copy to own them.
    fn consumed(&mut self, inside: &Body, classes: &Classes<'_>, name: Name) {
        let Some(region) = inside.regions().next() else { return };
        let Some(entry) = inside.region(region).entry() else { return };
        // Tensors of an entry block are not passed from block to block.
        if inside.region(region).blocks().len() != 1 {
            return;
        }
        let args = inside.block(entry).args().enumerate();
        self.taken.extend(args.filter(|&(_, arg)| classes.consumes(arg)).map(|(at, _)| (name, at)));
    }

    /// Finds the arguments that cannot be taken because of a call in a function, and those that can only if one of the function
    /// itself can.
    fn visit_calls(
        &self,
        inside: &Body,
        name: Option<Name>,
        lent: &'c LentResults<'c>,
        refused: &mut Vec<Argument>,
        needed: &mut FxHashMap<Option<Argument>, Vec<Argument>>,
    ) {
        let Some(ctx) = self.ctx else { return };
        let calls = inside.walk().into_iter().filter(|&op| self.callee(inside.op(op)).is_some());
        let calls: Vec<Op> = calls.collect();
        if calls.is_empty() {
            return;
        }
        let none = TakenArguments::default();
        let mut lives = Lives {
            body: inside,
            flows: ctx.service_table(),
            classes: Classes::of(inside, ctx, lent, &none, None),
            blocks: FxHashMap::default(),
        };
        for op in calls {
            for index in 0..inside.op(op).n_operands() {
                let Some(argument) = self.argument(inside.op(op), index) else { continue };
                if !self.taken.contains(&argument) {
                    continue;
                }
                match lives.owner(op, inside.op(op).operand(index)) {
                    Some(Owner::Block) => {}
                    Some(Owner::Argument(own)) if name.is_some_and(|name| self.by_function(name, own)) => {
                        let own = name.map(|name| (name, own));
                        needed.entry(own).or_default().push(argument);
                    }
                    _ => refused.push(argument),
                }
            }
        }
    }

    fn callee(&self, op: OpRef<'_>) -> Option<Name> {
        self.calls?.get(op.kind())?.callee(op)?.as_flat_symbol(self.ctx?)
    }

    /// The argument that an operand of a call becomes.
    fn argument(&self, call: OpRef<'_>, index: usize) -> Option<Argument> {
        let args = self.calls?.get(call.kind())?.args(call);
        Some((self.callee(call)?, args.contains(&index).then(|| index - args.start)?))
    }

    /// Whether the callee takes an operand of an operation, a call.
    pub(super) fn by_call(&self, op: OpRef<'_>, index: usize) -> bool {
        !self.taken.is_empty()
            && self.argument(op, index).is_some_and(|argument| self.taken.contains(&argument))
    }

    /// Whether a function takes an argument.
    pub(super) fn by_function(&self, name: Name, index: usize) -> bool {
        self.taken.contains(&(name, index))
    }
}

/// The owner of a tensor.
enum Owner {
    /// A block.
    Block,
    /// A function, if it takes this argument.
    Argument(usize),
}

/// The lifetimes of the tensors of a function.
struct Lives<'a, 'c> {
    body: &'a Body,
    flows: Option<&'c ServiceTable<dyn RegionFlow>>,
    classes: Classes<'c>,
    /// The operations of the blocks so far.
    blocks: FxHashMap<Block, Vec<Op>>,
}

impl Lives<'_, '_> {
    /// The owner of a tensor that is not used after an operation, which uses it once; `None` if it is used, or not owned.
    fn owner(&mut self, user: Op, value: Value) -> Option<Owner> {
        let body = self.body;
        let class = self.classes.class(value)?;
        if self.classes.uses_within(class, user) != 1 {
            return None;
        }
        let mut at = user;
        loop {
            let block = body.op(at).block()?;
            let ops = self.blocks.entry(block).or_insert_with(|| body.block(block).ops().collect());
            let last = self.classes.last_use(class, ops)?;
            if ops.get(last as usize) != Some(&at) {
                return None;
            }
            if body.block_of(value) == Some(block) {
                let is_entry = body.op(at).parent().is_none();
                let arg = body.block(block).args().position(|arg| arg == value);
                return Some(arg.filter(|_| is_entry).map_or(Owner::Block, Owner::Argument));
            }
            // Regions that are executed once may take what dies with the operation.
            at = body.op(at).parent()?;
            let view = body.op(at);
            let flow = self.flows?.get(view.kind())?;
            let is_once = flow.execution(view) == RegionExecution::ExactlyOne
                && view.own_regions().all(|region| body.region(region).blocks().len() == 1)
                && !view.operands().any(|operand| operand == value);
            if !is_once {
                return None;
            }
        }
    }
}
