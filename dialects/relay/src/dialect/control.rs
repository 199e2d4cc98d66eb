//! Functions, tuples, conditionals and constants.

use super::boundary::RelayBoundary;
use super::types::{CONDITION, TENSOR, TUPLE, VALUE};
use minoan_ir::constraints::{FUNCTION_TYPE_ATTR, TYPED_ATTR};
use minoan_ir::{
    Block, Body, Builder, DialectBuilder, InferInput, Op, OpDef, SymbolName, Type, Value, Violations, op,
};
use minoan_services::{
    Calls, CallsBySymbol, ConstantMaterializer, FunctionMaterializer, GraphBoundary, Inliner,
    OneValueFunctions, ReturnBoundary, UnlessNoInline,
};
use std::sync::Arc;

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.op::<Func>().op::<Return>().op::<Call>().op::<Yield>();
    dialect.op::<Constant>().op::<MakeTuple>().op::<Get>().op::<If>();
    dialect.op_service::<Func, dyn FunctionMaterializer>(Arc::new(OneValueFunctions {
        function: Func::SPEC.name,
        call: Call::SPEC.name,
        return_op: Return::SPEC.name,
        tuple: MakeTuple::SPEC.name,
        get: Get::SPEC.name,
    }));
    dialect.op_service::<Call, dyn Calls>(Arc::new(CallsBySymbol));
    dialect.op_service::<Call, dyn Inliner>(Arc::new(UnlessNoInline));
    dialect.op_service::<Func, dyn Inliner>(Arc::new(UnlessNoInline));
    dialect.service::<dyn ConstantMaterializer>(Arc::new(super::materialize::Constants));
    dialect.op_service::<Func, dyn GraphBoundary>(Arc::new(RelayBoundary));
    dialect.op_service::<Return, dyn GraphBoundary>(Arc::new(ReturnBoundary));
}

/// A function.
///
/// A function has one result: `relay.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { .. }`.
#[op(
    "relay.func",
    traits(ISOLATED, SYMBOL, FUNCTION_LIKE),
    assembly = custom(minoan_func::parse_func, minoan_func::print_func),
    verify = minoan_functional::verify_function::<Return>
)]
pub struct Func {
    /// The symbol name.
    sym_name: SymbolName,
    /// The types of parameters and result.
    #[attr(FUNCTION_TYPE_ATTR)]
    function_type: Type,
    /// The symbol visibility: `public` if absent, or `private`.
    sym_visibility: Option<String>,
    /// The body.
    #[region(non_empty)]
    body: Region,
}

impl Func {
    /// Creates a function with an entry block, which has an argument for each input.
    pub fn define(
        b: &mut Builder<'_>,
        name: &str,
        inputs: &[Type],
        result: Type,
        private: bool,
    ) -> (Func, Block) {
        let ty = Type::function(&b.context(), inputs, &[result]);
        let visibility = private.then(|| "private".to_owned());
        let func = Func::build(b, name, ty, visibility);
        let body = b.body_mut().nested_mut(func.op()).expect("a function owns its body");
        let region = body.root(0);
        (func, body.add_block(region, inputs))
    }
}

minoan_functional::control_operations! {
    function "relay.func", return "relay.return", call "relay.call", yield "relay.yield", tuple "relay.tuple", get "relay.get",
    values VALUE, tuples TUPLE
}

/// A constant tensor: `relay.constant dense<1.0> : tensor<f32>`.
#[op(
    "relay.constant",
    traits(PURE, CONSTANT_LIKE),
    assembly = "attr-dict $value",
    infer = infer_constant,
    verify = verify_constant
)]
pub struct Constant {
    /// The elements.
    #[attr(TYPED_ATTR)]
    value: Attr,
    /// The tensor.
    result: OpResult<TENSOR>,
}

fn infer_constant(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let value = input.props.get(input.ctx, input.ctx.name("value"));
    let ty = value.and_then(|value| value.value_type(input.ctx));
    ty.map(|ty| vec![ty]).ok_or_else(|| "expects a tensor as its value".to_owned())
}

fn verify_constant(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let value = view.attr_named("value").and_then(|attr| attr.value_type(ctx));
    if value != view.result_types().next() {
        errors.push("the value must have the type of the result");
    }
}

/// A conditional, which executes only one region.
#[op(
    "relay.if",
    traits(SINGLE_BLOCK, NO_REGION_ARGS, RECURSIVE_EFFECTS),
    assembly = "$condition $then_region `else` $else_region attr-dict `:` type($condition) `->` type($result)",
    verify = minoan_functional::verify_if::<Yield>
)]
pub struct If {
    /// The condition, which selects the first region if true.
    condition: Operand<CONDITION>,
    /// The value of the executed region.
    result: OpResult<VALUE>,
    /// Executed if the condition is true.
    #[region(non_empty)]
    then_region: Region,
    /// Executed if the condition is false.
    #[region(non_empty)]
    else_region: Region,
}

impl If {
    /// Creates a conditional of type `result`; `None` from `fill` leaves it incomplete.
    pub fn with(
        b: &mut Builder<'_>,
        condition: Value,
        result: Type,
        mut fill: impl FnMut(&mut Builder<'_>, bool) -> Option<Value>,
    ) -> Option<Value> {
        let op = If::build(b, condition, result);
        let mut complete = true;
        for (index, which) in [true, false].into_iter().enumerate() {
            let (_, outside) = b.enter(op.op(), index, &[]);
            match fill(b, which) {
                Some(value) => _ = Yield::build(b, value),
                None => complete = false,
            }
            b.set_insertion_point(outside);
        }
        complete.then(|| op.result(b.body()))
    }
}
