//! The operations.

use crate::assembly;
use minoan_ir::constraints::{ANY, I1, SIGNLESS_INTEGER_OR_INDEX, UNIT_ATTR};
use minoan_ir::text::print_type;
use minoan_ir::{Block, Body, Builder, Op, OpDef, OpRef, OpState, Type, Value, op};

/// A loop from a lower bound up to, and without, an upper bound.
///
/// The region's arguments are the induction variable and the carried values; it ends with `scf.yield`.
#[op(
    "scf.for",
    traits(SINGLE_BLOCK, RECURSIVE_EFFECTS, IMPLICIT_TERMINATOR),
    same_types(lower, upper, step),
    terminator = "scf.yield",
    assembly = custom(assembly::parse_for, assembly::print_for),
    verify = verify_for
)]
pub struct For {
    /// First value of the induction variable.
    #[operand(SIGNLESS_INTEGER_OR_INDEX)]
    lower: Value,
    /// Where it ends.
    #[operand(SIGNLESS_INTEGER_OR_INDEX)]
    upper: Value,
    /// How much it grows; positive.
    #[operand(SIGNLESS_INTEGER_OR_INDEX)]
    step: Value,
    /// First values of what is carried.
    #[operand(ANY)]
    init_args: Vec<Value>,
    /// Whether the bounds are compared without sign.
    #[attr(UNIT_ATTR, name = "unsignedCmp")]
    unsigned_cmp: Option<Attr>,
    /// Last values of what is carried.
    #[result(ANY)]
    results: Vec<Value>,
    /// What is done each time.
    #[region]
    body: Region,
}

impl For {
    /// Creates a loop; `build` fills the region from the induction variable and the carried values and gives the
    /// next ones.
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
        b.set_point(outside);
        For::from_op_unchecked(op)
    }
}

fn verify_for(body: &Body, op: Op, error: &mut dyn FnMut(String)) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(entry) = view.regions().next().and_then(|region| body.region(region).entry()) else { return };
    let args: Vec<Type> = body.block(entry).args().map(|arg| body.ty(arg)).collect();
    let carried = view.n_operands().saturating_sub(3);
    if args.len() != carried + 1 {
        error(format!("expected body to have {} arguments, but got {}", carried + 1, args.len()));
        return;
    }
    let induction = view.operand_types().next().unwrap_or(Type::INDEX);
    if args[0] != induction {
        error("expected induction variable to be same type as bounds and step".to_owned());
    }
    if view.n_results() != carried {
        error("mismatch in number of loop-carried values and defined values".to_owned());
        return;
    }
    let types = |index: usize| {
        let init = body.ty(view.operand(3 + index));
        (init, args[1 + index], body.ty(view.result(index)))
    };
    for index in 0..carried {
        let (init, arg, result) = types(index);
        if init != arg {
            error(format!(
                "types mismatch between {index}th iter operand and region iter_arg: {} and {}",
                print_type(ctx, init),
                print_type(ctx, arg)
            ));
        }
        if init != result {
            error(format!("types mismatch between {index}th iter region arg and defined value"));
        }
    }
    let wanted: Vec<Type> = view.result_types().collect();
    check_yield(view, entry, &wanted, error);
}

/// The block must end with an `scf.yield` of these types.
fn check_yield(view: OpRef<'_>, block: Block, wanted: &[Type], error: &mut dyn FnMut(String)) {
    let body = view.body();
    let Some(last) = body.block(block).last().map(|op| body.op(op)).filter(|op| op.is::<Yield>()) else {
        return;
    };
    let given: Vec<Type> = last.operand_types().collect();
    if given != wanted {
        let show = |types: &[Type]| {
            let texts: Vec<String> = types.iter().map(|&ty| print_type(view.context(), ty)).collect();
            format!("({})", texts.join(", "))
        };
        error(format!("types of yielded values {} do not match the results {}", show(&given), show(wanted)));
    }
}

/// One of two regions, by a condition.
#[op(
    "scf.if",
    traits(RECURSIVE_EFFECTS, SINGLE_BLOCK, NO_REGION_ARGS, IMPLICIT_TERMINATOR),
    terminator = "scf.yield",
    assembly = custom(assembly::parse_if, assembly::print_if),
    verify = verify_if
)]
pub struct If {
    /// Which region runs: the first one when it is true.
    #[operand(I1)]
    condition: Value,
    /// What the region that ran yielded.
    #[result(ANY)]
    results: Vec<Value>,
    /// Runs when the condition is true.
    #[region(name = "thenRegion", non_empty)]
    then_region: Region,
    /// Runs when it is false; may be empty when there are no results.
    #[region(name = "elseRegion")]
    else_region: Region,
}

impl If {
    /// Creates a branch with both regions; each builder gives the values that its region yields.
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
        b.set_point(outside);
        If::from_op_unchecked(op)
    }
}

fn verify_if(body: &Body, op: Op, error: &mut dyn FnMut(String)) {
    let view = body.op(op);
    let wanted: Vec<Type> = view.result_types().collect();
    let entries: Vec<Option<Block>> = view.regions().map(|region| body.region(region).entry()).collect();
    if !wanted.is_empty() && entries.get(1).is_some_and(Option::is_none) {
        error("must have an else block if defining values".to_owned());
    }
    for entry in entries.into_iter().flatten() {
        check_yield(view, entry, &wanted, error);
    }
}

/// A loop whose first region decides whether to go on.
///
/// The first region ends with `scf.condition`: when its operand is true the other operands go to the second region,
/// which yields the arguments for the next round; when it is false they are the results.
#[op(
    "scf.while",
    traits(RECURSIVE_EFFECTS, SINGLE_BLOCK),
    assembly = custom(assembly::parse_while, assembly::print_while),
    verify = verify_while
)]
pub struct While {
    /// First arguments of the first region.
    #[operand(ANY)]
    inits: Vec<Value>,
    /// What the condition gave last.
    #[result(ANY)]
    results: Vec<Value>,
    /// Decides.
    #[region(non_empty)]
    before: Region,
    /// Runs each time it was decided to go on.
    #[region(non_empty)]
    after: Region,
}

impl While {
    /// Creates a loop; `before` gives the condition and what goes with it, `after` the next arguments.
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
        b.set_point(outside);
        While::from_op_unchecked(op)
    }
}

fn verify_while(body: &Body, op: Op, error: &mut dyn FnMut(String)) {
    let (view, ctx) = (body.op(op), body.context());
    let entries: Vec<Block> = view.regions().filter_map(|region| body.region(region).entry()).collect();
    let [before, after] = entries[..] else { return };
    let args = |block: Block| body.block(block).args().map(|arg| body.ty(arg)).collect::<Vec<Type>>();
    let inits: Vec<Type> = view.operand_types().collect();
    let results: Vec<Type> = view.result_types().collect();
    let mut expect = |what: &str, have: &[Type], want: &[Type]| {
        if have.len() != want.len() {
            error(format!("{what}: expected {} values, but got {}", want.len(), have.len()));
        } else if let Some(at) = have.iter().zip(want).position(|(have, want)| have != want) {
            let show = |ty: Type| print_type(ctx, ty);
            error(format!("{what}: type #{at} is {}, but {} was expected", show(have[at]), show(want[at])));
        }
    };
    expect("arguments of the 'before' region", &args(before), &inits);
    expect("arguments of the 'after' region", &args(after), &results);
    let last = |block: Block| body.block(block).last().map(|op| body.op(op));
    match last(before) {
        Some(last) if last.is::<Condition>() => {
            let values: Vec<Type> = last.operand_types().skip(1).collect();
            expect("values of 'scf.condition'", &values, &results);
        }
        _ => error("expects the 'before' region to terminate with 'scf.condition'".to_owned()),
    }
    match last(after) {
        Some(last) if last.is::<Yield>() => {
            let values: Vec<Type> = last.operand_types().collect();
            if values != inits {
                error("expects the 'after' region to yield the types of the 'before' region".to_owned());
            }
        }
        _ => error("expects the 'after' region to terminate with 'scf.yield'".to_owned()),
    }
}

/// Decides whether an `scf.while` goes on.
#[op(
    "scf.condition",
    traits(TERMINATOR, PURE),
    parents("scf.while"),
    assembly = "`(` $condition `)` attr-dict ($args^ `:` type($args))?"
)]
pub struct Condition {
    /// Whether to go on.
    #[operand(I1)]
    condition: Value,
    /// What goes to the second region, or becomes the results.
    #[operand(ANY)]
    args: Vec<Value>,
}

/// Gives values to the operation around it.
#[op(
    "scf.yield",
    traits(TERMINATOR, RETURN_LIKE, PURE),
    parents("scf.for", "scf.if", "scf.while", "scf.execute_region", "scf.index_switch"),
    assembly = "attr-dict ($results^ `:` type($results))?"
)]
pub struct Yield {
    /// The values.
    #[operand(ANY)]
    results: Vec<Value>,
}
