//! Canonicalization of consecutive `scf.if` operations with the same condition.

use super::{block_of, similar};
use crate::If;
use minoan_arith::XOrI;
use minoan_ir::{Attr, Block, Body, InsertionPoint, Op, OpDef, Region, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use rustc_hash::FxHashMap;

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns.on("scf-if-after-if", combine);
}

/// Whether a value is the negation of another.
fn is_not(rewriter: &Rewriter<'_>, value: Value, of: Value) -> bool {
    let body = rewriter.body();
    let not = body.defining_op(value).and_then(|def| XOrI::cast(body, def));
    not.is_some_and(|not| {
        let [operand, ones] = not.operand_values(body);
        operand == of && rewriter.constant_of(ones) == Some(Attr::TRUE)
    })
}

/// The operation of a certain block that an operation is, or is in, and the region of it.
fn owner_in(body: &Body, block: Block, op: Op) -> Option<(Op, Region)> {
    let mut at = op;
    loop {
        let region = body.block(body.op(at).block()?).region()?;
        let parent = body.region(region).parent()?;
        if body.op(parent).block() == Some(block) {
            return Some((parent, region));
        }
        at = parent;
    }
}

/// An `scf.if` of a row, with the regions that run where the condition of the row holds, and where it does not.
struct Member {
    op: If,
    regions: [Region; 2],
}

/// The adjacent `scf.if` around one of them whose conditions are that of the first, or its negation.
fn row(rewriter: &Rewriter<'_>, op: If) -> Vec<Member> {
    let body = rewriter.body();
    let same = |a: If, b: If| {
        let (a, b) = (a.condition(body), b.condition(body));
        a == b || is_not(rewriter, a, b) || is_not(rewriter, b, a)
    };
    let fits = |other: &If| same(*other, op);
    let before = |at: &If| body.op(at.op()).prev().and_then(|other| If::cast(body, other)).filter(fits);
    let after = |at: &If| body.op(at.op()).next().and_then(|other| If::cast(body, other)).filter(fits);
    let mut row: Vec<If> = std::iter::successors(before(&op), before).collect();
    row.reverse();
    row.extend(std::iter::successors(Some(op), after));
    let condition = row[0].condition(body);
    // Two negations of one condition may be equal without being the same value.
    let is_member = |member: &If| member.condition(body) == condition || same(*member, row[0]);
    let members = row.iter().copied().take_while(is_member).map(|op| {
        let mut regions = [op.then_region(body), op.else_region(body)];
        if op.condition(body) != condition {
            regions.reverse();
        }
        Member { op, regions }
    });
    members.collect()
}

/// Makes one `scf.if` of a row of them with one condition: `if c {a} if c {b} if c {d}` is `if c {a b d}`. The whole row is
/// merged at once: merging it in pairs would copy the results of the first ones again and again.
fn combine(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let row = row(rewriter, op);
    if row.len() < 2 {
        return Err(NoMatch::because("no scf.if of the same condition is next to it"));
    }
    let body = rewriter.body();
    let (first, condition) = (row[0].op, row[0].op.condition(body));
    let block = body.op(first.op()).block().ok_or(NoMatch::because("it is in no block"))?;
    // In a region of a later member, a result of an earlier one is what the corresponding region of that yields.
    let branch: FxHashMap<Region, usize> =
        row.iter().flat_map(|member| member.regions.into_iter().zip(0..)).collect();
    for member in &row {
        for number in 0..member.op.results(rewriter.body()).len() {
            let body = rewriter.body();
            let result = member.op.results(body)[number];
            let inner = body.uses(result).filter_map(|user| {
                let (_, region) = owner_in(body, block, user.op)?;
                Some((user.op, user.index, *branch.get(&region)?))
            });
            let inner: Vec<(Op, usize, usize)> = inner.collect();
            for (user, index, branch) in inner {
                let body = rewriter.body();
                let (_, end) = block_of(body, member.regions[branch])?;
                let value = body.op(end).operand(number);
                rewriter.set_operand(user, index, value);
            }
        }
    }
    let body = rewriter.body();
    // By member: the numbers of the results that are used after the row.
    let kept = row.iter().map(|member| {
        let results = member.op.results(body).into_iter().enumerate();
        results.filter(|&(_, result)| body.is_used(result)).map(|(number, _)| number).collect()
    });
    let kept: Vec<Vec<usize>> = kept.collect();
    let types = row.iter().zip(&kept).flat_map(|(member, kept)| {
        let results = member.op.results(body);
        kept.iter().map(move |&number| body.ty(results[number])).collect::<Vec<_>>()
    });
    let types: Vec<Type> = types.collect();
    let new = similar(rewriter, op.op(), &[condition], &types);
    for branch in 0..2 {
        let target = rewriter.op(new).region(branch);
        let mut yielded: Vec<Value> = Vec::new();
        for (member, kept) in row.iter().zip(&kept) {
            let region = member.regions[branch];
            if rewriter.body().region(region).is_empty() {
                continue;
            }
            let (from, end) = block_of(rewriter.body(), region)?;
            yielded.extend(kept.iter().map(|&number| rewriter.op(end).operand(number)));
            if rewriter.body().region(target).is_empty() {
                rewriter.move_blocks(region, target);
                continue;
            }
            let (into, old_end) = block_of(rewriter.body(), target)?;
            rewriter.erase(old_end);
            rewriter.inline_block(from, InsertionPoint::End(into), &[]);
        }
        if !rewriter.body().region(target).is_empty() {
            let (_, end) = block_of(rewriter.body(), target)?;
            rewriter.modify(end, |body, end| body.set_operands(end, &yielded));
        }
    }
    let results: Vec<Value> = rewriter.op(new).results().collect();
    let mut results = results.into_iter();
    for (member, kept) in row.iter().zip(&kept) {
        for &number in kept {
            let old = member.op.results(rewriter.body())[number];
            let value = results.next().expect("a result for each that is used");
            rewriter.replace_all_uses(old, value);
        }
        rewriter.erase(member.op.op());
    }
    Ok(Matched)
}
