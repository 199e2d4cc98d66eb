//! Implementations of services by the func operations.

use crate::{Call, Constant, Func, Return};
use minoan_ir::text::print_type;
use minoan_ir::{
    Attr, Body, Builder, Context, Name, Op, OpDef, OpKind, OpRef, OpState, SymbolUser, Traits, Type, Value,
    Violation,
};
use minoan_rewrite::Lower;
use minoan_services::{
    ByAttributes, Calls, Cost, Datum, EffectSet, Effects, Evaluate, Flow, FunctionMaterializer, Generate,
    Machine, Maker, Object, ObjectKind, OperandUse, Ownership, Symbols, Trap, Visibility, function_types,
};
use std::ops::Range;

pub(crate) struct EvaluateCall;

impl Evaluate for EvaluateCall {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let ctx = op.context();
        let callee = op.attr_named("callee").and_then(|attr| attr.as_flat_symbol(ctx));
        let callee = callee.ok_or_else(|| Trap::new("a call without a callee"))?;
        Ok(Flow::Call(callee, operands.to_vec()))
    }
}

/// A function value is a closure without captured values.
pub(crate) struct EvaluateConstant;

impl Evaluate for EvaluateConstant {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let function = Constant::from_op_unchecked(op.id()).value(op.body());
        let kind = ObjectKind::Closure(function.as_str(op.context()).into());
        Flow::one(Datum::Object(Object::new(kind, Vec::new())))
    }
}

pub(crate) struct EvaluateCallIndirect;

impl Evaluate for EvaluateCallIndirect {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let [callee, args @ ..] = operands else { return Err(Trap::new("a call without a callee")) };
        callee.object()?.call(op.context(), args)
    }
}

/// The callee is the first operand.
pub(crate) struct IndirectCalls;

impl Calls for IndirectCalls {
    fn callee(&self, _: OpRef<'_>) -> Option<Attr> {
        None
    }

    fn args(&self, op: OpRef<'_>) -> Range<usize> {
        1..op.n_operands()
    }
}

pub(crate) struct ReturnEffects;

impl Effects for ReturnEffects {
    fn effects(&self, _: OpRef<'_>) -> EffectSet {
        EffectSet::NONE
    }
}

/// Returned tensors are transferred to the caller.
pub(crate) struct ReturnOwnership;

impl Ownership for ReturnOwnership {
    fn operand(&self, _: OpRef<'_>, _: usize) -> OperandUse {
        OperandUse::Consume
    }
}

/// Tensor arguments remain owned by the caller.
pub(crate) struct CallOwnership;

impl Ownership for CallOwnership {
    fn operand(&self, _: OpRef<'_>, _: usize) -> OperandUse {
        OperandUse::Borrow
    }
}

/// A declaration cannot be public.
pub(crate) struct FunctionSymbols;

impl Symbols for FunctionSymbols {
    fn set_visibility(&self, body: &mut Body, op: Op, visibility: Visibility) -> bool {
        let inside = body.nested(op);
        let defined = inside.is_some_and(|inside| !inside.region(inside.root(0)).is_empty());
        (defined || visibility != Visibility::Public) && ByAttributes.set_visibility(body, op, visibility)
    }
}

/// The cost of a call: passing the operands, returning the results, and two jumps.
pub(crate) struct CallCost;

impl Cost for CallCost {
    fn instructions(&self, op: OpRef<'_>) -> usize {
        2 + op.n_operands() + op.n_results()
    }
}

/// Creates functions on behalf of other dialects.
pub(crate) struct Functions;

impl FunctionMaterializer for Functions {
    fn declare(&self, b: &mut Builder<'_>, name: &str, inputs: &[Type], results: &[Type]) -> Op {
        Func::declare(b, name, inputs, results, Visibility::Private).op()
    }

    fn keep_out_of_line(&self, body: &mut Body, function: Op) {
        let name = body.context().name("no_inline");
        body.set_attr(function, name, Some(Attr::UNIT));
    }

    fn call(&self, ctx: &Context, name: &str, operands: &[Value], results: &[Type]) -> OpState {
        let callee = Attr::symbol_ref(ctx, name);
        let props = Attr::dictionary(ctx, &[(ctx.name("callee"), callee)]);
        OpState::new(ctx.kind_of::<Call>()).operands(operands).results(results).props(props)
    }

    fn return_op(&self, ctx: &Context, operands: &[Value]) -> OpState {
        OpState::new(ctx.kind_of::<Return>()).operands(operands)
    }
}

/// Verifies that a call refers to a function and matches its type.
pub(crate) struct CallsFit;

impl SymbolUser for CallsFit {
    fn check<'a>(&self, call: OpRef<'_>, declared: &dyn Fn(Name) -> Option<OpRef<'a>>) -> Option<Violation> {
        let ctx = call.context();
        let name = call.attr_named("callee")?.as_flat_symbol(ctx)?;
        let callee = declared(name).filter(|&op| op.is::<Func>() || becomes_function(op));
        let Some((inputs, results)) = callee.and_then(function_types) else {
            return Some(format!("'{}' does not reference a valid function", name.as_str(ctx)).into());
        };
        let show = |ty: Type| print_type(ctx, ty);
        if call.n_operands() != inputs.len() {
            return Some("incorrect number of operands for callee".into());
        }
        for (index, (have, &want)) in call.operand_types().zip(inputs).enumerate() {
            if have != want {
                let message = format!(
                    "operand type mismatch: expected operand type '{}', but provided '{}' for operand number {index}",
                    show(want),
                    show(have)
                );
                return Some(Violation::from(message).about_operand(index));
            }
        }
        if call.n_results() != results.len() {
            return Some("incorrect number of results for callee".into());
        }
        let mismatch = call.result_types().zip(results).position(|(have, &want)| have != want);
        mismatch.map(|index| {
            Violation::from(format!("result type mismatch at index {index}")).about_result(index)
        })
    }
}

/// Whether an operation is a function of a front end, which is lowered to a function of this dialect.
fn becomes_function(op: OpRef<'_>) -> bool {
    let dialect = op.name().split_once('.').and_then(|(dialect, _)| op.context().dialect(dialect));
    op.has_trait(Traits::FUNCTION_LIKE) && dialect.is_some_and(|it| it.service::<dyn Lower>().is_some())
}

/// A random call of an existing function.
pub(crate) struct AnyCall;

impl Generate for AnyCall {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (name, operands, results) = maker.call(b)?;
        let state = Functions.call(&b.context(), &name, &operands, &results);
        Some(b.create(state))
    }
}
