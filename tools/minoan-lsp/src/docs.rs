//! Documentation of operations, operators and builtins, as Markdown.

use minoan::dialects::iexpr::Operator;
use minoan::dialects::relay::operators::{self, Field, Operator as RelayOperator};
use minoan::ir::{Arity, Assembly, Context, OpSpec};
use minoan::knossos::Builtin;
use minoan::xref::EntityKind;
use std::fmt::Write;

/// The documentation of the built-in names of a language.
pub(crate) fn documentation(ctx: &Context, language: &str, kind: EntityKind, name: &str) -> Option<String> {
    match (kind, language) {
        (EntityKind::Operation, _) => {
            let kind = ctx.registered_kind(name)?;
            ctx.info(kind)?.spec.map(|spec| operation(ctx, spec))
        }
        (EntityKind::Builtin, "knossos") => knossos(name),
        (EntityKind::Builtin, "relay") => operators::find(name).map(operator),
        (EntityKind::Attribute, "relay") => {
            let (operator, attribute) = name.split_once(':')?;
            let mut fields = operators::find(operator)?.fields.iter();
            let field = fields.find(|field| field.name == attribute)?;
            Some(format!("```relay\n{}\n```\n\nattribute of `{operator}`", field_text(field)))
        }
        (EntityKind::Builtin, "iexpr") => iexpr(name),
        _ => None,
    }
}

/// The documentation of an operation, from its declaration.
fn operation(ctx: &Context, spec: &OpSpec) -> String {
    let mut out = format!("**`{}`**: {}\n\n", spec.name, spec.summary.trim());
    let description = spec.description.trim();
    if !description.is_empty() && description != spec.summary.trim() {
        let body = description.strip_prefix(spec.summary.trim()).unwrap_or(description).trim();
        _ = writeln!(out, "{body}\n");
    }
    let values = |out: &mut String, what: &str, values: &[minoan::ir::ValueSpec]| {
        for value in values {
            let arity = match value.arity {
                Arity::One => "",
                Arity::Optional => ", optional",
                Arity::Variadic => ", variadic",
            };
            _ = writeln!(out, "- {what} `{}`: {}{arity}", value.name, value.constraint);
        }
    };
    values(&mut out, "operand", spec.operands);
    values(&mut out, "result", spec.results);
    for attr in spec.attrs {
        let more = match attr.default {
            Some(default) => format!(", default `{}`", default.text(ctx)),
            None if attr.optional => ", optional".to_owned(),
            None => String::new(),
        };
        _ = writeln!(out, "- attribute `{}`: {}{more}", attr.name, attr.constraint.description);
    }
    for region in spec.regions {
        _ = writeln!(out, "- region `{}`", region.name);
    }
    let traits: Vec<&str> = spec.traits.names().collect();
    if !traits.is_empty() {
        _ = writeln!(out, "\ntraits: {}", traits.join(", "));
    }
    if let Assembly::Format(format) = spec.assembly {
        _ = writeln!(out, "\nassembly: `` {format} ``");
    }
    out.trim_end().to_owned()
}

fn knossos(name: &str) -> Option<String> {
    let builtin = Builtin::named(name)?;
    let kind = if builtin.is_primitive() { "primitive" } else { "prelude" };
    let signatures = builtin.signatures().join("\n");
    Some(format!("```knossos\n{signatures}\n```\n\n{}\n\n{kind}", builtin.meaning))
}

fn field_text(field: &Field) -> String {
    let default = match field.default {
        Some(preset) => format!(" = {}", preset.value()),
        None => String::new(),
    };
    format!("{}: {:?}{default}", field.name, field.kind)
}

fn operator(operator: &RelayOperator) -> String {
    let args = if operator.variadic { "..".to_owned() } else { operator.args.join(", ") };
    let mut out = format!("```relay\n{}({args})\n```\n\n{}\n\n", operator.name, operator.meaning());
    for field in operator.fields {
        _ = writeln!(out, "- `{}`", field_text(field));
    }
    _ = write!(out, "\ntype relation: {:?}; fusion pattern: {:?}", operator.relation, operator.pattern);
    if operator.facts.stateful {
        out.push_str("; stateful");
    }
    out
}

fn iexpr(name: &str) -> Option<String> {
    if let Some(symbol) = name.strip_prefix("i:") {
        let operator = Operator::ALL.into_iter().find(|operator| operator.symbol() == symbol)?;
        return Some(format!("`{symbol}` ({}): {}", operator.name(), operator.documentation()));
    }
    Some(
        match name {
            ">>" => "`f >> g`: outputs of `f` become inputs of `g`",
            "<<" => "`f << g`: outputs of `g` become inputs of `f`",
            "&" => "`f & g`: both components share their inputs",
            "|" => "`f | g`: both components in parallel",
            "I" | "id" => "the identity: its output is its input, of any rank",
            _ => return None,
        }
        .to_owned(),
    )
}
