//! The printer: one buffer, MLIR's layout.

mod aliases;
mod attrs;
mod floats;
mod names;
mod ops;
mod types;

use crate::text::parser::element_bytes;
use crate::{Attr, Body, Context, Loc, Module, Op, OpRef, Type};
use aliases::{Aliases, Collector};
pub(crate) use names::Names;
use rustc_hash::FxHashMap;

/// How IR is printed.
#[derive(Clone, Debug, Default)]
pub struct PrintFlags {
    /// Every operation in generic form.
    pub generic: bool,
    /// With locations.
    pub debuginfo: bool,
    /// Without aliases: every operation can be read by itself.
    pub local_scope: bool,
    /// Dense literals of more elements than this are left out; what is printed cannot be read back then.
    pub elide_elements: Option<usize>,
    /// Regions are written `{...}`.
    pub skip_regions: bool,
}

/// Names that an operation wants for its results and region arguments, as hints: conflicts are resolved.
///
/// Without it a constant is named after its value (`%c4_i64`, `%true`, `%cst`), and everything else by number.
pub trait AsmNames: Send + Sync {
    /// Calls `set` with the number of a result and its name. Results without a name join the group before them.
    fn result_names(&self, op: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        let _ = (op, set);
    }

    /// Calls `set` with the number of an argument of the entry block of a region and its name.
    fn region_arg_names(&self, op: OpRef<'_>, region: usize, set: &mut dyn FnMut(usize, &str)) {
        let _ = (op, region, set);
    }
}

crate::service!(dyn AsmNames, "AsmNames", Optional);

/// Prints a module as `mlir-opt` does, with its aliases, ending in a line end.
pub fn print_module(module: &Module, flags: &PrintFlags) -> String {
    print_op(module.holder(), module.op(), flags)
}

/// Prints one operation with everything inside it. Values that are defined outside of it have no name and are
/// printed `%<<UNKNOWN SSA VALUE>>`.
pub fn print_op(body: &Body, op: Op, flags: &PrintFlags) -> String {
    let view = body.op(op);
    let mut writer = Writer::new(body.context(), flags);
    writer.names = Names::of(view, flags);
    if !flags.local_scope && (flags.debuginfo || aliases::are_needed(view)) {
        writer.collector = Some(Collector::default());
        writer.op_line(body, op);
        let collector = writer.collector.take().unwrap_or_default();
        writer.reset();
        writer.aliases = Aliases::from(collector);
        writer.alias_definitions(false);
    }
    writer.op_line(body, op);
    writer.text("\n");
    writer.alias_definitions(true);
    writer.finish()
}

/// Prints a type.
pub fn print_type(ctx: &Context, ty: Type) -> String {
    let mut writer = Writer::new(ctx, &PrintFlags::default());
    writer.ty(ty);
    writer.finish()
}

/// Prints an attribute with its type.
pub fn print_attr(ctx: &Context, attr: Attr) -> String {
    let mut writer = Writer::new(ctx, &PrintFlags::default());
    writer.attr(attr);
    writer.finish()
}

/// Prints a location: `loc("a.mlir":1:2)`.
pub fn print_loc(ctx: &Context, loc: Loc) -> String {
    let mut writer = Writer::new(ctx, &PrintFlags::default());
    writer.loc_with_keyword(loc, false);
    writer.finish()
}

/// Appends an integer.
pub(crate) fn write_int(out: &mut Vec<u8>, value: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// The text so far, and what it depends on.
pub(crate) struct Writer<'b> {
    pub(crate) ctx: &'b Context,
    pub(crate) out: Vec<u8>,
    pub(crate) generic: bool,
    pub(crate) debuginfo: bool,
    skip_regions: bool,
    elide_elements: Option<usize>,
    pub(crate) names: Names,
    aliases: Aliases,
    /// While aliases are collected, before anything is printed for good.
    collector: Option<Collector>,
    pub(crate) indent: usize,
    default_dialects: Vec<&'b str>,
    distinct: FxHashMap<u64, usize>,
}

impl<'b> Writer<'b> {
    fn new(ctx: &'b Context, flags: &PrintFlags) -> Self {
        Self {
            ctx,
            out: Vec::new(),
            generic: flags.generic,
            debuginfo: flags.debuginfo,
            skip_regions: flags.skip_regions,
            elide_elements: flags.elide_elements,
            names: Names::default(),
            aliases: Aliases::default(),
            collector: None,
            indent: 0,
            default_dialects: vec!["builtin"],
            distinct: FxHashMap::default(),
        }
    }

    fn reset(&mut self) {
        self.out.clear();
        self.distinct.clear();
        self.indent = 0;
    }

    fn finish(self) -> String {
        String::from_utf8(self.out)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// `distinct` attributes are numbered in the order of the text.
    fn distinct_number(&mut self, id: u64) -> usize {
        let next = self.distinct.len();
        *self.distinct.entry(id).or_insert(next)
    }
}
