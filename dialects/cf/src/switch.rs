//! `cf.switch`.

use crate::branch::verify_successor;
use crate::{evaluate, flow, generate, reduce};
use minoan_ir::constraints::{ANY, ANY_INTEGER};
use minoan_ir::text::{OpParser, OpPrinter, ParseError, print_type};
use minoan_ir::{
    Attr, AttrConstraint, AttrData, AttrSyntax, Block, Body, Builder, Context, Int, Op, OpDef, Signedness,
    Type, Value, Violations, op,
};
use minoan_services::{Branches, Evaluate, Generate, Ownership, Reduce};

/// "integer elements attribute"
static INT_ELEMENTS: AttrConstraint = AttrConstraint {
    description: "integer elements attribute",
    check: |ctx, attr| match attr.data(ctx) {
        AttrData::DenseElements { ty, .. } => ty.element_or_self(ctx).integer_width(ctx).is_some(),
        _ => false,
    },
    syntax: AttrSyntax::Any,
};

/// Branches to the block of the case that equals an integer, or to the default block.
///
/// ```mlir
/// cf.switch %flag : i32, [
///   default: ^bb1(%a : i32),
///   42: ^bb2,
///   7: ^bb3(%b : i64)
/// ]
/// ```
#[op(
    "cf.switch",
    traits(PURE, TERMINATOR, OPERAND_SEGMENTS),
    assembly = custom(parse_switch, print_switch),
    verify = verify_switch,
    services(
        Evaluate = evaluate::Select,
        Branches = flow::ByFlag,
        Ownership = flow::ForwardedTensors,
        Generate = generate::AnySwitch,
        Reduce = reduce::OneSuccessor,
    )
)]
pub struct Switch {
    flag: Operand<ANY_INTEGER>,
    /// The arguments of the default block.
    default_operands: Vec<Operand<ANY>>,
    /// The arguments of the case blocks, concatenated.
    case_operands: Vec<Operand<ANY>>,
    /// The case values, a vector.
    #[attr(INT_ELEMENTS)]
    case_values: Option<Attr>,
    /// The number of arguments of each case block.
    case_operand_segments: Vec<i32>,
    /// The target if no case matches.
    default_destination: Block,
    /// The case blocks.
    case_destinations: Vec<Block>,
}

impl Switch {
    /// Creates a `cf.switch` from its cases: the value, the block, the arguments of the block.
    #[track_caller]
    pub fn of_cases<V: Clone + Into<Int>>(
        b: &mut Builder<'_>,
        flag: Value,
        default: (Block, &[Value]),
        cases: &[(V, Block, Vec<Value>)],
    ) -> Switch {
        let ctx = b.context();
        let ty = b.ty(flag);
        let values: Vec<Int> = cases.iter().map(|case| case.0.clone().into()).collect();
        let segments: Vec<i32> = cases.iter().map(|case| case.2.len() as i32).collect();
        let operands: Vec<Value> = cases.iter().flat_map(|case| case.2.iter().copied()).collect();
        let blocks: Vec<Block> = cases.iter().map(|case| case.1).collect();
        let values = case_values_attr(&ctx, ty, &values);
        Switch::build(b, flag, default.1, &operands, values, segments, default.0, &blocks)
    }

    /// The case values with the bit width of the flag's type, sign-extended.
    pub fn values(self, body: &Body) -> Vec<Int> {
        let ctx = body.context();
        self.case_values(body).map_or_else(Vec::new, |attr| integers(ctx, attr))
    }

    /// The arguments of the case blocks, in order; empty beyond the last case.
    pub fn operands_of_cases(self, body: &Body) -> impl Iterator<Item = Vec<Value>> + use<> {
        let mut operands = self.case_operands(body).into_iter();
        let sizes = self.case_operand_segments(body).to_vec().into_iter().chain(std::iter::repeat(0));
        sizes.map(move |size| operands.by_ref().take(size.max(0) as usize).collect())
    }
}

/// Creates the attribute `dense<[..]> : vector<..>`; `None` if there are no cases.
pub(crate) fn case_values_attr(ctx: &Context, ty: Type, values: &[Int]) -> Option<Attr> {
    let first = values.first()?;
    let width = ty.integer_width(ctx)?;
    let bytes = width.div_ceil(8) as usize;
    let splat = values.iter().all(|value| value == first);
    let kept = if splat { &values[..1] } else { values };
    let data =
        kept.iter().flat_map(|value| value.clone().wrapped(width, Signedness::Signless).to_le_bytes(bytes));
    let ty = Type::vector(ctx, &[values.len() as i64], ty);
    Some(ctx.intern_attr(AttrData::DenseElements { ty, data: data.collect(), splat }))
}

fn integers(ctx: &Context, attr: Attr) -> Vec<Int> {
    let AttrData::DenseElements { ty, data, splat } = attr.data(ctx) else { return Vec::new() };
    let width = ty.element_or_self(ctx).integer_width(ctx).unwrap_or(64);
    let count = ty.shape(ctx).map_or(0, |shape| shape.iter().product::<i64>()).max(0) as usize;
    let elements = data
        .chunks_exact(width.div_ceil(8).max(1) as usize)
        .map(|bytes| Int::from_le_bytes(bytes, true).wrapped(width, Signedness::Signless));
    match splat {
        true => elements.cycle().take(count).collect(),
        false => elements.collect(),
    }
}

/// Parses `%flag : i32, [default: ^bb1(%a : i32), 42: ^bb2]`.
fn parse_switch(parser: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let flag = parser.operand()?;
    parser.punct(":")?;
    let span = parser.span();
    let ty = parser.ty()?;
    let Some(width) = ty.integer_width(parser.ctx()) else {
        let found = print_type(parser.ctx(), ty);
        let message =
            format!("invalid kind of type specified: expected builtin.integer, but found '{found}'");
        return Err(parser.error_at(span, message));
    };
    parser.add_operands(&[flag], &[ty])?;
    parser.punct(",")?;
    parser.punct("[")?;
    parser.keyword("default")?;
    let default = parse_destination(parser)?;
    let (mut values, mut segments) = (Vec::new(), Vec::new());
    while parser.optional_punct(",") {
        // Upstream also wraps values that do not fit; it cannot parse all the numbers that it prints.
        values.push(parser.integer_of_width(width)?);
        segments.push(parse_destination(parser)?);
    }
    parser.punct("]")?;
    parser.attr_dict()?;
    parser.set_segments(&[1, default, segments.iter().sum()]);
    let sizes: Vec<i32> = segments.iter().map(|&size| size as i32).collect();
    let ctx = parser.ctx();
    parser.set_attr("case_operand_segments", Attr::dense_i32(ctx, &sizes));
    if let Some(values) = case_values_attr(ctx, ty, &values) {
        parser.set_attr("case_values", values);
    }
    Ok(())
}

/// Parses `: ^bb1(%a, %b : i32, i64)`; returns the number of operands.
fn parse_destination(parser: &mut OpParser<'_, '_>) -> Result<usize, ParseError> {
    parser.punct(":")?;
    parser.successor()?;
    if !parser.optional_punct("(") {
        return Ok(0);
    }
    let operands = parser.operand_list()?;
    parser.punct(":")?;
    let types = parser.type_list()?;
    parser.punct(")")?;
    parser.add_operands(&operands, &types)?;
    Ok(operands.len())
}

fn print_switch(printer: &mut OpPrinter<'_, '_>) {
    let (body, op) = (printer.body(), printer.op());
    let Some(switch) = op.cast::<Switch>() else { return };
    let flag = switch.flag(body);
    printer.text(" ");
    printer.value(flag);
    printer.text(" : ");
    printer.ty(body.ty(flag));
    printer.text(", [");
    let width = body.ty(flag).integer_width(body.context()).unwrap_or(64);
    let default = (String::from("default"), switch.default_operands(body));
    let cases = switch.values(body).into_iter().zip(switch.operands_of_cases(body));
    let cases =
        cases.map(|(value, operands)| (value.wrapped(width, Signedness::Unsigned).to_string(), operands));
    let arms = std::iter::once(default).chain(cases);
    for (at, ((label, operands), block)) in arms.zip(op.successors()).enumerate() {
        printer.text(if at > 0 { "," } else { "" });
        printer.newline();
        printer.text(&format!("  {label}: "));
        printer.successor(block);
        if !operands.is_empty() {
            let types: Vec<Type> = operands.iter().map(|&operand| body.ty(operand)).collect();
            printer.text("(");
            printer.values(&operands);
            printer.text(" : ");
            printer.types(&types);
            printer.text(")");
        }
    }
    // Upstream prints the bracket directly after a default without cases.
    if op.successors().len() > 1 {
        printer.newline();
    }
    printer.text("]");
    printer.attr_dict(&["case_values", "case_operand_segments"]);
}

fn verify_switch(body: &Body, op: Op, errors: &mut Violations) {
    let ctx = body.context();
    let Some(switch) = Switch::cast(body, op) else { return };
    let cases = switch.case_destinations(body).len();
    let values = switch.case_values(body);
    if values.is_none() && cases == 0 {
        return verify_successor(body, op, 0, &switch.default_operands(body), errors);
    }
    let flag = body.ty(switch.flag(body));
    if let Some(case_type) = values.and_then(|values| values.value_type(ctx)).and_then(|ty| ty.element(ctx))
        && case_type != flag
    {
        errors.push(format!(
            "'flag' type ('{}') should match case value type ('{}')",
            print_type(ctx, flag),
            print_type(ctx, case_type)
        ));
    }
    // Counted by the type, since a splat can have more elements than fit into memory.
    let shape = values.and_then(|values| values.value_type(ctx)?.shape(ctx));
    let count = shape.map_or(Some(0), |shape| shape.iter().try_fold(1i64, |count, &n| count.checked_mul(n)));
    let count = count.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
    if count != cases {
        errors.push(format!(
            "number of case values ({count}) should match number of case destinations ({cases})"
        ));
        return;
    }
    verify_successor(body, op, 0, &switch.default_operands(body), errors);
    for (case, operands) in switch.operands_of_cases(body).take(cases).enumerate() {
        verify_successor(body, op, case + 1, &operands, errors);
    }
}
