//! Functions, values, conditionals and effects.

use crate::types::{NUMBER, STRING, TUPLE, VALUE, string_type};
use minoan_ir::constraints::{FUNCTION_TYPE_ATTR, I1, I64, TYPED_ATTR, same_as};
use minoan_ir::{
    Attr, Block, Body, Builder, InferInput, Op, OpDef, OpRef, OpState, SymbolName, Type, Value, Violations,
    op,
};
use minoan_services::{
    EffectSet, Effects, FunctionBoundary, FunctionMaterializer, GraphBoundary, Visibility,
};

/// A function.
///
/// One argument per parameter, and one result: `knossos.func @f(%x: f32) -> f32 { .. }`. A private function without a
/// body is external.
#[op(
    "knossos.func",
    traits(ISOLATED, SYMBOL, FUNCTION_LIKE),
    assembly = custom(minoan_func::parse_func, minoan_func::print_func),
    verify = verify_func,
    services(FunctionMaterializer = FUNCTIONS, GraphBoundary = FunctionBoundary)
)]
pub struct Func {
    /// The symbol name.
    sym_name: SymbolName,
    /// The types of parameters and result.
    #[attr(FUNCTION_TYPE_ATTR)]
    function_type: Type,
    /// The symbol visibility: `public` if absent, or `private`.
    sym_visibility: Option<String>,
    /// The body; empty for an external function.
    body: Region,
}

impl Func {
    /// Declares a private external function.
    pub fn declare(b: &mut Builder<'_>, name: &str, inputs: &[Type], result: Type) -> Func {
        let ty = Type::function(&b.context(), inputs, &[result]);
        Func::build(b, name, ty, Some("private".to_owned()))
    }

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

fn verify_func(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    if view.nested().is_none_or(|inside| !inside.region(inside.root(0)).is_empty()) {
        minoan_functional::verify_function::<Return>(body, op, errors);
    } else if view.attr_value::<String>("sym_visibility") != Some("private") {
        errors.push("a function without a body must be private");
    }
}

minoan_functional::control_operations! {
    function "knossos.func", return "knossos.return", call "knossos.call", yield "knossos.yield",
    tuple "knossos.tuple", get "knossos.get",
    values VALUE, tuples TUPLE
}

/// A numeric constant.
#[op(
    "knossos.constant",
    traits(PURE, CONSTANT_LIKE),
    assembly = "attr-dict $value",
    infer = infer_constant,
    verify = minoan_functional::verify_constant
)]
pub struct Constant {
    /// The value.
    #[attr(TYPED_ATTR)]
    value: Attr,
    /// The result.
    result: OpResult<NUMBER>,
}

fn infer_constant(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    minoan_functional::infer_constant(input, "a number")
}

/// A string constant.
#[op("knossos.string", traits(PURE), assembly = "$value attr-dict", infer = infer_string)]
pub struct Str {
    /// The value.
    value: String,
    /// The string.
    result: OpResult<STRING>,
}

fn infer_string(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    Ok(vec![string_type(input.ctx)])
}

/// An arbitrary value of a type.
#[op("knossos.dummy", traits(PURE), assembly = "attr-dict `:` type($result)")]
pub struct Dummy {
    /// The value.
    result: OpResult<VALUE>,
}

/// A conditional, which executes only one region.
#[op(
    "knossos.if",
    traits(SINGLE_BLOCK, NO_REGION_ARGS, RECURSIVE_EFFECTS),
    assembly = "$condition $then_region `else` $else_region attr-dict `:` type($result)",
    verify = minoan_functional::verify_if::<Yield>
)]
pub struct If {
    /// The condition, which selects the first region if true.
    condition: Operand<I1>,
    /// The value of the executed region.
    result: OpResult<VALUE>,
    /// Executed if the condition is true.
    #[region(non_empty)]
    then_region: Region,
    /// Executed if the condition is false.
    #[region(non_empty)]
    else_region: Region,
}

/// Creates an operation with one region and one result; `fill` returns the value of the region from its arguments.
pub(crate) fn with_region<O: OpDef>(
    b: &mut Builder<'_>,
    operands: &[Value],
    args: &[Type],
    result: impl FnOnce(Type) -> Type,
    fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Value>,
) -> Option<Value> {
    let props = b.dictionary(&[]);
    with_region_and::<O>(b, operands, props, args, |ty| Some(result(ty)), fill)
}

/// The same with properties; `result` computes the type of the result from that of the region's value.
pub(crate) fn with_region_and<O: OpDef>(
    b: &mut Builder<'_>,
    operands: &[Value],
    props: Attr,
    args: &[Type],
    result: impl FnOnce(Type) -> Option<Type>,
    fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Value>,
) -> Option<Value> {
    let ctx = b.context();
    // The type of the result follows from the region, so the region is created first.
    let state = OpState::new(ctx.kind_of::<O>()).operands(operands).results(&[Type::NONE]).regions(1);
    let op = b.create(state.props(props));
    let (block, outside) = b.enter(op, 0, args);
    let args: Vec<Value> = b.body().block(block).args().collect();
    let value = fill(b, &args);
    let done = value.map(|value| {
        Yield::build(b, value);
        b.ty(value)
    });
    b.set_insertion_point(outside);
    let value = b.body().op(op).result(0);
    let ty = result(done?)?;
    b.body_mut().set_type(value, ty);
    Some(value)
}

impl If {
    /// Creates a conditional of type `result`; `None` from a builder leaves it incomplete.
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

/// Stops the program if the condition is false.
#[op("knossos.assert", assembly = "$condition attr-dict")]
pub struct Assert {
    /// The condition.
    condition: Operand<I1>,
}

/// Prints values in order and returns their number.
#[op("knossos.print", assembly = "attr-dict ($values^ `:` type($values))?")]
pub struct Print {
    /// The printed values.
    values: Vec<Operand<VALUE>>,
    /// The number of values.
    #[result(I64, fixed)]
    result: Value,
}

/// Prints a value with a marker and returns it.
#[op("knossos.trace", assembly = "$value attr-dict `:` type($value)", traits(SAME_OPERANDS_AND_RESULT))]
pub struct Trace {
    /// The value.
    value: Operand<VALUE>,
    /// The same value.
    result: OpResult<VALUE>,
}

/// Tests whether two values are equal: numbers, sizes and all elements.
#[op(
    "knossos.eq",
    traits(PURE, SAME_OPERANDS),
    assembly = "$lhs `,` $rhs attr-dict `:` type($lhs)",
    derive(rhs = same_as(lhs), "both sides have one type")
)]
pub struct Eq {
    /// The left value.
    lhs: Operand<VALUE>,
    /// The right value.
    rhs: Operand<VALUE>,
    /// Whether they are equal.
    #[result(I1, fixed)]
    result: Value,
}

/// Tests whether two values differ.
#[op(
    "knossos.ne",
    traits(PURE, SAME_OPERANDS),
    assembly = "$lhs `,` $rhs attr-dict `:` type($lhs)",
    derive(rhs = same_as(lhs), "both sides have one type")
)]
pub struct Ne {
    /// The left value.
    lhs: Operand<VALUE>,
    /// The right value.
    rhs: Operand<VALUE>,
    /// Whether they differ.
    #[result(I1, fixed)]
    result: Value,
}

/// A call of a prelude function, identified by its name and the types of its operands.
#[op(
    "knossos.prelude",
    assembly = "$name `(` $args `)` attr-dict `:` functional-type($args, results)",
    verify = verify_prelude,
    services(Effects = PreludeEffects)
)]
pub struct Prelude {
    /// The name.
    name: String,
    /// The arguments.
    args: Vec<Operand<VALUE>>,
    /// The result.
    result: OpResult<VALUE>,
}

fn verify_prelude(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    if crate::lower::prelude_function(view).is_none() {
        let name = view.attr_value::<String>("name").unwrap_or_default();
        errors.push(format!("there is no prelude function '{name}' of these types"));
    }
}

/// Prelude functions that can fail have the effect of ending the program.
pub(crate) struct PreludeEffects;

impl Effects for PreludeEffects {
    fn effects(&self, op: OpRef<'_>) -> EffectSet {
        match crate::lower::prelude_function(op) {
            Some(function) if function.is_arithmetic() => EffectSet::NONE,
            _ => EffectSet::OUTSIDE,
        }
    }
}
