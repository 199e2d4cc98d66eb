//! Lowers structured control flow to branches between blocks.

use crate::forall::Bound;
use crate::regions::case_values;
use crate::{
    Condition, ExecuteRegion, For, Forall, If, IndexSwitch, Parallel, Reduce, ReduceReturn, While, Yield,
};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_cf::{Br, CondBr, Switch};
use minoan_ir::{
    Attr, AttrData, Block, Body, InsertionPoint, Name, Op, OpDef, OpRef, OpState, Region, Type, Value,
};
use minoan_rewrite::{ConversionTarget, Matched, NoMatch, PatternSet, Rewriter, ToBranches};

pub(crate) struct Branching;

impl ToBranches for Branching {
    fn add_patterns(&self, patterns: &mut PatternSet, target: &mut ConversionTarget) {
        target.illegal::<If>().illegal::<For>().illegal::<While>().illegal::<Parallel>();
        target.illegal::<ExecuteRegion>().illegal::<IndexSwitch>().illegal::<Forall>();
        patterns
            .on::<If>("if-to-branches", lower_if)
            .on::<For>("for-to-branches", lower_for)
            .on::<While>("while-to-branches", lower_while)
            .on_with_benefit::<While>("do-while-to-branches", 2, lower_do_while)
            .on::<ExecuteRegion>("execute-region-to-branches", lower_execute_region)
            .on::<IndexSwitch>("index-switch-to-branches", lower_switch)
            .on::<Parallel>("parallel-to-for", lower_parallel)
            .on::<Forall>("forall-to-parallel", lower_forall);
    }
}

fn blocks(body: &Body, region: Region) -> Vec<Block> {
    body.region(region).blocks().collect()
}

/// The terminator of a block, and its operands.
fn end_of(body: &Body, block: Block) -> Result<(Op, Vec<Value>), NoMatch> {
    let last = body.block(block).last().ok_or(NoMatch::because("a block without a terminator"))?;
    Ok((last, body.op(last).operands().collect()))
}

/// The entry block of a region, its exit block, and the terminator of the latter.
fn parts(body: &Body, region: Region) -> Result<(Block, Op, Vec<Value>), NoMatch> {
    let blocks = blocks(body, region);
    let (Some(&first), Some(&last)) = (blocks.first(), blocks.last()) else {
        return Err(NoMatch::because("a region without a block"));
    };
    let (end, operands) = end_of(body, last)?;
    Ok((first, end, operands))
}

/// Splits the block of an operation: before the operation, and after it.
fn split(rewriter: &mut Rewriter<'_>, op: Op) -> Result<(Block, Block), NoMatch> {
    let before = rewriter.op(op).block().ok_or(NoMatch::because("the operation is detached"))?;
    Ok((before, rewriter.split_block(op)))
}

/// Creates a branch in place of a terminator or at the end of a block.
fn branch(rewriter: &mut Rewriter<'_>, at: InsertionPoint, to: Block, operands: &[Value]) -> Op {
    rewriter.set_insertion_point(at);
    Br::build(&mut rewriter.builder(), operands, to).op()
}

fn branch_instead(rewriter: &mut Rewriter<'_>, end: Op, to: Block, operands: &[Value]) -> Op {
    let op = branch(rewriter, InsertionPoint::Before(end), to, operands);
    rewriter.erase(end);
    op
}

fn cond_branch(
    rewriter: &mut Rewriter<'_>,
    at: InsertionPoint,
    on: Value,
    yes: (Block, &[Value]),
    no: Block,
) -> Op {
    rewriter.set_insertion_point(at);
    CondBr::build(&mut rewriter.builder(), on, yes.1, &[], None, yes.0, no).op()
}

/// Adds an argument per result to the continuation block.
fn result_args(rewriter: &mut Rewriter<'_>, op: Op, block: Block) -> Vec<Value> {
    let (types, loc): (Vec<Type>, _) = (rewriter.op(op).result_types().collect(), rewriter.op(op).loc());
    types.into_iter().map(|ty| rewriter.add_arg(block, ty, loc)).collect()
}

fn lower_if(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let op = op.op();
    let view = rewriter.op(op);
    let (condition, then, otherwise) = (view.operand(0), view.region(0), view.region(1));
    let (then_block, then_end, then_values) = parts(view.body(), then)?;
    let otherwise = match view.body().region(otherwise).is_empty() {
        true => None,
        false => Some((otherwise, parts(view.body(), otherwise)?)),
    };
    let (before, rest) = split(rewriter, op)?;
    let mut next = rest;
    if rewriter.op(op).n_results() > 0 {
        next = rewriter.add_block_before(rest, &[]);
        branch(rewriter, InsertionPoint::End(next), rest, &[]);
    }
    let results = result_args(rewriter, op, next);
    branch_instead(rewriter, then_end, next, &then_values);
    rewriter.move_blocks_before(then, next);
    let mut else_block = next;
    if let Some((region, (entry, end, values))) = otherwise {
        else_block = entry;
        branch_instead(rewriter, end, next, &values);
        rewriter.move_blocks_before(region, next);
    }
    cond_branch(rewriter, InsertionPoint::End(before), condition, (then_block, &[]), else_block);
    rewriter.replace(op, &results);
    Ok(Matched)
}

fn lower_for(op: For, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let op = op.op();
    let view = rewriter.op(op);
    let (lower, upper, step) = (view.operand(0), view.operand(1), view.operand(2));
    let unsigned = view.attr_named("unsignedCmp").is_some();
    let kept = loop_attrs(view);
    let inits: Vec<Value> = std::iter::once(lower).chain(view.operands().skip(3)).collect();
    let region = view.region(0);
    let (condition, end, yielded) = parts(view.body(), region)?;
    let first = view.body().block(condition).first().ok_or(NoMatch::because("an empty block"))?;
    let (before, rest) = split(rewriter, op)?;
    let args: Vec<Value> = rewriter.body().block(condition).args().collect();
    // The first block of the body becomes the loop header; its operations move to a block of their own.
    let start = rewriter.split_block(first);
    rewriter.move_blocks_before(region, rest);
    rewriter.set_insertion_point(InsertionPoint::Before(end));
    let next = arith::addi(&mut rewriter.builder(), args[0], step);
    let carried: Vec<Value> = std::iter::once(next).chain(yielded).collect();
    let back = branch_instead(rewriter, end, condition, &carried);
    keep_attrs(rewriter, back, kept);
    branch(rewriter, InsertionPoint::End(before), condition, &inits);
    rewriter.set_insertion_point(InsertionPoint::End(condition));
    let predicate = if unsigned { CmpIPredicate::Ult } else { CmpIPredicate::Slt };
    let goes_on = arith::cmpi(&mut rewriter.builder(), predicate, args[0], upper);
    cond_branch(rewriter, InsertionPoint::End(condition), goes_on, (start, &[]), rest);
    rewriter.replace(op, &args[1..]);
    Ok(Matched)
}

/// The attributes of a loop that its latch branch inherits: those with values of the `llvm` dialect.
fn loop_attrs(op: OpRef<'_>) -> Vec<(Name, Attr)> {
    let ctx = op.context();
    let llvm = |attr: Attr| matches!(attr.data(ctx), AttrData::Opaque { dialect, .. } if dialect.as_str(ctx) == "llvm");
    let all = op.attrs().as_dictionary(ctx).unwrap_or_default();
    all.iter().copied().filter(|&(_, attr)| llvm(attr)).collect()
}

fn keep_attrs(rewriter: &mut Rewriter<'_>, op: Op, attrs: Vec<(Name, Attr)>) {
    rewriter.modify(op, |body, op| {
        attrs.into_iter().for_each(|(name, attr)| body.set_attr(op, name, Some(attr)));
    });
}

/// The condition that terminates the first region of a loop.
fn condition_of(body: &Body, region: Region) -> Result<(Block, Op, Vec<Value>), NoMatch> {
    let (entry, end, operands) = parts(body, region)?;
    if !body.op(end).is::<Condition>() {
        return Err(NoMatch::because("the first region does not end with 'scf.condition'"));
    }
    Ok((entry, end, operands))
}

fn lower_while(op: While, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let op = op.op();
    let view = rewriter.op(op);
    let inits: Vec<Value> = view.operands().collect();
    let (first, second) = (view.region(0), view.region(1));
    let kept = loop_attrs(view);
    let (decide, decision, values) = condition_of(view.body(), first)?;
    let (body, end, yielded) = parts(view.body(), second)?;
    let (before, rest) = split(rewriter, op)?;
    rewriter.move_blocks_before(second, rest);
    rewriter.move_blocks_before(first, body);
    branch(rewriter, InsertionPoint::End(before), decide, &inits);
    cond_branch(rewriter, InsertionPoint::Before(decision), values[0], (body, &values[1..]), rest);
    rewriter.erase(decision);
    let back = branch_instead(rewriter, end, decide, &yielded);
    keep_attrs(rewriter, back, kept);
    rewriter.replace(op, &values[1..]);
    Ok(Matched)
}

/// Lowers a loop whose second region only forwards its arguments to a do-while loop.
fn lower_do_while(op: While, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let op = op.op();
    let view = rewriter.op(op);
    let inits: Vec<Value> = view.operands().collect();
    let (first, second) = (view.region(0), view.region(1));
    let kept = loop_attrs(view);
    let (decide, decision, values) = condition_of(view.body(), first)?;
    let after = blocks(view.body(), second);
    let [after] = after[..] else { return Err(NoMatch::because("the second region has several blocks")) };
    let after = view.body().block(after);
    let passes_on = after.len() == 1
        && after
            .last()
            .map(|last| view.body().op(last))
            .is_some_and(|last| last.is::<Yield>() && last.operands().eq(after.args()));
    if !passes_on {
        return Err(NoMatch::because("the second region is not empty"));
    }
    let (before, rest) = split(rewriter, op)?;
    rewriter.move_blocks_before(first, rest);
    branch(rewriter, InsertionPoint::End(before), decide, &inits);
    let back =
        cond_branch(rewriter, InsertionPoint::Before(decision), values[0], (decide, &values[1..]), rest);
    keep_attrs(rewriter, back, kept);
    rewriter.erase(decision);
    rewriter.replace(op, &values[1..]);
    Ok(Matched)
}

/// Moves the blocks of the region into the region around the operation.
pub(crate) fn lower_execute_region(
    op: ExecuteRegion,
    rewriter: &mut Rewriter<'_>,
) -> Result<Matched, NoMatch> {
    let op = op.op();
    let view = rewriter.op(op);
    let region = view.region(0);
    let (entry, ..) = parts(view.body(), region)?;
    let ends: Vec<Op> = blocks(view.body(), region)
        .into_iter()
        .filter_map(|block| crate::regions::yield_of(view.body(), block).map(|last| last.id()))
        .collect();
    let (before, rest) = split(rewriter, op)?;
    branch(rewriter, InsertionPoint::End(before), entry, &[]);
    for end in ends {
        let values: Vec<Value> = rewriter.op(end).operands().collect();
        branch_instead(rewriter, end, rest, &values);
    }
    rewriter.move_blocks_before(region, rest);
    let results = result_args(rewriter, op, rest);
    rewriter.replace(op, &results);
    Ok(Matched)
}

fn lower_switch(op: IndexSwitch, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let op = op.op();
    let view = rewriter.op(op);
    let (arg, cases) = (view.operand(0), case_values(view));
    let regions: Vec<Region> = view.own_regions().collect();
    let ends = regions.iter().map(|&region| Ok((region, parts(view.body(), region)?)));
    let mut ends = ends.collect::<Result<Vec<_>, NoMatch>>()?;
    // The default region is the last in the assembly.
    ends.rotate_left(1);
    let (before, rest) = split(rewriter, op)?;
    let results = result_args(rewriter, op, rest);
    let mut entries = Vec::new();
    for (region, (entry, end, values)) in ends {
        branch_instead(rewriter, end, rest, &values);
        rewriter.move_blocks_before(region, rest);
        entries.push(entry);
    }
    let default = entries.pop().ok_or(NoMatch::because("no default region"))?;
    rewriter.set_insertion_point(InsertionPoint::End(before));
    // MLIR's conversion casts to `i32`, so that an index of 2^32 + 1 takes the case of 1.
    let flag = arith::index_cast(&mut rewriter.builder(), arg, Type::I64);
    let cases: Vec<(i64, Block, Vec<Value>)> =
        cases.into_iter().zip(entries).map(|(case, block)| (case, block, Vec::new())).collect();
    Switch::of_cases(&mut rewriter.builder(), flag, (default, &[]), &cases);
    rewriter.replace(op, &results);
    Ok(Matched)
}

/// Converts to `scf.parallel` if there are no shared tensors.
fn lower_forall(op: Forall, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let op = op.op();
    let view = rewriter.op(op);
    if !view.operand_group(3).is_empty() {
        return Err(NoMatch::because("the loop shares tensors, which must be bufferized first"));
    }
    let bounds = [0, 1, 2].map(|group| crate::forall::bounds(view, group));
    let mapping = view.attr_named("mapping");
    let block = parts(view.body(), view.region(0))?.0;
    let mut b = rewriter.builder();
    let [lower, upper, step] = bounds.map(|bounds| -> Vec<Value> {
        let value = |bound| match bound {
            Bound::Value(value) => value,
            Bound::Number(number) => arith::constant_index(&mut b, number),
        };
        bounds.into_iter().map(value).collect()
    });
    let parallel = Parallel::build(&mut b, &lower, &upper, &step, &[], &[]).op();
    if let Some(mapping) = mapping {
        let name = rewriter.context().name("mapping");
        keep_attrs(rewriter, parallel, vec![(name, mapping)]);
    }
    let region = rewriter.op(parallel).region(0);
    let entry = rewriter.add_block(region, &vec![Type::INDEX; lower.len()]);
    let args: Vec<Value> = rewriter.body().block(entry).args().collect();
    let (end, _) = end_of(rewriter.body(), block)?;
    rewriter.erase(end);
    rewriter.inline_block(block, InsertionPoint::End(entry), &args);
    rewriter.set_insertion_point(InsertionPoint::End(entry));
    Reduce::build(&mut rewriter.builder(), &[], 0);
    rewriter.replace(op, &[]);
    Ok(Matched)
}

/// Lowers to a nest of loops, the first index outermost, that carries the reductions.
fn lower_parallel(op: Parallel, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let op = op.op();
    let view = rewriter.op(op);
    let groups: Vec<Vec<Value>> = (0..4).map(|group| view.operand_group(group)).collect();
    let types: Vec<Type> = view.result_types().collect();
    let loc = view.loc();
    let (block, reduce, contributed) = parts(view.body(), view.region(0))?;
    let mut reductions = Vec::new();
    for region in view.body().op(reduce).own_regions() {
        let (entry, end, values) = parts(view.body(), region)?;
        if !view.body().op(end).is::<ReduceReturn>() {
            return Err(NoMatch::because("a reduction does not end with 'scf.reduce.return'"));
        }
        reductions.push((entry, end, values[0]));
    }
    let kind = rewriter.context().kind_of::<For>();
    let (mut indices, mut carried, mut results) = (Vec::new(), groups[3].clone(), groups[3].clone());
    let mut inner = None;
    for ((&lower, &upper), &step) in groups[0].iter().zip(&groups[1]).zip(&groups[2]) {
        let state = OpState::new(kind).operands(&[lower, upper, step]).operands(&carried).results(&types);
        let nest = rewriter.create(state.regions(1));
        let args: Vec<Type> = std::iter::once(rewriter.ty(lower)).chain(types.iter().copied()).collect();
        let region = rewriter.op(nest).region(0);
        let entry = rewriter.add_block(region, &args);
        let given: Vec<Value> = rewriter.op(nest).results().collect();
        match inner {
            None => results = given,
            Some(block) => {
                rewriter.set_insertion_point(InsertionPoint::End(block));
                Yield::build(&mut rewriter.builder(), &given);
            }
        }
        let args: Vec<Value> = rewriter.body().block(entry).args().collect();
        indices.push(args[0]);
        carried = args[1..].to_vec();
        rewriter.set_insertion_point(InsertionPoint::End(entry));
        inner = Some(entry);
    }
    let inner = inner.ok_or(NoMatch::because("the loop has no induction variable"))?;
    rewriter.set_loc(loc);
    let mut yielded = Vec::new();
    for ((entry, end, value), (&so_far, &more)) in
        reductions.into_iter().zip(carried.iter().zip(&contributed))
    {
        // The combination may be one of its operands.
        let args: Vec<Value> = rewriter.body().block(entry).args().collect();
        let value = args.iter().position(|&arg| arg == value).map_or(value, |at| [so_far, more][at]);
        yielded.push(value);
        rewriter.erase(end);
        rewriter.inline_block(entry, InsertionPoint::Before(reduce), &[so_far, more]);
    }
    // A contribution may be an induction variable.
    let args: Vec<Value> = rewriter.body().block(block).args().collect();
    let given = |value: Value| args.iter().position(|&arg| arg == value).map_or(value, |at| indices[at]);
    let yielded: Vec<Value> = yielded.into_iter().map(given).collect();
    rewriter.erase(reduce);
    rewriter.inline_block(block, InsertionPoint::End(inner), &indices);
    rewriter.set_insertion_point(InsertionPoint::End(inner));
    Yield::build(&mut rewriter.builder(), &yielded);
    rewriter.replace(op, &results);
    Ok(Matched)
}
