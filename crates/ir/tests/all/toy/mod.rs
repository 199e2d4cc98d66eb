//! A small dialect that uses all features of `#[op]`.

pub mod harness;
pub mod subject;

use minoan_ir::constraints::*;
use minoan_ir::{
    AttrEnum, Body, Context, Dialect, DialectBuilder, Flags, InferInput, Op, Registry, Type, Violations,
    attr, op,
};

/// The dialect `toy`.
pub struct Toy;

impl Dialect for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect
            .attr::<FastMathAttr>()
            .op::<Add>()
            .op::<Constant>()
            .op::<Dim>()
            .op::<Store>()
            .op::<Gather>()
            .op::<If>()
            .op::<Yield>();
        dialect
            .op::<Br>()
            .op::<CondBr>()
            .op::<Func>()
            .op::<Return>()
            .op::<Switch>()
            .op::<Pack>()
            .op::<Graph>();
        dialect.op::<Program>().op::<Inline>().op::<Convert>().op::<Split>().op::<Call>();
        dialect.op::<Compare>().op::<Tangle>().op::<Label>().op::<Maybe>();
    }
}

/// A context with the dialect.
pub fn context() -> Context {
    let mut registry = Registry::new();
    registry.add(Toy);
    Context::new(registry).expect("one dialect without mistakes")
}

/// Floating-point addition.
///
/// Operands and result have equal types.
#[op(
    "toy.add",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct Add {
    /// The left summand.
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[attr(FastMathAttr, default = "#toy.fastmath<none>")]
    fastmath: Attr,
    #[result(FLOAT_LIKE)]
    result: Value,
}

/// A fast-math flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug, AttrEnum)]
#[attr_enum(separator = ",")]
pub enum FastMath {
    /// All of them.
    Fast = 1,
}

/// Toy fast math flags.
#[attr("toy.fastmath")]
pub struct FastMathAttr {
    /// The flags.
    value: Flags<FastMath>,
}

/// A constant.
#[op("toy.constant", traits(PURE, CONSTANT_LIKE), infer = value_type)]
pub struct Constant {
    /// The value.
    #[attr(TYPED_ATTR)]
    value: Attr,
    #[result(ANY)]
    result: Value,
}

fn value_type(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let value = input.props.get(input.ctx, input.ctx.names().value);
    let ty = value.and_then(|value| value.value_type(input.ctx));
    ty.map(|ty| vec![ty]).ok_or_else(|| "needs a typed attribute 'value'".to_owned())
}

/// An extent.
#[op("toy.dim", traits(PURE))]
pub struct Dim {
    #[operand(MEMREF)]
    source: Value,
    #[operand(INDEX)]
    index: Value,
    #[result(INDEX, fixed)]
    result: Value,
}

/// Writes to memory.
#[op("toy.store", derive(value = element_of(memref), "type of 'value' matches element type of 'memref'"))]
pub struct Store {
    #[operand(ANY)]
    value: Value,
    #[operand(MEMREF)]
    memref: Value,
    #[operand(INDEX)]
    indices: Vec<Value>,
}

fn element_of(ctx: &Context, ty: Type) -> Option<Type> {
    ty.element(ctx)
}

/// An operation with operand groups.
#[op("toy.gather", traits(OPERAND_SEGMENTS), same_types(base, fallback))]
pub struct Gather {
    #[operand(ANY)]
    base: Value,
    #[operand(INDEX)]
    offsets: Vec<Value>,
    #[operand(I1)]
    mask: Option<Value>,
    #[operand(ANY)]
    fallback: Value,
    #[attr(UNIT_ATTR)]
    nontemporal: Option<Attr>,
    #[attr(I64_ATTR, name = "minAlign")]
    alignment: Attr,
    #[result(ANY)]
    r#type: Value,
}

/// A conditional.
#[op(
    "toy.if",
    traits(SINGLE_BLOCK, NO_REGION_ARGS, IMPLICIT_TERMINATOR, RECURSIVE_EFFECTS),
    terminator = "toy.yield"
)]
pub struct If {
    #[operand(I1)]
    condition: Value,
    #[result(ANY)]
    results: Vec<Value>,
    /// Executed if the condition is true.
    #[region(non_empty)]
    then_region: Region,
    #[region]
    else_region: Region,
}

/// Yields values to the parent operation.
#[op("toy.yield", traits(TERMINATOR, RETURN_LIKE, PURE), parents("toy.if", "toy.switch"))]
pub struct Yield {
    #[operand(ANY)]
    values: Vec<Value>,
}

/// A branch.
#[op("toy.br", traits(TERMINATOR))]
pub struct Br {
    #[operand(ANY)]
    args: Vec<Value>,
    #[successor]
    dest: Block,
}

/// A jump to one of several blocks.
#[op("toy.cond_br", traits(TERMINATOR))]
pub struct CondBr {
    #[operand(I1)]
    condition: Value,
    #[successor]
    dest: Block,
    #[successor]
    others: Vec<Block>,
}

/// A function.
#[op("toy.func", traits(ISOLATED, SYMBOL, FUNCTION_LIKE), verify = named_well)]
pub struct Func {
    #[attr(SYMBOL_NAME)]
    sym_name: Attr,
    #[attr(FUNCTION_TYPE_ATTR)]
    function_type: Attr,
    #[region]
    body: Region,
}

fn named_well(body: &Body, op: Op, errors: &mut Violations) {
    if body.op(op).symbol_name() == Some("bad") {
        errors.push("has a bad name");
    }
}

/// Returns from a function.
#[op("toy.return", traits(TERMINATOR, RETURN_LIKE))]
pub struct Return {
    #[operand(ANY)]
    values: Vec<Value>,
}

/// A switch with any number of cases.
#[op("toy.switch")]
pub struct Switch {
    #[operand(INDEX)]
    selector: Value,
    #[region]
    default: Region,
    #[region]
    cases: Vec<Region>,
}

/// An operation with operands of equal type.
#[op("toy.pack", traits(SAME_OPERANDS, PURE))]
pub struct Pack {
    #[operand(ANY)]
    values: Vec<Value>,
    #[result(ANY)]
    result: Option<Value>,
}

/// A graph region.
#[op("toy.graph", traits(GRAPH_REGION, NO_TERMINATOR, SINGLE_BLOCK))]
pub struct Graph {
    #[region]
    inner: Region,
}

/// A module.
#[op("toy.program", traits(ISOLATED, SYMBOL_TABLE, NO_TERMINATOR, SINGLE_BLOCK, GRAPH_REGION))]
pub struct Program {
    #[region]
    content: Region,
}

/// An operation with an unrestricted region.
#[op("toy.inline")]
pub struct Inline {
    #[result(ANY)]
    results: Vec<Value>,
    #[region]
    inner: Region,
}

/// A conversion.
#[op("toy.convert", traits(PURE, SAME_SHAPE))]
pub struct Convert {
    #[operand(FLOAT_LIKE)]
    input: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// An operation with result groups.
#[op("toy.split", traits(RESULT_SEGMENTS))]
pub struct Split {
    #[operand(ANY)]
    input: Value,
    #[result(ANY)]
    head: Option<Value>,
    #[result(ANY)]
    tail: Vec<Value>,
}

/// A call.
#[op("toy.call")]
pub struct Call {
    #[operand(ANY)]
    args: Vec<Value>,
    #[attr(FLAT_SYMBOL_REF)]
    callee: Attr,
    #[result(ANY)]
    results: Vec<Value>,
}

/// A comparison.
#[op("toy.compare", traits(PURE, ELEMENTWISE))]
pub struct Compare {
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[result(ANY)]
    results: Vec<Value>,
}

/// A graph region that is limited to one block.
#[op("toy.tangle", traits(GRAPH_REGION))]
pub struct Tangle {
    #[region]
    inner: Region,
}

/// A symbol without declared attributes.
#[op("toy.label", traits(SYMBOL))]
pub struct Label {}

/// Optional parts.
#[op("toy.maybe")]
pub struct Maybe {
    #[operand(ANY)]
    input: Option<Value>,
    #[result(ANY)]
    output: Option<Value>,
}
