//! Comparisons, and `arith.select`.

use crate::constraints::{FastMath, bool_like};
use crate::{buffers, differentiate, evaluate, generate, index_terms};
use minoan_ir::constraints::{ANY, BOOL_LIKE, FLOAT_LIKE, SIGNLESS_INTEGER_LIKE};
use minoan_ir::text::{OpParser, OpPrinter, ParseError};
use minoan_ir::{AttrEnum, Body, Builder, Flags, InferInput, Op, OpRef, Type, Value, Violations, op};
use minoan_services::{
    Choice, DerivativeRule, Differentiate, Evaluate, Generate, IndexTerms, Ownership, SelectLike, ToBuffers,
};

/// An integer comparison predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(describe = "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9")]
pub enum CmpIPredicate {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Signed less.
    Slt,
    /// Signed less than or equal.
    Sle,
    /// Signed greater.
    Sgt,
    /// Signed greater than or equal.
    Sge,
    /// Unsigned less.
    Ult,
    /// Unsigned less than or equal.
    Ule,
    /// Unsigned greater.
    Ugt,
    /// Unsigned greater than or equal.
    Uge,
}

/// A float comparison predicate: if an operand is NaN, ordered predicates are false, unordered ones true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(
    describe = "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15"
)]
pub enum CmpFPredicate {
    /// Never.
    False,
    /// Ordered and equal.
    Oeq,
    /// Ordered and greater.
    Ogt,
    /// Ordered and greater than or equal.
    Oge,
    /// Ordered and less.
    Olt,
    /// Ordered and less than or equal.
    Ole,
    /// Ordered and not equal.
    One,
    /// Ordered: no operand is NaN.
    Ord,
    /// Unordered or equal.
    Ueq,
    /// Unordered or greater.
    Ugt,
    /// Unordered, greater than or equal.
    Uge,
    /// Unordered or less.
    Ult,
    /// Unordered, less than or equal.
    Ule,
    /// Unordered or not equal.
    Une,
    /// Unordered: an operand is NaN.
    Uno,
    /// Always.
    True,
}

/// Integer comparison: `arith.cmpi slt, %a, %b : i32`.
///
/// The result has `i1` elements and the extents of the operands.
#[op(
    "arith.cmpi",
    traits(PURE, SAME_OPERANDS, ELEMENTWISE),
    assembly = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)",
    derive(result = bool_like(lhs), "result type has i1 element type and same shape as operands"),
    infer = infer_bool_like,
    no_function,
    services(
        Evaluate = evaluate::compare::CompareIntegers,
        Generate = generate::with_flags().weight(3),
        IndexTerms = index_terms::comparison,
    )
)]
pub struct CmpI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    predicate: CmpIPredicate,
    result: OpResult<BOOL_LIKE>,
}

/// Float comparison: `arith.cmpf olt, %a, %b : f32`.
///
/// The result has `i1` elements and the extents of the operands.
#[op(
    "arith.cmpf",
    traits(PURE, SAME_OPERANDS, ELEMENTWISE),
    assembly = "$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)",
    derive(result = bool_like(lhs), "result type has i1 element type and same shape as operands"),
    infer = infer_bool_like,
    no_function,
    services(Evaluate = evaluate::compare::CompareFloats)
)]
pub struct CmpF {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    predicate: CmpFPredicate,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<BOOL_LIKE>,
}

fn infer_bool_like(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let lhs = input.operands.first().ok_or("expected 2 operands, but found 0")?;
    Ok(vec![bool_like(input.ctx, *lhs).unwrap_or(Type::I1)])
}

/// Selects one of two values by a condition.
///
/// The condition is an `i1`, or has a boolean for each element. Both values are already computed, so there is no
/// control flow: `arith.select %c, %a, %b : i32`, `arith.select %c, %v, %w : vector<4xi1>, vector<4xf32>`.
#[op(
    "arith.select",
    traits(PURE, ELEMENTWISE),
    assembly = custom(parse_select, print_select),
    same_types(true_value, false_value, result),
    verify = verify_select,
    infer = infer_select,
    services(
        Evaluate = evaluate::compare::Choose,
        Differentiate = DerivativeRule::linear(differentiate::choose, differentiate::choose_transpose),
        Generate = generate::with_flags().weight(3),
        SelectLike = SelectOperands,
        Ownership = buffers::ChooseBuffer,
        ToBuffers = buffers::ChooseBuffer,
    )
)]
pub struct Select {
    condition: Operand<BOOL_LIKE>,
    true_value: Operand<ANY>,
    false_value: Operand<ANY>,
    result: OpResult<ANY>,
}

/// Parses `%c, %a, %b {attributes} : type`, with the type of the condition first if it is not `i1`.
fn parse_select(parser: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let span = parser.span();
    let operands = parser.operand_list()?;
    if operands.len() != 3 {
        return Err(parser.error_at(span, "expected 3 operands"));
    }
    parser.attr_dict()?;
    parser.punct(":")?;
    let mut condition = Type::I1;
    let mut ty = parser.ty()?;
    if parser.optional_punct(",") {
        condition = std::mem::replace(&mut ty, parser.ty()?);
    }
    parser.add_operands(&operands, &[condition, ty, ty])?;
    parser.add_result(ty);
    Ok(())
}

fn print_select(printer: &mut OpPrinter<'_, '_>) {
    let op = printer.op();
    let operands: Vec<_> = op.operands().collect();
    printer.text(" ");
    printer.values(&operands);
    printer.attr_dict(&[]);
    printer.text(" : ");
    let types = (op.operand_types().next(), op.result_types().next());
    if let (Some(condition), Some(result)) = types {
        if condition != Type::I1 {
            printer.ty(condition);
            printer.text(", ");
        }
        printer.ty(result);
    }
}

fn infer_select(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let ty = input.operands.get(1).ok_or("expected 3 operands")?;
    Ok(vec![*ty])
}

fn verify_select(body: &Body, op: Op, errors: &mut Violations) {
    let ctx = body.context();
    let view = body.op(op);
    let condition = body.ty(view.operand(0));
    let result = body.ty(view.result(0));
    if condition != Type::I1 && condition.shape(ctx) != result.shape(ctx) {
        errors.push("failed to verify that condition is signless i1 or has matching shape");
    }
}

/// Creates an `arith.cmpi` and returns its result.
#[track_caller]
pub fn cmpi(b: &mut Builder<'_>, predicate: CmpIPredicate, lhs: Value, rhs: Value) -> Value {
    let op = CmpI::build(b, lhs, rhs, predicate);
    op.result(b.body())
}

/// Creates an `arith.cmpf` and returns its result.
#[track_caller]
pub fn cmpf(b: &mut Builder<'_>, predicate: CmpFPredicate, lhs: Value, rhs: Value) -> Value {
    let op = CmpF::build(b, lhs, rhs, predicate);
    op.result(b.body())
}

/// The operands of `arith.select` by their roles.
pub(crate) struct SelectOperands;

impl SelectLike for SelectOperands {
    fn choice(&self, op: OpRef<'_>) -> Option<Choice> {
        Some(Choice { condition: op.operand(0), yes: op.operand(1), no: op.operand(2) })
    }
}
