//! Atomic updates of elements.

use crate::evaluate_views;
use crate::metadata::print_place;
use minoan_arith::{AtomicKind, AtomicOperands};
use minoan_ir::constraints::{ANY, INDEX, NUMBER, NUMBERS_MEMREF, element_of};
use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionStyle, print_type};
use minoan_ir::verify::bare;
use minoan_ir::{AttrEnum, Body, Op, OpDef, OpRef, Type, Value, Violations, op};
use minoan_services::{AtomicUpdate, EffectSet, Effects, Evaluate, EvaluateYield};

/// Atomically combines an element with a value and returns the old element: `memref.atomic_rmw addf %x, %m[%i] :
/// (f32, memref<4xf32>) -> f32`.
#[op(
    "memref.atomic_rmw",
    assembly = "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` `->` type($result)",
    same_types(value, result),
    derive(value = element_of(memref), "value type matches element type of memref"),
    verify = verify_rmw,
    services(Evaluate = evaluate_views::EvaluateAtomicRMW, Effects = EffectSet::READ.and(EffectSet::WRITE))
)]
pub struct AtomicRMW {
    /// The combining operation.
    kind: AtomicKind,
    /// The value.
    value: Operand<NUMBER>,
    /// The buffer.
    memref: Operand<NUMBERS_MEMREF>,
    /// One index per dimension.
    indices: Vec<Operand<INDEX>>,
    /// The old element.
    result: OpResult<NUMBER>,
}

fn verify_rmw(body: &Body, op: Op, errors: &mut Violations) {
    let (rmw, ctx) = (AtomicRMW::from_op_unchecked(op), body.context());
    let kind = rmw.kind(body);
    if body.ty(rmw.memref(body)).rank(ctx) != Some(rmw.indices(body).len()) {
        return errors.push("expects the number of subscripts to be equal to memref rank");
    }
    let is_float = body.ty(rmw.value(body)).is_float(ctx);
    let want = match kind.operands() {
        AtomicOperands::Floats if !is_float => "a floating-point type",
        AtomicOperands::Integers if is_float => "an integer type",
        _ => return,
    };
    errors.push(format!("with kind '{}' expects {want}", kind.keyword()));
}

/// Atomically replaces an element by a function of it, given by the region, and returns the old element.
#[op(
    "memref.generic_atomic_rmw",
    traits(SINGLE_BLOCK),
    assembly = custom(parse_generic, print_generic),
    derive(result = element_of(memref), "result type matches element type of memref"),
    verify = verify_generic,
    services(
        Evaluate = evaluate_views::EvaluateGenericAtomicRMW,
        Effects = EffectSet::READ.and(EffectSet::WRITE),
        AtomicUpdate = RegionOfOld,
    )
)]
pub struct GenericAtomicRMW {
    /// The buffer.
    memref: Operand<NUMBERS_MEMREF>,
    /// One index per dimension.
    indices: Vec<Operand<INDEX>>,
    /// The old element.
    result: OpResult<NUMBER>,
    /// The update: its argument is the old element; `memref.atomic_yield` returns the new one.
    #[region(non_empty)]
    atomic_body: Region,
}

struct RegionOfOld;

impl AtomicUpdate for RegionOfOld {
    fn old(&self, op: OpRef<'_>) -> Option<(Value, Value)> {
        let entry = op.body().region(op.region(0)).entry()?;
        Some((op.body().block(entry).arg(0), op.result(0)))
    }
}

fn parse_generic(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let memref = p.operand()?;
    let indices = p.bracketed_operands()?;
    p.punct(":")?;
    let ty = p.ty()?;
    p.add_operands(&[memref], &[ty])?;
    p.add_operands(&indices, &vec![Type::INDEX; indices.len()])?;
    p.region(&[])?;
    p.attr_dict()?;
    let element = ty.element_or_self(p.ctx());
    p.add_result(element);
    Ok(())
}

fn print_generic(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    print_place(p, 0..op.n_operands());
    p.text(" : ");
    p.ty(p.body().ty(op.operand(0)));
    p.text(" ");
    p.region(0, RegionStyle::FULL);
    p.attr_dict(&[]);
}

fn verify_generic(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let Some(entry) = body.region(view.region(0)).entry().map(|entry| body.block(entry)) else { return };
    if entry.n_args() != 1 {
        return errors.push("expected single number of entry block arguments");
    }
    if body.ty(entry.arg(0)) != body.ty(view.result(0)) {
        return errors.push("expected block argument of the same type result type");
    }
    if entry.ops().any(|inner| <dyn Effects>::of(body.op(inner)) != minoan_services::EffectSet::NONE) {
        errors.push(bare(
            "body of 'memref.generic_atomic_rmw' should contain only operations with no side effects",
        ));
    }
}

/// Yields the new element of an atomic update.
#[op(
    "memref.atomic_yield",
    traits(PURE, TERMINATOR, RETURN_LIKE),
    parents("memref.generic_atomic_rmw"),
    assembly = "$result attr-dict `:` type($result)",
    verify = verify_yield,
    services(Evaluate = EvaluateYield)
)]
pub struct AtomicYield {
    /// The new element.
    result: Operand<ANY>,
}

fn verify_yield(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(around) = view.parent().map(|parent| body.op(parent)) else { return };
    let (have, want) = (body.ty(view.operand(0)), body.ty(around.result(0)));
    if have != want {
        errors.push(format!(
            "types mismatch between yield op: '{}' and its parent: '{}'",
            print_type(ctx, have),
            print_type(ctx, want)
        ));
    }
}
