//! Custom assembly of the operations with regions.

use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionArg, RegionStyle, Unresolved};
use minoan_ir::{Attr, Type, Value};

/// Parses `%a = %x, %b = %y` in parentheses: region arguments and their initial values.
pub(crate) fn assignments(
    p: &mut OpParser<'_, '_>,
) -> Result<(Vec<Unresolved>, Vec<Unresolved>), ParseError> {
    let (mut names, mut inits) = (Vec::new(), Vec::new());
    p.punct("(")?;
    if !p.optional_punct(")") {
        loop {
            names.push(p.operand()?);
            p.punct("=")?;
            inits.push(p.operand()?);
            if !p.optional_punct(",") {
                break;
            }
        }
        p.punct(")")?;
    }
    Ok((names, inits))
}

/// Parses `%i = %lower to %upper step %step iter_args(%a = %x) -> (f32) : i32 { .. }`.
pub(crate) fn parse_for(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let args = parse_for_head(p)?;
    p.region(&args)?;
    p.attr_dict()
}

/// Parses the part before the region; returns its arguments. Not inlined, like all such functions here, so that its
/// locals take no stack while nested regions are parsed or printed.
#[inline(never)]
fn parse_for_head(p: &mut OpParser<'_, '_>) -> Result<Vec<RegionArg>, ParseError> {
    if p.optional_keyword("unsigned") {
        p.set_attr("unsignedCmp", Attr::UNIT);
    }
    let induction = p.operand()?;
    p.punct("=")?;
    let lower = p.operand()?;
    p.keyword("to")?;
    let upper = p.operand()?;
    p.keyword("step")?;
    let step = p.operand()?;
    let (mut names, mut inits, mut types) = (Vec::new(), Vec::new(), Vec::new());
    if p.optional_keyword("iter_args") {
        (names, inits) = assignments(p)?;
        types = p.optional_arrow_types()?;
        if types.len() != inits.len() {
            return Err(p.error_at_name("mismatch in number of loop-carried values and defined values"));
        }
    }
    let ty = if p.optional_punct(":") { p.ty()? } else { Type::INDEX };
    p.add_operands(&[lower, upper, step], &[ty; 3])?;
    p.add_operands(&inits, &types)?;
    p.add_results(&types);
    let mut args = vec![RegionArg { name: induction, ty }];
    args.extend(names.into_iter().zip(types).map(|(name, ty)| RegionArg { name, ty }));
    Ok(args)
}

pub(crate) fn print_assignments(p: &mut OpPrinter<'_, '_>, names: &[Value], inits: &[Value]) {
    p.text("(");
    for (index, (&name, &init)) in names.iter().zip(inits).enumerate() {
        if index > 0 {
            p.text(", ");
        }
        p.value(name);
        p.text(" = ");
        p.value(init);
    }
    p.text(")");
}

fn entry_args(p: &OpPrinter<'_, '_>, region: usize) -> Vec<Value> {
    let body = p.body();
    let entry = p.op().own_region(region).and_then(|region| body.region(region).entry());
    entry.map_or_else(Vec::new, |block| body.block(block).args().collect())
}

pub(crate) fn print_for(p: &mut OpPrinter<'_, '_>) {
    print_for_head(p);
    p.region(0, RegionStyle::FULL.without_entry_args().with_terminator(p.op().n_results() > 0));
    p.attr_dict(&["unsignedCmp"]);
}

#[inline(never)]
fn print_for_head(p: &mut OpPrinter<'_, '_>) {
    let (op, body) = (p.op(), p.body());
    let operands: Vec<Value> = op.operands().collect();
    let args = entry_args(p, 0);
    if op.attr_named("unsignedCmp").is_some() {
        p.text(" unsigned");
    }
    p.text(" ");
    args.first().into_iter().for_each(|&arg| p.value(arg));
    for (keyword, &value) in [" = ", " to ", " step "].into_iter().zip(&operands) {
        p.text(keyword);
        p.value(value);
    }
    let types: Vec<Type> = op.result_types().collect();
    if operands.len() > 3 {
        p.text(" iter_args");
        print_assignments(p, args.get(1..).unwrap_or(&[]), &operands[3..]);
        p.text(" -> (");
        p.types(&types);
        p.text(")");
    }
    let ty = operands.first().map_or(Type::INDEX, |&lower| body.ty(lower));
    if ty != Type::INDEX {
        // Upstream prints two spaces.
        p.text("  : ");
        p.ty(ty);
    }
    p.text(" ");
}

/// Parses `%c -> (f32) { .. } else { .. }`.
pub(crate) fn parse_if(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let condition = p.operand()?;
    p.add_operands(&[condition], &[Type::I1])?;
    let types = p.optional_arrow_types()?;
    p.add_results(&types);
    p.region(&[])?;
    if p.optional_keyword("else") {
        p.region(&[])?;
    } else {
        p.empty_region();
    }
    p.attr_dict()
}

pub(crate) fn print_if(p: &mut OpPrinter<'_, '_>) {
    print_if_head(p);
    let has_results = p.op().n_results() > 0;
    p.region(0, RegionStyle::FULL.without_entry_args().with_terminator(has_results));
    if p.op().own_regions().nth(1).is_some_and(|region| !p.body().region(region).is_empty()) {
        p.text(" else ");
        p.region(1, RegionStyle::FULL.without_entry_args().with_terminator(has_results));
    }
    p.attr_dict(&[]);
}

/// Prints the part before the regions.
#[inline(never)]
fn print_if_head(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let types: Vec<Type> = op.result_types().collect();
    p.text(" ");
    op.operands().for_each(|value| p.value(value));
    if !types.is_empty() {
        p.text(" -> (");
        p.types(&types);
        p.text(")");
    }
    p.text(" ");
}

/// Parses `(%a = %x) : (i32) -> i32 { .. } do { ^bb0(%b: i32): .. }`.
pub(crate) fn parse_while(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let (names, inits) = assignments_if_any(p)?;
    p.punct(":")?;
    let ty = p.ty()?;
    let Some((inputs, results)) = ty.as_function(p.ctx()) else {
        return Err(p.error("expected function type".to_owned()));
    };
    if inputs.len() != inits.len() {
        return Err(p.error(format!(
            "expected as many input types as operands (expected {} got {})",
            inits.len(),
            inputs.len()
        )));
    }
    p.add_operands(&inits, inputs)?;
    p.add_results(results);
    let args: Vec<RegionArg> =
        names.into_iter().zip(inputs).map(|(name, &ty)| RegionArg { name, ty }).collect();
    p.region(&args)?;
    p.keyword("do")?;
    p.region(&[])?;
    if p.optional_keyword("attributes") { p.attr_dict() } else { Ok(()) }
}

/// Like [`assignments`], but the parentheses may be omitted if there are no loop-carried values, as in `scf.while`.
fn assignments_if_any(p: &mut OpParser<'_, '_>) -> Result<(Vec<Unresolved>, Vec<Unresolved>), ParseError> {
    if p.at_punct("(") { assignments(p) } else { Ok((Vec::new(), Vec::new())) }
}

pub(crate) fn print_while(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let operands: Vec<Value> = op.operands().collect();
    if !operands.is_empty() {
        p.text(" ");
        let names = entry_args(p, 0);
        print_assignments(p, &names, &operands);
    }
    p.text(" : ");
    let inputs: Vec<Type> = op.operand_types().collect();
    let results: Vec<Type> = op.result_types().collect();
    p.functional_type(&inputs, &results);
    p.text(" ");
    p.region(0, RegionStyle::FULL.without_entry_args());
    p.text(" do ");
    p.region(1, RegionStyle::FULL);
    p.attr_dict_with_keyword(&[]);
}
