//! Custom assembly of `memref.global`.

use minoan_ir::text::{OpParser, OpPrinter, ParseError, print_type};
use minoan_ir::{Attr, DYNAMIC, Type, TypeData};

/// Parses `"private" constant @g : memref<2xf32> = dense<1.0>`.
pub(crate) fn parse_global(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    if p.at_string() {
        let visibility = p.string()?;
        let visibility = Attr::string(p.ctx(), visibility);
        p.set_attr("sym_visibility", visibility);
    }
    if p.optional_keyword("constant") {
        p.set_attr("constant", Attr::UNIT);
    }
    let name = p.symbol_name()?;
    p.set_attr("sym_name", name);
    p.punct(":")?;
    let ty = p.ty()?;
    let ctx = p.ctx();
    let is_static = matches!(ty.data(ctx), TypeData::MemRef { shape, .. } if !shape.contains(&DYNAMIC));
    if !is_static {
        let message = format!("type should be static shaped memref, but got '{}'", print_type(ctx, ty));
        return Err(p.error_at_name(message));
    }
    p.set_attr("type", Attr::ty(ctx, ty));
    if p.optional_punct("=") {
        if p.optional_keyword("uninitialized") {
            p.set_attr("initial_value", Attr::UNIT);
        } else {
            let tensor = match ty.data(ctx) {
                TypeData::MemRef { shape, element, .. } => Type::tensor(ctx, shape, *element),
                _ => ty,
            };
            let value = p.attribute_of_type(tensor)?;
            p.set_attr("initial_value", value);
        }
    }
    p.attr_dict()
}

pub(crate) fn print_global(p: &mut OpPrinter<'_, '_>) {
    let (op, ctx) = (p.op(), p.ctx());
    p.text(" ");
    if let Some(visibility) = op.attr_named("sym_visibility").and_then(|attr| attr.as_str(ctx)) {
        p.string(visibility.as_bytes());
        p.text(" ");
    }
    if op.attr_named("constant").is_some() {
        p.text("constant ");
    }
    p.symbol(op.symbol_name().unwrap_or(""));
    p.text(" : ");
    if let Some(ty) = op.attr_named("type").and_then(|attr| attr.as_type(ctx)) {
        p.ty(ty);
    }
    match op.attr_named("initial_value") {
        Some(Attr::UNIT) => p.text(" = uninitialized"),
        Some(value) => {
            p.text(" = ");
            p.attr_without_type(value);
        }
        None => {}
    }
    p.attr_dict(&["sym_name", "sym_visibility", "constant", "type", "initial_value"]);
}
