//! `scf.for`, `scf.if`, `scf.while` and their terminators.

use crate::{assembly, flow, generate, loops, makers, pass_through, reduce, regions, services};
use minoan_ir::constraints::{ANY, I1, SIGNLESS_INTEGER_OR_INDEX};
use minoan_ir::text::print_type;
use minoan_ir::{Block, Body, Builder, Op, OpDef, OpState, Type, Value, Violations, op};
use minoan_services::{
    Cost, Evaluate, EvaluateYield, Generate, LoopLike, Ownership, PassThrough, Reduce, RegionFlow,
    VectorForm, check_edge,
};

/// A loop from a lower bound to an exclusive upper bound.
///
/// The region's arguments are the induction variable and the loop-carried values; it is terminated by `scf.yield`.
#[op(
    "scf.for",
    traits(SINGLE_BLOCK, ALLOCATION_SCOPE, RECURSIVE_EFFECTS, IMPLICIT_TERMINATOR),
    same_types(lower, upper, step),
    terminator = "scf.yield",
    assembly = custom(assembly::parse_for, assembly::print_for),
    verify = verify_for,
    services(
        Evaluate = services::EvaluateFor,
        Generate = generate::AnyFor,
        Ownership = services::ConsumeFrom(3),
        PassThrough = pass_through::Carried,
        RegionFlow = flow::ForFlow,
        LoopLike = loops::ForLoop,
        Reduce = reduce::OneRound,
    )
)]
pub struct For {
    /// The initial value of the induction variable.
    lower: Operand<SIGNLESS_INTEGER_OR_INDEX>,
    /// The exclusive upper bound.
    upper: Operand<SIGNLESS_INTEGER_OR_INDEX>,
    /// The step; positive.
    step: Operand<SIGNLESS_INTEGER_OR_INDEX>,
    /// The initial loop-carried values.
    init_args: Vec<Operand<ANY>>,
    /// Whether the bounds are compared as unsigned.
    #[attr(unit, name = "unsignedCmp")]
    unsigned_cmp: bool,
    /// The final loop-carried values.
    results: Vec<OpResult<ANY>>,
    /// The loop body.
    body: Region,
}

impl For {
    /// Creates a loop; `build` creates the body from the induction variable and the loop-carried values and returns
    /// the next ones.
    pub fn with(
        b: &mut Builder<'_>,
        bounds: [Value; 3],
        init: &[Value],
        build: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
    ) -> For {
        let ctx = b.context();
        let carried: Vec<Type> = init.iter().map(|&value| b.ty(value)).collect();
        let state = OpState::new(ctx.kind_of::<For>());
        let state = state.operands(&bounds).operands(init).results(&carried).regions(1);
        let op = b.create(state);
        let args: Vec<Type> = std::iter::once(b.ty(bounds[0])).chain(carried).collect();
        let (block, outside) = b.enter(op, 0, &args);
        let args: Vec<Value> = b.body().block(block).args().collect();
        let next = build(b, args[0], &args[1..]);
        Yield::build(b, &next);
        b.set_insertion_point(outside);
        For::from_op_unchecked(op)
    }
}

fn verify_for(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(entry) = body.region(view.region(0)).entry() else { return };
    let args: Vec<Type> = body.block(entry).args().map(|arg| body.ty(arg)).collect();
    let inits: Vec<Type> = view.operand_types().skip(3).collect();
    let results: Vec<Type> = view.result_types().collect();
    if inits.len() != results.len() {
        return errors.push("mismatch in number of loop-carried values and defined values");
    }
    let carried = args.get(1..).unwrap_or_default();
    if inits.len() != carried.len() {
        let (inits, carried) = (inits.len(), carried.len());
        return errors.push(format!("different number of inits and region iter_args: {inits} != {carried}"));
    }
    let last = regions::yield_of(body, entry);
    let yielded = last.map_or_else(|| carried.to_vec(), |last| last.operand_types().collect());
    if !yielded.is_empty() && yielded.len() != carried.len() {
        let (carried, yielded) = (carried.len(), yielded.len());
        return errors.push(format!(
            "different number of region iter_args and yielded values: {carried} != {yielded}"
        ));
    }
    let show = |ty: Type| print_type(ctx, ty);
    for (index, &arg) in carried.iter().enumerate() {
        let same = |first: &str, a: Type, second: &str, b: Type| {
            let different = || {
                let (a, b) = (show(a), show(b));
                format!("{index}-th {first} and {index}-th {second} have different type: '{a}' != '{b}'")
            };
            (a != b).then(different)
        };
        let yielded = yielded.get(index).copied().unwrap_or(arg);
        let wrong = same("init", inits[index], "region iter_arg", arg)
            .or_else(|| same("region iter_arg", arg, "yielded value", yielded))
            .or_else(|| same("region iter_arg", arg, "loop result", results[index]));
        if let Some(wrong) = wrong {
            return errors.push(wrong);
        }
    }
    if args.first().copied() != view.operand_types().next() {
        errors.push("expected induction variable to be same type as bounds and step");
    }
    check_edge("Operation scf.yield to Region #0", last.unwrap_or(view), &yielded, carried, errors);
}

/// Executes one of two regions, depending on a condition.
#[op(
    "scf.if",
    traits(RECURSIVE_EFFECTS, SINGLE_BLOCK, NO_REGION_ARGS, IMPLICIT_TERMINATOR),
    terminator = "scf.yield",
    assembly = custom(assembly::parse_if, assembly::print_if),
    verify = verify_if,
    services(
        Evaluate = services::EvaluateIf,
        Generate = generate::AnyIf,
        VectorForm = makers::SelectLanes,
        PassThrough = pass_through::Once,
        RegionFlow = flow::IfFlow,
        Reduce = reduce::OneWay,
    )
)]
pub struct If {
    /// The condition, which selects the first region if true.
    condition: Operand<I1>,
    /// The values yielded by the executed region.
    results: Vec<OpResult<ANY>>,
    /// Executed if the condition is true.
    #[region(name = "thenRegion", non_empty)]
    then_region: Region,
    /// Executed if the condition is false; may be empty if there are no results.
    #[region(name = "elseRegion")]
    else_region: Region,
}

impl If {
    /// Creates a conditional with both regions; each builder returns the yielded values.
    pub fn with(
        b: &mut Builder<'_>,
        condition: Value,
        results: &[Type],
        then: impl FnOnce(&mut Builder<'_>) -> Vec<Value>,
        otherwise: impl FnOnce(&mut Builder<'_>) -> Vec<Value>,
    ) -> If {
        let ctx = b.context();
        let state = OpState::new(ctx.kind_of::<If>()).operands(&[condition]).results(results).regions(2);
        let op = b.create(state);
        let (_, outside) = b.enter(op, 0, &[]);
        let values = then(b);
        Yield::build(b, &values);
        b.enter(op, 1, &[]);
        let values = otherwise(b);
        Yield::build(b, &values);
        b.set_insertion_point(outside);
        If::from_op_unchecked(op)
    }
}

fn verify_if(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let results: Vec<Type> = view.result_types().collect();
    if !results.is_empty() && body.region(view.region(1)).is_empty() {
        return errors.push("must have an else block if defining values");
    }
    for entry in view.own_regions().filter_map(|region| body.region(region).entry()) {
        let Some(last) = regions::yield_of(body, entry) else { continue };
        let given: Vec<Type> = last.operand_types().collect();
        if !check_edge("Operation scf.yield to parent", last, &given, &results, errors) {
            return;
        }
    }
}

/// A loop whose first region computes the condition.
///
/// The first region is terminated by `scf.condition`: if its condition is true, the other operands are passed to the
/// second region, which yields the arguments of the next iteration; if it is false, they are the results.
#[op(
    "scf.while",
    traits(RECURSIVE_EFFECTS, SINGLE_BLOCK),
    assembly = custom(assembly::parse_while, assembly::print_while),
    verify = verify_while,
    services(
        Evaluate = services::EvaluateWhile,
        Generate = generate::AnyWhile,
        Ownership = services::ConsumeFrom(0),
        PassThrough = pass_through::Carried,
        RegionFlow = flow::WhileFlow,
        LoopLike = loops::WhileLoop,
        Reduce = reduce::OneDecision,
    )
)]
pub struct While {
    /// The initial arguments of the first region.
    inits: Vec<Operand<ANY>>,
    /// The last operands of the condition.
    results: Vec<OpResult<ANY>>,
    /// Computes the condition.
    #[region(non_empty)]
    before: Region,
    /// The loop body.
    #[region(non_empty)]
    after: Region,
}

impl While {
    /// Creates a loop; `before` returns the condition and the forwarded values, `after` the next arguments.
    pub fn with(
        b: &mut Builder<'_>,
        inits: &[Value],
        results: &[Type],
        before: impl FnOnce(&mut Builder<'_>, &[Value]) -> (Value, Vec<Value>),
        after: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    ) -> While {
        let ctx = b.context();
        let types: Vec<Type> = inits.iter().map(|&value| b.ty(value)).collect();
        let state = OpState::new(ctx.kind_of::<While>()).operands(inits).results(results).regions(2);
        let op = b.create(state);
        let (block, outside) = b.enter(op, 0, &types);
        let args: Vec<Value> = b.body().block(block).args().collect();
        let (condition, values) = before(b, &args);
        Condition::build(b, condition, &values);
        let (block, _) = b.enter(op, 1, results);
        let args: Vec<Value> = b.body().block(block).args().collect();
        let values = after(b, &args);
        Yield::build(b, &values);
        b.set_insertion_point(outside);
        While::from_op_unchecked(op)
    }
}

fn verify_while(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let entries: Vec<Block> = view.own_regions().filter_map(|region| body.region(region).entry()).collect();
    let [before, after] = entries[..] else { return };
    let last = |block: Block| body.block(block).last().map(|op| body.op(op));
    let Some(condition) = last(before).filter(|last| last.is::<Condition>()) else {
        return errors.push("expects the 'before' region to terminate with 'scf.condition'");
    };
    let Some(end) = last(after).filter(|last| last.is::<Yield>()) else {
        return errors.push("expects the 'after' region to terminate with 'scf.yield'");
    };
    let args = |block: Block| body.block(block).args().map(|arg| body.ty(arg)).collect::<Vec<Type>>();
    let inits: Vec<Type> = view.operand_types().collect();
    let results: Vec<Type> = view.result_types().collect();
    let values: Vec<Type> = condition.operand_types().skip(1).collect();
    let next: Vec<Type> = end.operand_types().collect();
    for (edge, from, given, taken) in [
        ("parent to Region #0", view, &inits, &args(before)),
        ("Operation scf.condition to parent", condition, &values, &results),
        ("Operation scf.condition to Region #1", condition, &values, &args(after)),
        ("Operation scf.yield to Region #0", end, &next, &args(before)),
    ] {
        if !check_edge(edge, from, given, taken, errors) {
            return;
        }
    }
}

/// Terminates the first region of an `scf.while`.
#[op(
    "scf.condition",
    traits(TERMINATOR, PURE),
    parents("scf.while"),
    assembly = "`(` $condition `)` attr-dict ($args^ `:` type($args))?",
    services(Evaluate = EvaluateYield, Ownership = services::ConsumeFrom(1), Cost = 1)
)]
pub struct Condition {
    /// Whether the loop continues.
    condition: Operand<I1>,
    /// The arguments of the second region, or the results.
    args: Vec<Operand<ANY>>,
}

/// Yields values to the enclosing operation.
#[op(
    "scf.yield",
    traits(TERMINATOR, RETURN_LIKE, PURE),
    parents("scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while"),
    assembly = "attr-dict ($results^ `:` type($results))?",
    services(Evaluate = EvaluateYield, Ownership = services::ConsumeFrom(0), Cost = 0)
)]
pub struct Yield {
    /// The values.
    results: Vec<Operand<ANY>>,
}
