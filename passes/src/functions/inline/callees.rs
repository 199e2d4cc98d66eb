//! Decisions about calls, and their replacement by the bodies of finished functions.

use super::Report;
use super::graph::callee;
use super::replace::{Place, branch_to, replace_by_block, replace_by_blocks};
use minoan_diag::Diagnostic;
use minoan_ir::{Block, Body, Op, SymbolTable, Traits};
use minoan_pass::RemarkKind;
use minoan_services::{Calls, Inliner};
use rustc_hash::FxHashMap;

/// Whether a body can be inlined: it is a single block with a return, or several blocks with a branch that can be
/// retargeted.
pub(super) fn ends_well(body: &Body) -> bool {
    let returns =
        |block: Block| body.block(block).last().is_some_and(|op| body.op(op).has_trait(Traits::RETURN_LIKE));
    let blocks: Vec<Block> = body.region(body.root(0)).blocks().collect();
    match blocks[..] {
        [] => false,
        [block] => returns(block),
        _ => blocks.iter().any(|&block| returns(block)) && branch_to(body, &blocks, blocks[0], &[]).is_some(),
    }
}

/// The reason why a function is never inlined.
#[derive(Clone, Copy)]
pub(super) enum Obstacle {
    /// Marked as not to be inlined, as by `no_inline`.
    Forbidden,
    /// Recursive, directly or indirectly.
    Recursive,
    /// More expensive than the limit, and called more than once.
    Large {
        /// The cost in instructions.
        cost: usize,
        /// The limit.
        limit: usize,
    },
    /// Without a return at the end of its only block, or in none of its blocks.
    NoReturn,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Obstacle::Forbidden => f.write_str("it is marked as not to be inlined"),
            Obstacle::Recursive => f.write_str("it is recursive"),
            Obstacle::Large { cost, limit } => {
                write!(
                    f,
                    "its cost is {cost} instructions, the limit is {limit}, and it is called more than once"
                )
            }
            Obstacle::NoReturn => f.write_str("it does not end with a return"),
        }
    }
}

/// A function that can be inlined.
#[derive(Clone, Copy)]
pub(super) struct Callee {
    /// The number of operations, with those of the calls that it postpones.
    pub size: usize,
    /// Whether it can replace a call inside of another operation: it is a single block, after all postponed calls are inlined,
    /// and none of its operations must stay at the top of a function.
    pub nests: bool,
    /// Whether it has calls that are inlined together with it.
    pub postpones: bool,
    /// Whether it is private and has one call.
    pub once: bool,
}

/// Finished functions.
pub(super) struct Finished<'a> {
    pub symbols: &'a SymbolTable,
    /// The indices of all functions.
    pub numbers: &'a FxHashMap<Op, usize>,
    pub bodies: &'a [Body],
    /// For each function, the callee, or the obstacle to inlining it.
    pub callees: &'a [Result<Callee, Obstacle>],
    /// Whether remarks are wanted.
    pub explains: bool,
}

impl<'a> Finished<'a> {
    /// The callee to inline for a call, with its number, or the obstacle; `None` if it is not a call of a function with a
    /// body.
    fn callee(&self, caller: &Body, op: Op) -> Option<Result<(usize, Callee), Obstacle>> {
        let &number = self.numbers.get(&callee(caller, op, self.symbols)?)?;
        // A callee that is not finished calls the caller.
        let found = self.callees.get(number).copied().unwrap_or(Err(Obstacle::Recursive));
        Some(found.map(|callee| (number, callee)))
    }

    /// The callee of a call that a function which postpones calls leaves to its caller.
    fn postponed(&self, body: &Body, call: Op) -> Option<(usize, Callee)> {
        let found = self.callee(body, call)?.ok()?;
        (found.1.once && has_place(body, call, found.1)).then_some(found)
    }

    /// A function with postponed calls.
    pub(super) fn with_postponed(&self, body: &Body) -> Callee {
        let ops = body.walk();
        let mut whole = Callee { size: ops.len(), nests: nests(body), postpones: false, once: true };
        for (_, callee) in ops.into_iter().filter_map(|call| self.postponed(body, call)) {
            whole.size += callee.size;
            whole.nests &= callee.nests;
            whole.postpones = true;
        }
        whole
    }

    /// Adds the remarks for postponed calls.
    pub(super) fn report_postponed(&self, body: &Body, report: &mut Report) {
        for call in body.walk() {
            if let Some((_, callee)) = self.postponed(body, call) {
                report.remarks.push(remark(body, call, Ok(callee.size)));
            }
        }
    }

    /// Inlines the calls in a body up to a size limit, except those to postpone if `postpones`.
    pub(super) fn inline_into(&self, body: &mut Body, largest: usize, postpones: bool, report: &mut Report) {
        let ops = body.walk();
        let mut size = ops.len();
        let mut chosen: Vec<(Op, usize)> = Vec::new();
        for call in ops {
            let Some(found) = self.callee(body, call) else { continue };
            if postpones && self.postponed(body, call).is_some() {
                continue;
            }
            let decided = found.map_err(|obstacle| obstacle.to_string()).and_then(|(number, callee)| {
                let sum = size + callee.size;
                if sum > largest {
                    return Err(format!("the caller would have {sum} operations, the limit is {largest}"));
                }
                if has_place(body, call, callee) {
                    return Ok((number, callee.size));
                }
                let why = if block_count(&self.bodies[number]) > 1 {
                    "it has several blocks"
                } else {
                    "its operations must be at the top of a function"
                };
                Err(format!("{why}, and the call is nested in another operation"))
            });
            if self.explains {
                report.remarks.push(remark(body, call, decided.as_ref().map(|&(_, added)| added)));
            }
            if let Ok((number, added)) = decided {
                size += added;
                chosen.push((call, number));
            }
        }
        self.replace(body, chosen, report);
    }

    /// Inlines the calls that a body postponed.
    pub(super) fn inline_postponed(&self, body: &mut Body, report: &mut Report) {
        let find = |call| Some((call, self.postponed(body, call)?.0));
        let chosen = body.walk().into_iter().filter_map(find).collect();
        self.replace(body, chosen, report);
    }

    /// Replaces calls by the bodies of the callees with these numbers, and then the calls that those postponed.
    fn replace(&self, body: &mut Body, mut chosen: Vec<(Op, usize)>, report: &mut Report) {
        while !chosen.is_empty() {
            report.inlined.extend(chosen.iter().map(|&(_, number)| number));
            let mut places: Vec<Place> = Vec::with_capacity(chosen.len());
            // From the end, so that the part of a block after a call, which moves to a new block, is short.
            for &(call, number) in chosen.iter().rev() {
                places.push(match only_block(&self.bodies[number]) {
                    Some(block) => Place::Block(block),
                    None => {
                        let next = body.op(call).next().expect("a call does not end its block");
                        Place::Between(body.split_block(next))
                    }
                });
            }
            let mut copies: Vec<Op> = Vec::new();
            for (&(call, number), place) in chosen.iter().zip(places.into_iter().rev()) {
                let source = &self.bodies[number];
                let copied = match place {
                    Place::Block(block) => replace_by_block(body, call, source, block),
                    Place::Between(after) => replace_by_blocks(body, call, source, after),
                };
                if self.callees[number].is_ok_and(|callee| callee.postpones) {
                    copies.extend(copied);
                }
            }
            let postponed = |call| Some((call, self.postponed(body, call)?.0));
            chosen = with_nested(body, copies).into_iter().filter_map(postponed).collect();
        }
    }
}

/// Operations, each followed by those in its regions, in order.
fn with_nested(body: &Body, roots: Vec<Op>) -> Vec<Op> {
    let (mut ops, mut pending) = (Vec::with_capacity(roots.len()), roots);
    pending.reverse();
    while let Some(op) = pending.pop() {
        ops.push(op);
        let from = pending.len();
        let blocks = body.op(op).own_regions().flat_map(|region| body.region(region).blocks());
        pending.extend(blocks.flat_map(|block| body.block(block).ops()));
        pending[from..].reverse();
    }
    ops
}

/// The number of blocks of a function.
pub(super) fn block_count(body: &Body) -> usize {
    body.region(body.root(0)).blocks().take(2).count()
}

/// The block of a function that has one.
fn only_block(body: &Body) -> Option<Block> {
    let mut blocks = body.region(body.root(0)).blocks();
    blocks.next().filter(|_| blocks.next().is_none())
}

/// Whether the body of a function can replace a call inside of another operation.
pub(super) fn nests(body: &Body) -> bool {
    let ctx = body.context();
    let stays = |op: &Op| {
        let op = body.op(*op);
        // The service of a call is about the call.
        let inliner = ctx.service::<dyn Inliner>(op.kind()).filter(|_| op.service::<dyn Calls>().is_none());
        inliner.is_some_and(|inliner| !inliner.is_legal_to_inline(op))
    };
    block_count(body) == 1 && !body.walk().iter().any(stays)
}

/// Whether a callee can replace a call: some need a call in a block of the function itself.
fn has_place(body: &Body, call: Op, callee: Callee) -> bool {
    callee.nests || body.op(call).parent().is_none()
}

/// The remark for a call: the size of the inlined callee, or why it is not inlined.
fn remark(body: &Body, call: Op, decided: Result<usize, &String>) -> (RemarkKind, Diagnostic) {
    let view = body.op(call);
    let ctx = body.context();
    let callee = ctx.service::<dyn Calls>(view.kind()).and_then(|calls| calls.callee(view));
    let name = callee.and_then(|symbol| symbol.as_flat_symbol(ctx)).map_or("", |name| name.as_str(ctx));
    let (kind, message) = match decided {
        Ok(size) => (RemarkKind::Passed, format!("'@{name}' is inlined: {size} operations")),
        Err(reason) => (RemarkKind::Missed, format!("'@{name}' is not inlined: {reason}")),
    };
    (kind, Diagnostic::remark(message).at(view.loc().place(ctx)))
}
