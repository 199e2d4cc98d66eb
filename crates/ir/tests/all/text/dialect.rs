//! The test dialect `t`, with an operation for each kind of syntax.

use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionStyle};
use minoan_ir::*;

/// A fast-math flag.
#[derive(Clone, Copy, Debug, AttrEnum)]
#[attr_enum(separator = ",")]
enum FastMath {
    Nnan = 1,
    Ninf = 2,
}

/// Fast-math flags.
#[attr("t.fastmath")]
struct FastMathAttr {
    value: Flags<FastMath>,
}

static FASTMATH: AttrConstraint = FastMathAttr::CONSTRAINT;
static PREDICATE: AttrConstraint = AttrConstraint {
    description: "a predicate",
    check: |_, _| true,
    syntax: AttrSyntax::EnumInteger(Type::I64, &[("eq", 0), ("ne", 1)]),
};

const fn one(name: &'static str, constraint: &'static TypeConstraint) -> ValueSpec {
    ValueSpec { name, arity: Arity::One, constraint }
}

const fn many(name: &'static str) -> ValueSpec {
    ValueSpec { name, arity: Arity::Variadic, constraint: &constraints::ANY }
}

const fn attr(
    name: &'static str,
    constraint: &'static AttrConstraint,
    optional: bool,
    default: Option<&'static str>,
) -> AttrSpec {
    let default = match default {
        Some(text) => Some(AttrDefault::Text(text)),
        None => None,
    };
    AttrSpec { name, constraint, optional, default }
}

const EMPTY: OpSpec = OpSpec {
    name: "",
    summary: "",
    description: "",
    operands: &[],
    results: &[],
    attrs: &[],
    regions: &[],
    successors: &[],
    traits: Traits::NONE,
    same_types: &[],
    derived: &[],
    parents: &[],
    assembly: Assembly::Generic,
    verify: None,
    infer: None,
    compatible: None,
    terminator: None,
    op_traits: &[],
};
const REGION: RegionSpec =
    RegionSpec { name: "body", variadic: false, non_empty: false, args: None, yields: None };

static ADD: OpSpec = OpSpec {
    name: "t.add",
    operands: &[one("lhs", &constraints::ANY), one("rhs", &constraints::ANY)],
    results: &[one("result", &constraints::ANY)],
    attrs: &[attr("fastmath", &FASTMATH, false, Some("#t.fastmath<none>"))],
    traits: Traits::SAME_OPERANDS_AND_RESULT,
    assembly: Assembly::Format("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"),
    ..EMPTY
};
static CMP: OpSpec = OpSpec {
    name: "t.cmp",
    operands: &[one("lhs", &constraints::ANY), one("rhs", &constraints::ANY)],
    results: &[one("result", &constraints::I1)],
    attrs: &[attr("predicate", &PREDICATE, false, None)],
    traits: Traits::SAME_OPERANDS,
    assembly: Assembly::Format("$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)"),
    ..EMPTY
};
static CONST: OpSpec = OpSpec {
    name: "t.const",
    results: &[one("result", &constraints::ANY)],
    attrs: &[attr("value", &constraints::TYPED_ATTR, false, None)],
    traits: Traits::CONSTANT_LIKE,
    assembly: Assembly::Format("attr-dict $value"),
    infer: Some(|input| {
        let value = input.props.get(input.ctx, input.ctx.names().value);
        value.and_then(|value| value.value_type(input.ctx)).map(|ty| vec![ty]).ok_or("no type".to_owned())
    }),
    ..EMPTY
};
static CALL: OpSpec = OpSpec {
    name: "t.call",
    operands: &[many("args")],
    results: &[many("results")],
    attrs: &[attr("callee", &constraints::FLAT_SYMBOL_REF, false, None)],
    assembly: Assembly::Format("$callee `(` $args `)` attr-dict `:` functional-type($args, $results)"),
    ..EMPTY
};
static BR: OpSpec = OpSpec {
    name: "t.cond_br",
    operands: &[one("condition", &constraints::I1), many("a"), many("b")],
    successors: &[
        SuccessorSpec { name: "yes", variadic: false },
        SuccessorSpec { name: "no", variadic: false },
    ],
    traits: Traits::TERMINATOR.and(Traits::OPERAND_SEGMENTS),
    assembly: Assembly::Format(
        "$condition `,` $yes (`(` $a^ `:` type($a) `)`)? `,` $no (`(` $b^ `:` type($b) `)`)? attr-dict",
    ),
    ..EMPTY
};
static RETURN: OpSpec = OpSpec {
    name: "t.return",
    operands: &[many("values")],
    traits: Traits::TERMINATOR,
    assembly: Assembly::Format("attr-dict ($values^ `:` type($values))?"),
    ..EMPTY
};
static IF: OpSpec = OpSpec {
    name: "t.if",
    operands: &[one("condition", &constraints::I1)],
    attrs: &[attr("flag", &constraints::UNIT_ATTR, true, None)],
    regions: &[REGION],
    traits: Traits::IMPLICIT_TERMINATOR.and(Traits::SINGLE_BLOCK),
    terminator: Some("t.return"),
    assembly: Assembly::Format("(`flag` $flag^) : (`plain`)? $condition $body attr-dict"),
    ..EMPTY
};
static FUNC: OpSpec = OpSpec {
    name: "t.func",
    attrs: &[
        attr("sym_name", &constraints::SYMBOL_NAME, false, None),
        attr("function_type", &constraints::FUNCTION_TYPE_ATTR, false, None),
    ],
    regions: &[REGION],
    traits: Traits::FUNCTION_LIKE.and(Traits::ISOLATED).and(Traits::SYMBOL),
    assembly: Assembly::Custom { parse: parse_func, print: print_func },
    ..EMPTY
};

fn parse_func(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let name = p.symbol_name()?;
    p.set_attr("sym_name", name);
    p.punct("(")?;
    let mut args = Vec::new();
    while !p.optional_punct(")") {
        args.push(p.region_arg()?);
        if !p.optional_punct(",") {
            p.punct(")")?;
            break;
        }
    }
    let results = p.optional_arrow_types()?;
    let inputs: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
    let ty = Type::function(p.ctx(), &inputs, &results);
    p.set_attr("function_type", Attr::ty(p.ctx(), ty));
    p.attr_dict_with_keyword()?;
    p.region(&args)
}

fn print_func(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.symbol(op.symbol_name().unwrap_or(""));
    p.text("(");
    let body = op.nested().expect("a function is isolated");
    let entry = body.region(body.root(0)).entry();
    for (at, arg) in entry.into_iter().flat_map(|block| body.block(block).args()).enumerate() {
        if at > 0 {
            p.text(", ");
        }
        p.region_arg(arg);
    }
    p.text(")");
    let ty = op.attr_named("function_type").and_then(|attr| attr.as_type(p.ctx()));
    p.arrow_types(ty.and_then(|ty| ty.as_function(p.ctx())).map_or(&[], |(_, results)| results));
    p.attr_dict_with_keyword(&["sym_name", "function_type"]);
    p.text(" ");
    p.region(0, RegionStyle::FULL.without_entry_args());
}

struct T;
impl Dialect for T {
    fn name(&self) -> &'static str {
        "t"
    }
    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.attr::<FastMathAttr>();
        for spec in [&ADD, &CMP, &CONST, &CALL, &BR, &RETURN, &IF, &FUNC] {
            dialect.spec(spec);
        }
    }
}

pub(crate) fn context() -> Context {
    let mut registry = Registry::new();
    registry.add(T);
    Context::new(registry).expect("nothing is declared twice")
}
