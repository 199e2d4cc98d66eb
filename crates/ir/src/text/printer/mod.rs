//! The printer, with MLIR's layout.

mod aliases;
mod attrs;
mod floats;
mod locations;
mod marks;
mod names;
mod ops;
mod parallel;
mod resources;
mod types;
mod users;

use crate::text::parser::element_bytes;
use crate::{Attr, Body, Context, Loc, Module, Name, Op, OpRef, Type};
use aliases::{Aliases, Collector};
pub(crate) use aliases::{may_have_alias, type_prefix};
pub use marks::{OpMark, print_module_marked, print_op_marked};
pub(crate) use names::Names;
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// Print flags, those of `mlir-opt`.
#[derive(Clone, Debug, Default)]
pub struct PrintFlags {
    /// Print every operation in generic form.
    pub generic: bool,
    /// Print locations.
    pub debuginfo: bool,
    /// Print without aliases, so that every operation can be parsed by itself.
    pub local_scope: bool,
    /// Print locations in human-readable form (`a.mlir:1:2`), which cannot be parsed.
    pub pretty_debuginfo: bool,
    /// Elide dense literals with more elements than this: `dense_resource<__elided__>`.
    pub elide_elements: Option<usize>,
    /// Elide resources whose text is longer than this.
    pub elide_resources: Option<usize>,
    /// Print dense literals with more elements than this in hexadecimal: 100 by default, never if negative.
    pub hex_elements: Option<i64>,
    /// Do not reuse a number or name, even in different regions.
    pub unique_ssa_ids: bool,
    /// Name values by their named location.
    pub name_locs: bool,
    /// Print regions as `{...}`.
    pub skip_regions: bool,
    /// Print a comment with the users of each value.
    pub value_users: bool,
}

/// Suggested names of results and region arguments; conflicts are resolved. Queried by the printer.
///
/// By default, a constant is named after its value (`%c4_i64`, `%true`, `%cst`), and everything else by number.
pub trait AsmNames: Send + Sync {
    /// Calls `set` with the index of a result and its name. Results without a name belong to the preceding group.
    fn result_names(&self, op: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        let _ = (op, set);
    }

    /// Calls `set` with the index of an argument of a region's entry block and its name.
    fn region_arg_names(&self, op: OpRef<'_>, region: usize, set: &mut dyn FnMut(usize, &str)) {
        let _ = (op, region, set);
    }
}

crate::service!(dyn AsmNames, "AsmNames", Optional);

/// Prints a module like `mlir-opt`, with its aliases and a final newline.
///
/// Attributes, types and locations may share subterms, so that the text of a small one may have any length. If one
/// operation has more than a million parts, and more than eight times the number of parts in the context, the rest is elided as
/// `<<ELIDED>>`, which cannot be parsed. This applies to everything that is printed.
pub fn print_module(module: &Module, flags: &PrintFlags) -> String {
    let mut writer = Writer::new(module.context(), flags);
    writer.module(module);
    writer.finish()
}

/// Prints a module incrementally, without materializing the whole text.
///
/// # Errors
/// The first error of the writer, or an elided part as documented at [`print_module`]; nothing is written after it.
pub fn print_module_to(module: &Module, flags: &PrintFlags, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer::new(module.context(), flags);
    writer.sink = Some(out);
    writer.out.reserve(FLUSH + FLUSH / 8);
    writer.module(module);
    writer.flush();
    writer.failed.map_or(Ok(()), Err)
}

/// Prints one operation with everything in it. Values defined outside are printed as `%<<UNKNOWN SSA VALUE>>`.
pub fn print_op(body: &Body, op: Op, flags: &PrintFlags) -> String {
    let mut writer = Writer::new(body.context(), flags);
    writer.op_with_aliases(body, op);
    writer.finish()
}

/// Operations with more nested operations than this are shown without their regions.
const SHOWN_INSIDE: usize = 1000;

/// The maximum number of elements of literals that are shown.
const SHOWN_ELEMENTS: usize = 16;

/// Prints single operations of a body for messages, in generic form; names are assigned once for all.
pub(crate) struct Shown<'b> {
    writer: Writer<'b>,
    body: &'b Body,
}

impl<'b> Shown<'b> {
    pub(crate) fn new(body: &'b Body) -> Self {
        let flags = PrintFlags {
            generic: true,
            local_scope: true,
            elide_elements: Some(SHOWN_ELEMENTS),
            ..PrintFlags::default()
        };
        let mut writer = Writer::new(body.context(), &flags);
        writer.names = Names::of_body(body, &flags);
        Self { writer, body }
    }

    /// Prints an operation with its regions, unless these are large.
    pub(crate) fn op(&mut self, op: Op) -> String {
        let view = self.body.op(op);
        self.writer.reset();
        self.writer.skip_regions = has_more_inside(view, SHOWN_INSIDE);
        self.writer.op_line(view);
        String::from_utf8_lossy(&self.writer.out).into_owned()
    }
}

/// Whether an operation contains more than `most` operations.
fn has_more_inside(op: OpRef<'_>, most: usize) -> bool {
    let (mut open, mut count) = (vec![op], 0);
    while let Some(op) = open.pop() {
        let (body, regions) = op.inside();
        for region in regions {
            for block in body.region(region).blocks() {
                for op in body.block(block).op_refs() {
                    count += 1;
                    if count > most {
                        return true;
                    }
                    open.push(op);
                }
            }
        }
    }
    false
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

/// The number of elements from which dense literals are printed in hexadecimal.
const HEX_FROM: usize = 100;

/// Appends bytes, usually few: storing 16 bytes and truncating is faster than a call.
#[inline(always)]
pub(crate) fn append(out: &mut Vec<u8>, bytes: &[u8]) {
    if let [byte] = bytes {
        out.push(*byte);
    } else {
        out.extend_from_slice(bytes);
    }
}

/// Appends the bytes `start..start + length` of a buffer. If 16 bytes are available, stores 16 and truncates: names
/// are shorter, and a copy of unknown length is a call.
#[inline(always)]
pub(crate) fn append_from(out: &mut Vec<u8>, buffer: &[u8], start: usize, length: usize) {
    match buffer[start..].first_chunk::<16>() {
        Some(chunk) if length <= 16 => {
            let end = out.len() + length;
            out.extend_from_slice(chunk);
            out.truncate(end);
        }
        _ => out.extend_from_slice(&buffer[start..start + length]),
    }
}

/// Appends an integer.
pub(crate) fn write_int(out: &mut Vec<u8>, value: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// The number of bytes that are written to the sink at once.
const FLUSH: usize = 32 * 1024;

/// The text so far, and the state of the printer.
pub(crate) struct Writer<'b> {
    pub(crate) ctx: &'b Context,
    flags: PrintFlags,
    pub(crate) out: Vec<u8>,
    /// The sink of the text, and its first error.
    sink: Option<&'b mut dyn Write>,
    failed: Option<io::Error>,
    pub(crate) generic: bool,
    pub(crate) debuginfo: bool,
    skip_regions: bool,
    pretty_debuginfo: bool,
    elide_elements: Option<usize>,
    hex_elements: usize,
    /// The keys of the printed resources, in text order.
    resource_keys: Vec<Name>,
    pub(crate) names: Names,
    aliases: Aliases,
    /// Present while aliases are collected, before the actual printing.
    collector: Option<Collector>,
    pub(crate) indent: usize,
    default_dialects: Vec<&'b str>,
    distinct: FxHashMap<u64, usize>,
    /// The number of parts of attributes, types and locations in the current operation so far, and the limit.
    parts: usize,
    most_parts: usize,
    /// The position of each operation in the text, if requested.
    marks: Option<Vec<OpMark>>,
}

/// The limit on the parts of an operation's attributes, types and locations, regardless of the size of the context.
const MAX_PARTS: usize = 1 << 20;

/// The limit after an operation that exceeded it.
const FEW_PARTS: usize = 1 << 12;

impl<'b> Writer<'b> {
    fn new(ctx: &'b Context, flags: &PrintFlags) -> Self {
        Self {
            ctx,
            flags: flags.clone(),
            out: Vec::new(),
            sink: None,
            failed: None,
            generic: flags.generic,
            debuginfo: flags.debuginfo,
            skip_regions: flags.skip_regions,
            pretty_debuginfo: flags.pretty_debuginfo,
            elide_elements: flags.elide_elements,
            hex_elements: flags
                .hex_elements
                .map_or(HEX_FROM, |limit| usize::try_from(limit).unwrap_or(usize::MAX)),
            resource_keys: Vec::new(),
            names: Names::default(),
            aliases: Aliases::default(),
            collector: None,
            indent: 0,
            default_dialects: vec!["builtin"],
            distinct: FxHashMap::default(),
            parts: 0,
            most_parts: MAX_PARTS,
            marks: None,
        }
    }

    /// Counts a part of an attribute, type or location that may have nested parts. If there are too many, prints that
    /// it is elided and returns false.
    #[inline]
    fn counts_part(&mut self) -> bool {
        self.parts += 1;
        self.parts <= self.most_parts || self.may_have_more_parts()
    }

    #[cold]
    fn may_have_more_parts(&mut self) -> bool {
        // Without sharing, there are at most as many parts as in the context.
        let most = self.ctx.n_interned().saturating_mul(8);
        if self.most_parts >= MAX_PARTS && self.parts <= most {
            self.most_parts = most;
            return true;
        }
        self.most_parts = FEW_PARTS;
        self.text("<<ELIDED>>");
        if self.collector.is_none() && self.failed.is_none() {
            let message =
                format!("an operation's attributes, types and locations have more than {MAX_PARTS} parts");
            self.failed = Some(io::Error::other(message));
        }
        false
    }

    /// Prints a module with its aliases and resources.
    fn module(&mut self, module: &'b Module) {
        self.op_with_aliases(module.holder(), module.op());
        if !self.flags.local_scope {
            self.resource_sections(module.resources(), self.flags.elide_resources);
        }
    }

    /// Prints an operation between the definitions of its aliases.
    fn op_with_aliases(&mut self, body: &'b Body, op: Op) {
        let view = body.op(op);
        self.names = Names::of(view, &self.flags);
        if !self.flags.local_scope && (self.debuginfo || aliases::are_needed(view)) {
            self.collector = Some(Collector::default());
            self.op_line(body.op(op));
            let collector = self.collector.take().unwrap_or_default();
            self.reset();
            self.aliases = Aliases::from(collector);
            self.alias_definitions(false);
        }
        self.op_line(body.op(op));
        self.text("\n");
        self.alias_definitions(true);
    }

    fn reset(&mut self) {
        self.out.clear();
        self.resource_keys.clear();
        self.distinct.clear();
        self.indent = 0;
        self.parts = 0;
    }

    /// Writes the text so far to the sink if there is enough of it.
    fn flush_when_full(&mut self) {
        if self.out.len() >= FLUSH && self.sink.is_some() && self.collector.is_none() {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if let Some(sink) = &mut self.sink
            && self.failed.is_none()
        {
            self.failed = sink.write_all(&self.out).err();
        }
        self.out.clear();
    }

    fn finish(self) -> String {
        String::from_utf8(self.out)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    #[inline(always)]
    pub(crate) fn text(&mut self, text: &str) {
        append(&mut self.out, text.as_bytes());
    }

    /// `distinct` attributes are numbered in text order.
    fn distinct_number(&mut self, id: u64) -> usize {
        let next = self.distinct.len();
        *self.distinct.entry(id).or_insert(next)
    }
}
