//! `memref.alloca_scope` and `memref.realloc`.

use crate::evaluate_views;
use minoan_ir::constraints::{ALIGNMENT, ANY, INDEX, MEMREF_1D};
use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionStyle, print_type};
use minoan_ir::verify::bare;
use minoan_ir::{Body, DYNAMIC, Op, Type, Violations, op};
use minoan_services::{EffectSet, Effects, Evaluate, EvaluateYield, check_edge};

/// Executes its region and then frees the stack allocations made by it.
#[op(
    "memref.alloca_scope",
    traits(RECURSIVE_EFFECTS, ALLOCATION_SCOPE, SINGLE_BLOCK, NO_REGION_ARGS, IMPLICIT_TERMINATOR),
    terminator = "memref.alloca_scope.return",
    assembly = custom(parse_scope, print_scope),
    verify = verify_scope,
    services(Evaluate = evaluate_views::EvaluateScope)
)]
pub struct AllocaScope {
    /// The results of the region.
    results: Vec<OpResult<ANY>>,
    /// The region.
    #[region(name = "bodyRegion", non_empty)]
    body_region: Region,
}

fn parse_scope(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let results = p.optional_arrow_types()?;
    p.add_results(&results);
    p.region(&[])?;
    p.attr_dict()
}

fn print_scope(p: &mut OpPrinter<'_, '_>) {
    let results: Vec<Type> = p.op().result_types().collect();
    p.text(" ");
    if !results.is_empty() {
        p.text(" -> (");
        p.types(&results);
        p.text(")");
    }
    p.text(" ");
    p.region(0, RegionStyle::FULL.without_entry_args().with_terminator(!results.is_empty()));
    p.attr_dict(&[]);
}

fn verify_scope(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let results: Vec<Type> = view.result_types().collect();
    let last = body.region(view.region(0)).entry().and_then(|entry| body.block(entry).last());
    let Some(last) = last.map(|last| body.op(last)).filter(|last| last.is::<AllocaScopeReturn>()) else {
        return;
    };
    let given: Vec<Type> = last.operand_types().collect();
    check_edge("Operation memref.alloca_scope.return to parent", last, &given, &results, errors);
}

/// Terminates a `memref.alloca_scope` with its results.
#[op(
    "memref.alloca_scope.return",
    traits(PURE, TERMINATOR, RETURN_LIKE),
    parents("memref.alloca_scope"),
    assembly = "attr-dict ($results^ `:` type($results))?",
    services(Evaluate = EvaluateYield)
)]
pub struct AllocaScopeReturn {
    /// The results.
    results: Vec<Operand<ANY>>,
}

/// Reallocates a buffer with another length; the old buffer must not be used afterwards.
#[op(
    "memref.realloc",
    assembly = "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type(results)",
    verify = verify_realloc,
    services(Evaluate = evaluate_views::EvaluateRealloc, Effects = EffectSet::ALLOCATE.and(EffectSet::FREE))
)]
pub struct Realloc {
    /// The buffer.
    source: Operand<MEMREF_1D>,
    /// The new length, if it is dynamic.
    #[operand(INDEX, name = "dynamicResultSize")]
    dynamic_result_size: Option<Value>,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
    /// The new buffer.
    result: OpResult<MEMREF_1D>,
}

fn verify_realloc(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let (source, result) = (body.ty(view.operand(0)), body.ty(view.result(0)));
    let (from, to) = (print_type(ctx, source), print_type(ctx, result));
    let dynamic = result.shape(ctx) == Some(&[DYNAMIC]);
    let differ = |what: &str| {
        format!("different {what} specified for source memref type '{from}' and result memref type '{to}'")
    };
    let message = if !source.is_contiguous(ctx) {
        format!("unsupported layout for source memref type '{from}'")
    } else if !result.is_contiguous(ctx) {
        format!("unsupported layout for result memref type '{to}'")
    } else if source.memory_space(ctx) != result.memory_space(ctx) {
        differ("memory spaces")
    } else if source.element(ctx) != result.element(ctx) {
        differ("element types")
    } else if dynamic && view.n_operands() == 1 {
        format!("missing dimension operand for result type '{to}'")
    } else if !dynamic && view.n_operands() > 1 {
        format!("unnecessary dimension operand for result type '{to}'")
    } else {
        return;
    };
    errors.push(bare(message));
}
