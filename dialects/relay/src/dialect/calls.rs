//! Operator calls: one operation per operator.

use super::control::{Get, MakeTuple};
use super::specs::specs;
use super::{encode, types};
use crate::attrs::Attrs;
use crate::operators::{Operator, Pattern, find};
use crate::relation::{Answer, relate};
use crate::ty::Type;
use minoan_ir::text::{OpParser, OpPrinter, ParseError};
use minoan_ir::{
    Body, Builder, DialectBuilder, Op, OpRef, OpState, Type as IrType, Value, Violations, service,
};
use minoan_services::{Constructor, EffectSet, Effects, OperatorPattern, OperatorPatterns};

/// The operator that an operation of this dialect represents.
pub fn operator_of(op: OpRef<'_>) -> Option<&'static Operator> {
    op.name().strip_prefix("relay.").and_then(find)
}

/// Creates a call of an operator with complete attributes.
pub fn call(b: &mut Builder<'_>, op: &Operator, args: &[Value], attrs: &Attrs, result: IrType) -> Value {
    let ctx = b.context();
    let encoded = encode::encode(&ctx, op, attrs);
    let props: Vec<_> = encoded.into_iter().map(|(name, attr)| (name, Some(attr))).collect();
    let props = b.dictionary(&props);
    let state = OpState::named(&ctx, &format!("relay.{}", op.name));
    let op = b.create(state.operands(args).results(&[result]).props(props));
    b.body().op(op).result(0)
}

/// The type relation of an operation, for the verifier and for transformations that replace operands.
pub trait TypeRelation: Send + Sync {
    /// Applies the relation to the types of the operands.
    ///
    /// # Errors
    /// The types are inconsistent.
    fn relate(&self, op: OpRef<'_>) -> Result<Answer, String>;
}
service!(dyn TypeRelation, "TypeRelation", Optional);

pub(crate) struct FromTable;

impl OperatorPatterns for FromTable {
    fn pattern(&self, op: OpRef<'_>) -> Option<OperatorPattern> {
        if op.is::<MakeTuple>() {
            return Some(OperatorPattern::Tuple);
        }
        if op.is::<Get>() {
            return Some(OperatorPattern::Injective);
        }
        let operator = operator_of(op).filter(|operator| operator.facts.kernel)?;
        Some(match operator.pattern {
            Pattern::Elemwise => OperatorPattern::Elementwise,
            Pattern::Broadcast => OperatorPattern::Broadcast,
            Pattern::Injective => OperatorPattern::Injective,
            Pattern::CommReduce => OperatorPattern::Reduction,
            Pattern::OutEwiseFusable => OperatorPattern::Complex,
            Pattern::Opaque | Pattern::Unknown => OperatorPattern::Opaque,
        })
    }

    fn is_free(&self, op: OpRef<'_>) -> bool {
        op.is::<MakeTuple>() || op.is::<Get>()
    }
}

impl Constructor for FromTable {
    fn is_constructor(&self, op: OpRef<'_>) -> bool {
        op.is::<MakeTuple>()
    }
}

impl TypeRelation for FromTable {
    fn relate(&self, op: OpRef<'_>) -> Result<Answer, String> {
        let Some(operator) = operator_of(op) else { return Ok(Answer::Stuck) };
        let attrs = encode::attrs_of(op, operator)
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
        let args: Vec<Type> = op.operand_types().map(|ty| types::from_ir(op.context(), ty)).collect();
        relate(operator, &args, &attrs).map_err(|error| error.message)
    }
}

impl Effects for FromTable {
    fn effects(&self, op: OpRef<'_>) -> EffectSet {
        match operator_of(op) {
            Some(operator) if !operator.facts.stateful => EffectSet::NONE,
            _ => EffectSet::UNKNOWN,
        }
    }
}

/// Declares the operations of the table of operators.
pub(crate) fn declare_operators(dialect: &mut DialectBuilder<'_>) {
    for spec in specs() {
        dialect.spec(spec);
    }
}

/// Parses `relay.add %x, %y {..} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>`.
pub(super) fn parse(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let operands = p.operand_list()?;
    p.attr_dict()?;
    p.punct(":")?;
    let ty = p.ty()?;
    let ctx = p.ctx();
    let Some((inputs, results)) = ty.as_function(ctx) else {
        return Err(p.error("expected the types of operands and result: '(tensor<2xf32>) -> tensor<2xf32>'"));
    };
    p.add_operands(&operands, inputs)?;
    p.add_results(results);
    Ok(())
}

pub(super) fn print(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let operands: Vec<Value> = op.operands().collect();
    if !operands.is_empty() {
        p.text(" ");
        p.values(&operands);
    }
    p.attr_dict(&[]);
    p.text(" : ");
    let (inputs, results): (Vec<_>, Vec<_>) = (op.operand_types().collect(), op.result_types().collect());
    p.functional_type(&inputs, &results);
}

/// Verifies attributes and types against the operator's relation.
pub(super) fn verify(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(given) = view.result_types().next() else { return };
    match FromTable.relate(view) {
        Err(message) => errors.push(message),
        Ok(Answer::Stuck) => {}
        Ok(Answer::Solved { result, .. }) => {
            let given = types::from_ir(ctx, given);
            if !agrees(&result, &given) {
                errors.push(format!("must give {result}, but its result is of type {given}"));
            }
        }
    }
}

/// Whether a type matches the inferred one: unknown extents match any extent.
pub(crate) fn agrees(follows: &Type, given: &Type) -> bool {
    match (follows, given) {
        (Type::Tensor(follows), Type::Tensor(given)) => {
            follows.dtype == given.dtype
                && follows.rank() == given.rank()
                && follows.shape.iter().zip(&given.shape).all(|(a, b)| match (a.known(), b.known()) {
                    (Some(a), Some(b)) => a == b,
                    _ => true,
                })
        }
        (Type::Tuple(follows), Type::Tuple(given)) => {
            follows.len() == given.len() && follows.iter().zip(given).all(|(a, b)| agrees(a, b))
        }
        _ => follows == given,
    }
}
