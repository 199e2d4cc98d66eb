//! Assembly of `vector.mask` and `vector.print`.

use super::Parsed;
use crate::Yield;
use crate::attributes::{Punctuation, PunctuationAttr};
use minoan_ir::text::{OpParser, OpPrinter};
use minoan_ir::{Attr, Type};

pub(crate) fn parse_mask(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let mask = p.operand()?;
    let passed = if p.optional_punct(",") { Some(p.operand()?) } else { None };
    p.region_ended_by(&[], |b, block| {
        // A single operation yields its results; the verifier reports anything else.
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

/// Prints the masked operation on the same line, without the terminator of the region.
pub(crate) fn print_mask(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let operands: Vec<_> = op.operands().collect();
    p.text(" ");
    p.values(&operands);
    p.text(" { ");
    let entry = op.own_regions().next().and_then(|region| p.body().region(region).entry());
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
            let punctuation: PunctuationAttr = p.stripped_attr()?;
            p.set_attr("punctuation", punctuation.into());
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
    let newline = PunctuationAttr::get(ctx, Punctuation::Newline).into();
    if let Some(punctuation) = op.attr_named("punctuation").filter(|&attr| attr != newline) {
        p.text(" punctuation ");
        p.stripped_attr(punctuation);
    }
    p.attr_dict(&["punctuation", "stringLiteral"]);
}
