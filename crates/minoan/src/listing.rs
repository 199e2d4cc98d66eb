//! Listings of loaded dialects, operations, services and passes.

use minoan_ir::{Absence, Context, LoadedDialect, OpKind, ServiceId};
use minoan_pass::{OptionInfo, Pass, PassRegistry, PipelineAlias};
use serde_json::{Value, json};
use std::fmt::Write;

/// Lists the loaded dialects as text, sorted by name: the services and operations of each, then each service with the
/// dialects that implement it and the passes that require it or use it if present. A service without passes is used by
/// the parser, the verifier, the interpreter or a front end.
pub fn dialects_text(ctx: &Context, passes: &PassRegistry) -> String {
    let mut out = String::new();
    let loaded: Vec<&str> = ctx.dialects().iter().map(LoadedDialect::name).collect();
    line(&mut out, format_args!("Available Dialects: {}\n", loaded.join(",")));
    for dialect in ctx.dialects() {
        line(&mut out, format_args!("{} ({})", dialect.name(), names(dialect).join(", ")));
        for &kind in dialect.ops() {
            let summary = ctx.spec(kind).map_or("", |spec| spec.summary);
            line(&mut out, format_args!("{}", format!("  {:<32} {summary}", ctx.kind_name(kind)).trim_end()));
        }
        for spec in dialect.data() {
            let name = format!("{}{}", if spec.is_type { '!' } else { '#' }, spec.name());
            line(&mut out, format_args!("  {name:<32} {}", spec.summary));
        }
    }
    line(&mut out, format_args!("\nservices"));
    for service in services(ctx, passes) {
        line(&mut out, format_args!("  {} ({})", service.name, absence(service)));
        line(
            &mut out,
            format_args!("    implemented by: {}", or_none(&implementing(ctx, service), "no dialect")),
        );
        line(
            &mut out,
            format_args!(
                "    required by: {}",
                or_none(&passes_that(passes, |pass| pass.requires(), service), "no pass")
            ),
        );
        line(
            &mut out,
            format_args!(
                "    queried by: {}",
                or_none(&passes_that(passes, |pass| pass.queries(), service), "no pass")
            ),
        );
    }
    out
}

/// The listing of [`dialects_text`] as JSON.
pub fn dialects_json(ctx: &Context, passes: &PassRegistry) -> Value {
    let op = |&kind: &OpKind| json!({"name": ctx.kind_name(kind), "summary": ctx.spec(kind).map(|spec| spec.summary)});
    let dialect = |dialect: &LoadedDialect| {
        json!({
            "name": dialect.name(),
            "services": names(dialect),
            "operations": dialect.ops().iter().map(op).collect::<Vec<_>>(),
            "types": data(dialect, true),
            "attributes": data(dialect, false),
        })
    };
    let service = |service: ServiceId| {
        json!({
            "name": service.name,
            "absence": absence(service),
            "implemented_by": implementing(ctx, service),
            "required_by": passes_that(passes, |pass| pass.requires(), service),
            "queried_by": passes_that(passes, |pass| pass.queries(), service),
        })
    };
    json!({
        "dialects": ctx.dialects().iter().map(dialect).collect::<Vec<_>>(),
        "services": services(ctx, passes).into_iter().map(service).collect::<Vec<_>>(),
    })
}

/// The declared types or attributes of a dialect.
fn data(dialect: &LoadedDialect, types: bool) -> Vec<Value> {
    let specs = dialect.data().iter().filter(|spec| spec.is_type == types);
    specs.map(|spec| json!({"name": spec.name(), "summary": spec.summary})).collect()
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("a string takes any text");
}

fn names(dialect: &LoadedDialect) -> Vec<&'static str> {
    dialect.services().map(|service| service.name).collect()
}

fn absence(service: ServiceId) -> &'static str {
    match service.absence {
        Absence::Required => "required",
        Absence::Default => "default",
        Absence::Optional => "optional",
    }
}

/// Lists the passes with their options, and the named pipelines, as text.
pub fn passes_text(passes: &PassRegistry) -> String {
    let mut out = String::new();
    let width = passes.names().into_iter().map(str::len).max().unwrap_or_default();
    for pass in passes.all() {
        line(&mut out, format_args!("{:<width$} {}", pass.name(), pass.description()));
        for option in passes.options(pass.name()) {
            let (kind, OptionInfo { name, doc, default, .. }) = (option.placeholder(), option);
            line(&mut out, format_args!("    {name}=<{kind}>  {doc} (default: {default})"));
        }
    }
    for PipelineAlias { name, description, text } in passes.aliases() {
        let colon = if text.is_empty() { "" } else { ": " };
        line(&mut out, format_args!("{name:<width$} {description}{colon}{text}"));
    }
    out
}

/// The listing of [`passes_text`] as JSON, with the services that passes require and use.
pub fn passes_json(passes: &PassRegistry) -> Value {
    let option = |option: OptionInfo| {
        let OptionInfo { name, kind, doc, default, .. } = option;
        json!({"name": name, "type": kind, "default": default, "description": doc})
    };
    let names = |services: Vec<ServiceId>| services.iter().map(|service| service.name).collect::<Vec<_>>();
    let pass = |pass: Box<dyn Pass>| {
        json!({
            "name": pass.name(),
            "description": pass.description(),
            "options": passes.options(pass.name()).into_iter().map(option).collect::<Vec<_>>(),
            "requires": names(pass.requires()),
            "queries": names(pass.queries()),
        })
    };
    let alias = |alias: &PipelineAlias| json!({"name": alias.name, "description": alias.description, "pipeline": alias.text});
    passes.all().map(pass).chain(passes.aliases().iter().map(alias)).collect()
}

fn or_none(names: &[&str], none: &str) -> String {
    if names.is_empty() { none.to_owned() } else { names.join(", ") }
}

/// Every service that a dialect implements or a pass requires, sorted by name.
fn services(ctx: &Context, passes: &PassRegistry) -> Vec<ServiceId> {
    let mut all: Vec<ServiceId> = ctx.dialects().iter().flat_map(LoadedDialect::services).collect();
    all.extend(passes.all().flat_map(|pass| [pass.requires(), pass.queries()].concat()));
    all.sort_by_key(|service| (service.name, service.key));
    all.dedup();
    all
}

fn implementing(ctx: &Context, service: ServiceId) -> Vec<&str> {
    let found = ctx.dialects().iter().filter(|dialect| dialect.implements(service));
    found.map(LoadedDialect::name).collect()
}

/// The names of the passes whose list of services contains this one.
fn passes_that(
    passes: &PassRegistry,
    services: impl Fn(&dyn Pass) -> Vec<ServiceId>,
    service: ServiceId,
) -> Vec<&'static str> {
    let found = passes.all().filter(|pass| services(&**pass).contains(&service));
    let mut names: Vec<_> = found.map(|pass| pass.name()).collect();
    names.sort_unstable();
    names
}
