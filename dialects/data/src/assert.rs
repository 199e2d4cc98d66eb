//! `data.assert`.

use minoan_arith as arith;
use minoan_ir::constraints::I1;
use minoan_ir::{Attr, Body, Builder, Op, OpDef, OpRef, Type, Value, Violations, op, type_constraints};
use minoan_rewrite::{Matched, NoMatch, Rewriter};
use minoan_services::{
    Assertion, AssertionOps, Datum, EffectSet, Effects, Evaluate, EvaluateFn, Flow, Machine, Trap,
};
use std::ops::Range;

/// The placeholder of a value in a message.
const PLACEHOLDER: &str = "{}";

type_constraints! {
    pub(crate) SHOWN "index or signless integer of 2 to 64 bits" |ctx, ty|
        ty == Type::INDEX
        || ty.is_signless_integer(ctx) && ty.integer_width(ctx).is_some_and(|width| (2..=64).contains(&width));
}

/// Stops the program if a condition is false, with a message that has values, as signed numbers, in place of its last `{}`:
///
/// ```mlir
/// data.assert %inside, "index {} is out of bounds for a tensor of extent {} (axis 0)"(%i, %n) : index, index
/// ```
///
/// The values are used only if the condition is false.
#[op(
    "data.assert",
    assembly = "$condition `,` $message (`(` $values^ `)`)? attr-dict (`:` type($values)^)?",
    verify = verify,
    services(Evaluate = EvaluateFn(evaluate), Effects = EffectSet::OUTSIDE, Assertion = ShowsValues)
)]
pub struct Assert {
    /// The condition.
    condition: Operand<I1>,
    /// The message, with a placeholder for each value.
    message: String,
    /// The values in the message.
    values: Vec<Operand<SHOWN>>,
}

struct ShowsValues;

impl Assertion for ShowsValues {
    fn condition(&self, _: OpRef<'_>) -> usize {
        0
    }

    fn values(&self, op: OpRef<'_>) -> Range<usize> {
        1..op.n_operands()
    }

    fn without_values(&self, b: &mut Builder<'_>, op: Op, condition: Value) {
        let message = Assert::from_op_unchecked(op).message(b.body()).to_owned();
        let n_values = b.body().op(op).n_operands() - 1;
        let parts: Vec<&str> = message.rsplitn(n_values + 1, PLACEHOLDER).collect();
        let message = parts.into_iter().rev().collect::<Vec<_>>().join("?");
        minoan_cf::Assert::build(b, condition, message);
    }
}

/// Creates [`data.assert`](Assert).
pub(crate) struct CreatesAssert;

impl AssertionOps for CreatesAssert {
    fn assert(&self, b: &mut Builder<'_>, condition: Value, message: &str, values: &[Value]) {
        assert_values(b, condition, message, values);
    }
}

/// Emits a [`data.assert`](Assert), which stops the program with `message` and `values` if `condition` is false. A condition
/// that is the constant `true` needs no assertion.
pub fn assert_values(b: &mut Builder<'_>, condition: Value, message: &str, values: &[Value]) {
    if arith::constant_value(b.body(), condition) != Some(Attr::TRUE) {
        Assert::build(b, condition, values, message);
    }
}

fn verify(body: &Body, op: Op, errors: &mut Violations) {
    let view = Assert::from_op_unchecked(op);
    let (placeholders, values) = (view.message(body).matches(PLACEHOLDER).count(), view.values(body).len());
    if placeholders < values {
        errors.push(format!(
            "expects a placeholder in the message for each value: there are {placeholders} for {values}"
        ));
    }
}

fn evaluate(op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let [condition, values @ ..] = operands else { return Err(Trap::new("an assertion without condition")) };
    if condition.bool()? {
        return Flow::none();
    }
    let assertion = Assert::from_op_unchecked(op.id());
    let mut parts: Vec<&str> = assertion.message(op.body()).rsplitn(operands.len(), PLACEHOLDER).collect();
    let mut message = parts.pop().unwrap_or_default().to_owned();
    for (value, part) in values.iter().zip(parts.into_iter().rev()) {
        message.push_str(&value.int()?.to_string());
        message.push_str(part);
    }
    Err(Trap::assertion(message))
}

/// Removes an assertion that always holds.
pub(crate) fn remove_true(op: Assert, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let condition = rewriter.constant_of(op.condition(rewriter.body()));
    if condition != Some(Attr::TRUE) {
        return Err(NoMatch::because("the condition is not constant true"));
    }
    rewriter.erase(op.op());
    Ok(Matched)
}
