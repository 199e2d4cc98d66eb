//! `scf.forall` as other loops, as a named set of patterns that is applied before lowering.

use crate::forall::{Bound, ParallelInsert, bounds};
use crate::{For, Forall, Parallel, Reduce};
use minoan_arith::constant_index;
use minoan_ir::{Block, Builder, InsertionPoint, Op, OpDef, Type, Value};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternSet, PatternStage, Rewriter};

pub(crate) const SET: NamedPatterns = NamedPatterns {
    name: "scf-forall-to-loops",
    description: "convert scf.forall to scf.for if it updates tensors, otherwise to scf.parallel",
    stage: PatternStage::BeforeLowering,
    add,
};

fn add(patterns: &mut PatternSet) {
    patterns.on("scf-forall-to-loops", to_loops);
}

/// The values of a group of bounds.
fn values(b: &mut Builder<'_>, bounds: Vec<Bound>) -> Vec<Value> {
    let value = |bound| match bound {
        Bound::Value(value) => value,
        Bound::Number(number) => constant_index(b, number),
    };
    bounds.into_iter().map(value).collect()
}

/// Converts a loop without results to an `scf.parallel`, and a loop that updates tensors to `scf.for` loops that carry them:
/// any order of its iterations is allowed.
fn to_loops(forall: Forall, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let op = forall.op();
    let view = rewriter.op(op);
    let body = rewriter.body();
    let block = view.own_regions().next().and_then(|region| body.region(region).entry());
    let block = block.ok_or_else(|| NoMatch::because("it has no body"))?;
    let groups = [0, 1, 2].map(|group| bounds(view, group));
    let outputs = forall.outputs(body);
    let mut b = rewriter.builder();
    let [lower, upper, step] = groups.map(|group| values(&mut b, group));
    if outputs.is_empty() {
        let parallel = Parallel::build(&mut b, &lower, &upper, &step, &[], &[]).op();
        let point = b.region(parallel, 0, &vec![Type::INDEX; lower.len()], |b, point| {
            Reduce::build(b, &[], 0);
            point.to_vec()
        });
        let inside = rewriter.op(parallel).region(0);
        let entry = rewriter.body().region(inside).entry().expect("the region has a block");
        replace_body(rewriter, block, entry, &point, &[]);
        rewriter.erase(op);
        return Ok(Matched);
    }
    let ranges: Vec<[Value; 3]> =
        lower.into_iter().zip(upper).zip(step).map(|((lower, upper), step)| [lower, upper, step]).collect();
    let mut nest = Nest { point: Vec::new(), carried: Vec::new(), innermost: None };
    let results = nest.build(&mut b, &ranges, &outputs);
    let Some(innermost) = nest.innermost else { return Err(NoMatch::because("it has no dimensions")) };
    replace_body(rewriter, block, innermost, &nest.point, &nest.carried);
    rewriter.replace(op, &results);
    Ok(Matched)
}

/// A nest of loops that carries tensors.
struct Nest {
    /// The induction variables, outermost first.
    point: Vec<Value>,
    /// The tensors in the innermost loop.
    carried: Vec<Value>,
    /// The body of the innermost loop.
    innermost: Option<Block>,
}

impl Nest {
    /// Creates the loops over `ranges`, each of which yields the results of the next inner one; returns the results of the first.
    fn build(&mut self, b: &mut Builder<'_>, ranges: &[[Value; 3]], tensors: &[Value]) -> Vec<Value> {
        let Some((&range, rest)) = ranges.split_first() else {
            self.carried = tensors.to_vec();
            return tensors.to_vec();
        };
        let repeat = For::with(b, range, tensors, |b, index, tensors| {
            self.point.push(index);
            self.innermost = b.body().block_of(index);
            self.build(b, rest, tensors)
        });
        repeat.results(b.body())
    }
}

/// Moves the body of an `scf.forall` before the terminator of a loop's body, whose operands become the updated tensors.
fn replace_body(rewriter: &mut Rewriter<'_>, from: Block, into: Block, point: &[Value], carried: &[Value]) {
    let end = rewriter.body().block(into).last().expect("the body of a loop ends with a terminator");
    let inserts_at = rewriter.body().block(from).last().expect("the body ends with a terminator");
    let args: Vec<Value> = point.iter().chain(carried).copied().collect();
    rewriter.inline_block(from, InsertionPoint::Before(end), &args);
    let body = rewriter.body();
    let region = body.op(inserts_at).own_regions().next().and_then(|region| body.region(region).entry());
    let inserts: Vec<Op> = region.map_or_else(Vec::new, |block| body.block(block).ops().collect());
    let mut updated = carried.to_vec();
    rewriter.set_before(inserts_at);
    for insert in inserts {
        let view = rewriter.op(insert);
        let service = rewriter.context().clone();
        let Some(service) = service.service::<dyn ParallelInsert>(view.kind()) else { continue };
        let at =
            service.destinations(view).first().and_then(|dest| carried.iter().position(|own| own == dest));
        let Some(at) = at else { continue };
        updated[at] = service.insert(&mut rewriter.builder(), insert, updated[at]);
    }
    rewriter.erase(inserts_at);
    for (at, value) in updated.into_iter().enumerate() {
        rewriter.set_operand(end, at, value);
    }
}
