//! Reference pages of dialects, generated from the declarations.

use minoan_diag::{Diagnostic, nearest};
use minoan_ir::{Arity, Assembly, Context, DataSpec, LoadedDialect, OpSpec};
use std::fmt::Write;

/// The reference page of a dialect in Markdown: its operations with operands, results, attributes, regions, traits and
/// assembly format, its types and attributes, and the services that it implements.
///
/// # Errors
/// If no dialect of that name is loaded.
pub fn dialect_page(ctx: &Context, name: &str) -> Result<String, Diagnostic> {
    let dialect = ctx.dialects().iter().find(|dialect| dialect.name() == name);
    let dialect = dialect.ok_or_else(|| {
        let error = Diagnostic::error(format!("there is no dialect '{name}'"));
        error.did_you_mean(nearest(name, ctx.dialects().iter().map(LoadedDialect::name)))
    })?;
    Ok(page(ctx, dialect))
}

/// The reference pages of all loaded dialects, one after another.
pub fn all_pages(ctx: &Context) -> String {
    let pages: Vec<String> = ctx.dialects().iter().map(|dialect| page(ctx, dialect)).collect();
    pages.join("\n")
}

fn page(ctx: &Context, dialect: &LoadedDialect) -> String {
    let mut page = format!("# Dialect `{}`\n", dialect.name());
    for (title, types) in [("Types", true), ("Attributes", false)] {
        let specs: Vec<&DataSpec> =
            dialect.data().iter().copied().filter(|spec| spec.is_type == types).collect();
        if !specs.is_empty() {
            put(&mut page, format_args!("\n## {title}"));
        }
        for spec in specs {
            let prefix = if spec.is_type { '!' } else { '#' };
            put(&mut page, format_args!("\n### `{prefix}{}`\n\n{}", spec.name(), spec.summary));
            description(&mut page, spec.summary, spec.description);
        }
    }
    if !dialect.ops().is_empty() {
        put(&mut page, format_args!("\n## Operations"));
    }
    for spec in dialect.ops().iter().filter_map(|&kind| ctx.spec(kind)) {
        operation(&mut page, ctx, spec);
    }
    let services: Vec<String> = dialect.services().map(|service| format!("`{}`", service.name)).collect();
    if !services.is_empty() {
        put(&mut page, format_args!("\n## Services\n\n{}", services.join(", ")));
    }
    page
}

fn operation(page: &mut String, ctx: &Context, spec: &OpSpec) {
    put(page, format_args!("\n### `{}`\n\n{}", spec.name, spec.summary));
    description(page, spec.summary, spec.description);
    match spec.assembly {
        Assembly::Format(format) => {
            put(page, format_args!("\n```text\n{} {}\n```", spec.name, format.trim()));
        }
        Assembly::Custom { .. } => put(page, format_args!("\nIt has a custom form.")),
        Assembly::Generic => {}
    }
    let mut rows: Vec<[String; 3]> = Vec::new();
    for (kind, values) in [("operand", spec.operands), ("result", spec.results)] {
        for value in values {
            let arity = match value.arity {
                Arity::One => "",
                Arity::Optional => "optional ",
                Arity::Variadic => "variadic ",
            };
            let expected = value.constraint.to_string();
            rows.push([format!("{arity}{kind}"), value.name.to_owned(), expected]);
        }
    }
    for attr in spec.attrs {
        let kind = match (attr.optional, attr.default) {
            (_, Some(default)) => format!("attribute, by default `{}`", default.text(ctx)),
            (true, None) => "optional attribute".to_owned(),
            (false, None) => "attribute".to_owned(),
        };
        rows.push([kind, attr.name.to_owned(), attr.constraint.description.to_owned()]);
    }
    for region in spec.regions {
        let kind = if region.variadic { "variadic region" } else { "region" };
        rows.push([kind.to_owned(), region.name.to_owned(), String::new()]);
    }
    for successor in spec.successors {
        let kind = if successor.variadic { "variadic successor" } else { "successor" };
        rows.push([kind.to_owned(), successor.name.to_owned(), String::new()]);
    }
    if !rows.is_empty() {
        put(page, format_args!("\n| part | name | must be |\n|---|---|---|"));
    }
    for [kind, name, expected] in rows {
        let expected = expected.replace('|', "\\|").replace('<', "\\<");
        put(page, format_args!("| {kind} | `{name}` | {expected} |"));
    }
    let traits: Vec<String> = spec.traits.names().map(|name| format!("`{name}`")).collect();
    if !traits.is_empty() {
        put(page, format_args!("\nTraits: {}", traits.join(", ")));
    }
}

/// The description after its first line, which is the summary.
fn description(page: &mut String, summary: &str, description: &str) {
    let text = description.trim();
    let rest = text.strip_prefix(summary).unwrap_or(text).trim();
    if !rest.is_empty() {
        put(page, format_args!("\n{rest}"));
    }
}

fn put(page: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(page, "{text}").expect("a string takes any text");
}
