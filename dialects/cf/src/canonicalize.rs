//! Canonicalization patterns that simplify branches and merge blocks.

use crate::{Assert, Br, CondBr, Switch};
use minoan_arith::Select;
use minoan_ir::{Attr, Block, Body, InsertionPoint, Int, Op, OpDef, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

/// Upper bound on the uses of a condition that are examined, and on the blocks that jump threading follows.
const NEAR: usize = 32;

/// Blocks of at least this many operations are large.
const LARGE: usize = 64;

pub(crate) fn patterns(patterns: &mut PatternSet) {
    patterns
        .on("cf-assert-true", assert_true)
        .on_with_benefit("cf-br-to-only-branch", 2, merge)
        .on("cf-br-pass-through", br_through)
        .on_with_benefit("cf-cond-br-known-condition", 2, known_condition)
        .on("cf-cond-br-pass-through", cond_br_through)
        .on("cf-cond-br-same-destination", same_destination)
        .on("cf-cond-br-condition-inside", condition_inside)
        .on("cf-switch-simplify", switch)
        .on("cf-switch-after-switch", fold_nested_switch);
}

fn assert_true(op: Assert, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let condition = rewriter.constant_of(op.arg(rewriter.body()));
    if condition != Some(Attr::TRUE) {
        return Err(NoMatch::because("the condition is not constant true"));
    }
    rewriter.erase(op.op());
    Ok(Matched)
}

fn is_entry(body: &Body, block: Block) -> bool {
    let region = body.block(block).region();
    region.and_then(|region| body.region(region).entry()) == Some(block)
}

/// Merges a block into its only predecessor.
fn merge(op: Br, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (from, to) = (body.op(op.op()).block(), op.dest(body));
    let from = from.ok_or(NoMatch::SILENT)?;
    let target = body.block(to);
    if target.n_named() != 1
        || is_entry(body, to)
        || to == from
        || target.region() != body.block(from).region()
    {
        return Err(NoMatch::because("the block has other predecessors"));
    }
    // In a chain whose last block comes first in the text, the merged operations would move again for each block.
    if target.len() > LARGE && body.block(from).n_named() == 1 && !is_entry(body, from) {
        return Err(NoMatch::because("region simplification merges large blocks"));
    }
    let args = op.dest_operands(body);
    if args.iter().any(|&arg| body.block_of(arg) == Some(to)) {
        return Err(NoMatch::because("the branch is unreachable"));
    }
    rewriter.erase(op.op());
    rewriter.inline_block(to, InsertionPoint::End(from), &args);
    Ok(Matched)
}

/// The successor and operands of a branch to `block` with `operands` after skipping the block, if it only contains an
/// unconditional branch.
fn through(body: &Body, block: Block, operands: &[Value]) -> Option<(Block, Vec<Value>)> {
    let target = body.block(block);
    let br = target.first().filter(|_| target.len() == 1).and_then(|first| Br::cast(body, first))?;
    // Its arguments are used by the branch alone.
    let own: Vec<Value> = target.args().collect();
    if own.iter().any(|&arg| body.uses(arg).any(|at| at.op != br.op())) {
        return None;
    }
    // A cycle of such blocks has no exit.
    let mut seen = vec![block];
    let mut at = br.dest(body);
    loop {
        if seen.contains(&at) || seen.len() > NEAR {
            return None;
        }
        seen.push(at);
        let next = body.block(at);
        match next.first().filter(|_| next.len() == 1).and_then(|first| Br::cast(body, first)) {
            Some(next) => at = next.dest(body),
            None => break,
        }
    }
    let given = |value: Value| own.iter().position(|&arg| arg == value).map_or(value, |at| operands[at]);
    Some((br.dest(body), br.dest_operands(body).into_iter().map(given).collect()))
}

fn br_through(op: Br, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (block, operands) = through(body, op.dest(body), &op.dest_operands(body))
        .ok_or(NoMatch::because("the target block is not a pure branch"))?;
    rewriter.modify(op.op(), |body, op| {
        body.set_operands(op, &operands);
        body.set_successor(op, 0, block);
    });
    Ok(Matched)
}

/// The operands of a conditional branch.
struct Targets {
    condition: Value,
    blocks: [Block; 2],
    operands: [Vec<Value>; 2],
}

impl Targets {
    fn of(body: &Body, op: CondBr) -> Targets {
        Targets {
            condition: op.condition(body),
            blocks: [op.true_dest(body), op.false_dest(body)],
            operands: [op.true_operands(body), op.false_operands(body)],
        }
    }
}

fn known_condition(op: CondBr, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let Targets { condition, blocks, operands } = Targets::of(rewriter.body(), op);
    let context = rewriter.context();
    let taken = match rewriter.constant_of(condition).and_then(|attr| attr.as_bool(context)) {
        None => return Err(NoMatch::because("the condition is not constant")),
        Some(condition) => usize::from(!condition),
    };
    go(rewriter, op.op(), blocks[taken], &operands[taken]);
    Ok(Matched)
}

/// Replaces a branch by an unconditional one.
fn go(rewriter: &mut Rewriter<'_>, op: Op, block: Block, operands: &[Value]) {
    Br::build(&mut rewriter.builder(), operands, block);
    rewriter.erase(op);
}

fn cond_br_through(op: CondBr, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let Targets { condition, mut blocks, mut operands } = Targets::of(body, op);
    let mut changed = false;
    for (block, operands) in blocks.iter_mut().zip(&mut operands) {
        if let Some((further, given)) = through(body, *block, operands) {
            (*block, *operands) = (further, given);
            changed = true;
        }
    }
    if !changed {
        return Err(NoMatch::because("no target block is a pure branch"));
    }
    let weights = op.branch_weights(body).map(Vec::from);
    let [yes, no] = operands;
    CondBr::build(&mut rewriter.builder(), condition, &yes, &no, weights, blocks[0], blocks[1]);
    rewriter.erase(op.op());
    Ok(Matched)
}

/// Replaces a conditional branch with equal targets by selects and a branch, if the block has no other predecessors.
fn same_destination(op: CondBr, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let Targets { condition, blocks: [block, other], operands: [yes, no] } = Targets::of(body, op);
    if block != other {
        return Err(NoMatch::because("the targets differ"));
    }
    if yes != no && (body.block(block).n_named() != 2 || is_entry(body, block)) {
        return Err(NoMatch::because("the block has other predecessors"));
    }
    let mut operands = Vec::with_capacity(yes.len());
    for (yes, no) in yes.into_iter().zip(no) {
        operands.push(if yes == no {
            yes
        } else {
            let select = Select::build(&mut rewriter.builder(), condition, yes, no);
            select.result(rewriter.body())
        });
    }
    go(rewriter, op.op(), block, &operands);
    Ok(Matched)
}

/// Replaces the condition by a constant in blocks that are only reachable through one of the edges.
fn condition_inside(op: CondBr, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let Targets { condition, blocks, .. } = Targets::of(body, op);
    if rewriter.constant_of(condition).is_some() {
        return Err(NoMatch::because("the condition is a constant"));
    }
    rewriter.replace_known_condition(op.op(), condition, NEAR, |body, user| {
        let only = |block: Block| body.block(block).n_named() == 1 && !is_entry(body, block);
        let block = body.op(user).block()?;
        let successor = blocks.iter().position(|&target| target == block)?;
        (blocks[0] != blocks[1] && only(block)).then_some(successor == 0)
    })
}

/// Simplifies a switch: a constant flag, cases equal to the default, and targets that only branch on.
fn switch(op: Switch, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let flag = op.flag(body);
    let mut default = (op.default_destination(body), op.default_operands(body));
    let blocks = op.case_destinations(body);
    let mut cases: Vec<(Int, Block, Vec<Value>)> = (op.values(body).into_iter().zip(blocks))
        .zip(op.operands_of_cases(body))
        .map(|((value, block), operands)| (value, block, operands))
        .collect();
    if let Some(known) = rewriter.constant_of(flag).and_then(|attr| attr.as_int(body.context()).cloned()) {
        let case = cases.into_iter().find(|case| case.0 == known);
        let (block, operands) = case.map_or(default, |(_, block, operands)| (block, operands));
        go(rewriter, op.op(), block, &operands);
        return Ok(Matched);
    }
    let mut changed = false;
    let branches = cases.iter_mut().map(|(_, block, operands)| (block, operands));
    for (block, operands) in branches.chain([(&mut default.0, &mut default.1)]) {
        if let Some((further, given)) = through(body, *block, operands) {
            (*block, *operands) = (further, given);
            changed = true;
        }
    }
    let count = cases.len();
    cases.retain(|(_, block, operands)| (*block, operands) != (default.0, &default.1));
    if cases.is_empty() {
        go(rewriter, op.op(), default.0, &default.1);
        return Ok(Matched);
    }
    if !changed && count == cases.len() {
        return Err(NoMatch::because("no case can be simplified"));
    }
    Switch::of_cases(&mut rewriter.builder(), flag, (default.0, &default.1), &cases);
    rewriter.erase(op.op());
    Ok(Matched)
}

/// If a switch is the only predecessor of another switch on the same flag, the latter's flag is known: it is the case
/// value of the edge, or none of the case values for the default edge.
fn fold_nested_switch(op: Switch, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (flag, known) = (op.flag(body), op.values(body));
    let after = |block: Block| {
        let alone = body.block(block).n_named() == 1 && !is_entry(body, block);
        let last = body.block(block).last().filter(|_| alone)?;
        Switch::cast(body, last).filter(|next| next.op() != op.op() && next.flag(body) == flag)
    };
    let cases = op.case_destinations(body).into_iter().zip(known.iter().map(Some));
    let branches = cases.chain([(op.default_destination(body), None)]);
    let found = branches
        .filter_map(|(block, case)| Some((after(block)?, case)))
        .find_map(|(next, case)| simpler(body, next, case, &known).map(|left| (next, left)));
    let (next, (default, left)) =
        found.ok_or(NoMatch::because("no successor is a switch on the same flag"))?;
    rewriter.set_before(next.op());
    if left.is_empty() {
        go(rewriter, next.op(), default.0, &default.1);
    } else {
        Switch::of_cases(&mut rewriter.builder(), flag, (default.0, &default.1), &left);
        rewriter.erase(next.op());
    }
    Ok(Matched)
}

/// The default and the cases of a switch.
type DefaultAndCases = ((Block, Vec<Value>), Vec<(i64, Block, Vec<Value>)>);

/// Simplifies a switch whose flag is equal to one case, or different from the known ones; `None` if that does not
/// simplify it.
fn simpler(body: &Body, op: Switch, case: Option<&Int>, known: &[Int]) -> Option<DefaultAndCases> {
    let default = (op.default_destination(body), op.default_operands(body));
    let blocks = op.case_destinations(body);
    let mut cases: Vec<(Int, Block, Vec<Value>)> = (op.values(body).into_iter().zip(blocks))
        .zip(op.operands_of_cases(body))
        .map(|((value, block), operands)| (value, block, operands))
        .collect();
    if let Some(case) = case {
        let taken = cases.into_iter().find(|(value, ..)| value == case);
        return Some((taken.map_or(default, |(_, block, operands)| (block, operands)), Vec::new()));
    }
    let count = cases.len();
    cases.retain(|(value, ..)| !known.contains(value));
    let left: Option<Vec<(i64, Block, Vec<Value>)>> = cases
        .iter()
        .map(|(value, block, operands)| Some((value.as_i64()?, *block, operands.clone())))
        .collect();
    (cases.len() < count).then_some((default, left?))
}
