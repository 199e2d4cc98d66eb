//! Results of functions that are lent: in every return, the same argument or a view of it. The caller owns the argument, so it
//! need not be copied; the result of a call is a view of the operand.
//!
//! Only functions whose uses are all known calls lend results: for any other caller, results are owned by the caller. Recursive
//! calls are assumed to lend until a return shows the opposite; every function is visited again at most once for each result of
//! its callees.

use crate::analysis::call_sites::{known_functions, levels};
use minoan_ir::{Body, Context, Name, Op, OpRef, ServiceTable, Traits, Value};
use minoan_services::{Alias, AliasModel, Calls};
use rustc_hash::FxHashMap;

/// The storage of a result of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stored {
    /// No return has been visited.
    Unknown,
    /// The storage of this argument.
    Argument(usize),
    /// Newly allocated storage.
    Own,
}

impl Stored {
    fn join(self, other: Stored) -> Stored {
        match (self, other) {
            (Stored::Unknown, known) | (known, Stored::Unknown) => known,
            (one, other) if one == other => one,
            _ => Stored::Own,
        }
    }
}

/// The lent results of the functions of a module.
pub(super) struct LentResults<'c> {
    ctx: &'c Context,
    calls: Option<&'c ServiceTable<dyn Calls>>,
    aliases: Option<&'c ServiceTable<dyn AliasModel>>,
    results: FxHashMap<Name, Vec<Stored>>,
}

impl<'c> LentResults<'c> {
    /// Finds the lent results of the functions in the top-level block of `top`.
    pub(super) fn of(top: &Body, ctx: &'c Context) -> Self {
        let calls = ctx.service_table::<dyn Calls>();
        let known = known_functions(ctx, top, false, &levels(top), calls);
        let mut lent =
            LentResults { ctx, calls, aliases: ctx.service_table(), results: FxHashMap::default() };
        let mut functions: Vec<(Name, &Body, Vec<Op>)> = Vec::new();
        for (name, op) in known {
            let Some(inside) = top.nested(op) else { continue };
            let returns = returns(inside);
            let counts: Vec<usize> = returns.iter().map(|&op| inside.op(op).n_operands()).collect();
            if let Some(&count) = counts.first()
                && counts.iter().all(|&other| other == count)
            {
                lent.results.insert(name, vec![Stored::Unknown; count]);
                functions.push((name, inside, returns));
            }
        }
        let mut callers: FxHashMap<Name, Vec<usize>> = FxHashMap::default();
        for (at, (_, inside, _)) in functions.iter().enumerate() {
            for op in inside.walk() {
                if let Some(callee) = lent.callee(inside.op(op)) {
                    callers.entry(callee).or_default().push(at);
                }
            }
        }
        let mut pending: Vec<usize> = (0..functions.len()).collect();
        while let Some(at) = pending.pop() {
            let (name, inside, returns) = &functions[at];
            let before = &lent.results[name];
            let stored = |result: usize| {
                let each = returns.iter().map(|&op| lent.trace(inside, inside.op(op).operand(result)));
                each.fold(before[result], Stored::join)
            };
            let after: Vec<Stored> = (0..before.len()).map(stored).collect();
            if after != *before {
                lent.results.insert(*name, after);
                pending.extend(callers.get(name).into_iter().flatten());
            }
        }
        lent
    }

    /// The storage of a value of a function.
    fn trace(&self, body: &Body, mut value: Value) -> Stored {
        if !body.ty(value).is_tensor(self.ctx) {
            return Stored::Own;
        }
        let entry = body.regions().next().and_then(|region| body.region(region).entry());
        while let Some(def) = body.defining_op(value) {
            let view = body.op(def);
            let Some(index) = view.results().position(|result| result == value) else { return Stored::Own };
            let alias = self
                .aliases
                .and_then(|table| table.get(view.kind()))
                .map(|service| service.alias(view, index));
            let operand = match (alias, self.stored(view, index)) {
                (Some(Alias::ViewOf(operand)), _) => Some(operand),
                (_, Some(Stored::Unknown)) => return Stored::Unknown,
                _ => self.of_call(view, index),
            };
            let Some(operand) = operand else { return Stored::Own };
            value = view.operand(operand);
        }
        let args = entry.into_iter().flat_map(|entry| body.block(entry).args());
        args.zip(0..).find(|&(arg, _)| arg == value).map_or(Stored::Own, |(_, index)| Stored::Argument(index))
    }

    fn callee(&self, op: OpRef<'_>) -> Option<Name> {
        self.calls?.get(op.kind())?.callee(op)?.as_flat_symbol(self.ctx)
    }

    fn stored(&self, call: OpRef<'_>, result: usize) -> Option<Stored> {
        self.results.get(&self.callee(call)?)?.get(result).copied()
    }

    /// The operand of a call that a result is a view of.
    pub(super) fn of_call(&self, call: OpRef<'_>, result: usize) -> Option<usize> {
        match self.stored(call, result)? {
            Stored::Argument(index) => self.calls?.get(call.kind())?.args(call).nth(index),
            Stored::Unknown | Stored::Own => None,
        }
    }

    /// The arguments whose storage functions lend.
    pub(super) fn arguments(&self) -> impl Iterator<Item = (Name, usize)> {
        let each = self
            .results
            .iter()
            .flat_map(|(&name, results)| results.iter().map(move |&stored| (name, stored)));
        each.filter_map(|(name, stored)| match stored {
            Stored::Argument(index) => Some((name, index)),
            Stored::Unknown | Stored::Own => None,
        })
    }

    /// For each result of the function with this symbol, whether it is lent.
    pub(super) fn of_function(&self, symbol: Option<Name>) -> Vec<bool> {
        let results = symbol.and_then(|symbol| self.results.get(&symbol));
        results.into_iter().flatten().map(|stored| matches!(stored, Stored::Argument(_))).collect()
    }
}

/// The returns of a function.
fn returns(body: &Body) -> Vec<Op> {
    let blocks = body.regions().flat_map(|region| body.region(region).blocks());
    let lasts = blocks.filter_map(|block| body.block(block).last());
    lasts.filter(|&op| is_return(body.op(op))).collect()
}

/// Whether an operation returns from the function that it is in.
pub(super) fn is_return(op: OpRef<'_>) -> bool {
    op.has_trait(Traits::RETURN_LIKE) && op.parent().is_none()
}
