//! Functions, tuples, conditionals and constants.

use super::types::{CONDITION, TENSOR, TUPLE, VALUE};
use minoan_ir::constraints::{FUNCTION_TYPE_ATTR, TYPED_ATTR};
use minoan_ir::text::print_type;
use minoan_ir::{
    Block, Body, Builder, DialectBuilder, FlatSymbolRef, InferInput, Op, OpDef, SymbolName, Type, Value,
    Violations, op,
};
use minoan_services::{
    ConstantMaterializer, FunctionBoundary, FunctionMaterializer, GraphBoundary, OneValueFunctions,
    ReturnBoundary,
};
use std::sync::Arc;

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.op::<Func>().op::<Return>().op::<Call>().op::<Yield>();
    dialect.op::<Constant>().op::<MakeTuple>().op::<Get>().op::<If>();
    dialect.op_service::<Func, dyn FunctionMaterializer>(Arc::new(OneValueFunctions {
        function: Func::SPEC.name,
        call: Call::SPEC.name,
        return_op: Return::SPEC.name,
    }));
    dialect.service::<dyn ConstantMaterializer>(Arc::new(super::materialize::Constants));
    dialect.op_service::<Func, dyn GraphBoundary>(Arc::new(FunctionBoundary));
    dialect.op_service::<Return, dyn GraphBoundary>(Arc::new(ReturnBoundary));
}

/// A function.
///
/// A function has one result: `relay.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { .. }`.
#[op(
    "relay.func",
    traits(ISOLATED, SYMBOL, FUNCTION_LIKE),
    assembly = custom(minoan_func::parse_func, minoan_func::print_func),
    verify = verify_func
)]
pub struct Func {
    /// The symbol name.
    #[attr]
    sym_name: SymbolName,
    /// The types of parameters and result.
    #[attr(FUNCTION_TYPE_ATTR)]
    function_type: Type,
    /// The symbol visibility: `public` if absent, or `private`.
    #[attr]
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

fn verify_func(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let ty = view.attr(ctx.names().function_type).and_then(|attr| attr.as_type(ctx));
    let Some((inputs, results)) = ty.and_then(|ty| ty.as_function(ctx)) else { return };
    let &[result] = results else { return errors.push("expected one result") };
    let Some(inside) = view.nested() else { return };
    let blocks: Vec<Block> = inside.region(inside.root(0)).blocks().collect();
    let &[entry] = &blocks[..] else { return errors.push("expected one block") };
    if !inside.block(entry).args().map(|arg| inside.ty(arg)).eq(inputs.iter().copied()) {
        errors.push("entry block arguments must match the function's type");
    }
    match inside.block(entry).last().map(|op| inside.op(op)).filter(|op| op.is::<Return>()) {
        None => errors.push("expects its region to end with 'relay.return'"),
        Some(last) if last.operand_types().next() != Some(result) => {
            errors.push(format!("must return a value of type {}", print_type(ctx, result)));
        }
        Some(_) => {}
    }
}

/// Returns the value of the function.
#[op(
    "relay.return",
    traits(TERMINATOR, RETURN_LIKE, PURE),
    parents("relay.func"),
    assembly = "$value attr-dict `:` type($value)"
)]
pub struct Return {
    /// The value.
    #[operand(VALUE)]
    value: Value,
}

/// A call by symbol.
#[op("relay.call", assembly = "$callee `(` $args `)` attr-dict `:` functional-type($args, results)")]
pub struct Call {
    /// The symbol of the callee.
    #[attr]
    callee: FlatSymbolRef,
    /// One argument per parameter.
    #[operand(VALUE)]
    args: Vec<Value>,
    /// The result.
    #[result(VALUE)]
    result: Value,
}

/// Yields the value of a region.
#[op("relay.yield", traits(TERMINATOR, RETURN_LIKE, PURE), assembly = "$value attr-dict `:` type($value)")]
pub struct Yield {
    /// The value.
    #[operand(VALUE)]
    value: Value,
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
    #[result(TENSOR)]
    result: Value,
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

/// Creates a tuple.
#[op(
    "relay.tuple",
    traits(PURE),
    assembly = "`(` $parts `)` attr-dict `:` functional-type($parts, results)",
    infer = minoan_functional::infer_tuple,
    verify = minoan_functional::verify_tuple
)]
pub struct MakeTuple {
    /// The components.
    #[operand(VALUE)]
    parts: Vec<Value>,
    /// The tuple.
    #[result(TUPLE)]
    result: Value,
}

/// A component of a tuple, counted from 0.
#[op(
    "relay.get",
    traits(PURE),
    assembly = "$tuple `[` $index `]` attr-dict `:` type($tuple)",
    infer = minoan_functional::infer_get,
    verify = minoan_functional::verify_get
)]
pub struct Get {
    /// The tuple.
    #[operand(TUPLE)]
    tuple: Value,
    /// The index of the component.
    #[attr]
    index: i64,
    /// The component.
    #[result(VALUE)]
    result: Value,
}

/// A conditional, which executes only one region.
#[op(
    "relay.if",
    traits(SINGLE_BLOCK, NO_REGION_ARGS, RECURSIVE_EFFECTS),
    assembly = "$condition $then_region `else` $else_region attr-dict `:` type($condition) `->` type($result)",
    verify = verify_if
)]
pub struct If {
    /// The condition, which selects the first region if true.
    #[operand(CONDITION)]
    condition: Value,
    /// The value of the executed region.
    #[result(VALUE)]
    result: Value,
    /// Executed if the condition is true.
    #[region(non_empty)]
    then_region: Region,
    /// Executed if the condition is false.
    #[region(non_empty)]
    else_region: Region,
}

fn verify_if(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(result) = view.result_types().next() else { return };
    for (index, region) in view.regions().enumerate() {
        let Some(entry) = body.region(region).entry() else { continue };
        match body.block(entry).last().map(|op| body.op(op)).filter(|op| op.is::<Yield>()) {
            None => errors.push(format!("expects region #{index} to end with 'relay.yield'")),
            Some(last) => {
                let yielded = last.operand_types().next().unwrap_or(Type::NONE);
                if yielded != result {
                    let [wanted, found] = [result, yielded].map(|ty| print_type(ctx, ty));
                    errors.push(format!("region #{index} must yield {wanted}, but yields {found}"));
                }
            }
        }
    }
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
