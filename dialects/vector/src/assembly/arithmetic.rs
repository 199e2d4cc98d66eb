//! Assembly of outer products and contractions.

use super::{Parsed, operand_and_comma};
use crate::attributes::{IteratorType, IteratorTypeAttr};
use crate::constraints::iterator_of;
use crate::kind::CombiningKind;
use crate::types::{Parts, vector};
use minoan_ir::text::{OpParser, OpPrinter};
use minoan_ir::{Attr, AttrData, AttrEnum, Name, OpRef};

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

/// The inherent and discardable attributes in one dictionary.
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
        // Upstream prints the kind even if it is the default, but only here.
        p.dictionary(all_attrs(op));
    }
    p.text(" : ");
    p.types(&[p.body().ty(operands[0]), p.body().ty(operands[1])]);
}

/// The attributes of a contraction that precede its operands.
const CONTRACTION: [&str; 3] = ["indexing_maps", "iterator_types", "kind"];

pub(crate) fn parse_contract(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let (ctx, span) = (p.ctx(), p.span());
    let entries = p.dictionary_attribute()?;
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
    for (name, attr) in entries {
        p.set_attr(name.as_str(ctx), attr);
    }
    let iterators = p.get_attr("iterator_types").and_then(|attr| attr.as_array(ctx));
    let iterators =
        iterators.ok_or_else(|| p.error_at(span, "expected \"iterator_types\" array attribute"))?;
    let mut typed = Vec::with_capacity(iterators.len());
    for &iterator in iterators {
        typed.push(match iterator.as_str(ctx).map(|word| (word, IteratorType::from_keyword(word))) {
            Some((_, Some(iterator))) => IteratorTypeAttr::get(ctx, iterator).into(),
            Some((word, None)) => return Err(p.error_at(span, format!("unexpected iterator_type ({word})"))),
            None => iterator,
        });
    }
    p.set_attr("iterator_types", Attr::array(ctx, &typed));
    if p.get_attr("kind").is_none() {
        p.set_attr("kind", CombiningKind::Add.attr(ctx));
    }
    Ok(())
}

pub(crate) fn print_contract(p: &mut OpPrinter<'_, '_>) {
    let (op, ctx) = (p.op(), p.ctx());
    let word = |&iterator: &Attr| match iterator_of(ctx, iterator) {
        Some(iterator) => Attr::string(ctx, iterator.keyword()),
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
