//! Functions, tuples, conditionals and constants.

use super::boundary::RelayBoundary;
use super::casts::CopyCasts;
use super::pass_through::InTuple;
use super::types::{CONDITION, TENSOR, TUPLE, VALUE};
use minoan_ir::constraints::{FUNCTION_TYPE_ATTR, TYPED_ATTR};
use minoan_ir::{Block, Builder, InferInput, OpDef, SymbolName, Type, Value, op};
use minoan_services::{
    Calls, CallsBySymbol, FunctionMaterializer, GraphBoundary, Inliner, PassThrough, ShapeCast,
    UnlessNoInline, Visibility,
};

/// A function.
///
/// A function has one result: `relay.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { .. }`.
#[op(
    "relay.func",
    traits(ISOLATED, SYMBOL, FUNCTION_LIKE),
    assembly = custom(minoan_func::parse_func, minoan_func::print_func),
    verify = minoan_functional::verify_function::<Return>,
    services(
        FunctionMaterializer = FUNCTIONS,
        Inliner = UnlessNoInline,
        GraphBoundary = RelayBoundary,
        ShapeCast = CopyCasts
    )
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
        visibility: Visibility,
    ) -> (Func, Block) {
        let ty = Type::function(&b.context(), inputs, &[result]);
        let word = (visibility != Visibility::Public).then(|| visibility.word().to_owned());
        let func = Func::build(b, name, ty, word);
        let body = b.body_mut().nested_mut(func.op()).expect("a function owns its body");
        let region = body.root(0);
        (func, body.add_block(region, inputs))
    }
}

minoan_functional::control_operations! {
    function "relay.func", return "relay.return", call "relay.call" services(Calls = CallsBySymbol, Inliner = UnlessNoInline),
    yield "relay.yield", tuple "relay.tuple", get "relay.get",
    values VALUE, tuples TUPLE
}

/// A constant tensor: `relay.constant dense<1.0> : tensor<f32>`.
#[op(
    "relay.constant",
    traits(PURE, CONSTANT_LIKE),
    assembly = "attr-dict $value",
    infer = infer_constant,
    verify = minoan_functional::verify_constant
)]
pub struct Constant {
    /// The elements.
    #[attr(TYPED_ATTR)]
    value: Attr,
    /// The tensor.
    result: OpResult<TENSOR>,
}

fn infer_constant(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    minoan_functional::infer_constant(input, "a tensor")
}

/// A conditional, which executes only one region.
#[op(
    "relay.if",
    traits(SINGLE_BLOCK, NO_REGION_ARGS, RECURSIVE_EFFECTS),
    assembly = "$condition $then_region `else` $else_region attr-dict `:` type($condition) `->` type($result)",
    verify = minoan_functional::verify_if::<Yield>,
    services(PassThrough = InTuple)
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
