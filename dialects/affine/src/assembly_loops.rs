//! Custom assembly of `affine.for`, `affine.if` and `affine.parallel`.

use crate::assembly::{is_symbol_identity, parse_dims_and_symbols, print_dims_and_symbols};
use crate::loops::{entry_args, groups_attr};
use crate::value_map::ValueMap;
use crate::{For, If, Parallel};
use minoan_arith::AtomicKind;
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionArg, RegionStyle, Unresolved};
use minoan_ir::{Attr, AttrEnum, OpDef, Type, Value};

/// Parses a bound: `8`, `%n`, or `max #map(%i)[%n]`. Returns the number of its operands.
fn parse_bound(p: &mut OpParser<'_, '_>, is_lower: bool) -> Result<usize, ParseError> {
    let (word, attr) = if is_lower { ("max", "lowerBoundMap") } else { ("min", "upperBoundMap") };
    let has_word = p.optional_keyword(word);
    let ctx = p.ctx();
    let names = p.operand_list()?;
    if let [first, rest @ ..] = &names[..] {
        if !rest.is_empty() {
            return Err(p.error_at_name("expected only one loop bound operand"));
        }
        p.add_operands(&[*first], &[Type::INDEX])?;
        let map = AffineMap { dims: 0, symbols: 1, results: [AffineExpr::Symbol(0)].into() };
        p.set_attr(attr, Attr::affine_map(ctx, map));
        return Ok(1);
    }
    let span = p.span();
    let bound = p.attribute_of_type(Type::INDEX)?;
    if let Some(number) = bound.as_i64(ctx) {
        p.set_attr(attr, Attr::affine_map(ctx, AffineMap::constant(number)));
        return Ok(0);
    }
    let Some(map) = bound.as_affine_map(ctx) else {
        return Err(p.error_at_name("expected valid affine map representation for loop bounds"));
    };
    p.set_attr(attr, bound);
    let before = p.operands().len();
    let dims = parse_dims_and_symbols(p)?;
    if dims != map.dims as usize {
        return Err(p.error_at_name("dim operand count and affine map dim count must match"));
    }
    let count = p.operands().len() - before;
    if count != map.inputs() {
        return Err(p.error_at_name("symbol operand count and affine map symbol count must match"));
    }
    if map.results.len() > 1 && !has_word {
        let which = if is_lower { "lower" } else { "upper" };
        return Err(p.error_at(
            span,
            format!("{which} loop bound affine map with multiple results requires '{word}' prefix"),
        ));
    }
    Ok(count)
}

pub(crate) fn parse_for(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let args = parse_for_head(p)?;
    p.region(&args)?;
    p.attr_dict()
}

/// Parses the part before the region; returns its arguments. Not inlined, like all such functions here, so that its
/// locals take no stack while nested regions are parsed or printed.
#[inline(never)]
fn parse_for_head(p: &mut OpParser<'_, '_>) -> Result<Vec<RegionArg>, ParseError> {
    let induction = RegionArg { name: p.operand()?, ty: Type::INDEX };
    p.region_arg_loc(&induction)?;
    p.punct("=")?;
    let lower = parse_bound(p, true)?;
    p.keyword("to")?;
    let upper = parse_bound(p, false)?;
    let mut step = Attr::index_value(p.ctx(), 1);
    if p.optional_keyword("step") {
        let span = p.span();
        step = p.attribute_of_type(Type::INDEX)?;
        match step.as_i64(p.ctx()) {
            Some(number) if number >= 0 => {}
            Some(_) => {
                return Err(
                    p.error_at(span, "expected step to be representable as a positive signed integer")
                );
            }
            None => return Err(p.error_at(span, "invalid kind of attribute specified")),
        }
    }
    p.set_attr("step", step);
    let (mut args, mut inits, mut types) = (vec![induction], Vec::new(), Vec::new());
    if p.optional_keyword("iter_args") {
        let mut names = Vec::new();
        p.punct("(")?;
        if !p.optional_punct(")") {
            loop {
                let arg = RegionArg { name: p.operand()?, ty: Type::NONE };
                p.region_arg_loc(&arg)?;
                names.push(arg.name);
                p.punct("=")?;
                inits.push(p.operand()?);
                if !p.optional_punct(",") {
                    break;
                }
            }
            p.punct(")")?;
        }
        if !p.at_punct("->") {
            p.punct("->")?;
        }
        types = p.optional_arrow_types()?;
        args.extend(names.into_iter().zip(&types).map(|(name, &ty)| RegionArg { name, ty }));
    }
    if types.len() != inits.len() {
        return Err(p.error_at_name("mismatch between the number of loop-carried values and results"));
    }
    p.add_operands(&inits, &types)?;
    p.add_results(&types);
    p.set_segments(&[lower, upper, inits.len()]);
    Ok(args)
}

fn print_bound(p: &mut OpPrinter<'_, '_>, bound: &ValueMap, attr: &str, word: &str) {
    match bound.map.results[..] {
        [AffineExpr::Constant(number)] if bound.map.inputs() == 0 => return p.text(&number.to_string()),
        [_] if is_symbol_identity(&bound.map) => return p.values(&bound.operands),
        [_] => {}
        _ => {
            p.text(word);
            p.text(" ");
        }
    }
    if let Some(map) = p.op().attr_named(attr) {
        p.attr(map);
    }
    print_dims_and_symbols(p, &bound.operands, bound.map.dims as usize);
}

pub(crate) fn print_for(p: &mut OpPrinter<'_, '_>) {
    print_for_head(p);
    p.region(0, RegionStyle::FULL.without_entry_args().with_terminator(!p.op().operand_range(2).is_empty()));
    p.attr_dict(&["lowerBoundMap", "upperBoundMap", "step"]);
}

#[inline(never)]
fn print_for_head(p: &mut OpPrinter<'_, '_>) {
    let (op, body) = (p.op(), p.body());
    let of = For::from_op_unchecked(op.id());
    let args = entry_args(op, 0);
    p.text(" ");
    args.first().into_iter().for_each(|&arg| p.region_arg_name(arg));
    p.text(" = ");
    print_bound(p, &of.lower(body), "lowerBoundMap", "max");
    p.text(" to ");
    print_bound(p, &of.upper(body), "upperBoundMap", "min");
    let step = of.step(body);
    if step != 1 {
        p.text(&format!(" step {step}"));
    }
    let inits = of.inits(body);
    if !inits.is_empty() {
        p.text(" iter_args(");
        for (at, (&arg, &init)) in args[1..].iter().zip(&inits).enumerate() {
            p.text(if at > 0 { ", " } else { "" });
            p.value(arg);
            p.text(" = ");
            p.value(init);
        }
        p.text(") -> (");
        let types: Vec<Type> = op.result_types().collect();
        p.types(&types);
        p.text(")");
    }
    p.text(" ");
}

pub(crate) fn parse_if(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    parse_if_head(p)?;
    p.region(&[])?;
    if p.optional_keyword("else") {
        p.region(&[])?;
    } else {
        p.empty_region();
    }
    p.attr_dict()
}

#[inline(never)]
fn parse_if_head(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let (span, ctx) = (p.span(), p.ctx());
    let condition = p.attribute()?;
    let Some(set) = condition.as_integer_set(ctx) else {
        return Err(p.error_at(span, "invalid kind of attribute specified"));
    };
    p.set_attr("condition", condition);
    let dims = parse_dims_and_symbols(p)?;
    if dims != set.dims as usize {
        return Err(p.error_at_name("dim operand count and integer set dim count must match"));
    }
    if (set.dims + set.symbols) as usize != p.operands().len() {
        return Err(p.error_at_name("symbol operand count and integer set symbol count must match"));
    }
    let types = p.optional_arrow_types()?;
    p.add_results(&types);
    Ok(())
}

pub(crate) fn print_if(p: &mut OpPrinter<'_, '_>) {
    print_if_head(p);
    let style = RegionStyle::FULL.without_entry_args().with_terminator(p.op().n_results() > 0);
    p.region(0, style);
    if p.op().own_region(1).is_some_and(|region| !p.body().region(region).is_empty()) {
        p.text(" else ");
        p.region(1, style);
    }
    p.attr_dict(&["condition"]);
}

#[inline(never)]
fn print_if_head(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let operands: Vec<Value> = op.operands().collect();
    let dims = If::from_op_unchecked(op.id()).condition(p.body()).dims as usize;
    p.text(" ");
    if let Some(condition) = op.attr_named("condition") {
        p.attr(condition);
    }
    print_dims_and_symbols(p, &operands, dims);
    let types: Vec<Type> = op.result_types().collect();
    p.arrow_types(&types);
    p.text(" ");
}

/// The operands of the expressions of a bound: each value once, in order of occurrence.
#[derive(Default)]
struct Operands {
    dims: Vec<Value>,
    symbols: Vec<Value>,
}

impl Operands {
    /// Expressions over own operands as expressions over these.
    fn add(
        &mut self,
        p: &mut OpParser<'_, '_>,
        exprs: &[AffineExpr],
        names: [&[Unresolved]; 2],
    ) -> Result<Vec<AffineExpr>, ParseError> {
        let mut lists = [Vec::new(), Vec::new()];
        let makes: [fn(u32) -> AffineExpr; 2] = [AffineExpr::Dim, AffineExpr::Symbol];
        for (at, known) in [&mut self.dims, &mut self.symbols].into_iter().enumerate() {
            for name in names[at] {
                let value = p.resolve(name, Type::INDEX)?;
                let place = known.iter().position(|&other| other == value).unwrap_or_else(|| {
                    known.push(value);
                    known.len() - 1
                });
                lists[at].push(makes[at](place as u32));
            }
        }
        Ok(exprs.iter().map(|expr| expr.replaced(&lists[0], &lists[1])).collect())
    }
}

/// Parses the bounds of a parallel loop: `(0, max(%a, %b))`.
fn parse_bounds(p: &mut OpParser<'_, '_>, is_lower: bool) -> Result<(), ParseError> {
    let (word, map_name, groups_name) = match is_lower {
        true => ("max", "lowerBoundsMap", "lowerBoundsGroups"),
        false => ("min", "upperBoundsMap", "upperBoundsGroups"),
    };
    let ctx = p.ctx();
    let (mut operands, mut exprs, mut groups) = (Operands::default(), Vec::new(), Vec::new());
    p.punct("(")?;
    if !p.optional_punct(")") {
        loop {
            let (map, dims, symbols) = match p.optional_keyword(word) {
                true => p.affine_map_of_operands("(", ")")?,
                false => p.affine_expr_of_operands()?,
            };
            groups.push(i32::try_from(map.results.len()).unwrap_or(i32::MAX));
            exprs.extend(operands.add(p, &map.results, [&dims, &symbols])?);
            if !p.optional_punct(",") {
                break;
            }
        }
        p.punct(")")?;
    }
    let Operands { dims, symbols } = operands;
    let map = AffineMap { dims: dims.len() as u32, symbols: symbols.len() as u32, results: exprs.into() };
    p.add_values(&dims);
    p.add_values(&symbols);
    p.set_attr(map_name, Attr::affine_map(ctx, map));
    p.set_attr(groups_name, groups_attr(ctx, &groups));
    Ok(())
}

pub(crate) fn parse_parallel(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let args = parse_parallel_head(p)?;
    p.region(&args)?;
    p.attr_dict()
}

#[inline(never)]
fn parse_parallel_head(p: &mut OpParser<'_, '_>) -> Result<Vec<RegionArg>, ParseError> {
    let ctx = p.ctx();
    let names = p.operands_between("(", ")", "argument list")?;
    p.punct("=")?;
    parse_bounds(p, true)?;
    p.keyword("to")?;
    parse_bounds(p, false)?;
    let mut steps = vec![1; names.len()];
    if p.optional_keyword("step") {
        let (map, ..) = p.affine_map_of_operands("(", ")")?;
        steps.clear();
        for step in &map.results {
            let AffineExpr::Constant(step) = step else {
                return Err(p.error_at_name("steps must be constant integers"));
            };
            steps.push(*step);
        }
    }
    let steps: Vec<Attr> = steps.into_iter().map(|step| Attr::i64(ctx, step)).collect();
    p.set_attr("steps", Attr::array(ctx, &steps));
    let mut reductions = Vec::new();
    if p.optional_keyword("reduce") {
        p.punct("(")?;
        loop {
            let span = p.span();
            let attr = p.attribute()?;
            let Some(word) = attr.as_str(ctx) else {
                return Err(p.error_at(span, "invalid kind of attribute specified"));
            };
            let Some(kind) = AtomicKind::from_keyword(word) else {
                return Err(p.error_at(span, format!("invalid reduction value: \"{word}\"")));
            };
            reductions.push(Attr::i64(ctx, kind.value()));
            if !p.optional_punct(",") {
                break;
            }
        }
        p.punct(")")?;
    }
    p.set_attr("reductions", Attr::array(ctx, &reductions));
    let types = p.optional_arrow_types()?;
    p.add_results(&types);
    Ok(names.into_iter().map(|name| RegionArg { name, ty: Type::INDEX }).collect())
}

fn print_bounds(p: &mut OpPrinter<'_, '_>, bounds: &ValueMap, groups: &[usize], word: &str) {
    let mut rest = &bounds.map.results[..];
    for &size in groups {
        let (group, others) = rest.split_at(size.min(rest.len()));
        if rest.len() < bounds.map.results.len() {
            p.text(", ");
        }
        rest = others;
        if size == 1 {
            p.affine_exprs(group, bounds.dim_operands(), bounds.symbol_operands());
        } else {
            p.text(word);
            p.text("(");
            p.affine_exprs(group, bounds.dim_operands(), bounds.symbol_operands());
            p.text(")");
        }
    }
}

pub(crate) fn print_parallel(p: &mut OpPrinter<'_, '_>) {
    print_parallel_head(p);
    p.region(0, RegionStyle::FULL.without_entry_args().with_terminator(p.op().n_results() > 0));
    p.attr_dict(&[
        "reductions",
        "lowerBoundsMap",
        "lowerBoundsGroups",
        "upperBoundsMap",
        "upperBoundsGroups",
        "steps",
    ]);
}

#[inline(never)]
fn print_parallel_head(p: &mut OpPrinter<'_, '_>) {
    let (op, body) = (p.op(), p.body());
    let of = Parallel::from_op_unchecked(op.id());
    let (groups, bounds) = (of.groups(body), of.bounds(body));
    p.text(" (");
    p.values(&entry_args(op, 0));
    p.text(") = (");
    print_bounds(p, &bounds[0], &groups[0], "max");
    p.text(") to (");
    print_bounds(p, &bounds[1], &groups[1], "min");
    p.text(")");
    let steps = of.step_list(body);
    if steps.iter().any(|&step| step != 1) {
        let steps: Vec<String> = steps.iter().map(i64::to_string).collect();
        p.text(&format!(" step ({})", steps.join(", ")));
    }
    if op.n_results() > 0 {
        let kinds: Vec<String> =
            of.kinds(body).iter().map(|kind| format!("\"{}\"", kind.keyword())).collect();
        p.text(&format!(" reduce ({}) -> (", kinds.join(", ")));
        let types: Vec<Type> = op.result_types().collect();
        p.types(&types);
        p.text(")");
    }
    p.text(" ");
}
