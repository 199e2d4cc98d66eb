//! Custom assembly of `func.func`.

use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionArg, RegionStyle};
use minoan_ir::{Attr, Type};

/// Parses the part of a function-like operation after its name: `private @f(%a: i32 {attr}, ..) -> (i32 {attr}, ..)
/// attributes {..} { .. }`.
pub fn parse_func(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    for visibility in ["public", "private", "nested"] {
        if p.optional_keyword(visibility) {
            let visibility = Attr::string(p.ctx(), visibility);
            p.set_attr("sym_visibility", visibility);
            break;
        }
    }
    let name = p.symbol_name()?;
    p.set_attr("sym_name", name);
    let mut args: Vec<RegionArg> = Vec::new();
    let (mut inputs, mut arg_attrs) = (Vec::new(), Vec::new());
    p.punct_in("(", "argument list")?;
    if !p.optional_punct(")") {
        loop {
            match p.optional_operand()? {
                Some(name) if args.len() < inputs.len() => {
                    return Err(p.error_at(name.span, "expected type instead of SSA identifier"));
                }
                Some(name) => {
                    p.punct(":")?;
                    let ty = p.ty()?;
                    inputs.push(ty);
                    arg_attrs.push(optional_dictionary(p)?);
                    let arg = RegionArg { name, ty };
                    p.region_arg_loc(&arg)?;
                    args.push(arg);
                }
                None if !args.is_empty() => return Err(p.error("expected SSA identifier")),
                None => {
                    inputs.push(p.ty()?);
                    arg_attrs.push(optional_dictionary(p)?);
                    p.skip_location()?;
                }
            }
            if !p.optional_punct(",") {
                break;
            }
        }
        p.punct_in(")", "argument list")?;
    }
    let (mut results, mut res_attrs) = (Vec::new(), Vec::new());
    if p.optional_punct("->") {
        if p.optional_punct("(") {
            let mut more = !p.at_punct(")");
            while more {
                results.push(p.ty()?);
                res_attrs.push(optional_dictionary(p)?);
                more = p.optional_punct(",");
            }
            p.punct(")")?;
        } else {
            results.push(p.ty()?);
            res_attrs.push(None);
        }
    }
    let ctx = p.ctx();
    p.set_attr("function_type", Attr::ty(ctx, Type::function(ctx, &inputs, &results)));
    for (name, attrs) in [("arg_attrs", arg_attrs), ("res_attrs", res_attrs)] {
        if attrs.iter().any(Option::is_some) {
            let attrs: Vec<Attr> = attrs.into_iter().map(|attr| attr.unwrap_or(Attr::EMPTY)).collect();
            p.set_attr(name, Attr::array(ctx, &attrs));
        }
    }
    p.attr_dict_with_keyword_except(&["sym_visibility", "sym_name", "function_type"])?;
    let at = p.span();
    if !p.optional_region(&args)? {
        p.empty_region();
    } else if p.last_region_is_empty() {
        return Err(p.error_at(at, "expected non-empty function body"));
    }
    Ok(())
}

/// Parses `{a = 1}` if present.
fn optional_dictionary(p: &mut OpParser<'_, '_>) -> Result<Option<Attr>, ParseError> {
    if p.at_punct("{") { p.attribute().map(Some) } else { Ok(None) }
}

/// Prints the form that [`parse_func`] parses.
pub fn print_func(p: &mut OpPrinter<'_, '_>) {
    let (op, ctx) = (p.op(), p.ctx());
    if let Some(visibility) = op.attr_named("sym_visibility").and_then(|attr| attr.as_str(ctx)) {
        p.text(" ");
        p.text(visibility);
    }
    p.text(" ");
    p.symbol(op.symbol_name().unwrap_or(""));
    let ty = op.attr_named("function_type").and_then(|attr| attr.as_type(ctx));
    let (inputs, results) = ty.and_then(|ty| ty.as_function(ctx)).unwrap_or((&[], &[]));
    let attrs = |name: &str| op.attr_named(name).and_then(|attr| attr.as_array(ctx)).unwrap_or(&[]);
    let (arg_attrs, res_attrs) = (attrs("arg_attrs"), attrs("res_attrs"));
    let entry = op.nested().and_then(|body| body.region(body.root(0)).entry().map(|block| body.block(block)));
    p.text("(");
    for (index, &input) in inputs.iter().enumerate() {
        if index > 0 {
            p.text(", ");
        }
        match entry.filter(|entry| index < entry.n_args()) {
            Some(entry) => {
                let attrs = arg_attrs.get(index).copied().unwrap_or(Attr::EMPTY);
                p.region_arg_with_attrs(entry.arg(index), attrs);
            }
            None => {
                p.ty(input);
                print_dictionary(p, arg_attrs.get(index));
            }
        }
    }
    p.text(")");
    if !results.is_empty() {
        p.text(" -> ");
        let bare = results.len() == 1
            && res_attrs.iter().all(|&attr| attr == Attr::EMPTY)
            && results[0].as_function(ctx).is_none();
        if !bare {
            p.text("(");
        }
        for (index, &result) in results.iter().enumerate() {
            if index > 0 {
                p.text(", ");
            }
            p.ty(result);
            print_dictionary(p, res_attrs.get(index));
        }
        if !bare {
            p.text(")");
        }
    }
    p.attr_dict_with_keyword(&["sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs"]);
    if entry.is_some() {
        p.text(" ");
        p.region(0, RegionStyle::FULL.without_entry_args());
    }
}

fn print_dictionary(p: &mut OpPrinter<'_, '_>, attr: Option<&Attr>) {
    if let Some(&attr) = attr.filter(|&&attr| attr != Attr::EMPTY) {
        p.text(" ");
        p.attr(attr);
    }
}
