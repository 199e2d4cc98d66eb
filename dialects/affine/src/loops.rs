//! `affine.for`, `affine.if` and `affine.parallel`.

use crate::ops::verify_dims_and_symbols;
use crate::value_map::ValueMap;
use crate::{
    assembly_loops as assembly, evaluate_loops as evaluate, flow, fold, generate, pass_through, reduce,
    services,
};
use minoan_arith::{AtomicKind, AtomicOperands};
use minoan_ir::affine::{AffineExpr, AffineMap, IntegerSet};
use minoan_ir::constraints::{ANY, INDEX};
use minoan_ir::{
    Array, Attr, AttrConstraint, AttrData, AttrEnum, AttrSyntax, Body, Builder, Context, Index, Op, OpDef,
    OpRef, OpState, Type, TypeData, Value, Violations, op,
};
use minoan_services::{
    Evaluate, Fold, FoldFn, Generate, LoopLike, Ownership, PassThrough, Reduce, RegionExecution, RegionFlow,
    Speculation,
};

/// A loop from the maximum of the results of one affine map to the minimum of those of another one, exclusive, by a constant
/// step.
///
/// `affine.for %i = max #from(%n) to 8 step 2 iter_args(%a = %x) -> (f32) { .. }`. The region's arguments are the induction
/// variable and the loop-carried values; it is terminated by `affine.yield`.
#[op(
    "affine.for",
    traits(OPERAND_SEGMENTS, ALLOCATION_SCOPE, RECURSIVE_EFFECTS, SINGLE_BLOCK, IMPLICIT_TERMINATOR),
    terminator = "affine.yield",
    assembly = custom(assembly::parse_for, assembly::print_for),
    verify = verify_for,
    services(
        Evaluate = evaluate::EvaluateFor,
        Fold = FoldFn(fold::fold_for),
        Generate = generate::AnyFor,
        Ownership = services::ConsumeGroup(2),
        PassThrough = pass_through::Carried,
        RegionFlow = flow::ForFlow,
        LoopLike = crate::loop_like::ForLoop,
        Reduce = reduce::OneRound,
        Speculation = services::LoopSpeculation,
    )
)]
pub struct For {
    /// The operands of the lower bound.
    #[operand(INDEX, name = "lowerBoundOperands")]
    lower_bound_operands: Vec<Value>,
    /// The operands of the upper bound.
    #[operand(INDEX, name = "upperBoundOperands")]
    upper_bound_operands: Vec<Value>,
    /// The initial loop-carried values.
    inits: Vec<Operand<ANY>>,
    /// The map whose largest result is the lower bound.
    #[attr(name = "lowerBoundMap")]
    lower_bound_map: AffineMap,
    /// The map whose smallest result is the exclusive upper bound.
    #[attr(name = "upperBoundMap")]
    upper_bound_map: AffineMap,
    /// The step; positive.
    step: Index,
    /// The final loop-carried values.
    results: Vec<OpResult<ANY>>,
    /// The loop body.
    #[region(non_empty)]
    region: Region,
}

/// The value of a map whose only result is a constant.
fn constant_result(map: &AffineMap) -> Option<i64> {
    match map.results[..] {
        [AffineExpr::Constant(value)] => Some(value),
        _ => None,
    }
}

impl For {
    /// The lower bound, if it is constant.
    pub fn constant_lower(self, body: &Body) -> Option<i64> {
        constant_result(self.lower_bound_map(body))
    }

    /// The upper bound, if it is constant.
    pub fn constant_upper(self, body: &Body) -> Option<i64> {
        constant_result(self.upper_bound_map(body))
    }

    /// The trip count, if the bounds are constant.
    pub fn trip_count(self, body: &Body) -> Option<u64> {
        let step = u64::try_from(self.step(body)).ok().filter(|&step| step > 0)?;
        let (lower, upper) = (self.constant_lower(body)?, self.constant_upper(body)?);
        Some(if upper <= lower { 0 } else { upper.abs_diff(lower).div_ceil(step) })
    }

    pub(crate) fn lower(self, body: &Body) -> ValueMap {
        ValueMap { map: self.lower_bound_map(body).clone(), operands: self.lower_bound_operands(body) }
    }

    pub(crate) fn upper(self, body: &Body) -> ValueMap {
        ValueMap { map: self.upper_bound_map(body).clone(), operands: self.upper_bound_operands(body) }
    }

    /// Creates a loop; `build` creates the body from the induction variable and the loop-carried values and returns
    /// the next ones.
    pub(crate) fn with(
        b: &mut Builder<'_>,
        bounds: [ValueMap; 2],
        step: i64,
        init: &[Value],
        build: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
    ) -> For {
        let ctx = b.context();
        let carried: Vec<Type> = init.iter().map(|&value| b.ty(value)).collect();
        let [lower, upper] = bounds;
        let sizes = [lower.operands.len() as i32, upper.operands.len() as i32, init.len() as i32];
        let props = b.dictionary(&[
            ("lowerBoundMap", Some(Attr::affine_map(&ctx, lower.map))),
            ("upperBoundMap", Some(Attr::affine_map(&ctx, upper.map))),
            ("step", Some(Attr::index_value(&ctx, step))),
            ("operandSegmentSizes", Some(Attr::dense_i32(&ctx, &sizes))),
        ]);
        let state = OpState::new(ctx.kind_of::<For>()).operands(&lower.operands).operands(&upper.operands);
        let op = b.create(state.operands(init).results(&carried).props(props).regions(1));
        let args: Vec<Type> = std::iter::once(Type::INDEX).chain(carried).collect();
        b.region(op, 0, &args, |b, args| {
            let next = build(b, args[0], &args[1..]);
            crate::Yield::build(b, &next);
        });
        For::from_op_unchecked(op)
    }
}

fn verify_for(body: &Body, op: Op, errors: &mut Violations) {
    let (of, view) = (For::from_op_unchecked(op), body.op(op));
    let Some(entry) = body.region(of.region(body)).entry() else { return };
    let args: Vec<Type> = body.block(entry).args().map(|arg| body.ty(arg)).collect();
    if args.first() != Some(&Type::INDEX) {
        return errors.push("expected body to have a single index argument for the induction variable");
    }
    for (bound, what) in [(of.lower(body), "lower"), (of.upper(body), "upper")] {
        if bound.map.inputs() != bound.operands.len() {
            return errors.push(format!(
                "{what} bound operand count and affine map dimension and symbol count must match"
            ));
        }
        if bound.map.results.is_empty() {
            return errors.push(format!("expected {what} bound map to have at least one result"));
        }
        verify_dims_and_symbols(view, &bound.operands, bound.map.dims as usize, errors);
        if !errors.is_empty() {
            return;
        }
    }
    let (results, inits) = (view.n_results(), of.inits(body));
    if inits.len() != results {
        return errors.push("mismatch between the number of loop-carried values and results");
    }
    if args.len() - 1 != results {
        return errors.push("mismatch between the number of basic block args and results");
    }
    let inits: Vec<Type> = inits.into_iter().map(|init| body.ty(init)).collect();
    services::verify_carried(view, &inits, &args[1..], errors);
}

/// Executes one of two regions: the first if the operands are in an integer set.
///
/// `affine.if #set(%i)[%n] -> f32 { .. } else { .. }`.
#[op(
    "affine.if",
    traits(RECURSIVE_EFFECTS, SINGLE_BLOCK, NO_REGION_ARGS, IMPLICIT_TERMINATOR),
    terminator = "affine.yield",
    assembly = custom(assembly::parse_if, assembly::print_if),
    verify = verify_if,
    services(
        Evaluate = evaluate::EvaluateIf,
        Fold = FoldFn(fold::fold_if),
        Generate = generate::AnyIf,
        PassThrough = pass_through::Once,
        RegionFlow = flow::IfFlow,
        Reduce = reduce::OneWay,
    )
)]
pub struct If {
    /// The operands of the dimensions, then those of the symbols.
    operands: Vec<Operand<ANY>>,
    /// The set.
    condition: IntegerSet,
    /// The values yielded by the executed region.
    results: Vec<OpResult<ANY>>,
    /// Executed if the operands are in the set.
    #[region(name = "thenRegion", non_empty)]
    then_region: Region,
    /// Executed otherwise; may be empty if there are no results.
    #[region(name = "elseRegion")]
    else_region: Region,
}

fn verify_if(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let set = If::from_op_unchecked(op).condition(body);
    if (set.dims + set.symbols) as usize != view.n_operands() {
        return errors.push("operand count and condition integer set dimension and symbol count must match");
    }
    let operands: Vec<Value> = view.operands().collect();
    verify_dims_and_symbols(view, &operands, set.dims as usize, errors);
    if errors.is_empty() {
        services::verify_branches(view, errors);
    }
}

/// A parallel loop over an index space whose bounds are affine, with unordered iterations.
///
/// `affine.parallel (%i, %j) = (0, max(%a, %b)) to (%n, 8) step (1, 2) reduce ("addf") -> (f32) { .. }`: bounds are groups of
/// results of one map; a bound is the maximum or minimum of its results. The results of the loop combine the values that the
/// iterations yield.
#[op(
    "affine.parallel",
    traits(ALLOCATION_SCOPE, RECURSIVE_EFFECTS, SINGLE_BLOCK, IMPLICIT_TERMINATOR),
    terminator = "affine.yield",
    assembly = custom(assembly::parse_parallel, assembly::print_parallel),
    verify = verify_parallel,
    services(
        Evaluate = evaluate::EvaluateParallel,
        Fold = FoldFn(fold::fold_parallel),
        Generate = generate::AnyParallel,
        RegionFlow = flow::Structured(RegionExecution::Parallel),
        LoopLike = crate::loop_like::ParallelLoop,
    )
)]
pub struct Parallel {
    /// The reduction of each result, an `AtomicKind`.
    #[attr(REDUCTIONS)]
    reductions: Attr,
    /// The results whose maxima are the lower bounds.
    #[attr(name = "lowerBoundsMap")]
    lower_bounds_map: AffineMap,
    /// The number of results for each dimension.
    #[attr(I32_ELEMENTS, name = "lowerBoundsGroups")]
    lower_bounds_groups: Attr,
    /// The results whose minima are the exclusive upper bounds.
    #[attr(name = "upperBoundsMap")]
    upper_bounds_map: AffineMap,
    /// The number of results for each dimension.
    #[attr(I32_ELEMENTS, name = "upperBoundsGroups")]
    upper_bounds_groups: Attr,
    /// The step of each dimension; positive.
    steps: Array<i64>,
    /// The operands of the lower bounds, then those of the upper bounds.
    #[operand(INDEX, name = "mapOperands")]
    map_operands: Vec<Value>,
    /// The reduced values.
    results: Vec<OpResult<ANY>>,
    /// The loop body.
    #[region(non_empty)]
    region: Region,
}

static REDUCTIONS: AttrConstraint = AttrConstraint {
    description: "Reduction ops",
    check: |ctx, attr| {
        let is_kind = |kind: &Attr| kind.value_type(ctx) == Some(Type::I64) && kind_of(ctx, *kind).is_some();
        attr.as_array(ctx).is_some_and(|kinds| kinds.iter().all(is_kind))
    },
    syntax: AttrSyntax::Any,
};

static I32_ELEMENTS: AttrConstraint = AttrConstraint {
    description: "32-bit signless integer elements attribute",
    check: |ctx, attr| match attr.data(ctx) {
        AttrData::DenseElements { ty, .. } => ty.element_or_self(ctx) == Type::I32,
        _ => false,
    },
    syntax: AttrSyntax::Any,
};

/// The reduction that an attribute names.
fn kind_of(ctx: &Context, attr: Attr) -> Option<AtomicKind> {
    AtomicKind::from_value(attr.as_i64(ctx)?)
}

/// `dense<[..]> : tensor<nxi32>`.
pub(crate) fn groups_attr(ctx: &Context, sizes: &[i32]) -> Attr {
    let ty = Type::tensor(ctx, &[sizes.len() as i64], Type::I32);
    let splat = !sizes.is_empty() && sizes.iter().all(|size| *size == sizes[0]);
    let kept = if splat { &sizes[..1] } else { sizes };
    let data = kept.iter().flat_map(|size| size.to_le_bytes()).collect();
    ctx.intern_attr(AttrData::DenseElements { ty, data, splat })
}

/// Upper bound on the dimensions of a loop whose groups are given by a single number.
const MAX_GROUPS: usize = 1 << 16;

/// The numbers in an attribute of [`groups_attr`].
fn group_sizes(ctx: &Context, attr: Attr) -> Vec<usize> {
    let AttrData::DenseElements { ty, data, splat } = attr.data(ctx) else { return Vec::new() };
    let sizes: Vec<usize> = data
        .chunks_exact(4)
        .map(|bytes| {
            usize::try_from(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).unwrap_or(0)
        })
        .collect();
    let count: i64 = ty.shape(ctx).map_or(1, |shape| shape.iter().product());
    match usize::try_from(count) {
        // The verifier rejects the operation: a loop has one group for each step.
        Ok(count) if *splat && count > MAX_GROUPS => Vec::new(),
        Ok(count) if *splat => sizes.first().map_or_else(Vec::new, |&size| vec![size; count]),
        _ => sizes,
    }
}

impl Parallel {
    /// The numbers of results of the maps for each dimension: of lower and upper bounds.
    pub(crate) fn groups(self, body: &Body) -> [Vec<usize>; 2] {
        let ctx = body.context();
        [group_sizes(ctx, self.lower_bounds_groups(body)), group_sizes(ctx, self.upper_bounds_groups(body))]
    }

    /// The maps of the lower and of the upper bounds.
    pub(crate) fn bounds(self, body: &Body) -> [ValueMap; 2] {
        let (lower, upper) = (self.lower_bounds_map(body).clone(), self.upper_bounds_map(body).clone());
        let mut operands = self.map_operands(body);
        let rest = operands.split_off(lower.inputs().min(operands.len()));
        [ValueMap { map: lower, operands }, ValueMap { map: upper, operands: rest }]
    }

    /// The bounds of each dimension.
    pub(crate) fn bounds_of_dims(self, body: &Body) -> [Vec<ValueMap>; 2] {
        let groups = self.groups(body);
        let mut bounds = self.bounds(body).into_iter().zip(groups).map(|(bound, groups)| {
            let mut start = 0;
            let of_dim = |size| {
                let results = bound.map.results[start..start + size].into();
                start += size;
                ValueMap { map: AffineMap { results, ..bound.map.clone() }, operands: bound.operands.clone() }
            };
            groups.into_iter().map(of_dim).collect()
        });
        [bounds.next().unwrap_or_default(), bounds.next().unwrap_or_default()]
    }

    /// The reduction of each result.
    pub(crate) fn kinds(self, body: &Body) -> Vec<AtomicKind> {
        let ctx = body.context();
        let kinds = self.reductions(body).as_array(ctx).unwrap_or_default();
        kinds.iter().filter_map(|&kind| kind_of(ctx, kind)).collect()
    }

    pub(crate) fn step_list(self, body: &Body) -> Vec<i64> {
        self.steps(body).iter().collect()
    }
}

/// Whether the values that a reduction combines may have a type.
fn reduces(ctx: &Context, kind: AtomicKind, ty: Type) -> bool {
    use minoan_ir::Signedness::{Signed, Unsigned};
    let is_of = |sign| matches!(ty.data(ctx), TypeData::Integer { signedness, .. } if *signedness == sign);
    match kind {
        AtomicKind::MaxS | AtomicKind::MinS => is_of(Signed),
        AtomicKind::MaxU | AtomicKind::MinU => is_of(Unsigned),
        AtomicKind::MaxNumF | AtomicKind::MinNumF | AtomicKind::XOrI => false,
        _ => match kind.operands() {
            AtomicOperands::Floats => ty.is_float(ctx),
            AtomicOperands::Integers => ty != Type::INDEX && ty.integer_width(ctx).is_some(),
            AtomicOperands::Any => true,
        },
    }
}

fn verify_parallel(body: &Body, op: Op, errors: &mut Violations) {
    let (of, view) = (Parallel::from_op_unchecked(op), body.op(op));
    let Some(entry) = body.region(of.region(body)).entry() else { return };
    let [lower, upper] = of.groups(body);
    let (args, steps) = (body.block(entry).n_args(), of.step_list(body).len());
    if [lower.len(), upper.len(), args].iter().any(|&count| count != steps) {
        let (lower, upper) = (lower.len(), upper.len());
        return errors.push(format!(
            "the number of region arguments ({args}) and the number of map groups for lower ({lower}) and upper bound \
             ({upper}), and the number of steps ({steps}) must all match"
        ));
    }
    for (groups, map, what) in
        [(&lower, of.lower_bounds_map(body), "lower"), (&upper, of.upper_bounds_map(body), "upper")]
    {
        let expected: usize = groups.iter().sum();
        if expected != map.results.len() {
            return errors.push(format!("expected {what} bounds map to have {expected} results"));
        }
    }
    let kinds = of.kinds(body);
    if kinds.len() != view.n_results() {
        return errors.push("a reduction must be specified for each output");
    }
    let ctx = body.context();
    if !kinds.iter().zip(view.result_types()).all(|(&kind, ty)| reduces(ctx, kind, ty)) {
        return errors.push("result type cannot match reduction attribute");
    }
    let inputs = of.lower_bounds_map(body).inputs() + of.upper_bounds_map(body).inputs();
    if inputs != view.n_operands() {
        return errors.push("operand count and affine map dimension and symbol count must match");
    }
    for bound in of.bounds(body) {
        verify_dims_and_symbols(view, &bound.operands, bound.map.dims as usize, errors);
        if !errors.is_empty() {
            return;
        }
    }
}

/// The induction variables and loop-carried values of a region.
pub(crate) fn entry_args(op: OpRef<'_>, region: usize) -> Vec<Value> {
    let entry = op.own_region(region).and_then(|region| op.body().region(region).entry());
    entry.map_or_else(Vec::new, |entry| op.body().block(entry).args().collect())
}
