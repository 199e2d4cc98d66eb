//! `scf.forall` and its terminator.

use crate::assembly::{assignments, print_assignments};
use crate::{flow, loops};
use minoan_ir::constraints::{ANY, INDEX, RANKED_TENSOR};
use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionArg, RegionStyle, Unresolved};
use minoan_ir::verify::bare;
use minoan_ir::{
    Array, Attr, AttrConstraint, AttrSyntax, Body, Builder, Context, DYNAMIC, Op, OpRef, Type, Value,
    Violations, op, service,
};
use minoan_services::{ElementAgnostic, LoopLike, RegionExecution, RegionFlow, constant_of};

/// The units of a device that the indices of a loop are distributed over, and masks of them.
static MAPPING: AttrConstraint = AttrConstraint {
    description: "Device Mapping array attribute",
    check: |ctx, attr| {
        let is_mapping = |&one: &Attr| is_unit(ctx, one) || is_mask(ctx, one);
        attr.as_array(ctx).is_some_and(|attrs| attrs.iter().all(is_mapping))
    },
    syntax: AttrSyntax::Any,
};

/// Upstream's attributes that map an index to a unit of a device. They are of a dialect that need not be loaded.
const UNITS: [&str; 6] = ["block", "warpgroup", "warp", "thread", "lane", "memory_space"];

fn is_unit(ctx: &Context, attr: Attr) -> bool {
    gpu_mnemonic(ctx, attr).is_some_and(|mnemonic| UNITS.contains(&mnemonic))
}

/// Whether an attribute determines which units take part.
fn is_mask(ctx: &Context, attr: Attr) -> bool {
    gpu_mnemonic(ctx, attr) == Some("mask")
}

/// `warp` of `#gpu.warp<x>`.
fn gpu_mnemonic(ctx: &Context, attr: Attr) -> Option<&str> {
    let text = attr.as_opaque(ctx, "gpu")?.strip_prefix('.')?;
    text.split('<').next()
}

/// A parallel loop over an index space.
///
/// `scf.forall (%i, %j) in (%n, 4) shared_outs(%o = %t) -> (tensor<?xf32>) { .. }`; with lower bounds other than zero
/// or steps other than one: `(%i) = (1) to (%n) step (2)`. Each iteration inserts its part into the shared tensors in
/// the terminator `scf.forall.in_parallel`.
#[op(
    "scf.forall",
    traits(RECURSIVE_EFFECTS, ALLOCATION_SCOPE, SINGLE_BLOCK, IMPLICIT_TERMINATOR, OPERAND_SEGMENTS),
    terminator = "scf.forall.in_parallel",
    assembly = custom(parse_forall, print_forall),
    verify = verify_forall,
    services(ElementAgnostic = (), RegionFlow = flow::Structured(RegionExecution::Parallel), LoopLike = loops::ForallLoop)
)]
pub struct Forall {
    /// Dynamic lower bounds.
    #[operand(INDEX, name = "dynamicLowerBound")]
    dynamic_lower_bound: Vec<Value>,
    /// Dynamic upper bounds.
    #[operand(INDEX, name = "dynamicUpperBound")]
    dynamic_upper_bound: Vec<Value>,
    /// Dynamic steps.
    #[operand(INDEX, name = "dynamicStep")]
    dynamic_step: Vec<Value>,
    /// The tensors shared by all iterations.
    outputs: Vec<Operand<RANKED_TENSOR>>,
    /// Static lower bounds.
    #[attr(name = "staticLowerBound")]
    static_lower_bound: Vec<i64>,
    /// Static upper bounds.
    #[attr(name = "staticUpperBound")]
    static_upper_bound: Vec<i64>,
    /// Static steps.
    #[attr(name = "staticStep")]
    static_step: Vec<i64>,
    /// The device mapping of each index.
    #[attr(MAPPING)]
    mapping: Option<Array<Attr>>,
    /// The updated tensors.
    results: Vec<OpResult<ANY>>,
    /// The loop body.
    #[region(non_empty)]
    region: Region,
}

/// The bounds, in operand order, and their names in messages.
const BOUNDS: [(&str, &str); 3] =
    [("staticLowerBound", "lower bound"), ("staticUpperBound", "upper bound"), ("staticStep", "step")];

fn parse_forall(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let names = p.operands_between("(", ")", "argument list")?;
    let bounds: [(Vec<Unresolved>, Vec<i64>); 3] = if p.optional_keyword("in") {
        let upper = p.index_list("(", ")")?;
        let rank = names.len();
        [(Vec::new(), vec![0; rank]), upper, (Vec::new(), vec![1; rank])]
    } else {
        p.punct("=")?;
        let lower = p.index_list("(", ")")?;
        p.keyword("to")?;
        let upper = p.index_list("(", ")")?;
        p.keyword("step")?;
        [lower, upper, p.index_list("(", ")")?]
    };
    for (values, _) in &bounds {
        p.add_operands(values, &vec![Type::INDEX; values.len()])?;
    }
    let span = p.span();
    let (mut outs, mut inits, mut types) = (Vec::new(), Vec::new(), Vec::new());
    if p.optional_keyword("shared_outs") {
        (outs, inits) = assignments(p)?;
        types = p.optional_arrow_types()?;
    }
    if types.len() != inits.len() {
        let (operands, types) = (inits.len(), types.len());
        let message =
            format!("number of operands and types do not match: got {operands} operands and {types} types");
        return Err(p.error_at(span, message));
    }
    p.add_operands(&inits, &types)?;
    p.add_results(&types);
    let indices = names.into_iter().map(|name| RegionArg { name, ty: Type::INDEX });
    let outs = outs.into_iter().zip(types).map(|(name, ty)| RegionArg { name, ty });
    p.region(&indices.chain(outs).collect::<Vec<_>>())?;
    p.attr_dict()?;
    for ((name, _), (_, numbers)) in BOUNDS.iter().zip(&bounds) {
        let numbers = Attr::dense_i64(p.ctx(), numbers);
        p.set_attr(name, numbers);
    }
    let [lower, upper, step] = bounds.map(|(values, _)| values.len());
    p.set_segments(&[lower, upper, step, inits.len()]);
    Ok(())
}

/// The static numbers of a bound.
fn numbers(op: OpRef<'_>, name: &str) -> Vec<i64> {
    op.attr_named(name).and_then(|attr| attr.as_dense_i64(op.context())).unwrap_or_default()
}

/// A loop bound.
#[derive(Clone, Copy)]
pub(crate) enum Bound {
    /// A dynamic bound.
    Value(Value),
    /// A static bound.
    Number(i64),
}

/// The bounds of one of [`BOUNDS`], one per index.
pub(crate) fn bounds(op: OpRef<'_>, group: usize) -> Vec<Bound> {
    let mut values = op.operand_group(group).into_iter();
    let bound = |number: i64| match number {
        DYNAMIC => values.next().map_or(Bound::Number(number), Bound::Value),
        number => Bound::Number(number),
    };
    numbers(op, BOUNDS[group].0).into_iter().map(bound).collect()
}

/// Whether all bounds of a group are this number, as attributes or as constant operands.
fn are_all(op: OpRef<'_>, group: usize, number: i64) -> bool {
    bounds(op, group).into_iter().all(|bound| match bound {
        Bound::Number(have) => have == number,
        Bound::Value(value) => {
            constant_of(op.body(), value).and_then(|value| value.as_i64(op.context())) == Some(number)
        }
    })
}

fn print_forall(p: &mut OpPrinter<'_, '_>) {
    let (op, body) = (p.op(), p.body());
    let [lower, upper, step] = BOUNDS.map(|(name, _)| numbers(op, name));
    let entry = op.own_regions().next().and_then(|region| body.region(region).entry());
    let args: Vec<Value> = entry.map_or_else(Vec::new, |block| body.block(block).args().collect());
    let (indices, outs) = args.split_at(upper.len().min(args.len()));
    p.text(" (");
    p.values(indices);
    if are_all(op, 0, 0) && are_all(op, 2, 1) {
        p.text(") in (");
        p.index_list(&op.operand_group(1), &upper);
    } else {
        p.text(") = (");
        p.index_list(&op.operand_group(0), &lower);
        p.text(") to (");
        p.index_list(&op.operand_group(1), &upper);
        p.text(") step (");
        p.index_list(&op.operand_group(2), &step);
    }
    p.text(")");
    let types: Vec<Type> = op.result_types().collect();
    if !outs.is_empty() {
        p.text(" shared_outs");
        print_assignments(p, outs, &op.operand_group(3));
        p.text(" -> (");
        p.types(&types);
        p.text(")");
    }
    p.text(" ");
    p.region(0, RegionStyle::FULL.without_entry_args().with_terminator(!types.is_empty()));
    p.attr_dict(&BOUNDS.map(|(name, _)| name));
}

fn verify_forall(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let outputs = view.operand_group(3);
    if view.n_results() != outputs.len() {
        let (results, outputs) = (view.n_results(), outputs.len());
        return errors.push(format!("produces {results} results, but has only {outputs} outputs"));
    }
    let Some(entry) = body.region(view.region(0)).entry() else { return };
    let args: Vec<Type> = body.block(entry).args().map(|arg| body.ty(arg)).collect();
    let rank = numbers(view, "staticLowerBound").len();
    if args.len() != rank + outputs.len() {
        // Upstream counts only the induction variables.
        return errors.push(format!("region expects {rank} arguments"));
    }
    if let Some(index) = args[..rank].iter().position(|&arg| arg != Type::INDEX) {
        return errors.push(format!("expects {index}-th block argument to be an index"));
    }
    if let Some(index) = (0..outputs.len()).find(|&index| args[rank + index] != body.ty(outputs[index])) {
        return errors
            .push(format!("type mismatch between {index}-th output and corresponding block argument"));
    }
    let ctx = body.context();
    let mapping = view.attr_named("mapping").and_then(|attr| attr.as_array(ctx)).unwrap_or(&[]);
    let masks = mapping.iter().filter(|&&attr| is_mask(ctx, attr)).count();
    if !mapping.is_empty() && mapping.len() - masks != rank {
        return errors.push("mapping attribute size must match op rank");
    }
    if masks > 1 {
        return errors.push("\"mapping\" supports at most one device masking attribute");
    }
    for (group, (name, what)) in BOUNDS.into_iter().enumerate() {
        let numbers = numbers(view, name);
        if numbers.len() != rank {
            return errors.push(format!("expected {rank} {what} values, got {}", numbers.len()));
        }
        let dynamic = numbers.iter().filter(|&&number| number == DYNAMIC).count();
        if dynamic != view.operand_group(group).len() {
            return errors.push(format!("expected {dynamic} dynamic {what} values"));
        }
    }
    let (outputs, results): (Vec<Type>, Vec<Type>) =
        (outputs.iter().map(|&output| body.ty(output)).collect(), view.result_types().collect());
    if let Some(index) = outputs.iter().zip(&results).position(|(output, result)| output != result) {
        errors.push(format!("type mismatch between {index}-th output and corresponding result"));
    }
}

/// Operations that may occur in `scf.forall.in_parallel`; queried by its verifier.
pub trait ParallelInsert: Send + Sync {
    /// The shared tensors that the operation updates.
    fn destinations(&self, op: OpRef<'_>) -> Vec<Value>;
    /// Creates the same insertion into another tensor, outside of `scf.forall.in_parallel`; returns the updated tensor.
    fn insert(&self, b: &mut Builder<'_>, op: Op, into: Value) -> Value;
}
service!(dyn ParallelInsert, "ParallelInsert", Optional);

/// Terminates the body of an `scf.forall` with the updates of the shared tensors.
///
/// The operations inside each insert a part into a shared tensor, in unspecified order.
#[op(
    "scf.forall.in_parallel",
    traits(PURE, TERMINATOR, NO_TERMINATOR, SINGLE_BLOCK, GRAPH_REGION),
    parents("scf.forall"),
    assembly = custom(parse_in_parallel, print_in_parallel),
    verify = verify_in_parallel
)]
pub struct InParallel {
    /// The insertions.
    #[region(non_empty)]
    region: Region,
}

fn parse_in_parallel(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    p.region(&[])?;
    p.attr_dict()
}

fn print_in_parallel(p: &mut OpPrinter<'_, '_>) {
    p.text(" ");
    p.region(0, RegionStyle::FULL.without_entry_args().without_terminator());
    p.attr_dict(&[]);
}

fn verify_in_parallel(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let Some(entry) = body.region(view.region(0)).entry() else { return };
    for inside in body.block(entry).ops().map(|op| body.op(op)) {
        let Some(insert) = body.context().service::<dyn ParallelInsert>(inside.kind()) else {
            return errors.push("expected only ParallelCombiningOpInterface ops");
        };
        let shared = |value: Value| body.defining_op(value).is_none() && body.block_of(value) == view.block();
        if !insert.destinations(inside).into_iter().all(shared) {
            let message = format!("'{}' op may only insert into an output block argument", inside.name());
            return errors.push(bare(message).at(inside));
        }
    }
}
