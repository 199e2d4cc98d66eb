//! The texts that no format describes.

use crate::constraints::is_iterator;
use crate::constraints::{iterator_of, keyword_of};
use crate::kind::CombiningKind;
use crate::transfer::{Transfer, default_map, is_minor_identity, mask_type};
use crate::types::{Parts, vector};
use crate::{TransferRead, Yield};
use minoan_ir::text::{OpParser, OpPrinter, ParseError, Unresolved};
use minoan_ir::{Attr, AttrData, Name, OpRef, Type};
use minoan_memref::slices::numbers;

type Parsed<T> = Result<T, ParseError>;

/// `[1, %i]` of an extraction or an insertion; sets the attribute.
fn position(p: &mut OpParser<'_, '_>) -> Parsed<Vec<Unresolved>> {
    let (values, numbers) = p.index_list("[", "]")?;
    let numbers = Attr::dense_i64(p.ctx(), &numbers);
    p.set_attr("static_position", numbers);
    Ok(values)
}

fn print_position(p: &mut OpPrinter<'_, '_>, group: usize) {
    let op = p.op();
    p.text("[");
    p.index_list(&op.operand_group(group), &numbers(op, "static_position"));
    p.text("]");
}

fn indices(p: &mut OpParser<'_, '_>, values: &[Unresolved]) -> Parsed<()> {
    p.add_operands(values, &vec![Type::INDEX; values.len()])
}

/// A type, which must be a vector.
fn vector_type(p: &mut OpParser<'_, '_>) -> Parsed<Type> {
    let span = p.span();
    let ty = p.ty()?;
    if ty.is_vector(p.ctx()) {
        return Ok(ty);
    }
    let found = minoan_ir::text::print_type(p.ctx(), ty);
    Err(p.error_at(
        span,
        format!("invalid kind of type specified: expected builtin.vector, but found '{found}'"),
    ))
}

pub(crate) fn parse_extract(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let source = p.operand()?;
    let values = position(p)?;
    p.attr_dict()?;
    p.punct(":")?;
    let part = p.ty()?;
    p.keyword("from")?;
    let whole = vector_type(p)?;
    p.add_operands(&[source], &[whole])?;
    indices(p, &values)?;
    p.add_result(part);
    Ok(())
}

pub(crate) fn print_extract(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.value(op.operand(0));
    print_position(p, 1);
    p.attr_dict(&["static_position"]);
    p.text(" : ");
    p.ty(p.body().ty(op.result(0)));
    p.text(" from ");
    p.ty(p.body().ty(op.operand(0)));
}

pub(crate) fn parse_insert(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let part = p.operand()?;
    p.punct(",")?;
    let dest = p.operand()?;
    let values = position(p)?;
    p.attr_dict()?;
    p.punct(":")?;
    let part_type = p.ty()?;
    p.keyword("into")?;
    let whole = vector_type(p)?;
    p.add_operands(&[part, dest], &[part_type, whole])?;
    indices(p, &values)?;
    p.add_result(whole);
    Ok(())
}

pub(crate) fn print_insert(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.values(&[op.operand(0), op.operand(1)]);
    p.text(" ");
    print_position(p, 2);
    p.attr_dict(&["static_position"]);
    p.text(" : ");
    p.ty(p.body().ty(op.operand(0)));
    p.text(" into ");
    p.ty(p.body().ty(op.operand(1)));
}

pub(crate) fn parse_from_elements(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let elements = p.operand_list()?;
    p.attr_dict()?;
    p.punct(":")?;
    let ty = vector_type(p)?;
    let parts = Parts::of_any(p.ctx(), ty);
    if parts.is_scalable() {
        let found = minoan_ir::text::print_type(p.ctx(), ty);
        return Err(p.error_at_name(format!(
            "'dest' must be fixed-length vector of any type values, but got '{found}'"
        )));
    }
    let (have, want) = (elements.len(), parts.count());
    if have as i64 != want {
        return Err(p.error_at_name(format!(
            "number of operands and types do not match: got {have} operands and {want} types"
        )));
    }
    p.add_operands(&elements, &vec![parts.element; have])?;
    p.add_result(ty);
    Ok(())
}

pub(crate) fn print_from_elements(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let elements: Vec<_> = op.operands().collect();
    if !elements.is_empty() {
        p.text(" ");
    }
    p.values(&elements);
    p.attr_dict(&[]);
    p.text(" : ");
    p.ty(p.body().ty(op.result(0)));
}

pub(crate) fn parse_outerproduct(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let operands = p.operand_list()?;
    p.attr_dict()?;
    p.punct(":")?;
    let lhs = p.ty()?;
    p.punct(",")?;
    let rhs = p.ty()?;
    if !(2..=3).contains(&operands.len()) {
        return Err(p.error_at_name("expected at least 2 operands"));
    }
    let ctx = p.ctx();
    let rows = Parts::of(ctx, lhs).filter(|parts| parts.rank() > 0);
    let rows = rows.ok_or_else(|| p.error_at_name("expected vector type for operand #1"))?;
    let (mut shape, mut scalable) = (vec![rows.shape[0]], vec![rows.scalable[0]]);
    if let Some(columns) = Parts::of(ctx, rhs) {
        shape.push(columns.shape.first().copied().unwrap_or(1));
        scalable.push(columns.scalable.first().copied().unwrap_or(false));
    }
    let result = vector(ctx, &shape, &scalable, rows.element);
    let types = [lhs, rhs, result];
    p.add_operands(&operands, &types[..operands.len()])?;
    p.add_result(result);
    Ok(())
}

/// The inherent and the other attributes in one dictionary.
fn all_attrs(op: OpRef<'_>) -> Attr {
    let ctx = op.context();
    let list = |attr: Attr| attr.as_dictionary(ctx).unwrap_or(&[]);
    Attr::dictionary(ctx, &[list(op.props()), list(op.attrs())].concat())
}

pub(crate) fn print_outerproduct(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let operands: Vec<_> = op.operands().collect();
    p.text(" ");
    p.values(&operands);
    if operands.len() > 2 {
        // Upstream writes the kind even where it is the default, and only here.
        p.dictionary(all_attrs(op));
    }
    p.text(" : ");
    p.types(&[p.body().ty(operands[0]), p.body().ty(operands[1])]);
}

/// The attributes of a contraction that stand before its operands.
const CONTRACTION: [&str; 3] = ["indexing_maps", "iterator_types", "kind"];

pub(crate) fn parse_contract(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let (ctx, span) = (p.ctx(), p.span());
    let described = p.attribute()?;
    let entries = described.as_dictionary(ctx);
    let entries = entries.ok_or_else(|| p.error_at(span, "expected a dictionary of attributes"))?;
    let operands = [operand_and_comma(p)?, operand_and_comma(p)?, p.operand()?];
    p.attr_dict()?;
    p.punct(":")?;
    let lhs = p.ty()?;
    p.punct(",")?;
    let rhs = p.ty()?;
    p.keyword("into")?;
    let result = p.ty()?;
    p.add_operands(&operands, &[lhs, rhs, result])?;
    p.add_result(result);
    for &(name, attr) in entries {
        p.set_attr(name.as_str(ctx), attr);
    }
    let iterators = p.get_attr("iterator_types").and_then(|attr| attr.as_array(ctx));
    let iterators =
        iterators.ok_or_else(|| p.error_at(span, "expected \"iterator_types\" array attribute"))?;
    let mut typed = Vec::with_capacity(iterators.len());
    for &iterator in iterators {
        typed.push(match iterator.as_str(ctx) {
            Some(word) if is_iterator(word) => {
                Attr::opaque(ctx, "vector", &format!(".iterator_type<{word}>"))
            }
            Some(word) => return Err(p.error_at(span, format!("unexpected iterator_type ({word})"))),
            None => iterator,
        });
    }
    p.set_attr("iterator_types", Attr::array(ctx, &typed));
    if p.get_attr("kind").is_none() {
        p.set_attr("kind", CombiningKind::Add.attr(ctx));
    }
    Ok(())
}

fn operand_and_comma(p: &mut OpParser<'_, '_>) -> Parsed<Unresolved> {
    let operand = p.operand()?;
    p.punct(",")?;
    Ok(operand)
}

pub(crate) fn print_contract(p: &mut OpPrinter<'_, '_>) {
    let (op, ctx) = (p.op(), p.ctx());
    let word = |&iterator: &Attr| match iterator_of(ctx, iterator) {
        Some(word) => Attr::string(ctx, word),
        None => iterator,
    };
    let shown = |name: &str| -> Option<(Name, Attr)> {
        let attr = op.attr_named(name)?;
        match attr.data(ctx) {
            AttrData::Array(iterators) if name == "iterator_types" => {
                let words: Vec<Attr> = iterators.iter().map(word).collect();
                Some((ctx.name(name), Attr::array(ctx, &words)))
            }
            _ => Some((ctx.name(name), attr)),
        }
    };
    let entries: Vec<(Name, Attr)> = CONTRACTION.iter().filter_map(|name| shown(name)).collect();
    p.dictionary(Attr::dictionary(ctx, &entries));
    p.text(" ");
    p.values(&[op.operand(0), op.operand(1), op.operand(2)]);
    p.attr_dict(&CONTRACTION);
    p.text(" : ");
    p.types(&[p.body().ty(op.operand(0)), p.body().ty(op.operand(1))]);
    p.text(" into ");
    p.ty(p.body().ty(op.result(0)));
}

/// The dictionary of a load or a store, without what is as it is where nothing is said.
fn access_attrs(p: &mut OpPrinter<'_, '_>) {
    let temporal = p.op().attr_named("nontemporal") == Some(Attr::FALSE);
    p.attr_dict(if temporal { &["nontemporal"] } else { &[] });
}

fn parse_indices(p: &mut OpParser<'_, '_>) -> Parsed<Vec<Unresolved>> {
    p.punct("[")?;
    let list = p.operand_list()?;
    p.punct("]")?;
    Ok(list)
}

/// `%m[%i, %j]`, whose operands begin with number `base`.
fn print_place(p: &mut OpPrinter<'_, '_>, base: usize, count: usize) {
    let operands: Vec<_> = p.op().operands().skip(base).take(count + 1).collect();
    p.value(operands[0]);
    p.text("[");
    p.values(&operands[1..]);
    p.text("]");
}

/// The dictionary, and the types of the memref and of the vector.
fn access_types(p: &mut OpParser<'_, '_>) -> Parsed<(Type, Type)> {
    p.attr_dict()?;
    p.punct(":")?;
    let span = p.span();
    let memref = p.ty()?;
    if !memref.is_memref(p.ctx()) {
        let found = minoan_ir::text::print_type(p.ctx(), memref);
        let message = format!("invalid kind of type specified: expected builtin.memref, but found '{found}'");
        return Err(p.error_at(span, message));
    }
    p.punct(",")?;
    Ok((memref, vector_type(p)?))
}

pub(crate) fn parse_load(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let base = p.operand()?;
    let values = parse_indices(p)?;
    let (memref, result) = access_types(p)?;
    p.add_operands(&[base], &[memref])?;
    indices(p, &values)?;
    p.add_result(result);
    Ok(())
}

pub(crate) fn print_load(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    print_place(p, 0, op.n_operands() - 1);
    access_attrs(p);
    p.text(" : ");
    p.types(&[p.body().ty(op.operand(0)), p.body().ty(op.result(0))]);
}

pub(crate) fn parse_store(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let value = operand_and_comma(p)?;
    let base = p.operand()?;
    let values = parse_indices(p)?;
    let (memref, stored) = access_types(p)?;
    p.add_operands(&[value, base], &[stored, memref])?;
    indices(p, &values)
}

pub(crate) fn print_store(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.value(op.operand(0));
    p.text(", ");
    print_place(p, 1, op.n_operands() - 2);
    access_attrs(p);
    p.text(" : ");
    p.types(&[p.body().ty(op.operand(1)), p.body().ty(op.operand(0))]);
}

/// What the two transfers have in common behind their operands: attributes and types.
struct TransferText {
    types: [Type; 2],
    mask: Option<(Unresolved, Type)>,
}

/// Reads a transfer from the mask on; `read` says in which order the types stand.
fn transfer_tail(p: &mut OpParser<'_, '_>, read: bool) -> Parsed<TransferText> {
    let ctx = p.ctx();
    let mask = if p.optional_punct(",") { Some(p.operand()?) } else { None };
    p.attr_dict()?;
    p.punct(":")?;
    let span = p.span();
    let types = p.type_list()?;
    let &[first, second] = types.as_slice() else { return Err(p.error_at(span, "requires two types")) };
    let (base, moved) = if read { (first, second) } else { (second, first) };
    let shaped = |ty: Type| ty.rank(ctx).is_some() && !ty.is_vector(ctx);
    for of_base in [read, !read] {
        if of_base && !shaped(base) {
            return Err(p.error_at(span, "requires memref or ranked tensor type"));
        } else if !of_base && !moved.is_vector(ctx) {
            return Err(p.error_at(span, "requires vector type"));
        }
    }
    let map = match p.get_attr("permutation_map") {
        Some(attr) => attr.as_affine_map(ctx).cloned(),
        None => default_map(ctx, base, moved),
    };
    let map = map.ok_or_else(|| {
        let message = "expected a custom permutation_map when rank(source) != rank(destination)";
        p.error_at(span, message)
    })?;
    if p.get_attr("in_bounds").is_none() {
        p.set_attr("in_bounds", Attr::array(ctx, &vec![Attr::FALSE; map.results.len()]));
    }
    let mask = match mask {
        Some(name) if base.element_or_self(ctx).is_vector(ctx) => {
            return Err(p.error_at(name.span, "does not support masks with vector element type"));
        }
        Some(_) if moved.rank(ctx) != Some(map.results.len()) => {
            let message = "expected the same rank for the vector and the results of the permutation map";
            return Err(p.error_at(span, message));
        }
        mask => mask.map(|name| (name, mask_type(ctx, moved, &map))),
    };
    p.set_attr("permutation_map", Attr::affine_map(ctx, map));
    Ok(TransferText { types: [base, moved], mask })
}

fn add_mask(p: &mut OpParser<'_, '_>, mask: Option<(Unresolved, Type)>) -> Parsed<usize> {
    match mask {
        Some((name, ty)) => p.add_operands(&[name], &[ty]).map(|()| 1),
        None => Ok(0),
    }
}

pub(crate) fn parse_read(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let base = p.operand()?;
    let values = parse_indices(p)?;
    p.punct(",")?;
    let padding = p.operand()?;
    let TransferText { types: [memory, vector], mask } = transfer_tail(p, true)?;
    p.add_operands(&[base], &[memory])?;
    indices(p, &values)?;
    let element = memory.element_or_self(p.ctx());
    p.add_operands(&[padding], &[element])?;
    let masks = add_mask(p, mask)?;
    p.set_segments(&[1, values.len(), 1, masks]);
    p.add_result(vector);
    Ok(())
}

pub(crate) fn parse_write(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let value = operand_and_comma(p)?;
    let base = p.operand()?;
    let values = parse_indices(p)?;
    let TransferText { types: [memory, vector], mask } = transfer_tail(p, false)?;
    p.add_operands(&[value, base], &[vector, memory])?;
    indices(p, &values)?;
    let masks = add_mask(p, mask)?;
    p.set_segments(&[1, 1, values.len(), masks]);
    if memory.is_tensor(p.ctx()) {
        p.add_result(memory);
    }
    Ok(())
}

/// The mask, the attributes that are not as they are where nothing is said, and the types.
fn print_transfer(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let Some(transfer) = Transfer::of(op) else { return };
    if let Some(&mask) = op.operand_group(3).first() {
        p.text(", ");
        p.value(mask);
    }
    let mut elided = Vec::new();
    if is_minor_identity(&transfer.map) {
        elided.push("permutation_map");
    }
    if !transfer.in_bounds.contains(&true) {
        elided.push("in_bounds");
    }
    p.attr_dict(&elided);
    p.text(" : ");
    let (base, vector) = (transfer.base, transfer.vector);
    p.types(&if op.is::<TransferRead>() { [base, vector] } else { [vector, base] });
}

pub(crate) fn print_read(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    print_place(p, 0, op.operand_group(1).len());
    p.text(", ");
    p.values(&op.operand_group(2));
    print_transfer(p);
}

pub(crate) fn print_write(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.value(op.operand(0));
    p.text(", ");
    print_place(p, 1, op.operand_group(2).len());
    print_transfer(p);
}

pub(crate) fn parse_mask(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let mask = p.operand()?;
    let passed = if p.optional_punct(",") { Some(p.operand()?) } else { None };
    p.region_ended_by(&[], |b, block| {
        // A single operation gives its results; anything else breaks a rule.
        let block = b.body().block(block);
        let results: Vec<_> = match block.first() {
            Some(op) if block.len() == 1 => b.body().op(op).results().collect(),
            _ => Vec::new(),
        };
        Yield::build(b, &results);
    })?;
    p.attr_dict()?;
    p.punct(":")?;
    let mask_type = p.ty()?;
    let results = p.optional_arrow_types()?;
    p.add_operands(&[mask], &[mask_type])?;
    if let Some(passed) = passed {
        let Some(&ty) = results.first() else {
            return Err(p.error_at_name("expects a result if passthru operand is provided"));
        };
        p.add_operands(&[passed], &[ty])?;
    }
    p.add_results(&results);
    Ok(())
}

/// The operation stands on the line, and the end of the region is left out behind it.
pub(crate) fn print_mask(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let operands: Vec<_> = op.operands().collect();
    p.text(" ");
    p.values(&operands);
    p.text(" { ");
    let entry = op.regions().next().and_then(|region| p.body().region(region).entry());
    if let Some(masked) = entry.and_then(|entry| p.body().block(entry).first()) {
        p.op_inline(masked);
    }
    p.text(" }");
    p.attr_dict(&[]);
    p.text(" : ");
    p.ty(p.body().ty(operands[0]));
    let results: Vec<Type> = op.result_types().collect();
    if !results.is_empty() {
        p.text(" -> ");
        p.types(&results);
    }
}

pub(crate) fn parse_print(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    if let Some(source) = p.optional_operand()? {
        p.punct(":")?;
        let ty = p.ty()?;
        p.add_operands(&[source], &[ty])?;
    }
    let once = |p: &OpParser<'_, '_>, word: &str, name: &str| match p.get_attr(name) {
        None => Ok(()),
        Some(_) => Err(p.error(format!(
            "`{word}` clause can appear at most once in the expansion of the oilist directive"
        ))),
    };
    loop {
        if p.optional_keyword("str") {
            once(p, "str", "stringLiteral")?;
            let text = p.string()?;
            let text = Attr::string(p.ctx(), text);
            p.set_attr("stringLiteral", text);
        } else if p.optional_keyword("punctuation") {
            once(p, "punctuation", "punctuation")?;
            p.punct("<")?;
            let word = p.any_keyword()?;
            p.punct(">")?;
            let attr = Attr::opaque(p.ctx(), "vector", &format!(".punctuation<{word}>"));
            p.set_attr("punctuation", attr);
        } else {
            return p.attr_dict();
        }
    }
}

pub(crate) fn print_print(p: &mut OpPrinter<'_, '_>) {
    let (op, ctx) = (p.op(), p.ctx());
    if op.n_operands() > 0 {
        p.text(" ");
        p.value(op.operand(0));
        p.text(" : ");
        p.ty(p.body().ty(op.operand(0)));
    }
    if let Some(text) = op.attr_named("stringLiteral") {
        p.text(" str ");
        p.attr(text);
    }
    let word = op.attr_named("punctuation").and_then(|attr| keyword_of(ctx, attr, "punctuation"));
    if let Some(word) = word.filter(|&word| word != "newline") {
        p.text(&format!(" punctuation <{word}>"));
    }
    p.attr_dict(&["punctuation", "stringLiteral"]);
}
