//! `scf.parallel`, and the reductions that terminate its body.

use crate::{flow, loops, services};
use minoan_ir::constraints::{ANY, INDEX};
use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionArg, RegionStyle, print_type};
use minoan_ir::{Body, Op, Traits, Type, Value, Violations, op};
use minoan_services::{Evaluate, EvaluateYield, LoopLike, RegionExecution, RegionFlow};

/// A parallel loop over an index space, with unordered iterations.
///
/// `scf.parallel (%i, %j) = (%a, %b) to (%c, %d) step (%s, %t) { .. }`; with `init (%x) -> f32` its results are
/// reductions that start from the initial values.
#[op(
    "scf.parallel",
    traits(RECURSIVE_EFFECTS, ALLOCATION_SCOPE, SINGLE_BLOCK, IMPLICIT_TERMINATOR, OPERAND_SEGMENTS),
    terminator = "scf.reduce",
    assembly = custom(parse_parallel, print_parallel),
    verify = verify_parallel,
    services(
        Evaluate = services::EvaluateParallel,
        RegionFlow = flow::Structured(RegionExecution::Parallel),
        LoopLike = loops::ParallelLoop,
    )
)]
pub struct Parallel {
    /// The lower bounds.
    #[operand(INDEX, name = "lowerBound")]
    lower_bound: Vec<Value>,
    /// The exclusive upper bounds.
    #[operand(INDEX, name = "upperBound")]
    upper_bound: Vec<Value>,
    /// The steps; positive.
    step: Vec<Operand<INDEX>>,
    /// The initial values of the reductions.
    #[operand(ANY, name = "initVals")]
    init_vals: Vec<Value>,
    /// The results of the reductions.
    results: Vec<OpResult<ANY>>,
    /// The loop body.
    #[region(non_empty)]
    region: Region,
}

/// Parses operands in parentheses, one per induction variable.
fn bounds(p: &mut OpParser<'_, '_>, count: usize) -> Result<(), ParseError> {
    let span = p.span();
    let operands = p.operands_between("(", ")", "operand list")?;
    if operands.len() != count {
        return Err(p.error_at(span, format!("expected {count} operands")));
    }
    p.add_operands(&operands, &vec![Type::INDEX; count])
}

fn parse_parallel(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let names = p.operands_between("(", ")", "argument list")?;
    let count = names.len();
    p.punct("=")?;
    bounds(p, count)?;
    p.keyword("to")?;
    bounds(p, count)?;
    p.keyword("step")?;
    bounds(p, count)?;
    let mut inits = Vec::new();
    if p.optional_keyword("init") {
        inits = p.operands_between("(", ")", "operand list")?;
    }
    let types = p.optional_arrow_types()?;
    p.add_results(&types);
    let args: Vec<RegionArg> = names.into_iter().map(|name| RegionArg { name, ty: Type::INDEX }).collect();
    p.region(&args)?;
    p.attr_dict()?;
    p.add_operands(&inits, &types)?;
    p.set_segments(&[count, count, count, inits.len()]);
    Ok(())
}

fn print_parallel(p: &mut OpPrinter<'_, '_>) {
    let (op, body) = (p.op(), p.body());
    let entry = op.own_regions().next().and_then(|region| body.region(region).entry());
    let args: Vec<Value> = entry.map_or_else(Vec::new, |block| body.block(block).args().collect());
    for (word, values) in [
        (" (", args),
        (" = (", op.operand_group(0)),
        (" to (", op.operand_group(1)),
        (" step (", op.operand_group(2)),
    ] {
        p.text(word);
        p.values(&values);
        p.text(")");
    }
    let inits = op.operand_group(3);
    if !inits.is_empty() {
        p.text(" init (");
        p.values(&inits);
        p.text(")");
    }
    let types: Vec<Type> = op.result_types().collect();
    p.arrow_types(&types);
    p.text(" ");
    p.region(0, RegionStyle::FULL.without_entry_args());
    p.attr_dict(&[]);
}

fn verify_parallel(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let (steps, inits) = (view.operand_group(2), view.operand_group(3));
    if steps.is_empty() {
        return errors.push("needs at least one tuple element for lowerBound, upperBound and step");
    }
    if steps.iter().any(|&step| constant(body, step).is_some_and(|step| step <= 0)) {
        return errors.push("constant step operand must be positive");
    }
    let Some(entry) = body.region(view.region(0)).entry() else { return };
    let args = body.block(entry);
    if args.n_args() != steps.len() {
        return errors.push(format!(
            "expects the same number of induction variables: {} as bound and step values: {}",
            args.n_args(),
            steps.len()
        ));
    }
    if args.args().any(|arg| body.ty(arg) != Type::INDEX) {
        return errors.push("expects arguments for the induction variable to be of index type");
    }
    let Some(reduce) = args.last().map(|last| body.op(last)).filter(|last| last.is::<Reduce>()) else {
        return errors.push("expects body to terminate with 'scf.reduce'");
    };
    let (results, reductions) = (view.n_results(), reduce.n_regions());
    if results != reductions {
        errors.push(format!(
            "expects number of results: {results} to be the same as number of reductions: {reductions}"
        ));
    } else if results != inits.len() {
        errors.push(format!(
            "expects number of results: {results} to be the same as number of initial values: {}",
            inits.len()
        ));
    }
}

/// The integer value of a constant operation.
pub(crate) fn constant(body: &Body, value: Value) -> Option<i64> {
    let op = body.op(body.defining_op(value)?);
    let is_constant = op.has_trait(Traits::CONSTANT_LIKE);
    op.attr_named("value").filter(|_| is_constant)?.as_i64(body.context())
}

/// Terminates the body of an `scf.parallel`: each region combines two values of one of its operands.
#[op(
    "scf.reduce",
    traits(TERMINATOR, RECURSIVE_EFFECTS),
    parents("scf.parallel"),
    assembly = "(`(` $operands^ `:` type($operands) `)`)? $reductions attr-dict",
    verify = verify_reduce,
    services(Evaluate = EvaluateYield)
)]
pub struct Reduce {
    /// The contributions of the iteration.
    operands: Vec<Operand<ANY>>,
    /// The combiners, one per operand, with two arguments of its type.
    #[region(non_empty)]
    reductions: Vec<Region>,
}

fn verify_reduce(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let results: Vec<Type> =
        view.parent().map_or_else(Vec::new, |parent| body.op(parent).result_types().collect());
    if view.n_operands() != view.n_regions() {
        return errors.push(format!(
            "expects number of reduction regions: {} to be the same as number of reduction operands: {}",
            view.n_regions(),
            view.n_operands()
        ));
    }
    let show = |ty: Type| print_type(ctx, ty);
    for (index, (ty, region)) in view.operand_types().zip(view.own_regions()).enumerate() {
        if let Some(&result) = results.get(index).filter(|&&result| result != ty) {
            return errors.push(format!(
                "expects type of {index}-th reduction operand: '{}' to be the same as the {index}-th result type: '{}'",
                show(ty),
                show(result)
            ));
        }
        let Some(entry) = body.region(region).entry().map(|entry| body.block(entry)) else { continue };
        let args: Vec<Type> = entry.args().map(|arg| body.ty(arg)).collect();
        if args != [ty, ty] {
            return errors.push(format!(
                "expected two block arguments with type '{}' in the {index}-th reduction region",
                show(ty)
            ));
        }
        if !entry.last().is_some_and(|last| body.op(last).is::<ReduceReturn>()) {
            return errors.push("reduction bodies must be terminated with an 'scf.reduce.return' op");
        }
    }
}

/// Yields the combination of two values of a reduction.
#[op(
    "scf.reduce.return",
    traits(TERMINATOR, PURE),
    parents("scf.reduce"),
    assembly = "$result attr-dict `:` type($result)",
    verify = verify_reduce_return,
    services(Evaluate = EvaluateYield)
)]
pub struct ReduceReturn {
    /// The combination.
    result: Operand<ANY>,
}

fn verify_reduce_return(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let args = view.block().map(|block| body.block(block)).filter(|block| block.n_args() > 0);
    if let Some(want) = args.map(|block| body.ty(block.arg(0)))
        && body.ty(view.operand(0)) != want
    {
        let want = print_type(body.context(), want);
        errors.push(format!("must have type '{want}' (the type of the reduction inputs)"));
    }
}
