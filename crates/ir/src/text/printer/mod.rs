//! The printer: one buffer, MLIR's layout.

mod aliases;
mod attrs;
mod floats;
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
pub(crate) use names::Names;
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// How IR is printed: the flags of `mlir-opt`.
#[derive(Clone, Debug, Default)]
pub struct PrintFlags {
    /// Every operation in generic form.
    pub generic: bool,
    /// With locations.
    pub debuginfo: bool,
    /// Without aliases: every operation can be read by itself.
    pub local_scope: bool,
    /// Locations in a form for people (`a.mlir:1:2`), which cannot be read back.
    pub pretty_debuginfo: bool,
    /// Dense literals of more elements than this are left out: `dense_resource<__elided__>`.
    pub elide_elements: Option<usize>,
    /// Resources whose text is longer than this are left out.
    pub elide_resources: Option<usize>,
    /// Dense literals of more elements than this are written in hexadecimal: 100 by default, never where negative.
    pub hex_elements: Option<i64>,
    /// No number or name is used twice, in whatever region.
    pub unique_ssa_ids: bool,
    /// A value whose location has a name is named after it.
    pub name_locs: bool,
    /// Regions are written `{...}`.
    pub skip_regions: bool,
    /// A comment says who uses a value.
    pub value_users: bool,
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
///
/// Attributes, types and locations may share their parts, so that the text of a small one may be of any length. Where one
/// operation has more than a million parts, and eight times as many as there are in the context, the others are left out:
/// `<<ELIDED>>`, which cannot be read back. This holds for everything that is printed.
pub fn print_module(module: &Module, flags: &PrintFlags) -> String {
    let mut writer = Writer::new(module.context(), flags);
    writer.module(module);
    writer.finish()
}

/// Writes a module as [`print_module`] prints it, piece by piece: the text never stands in memory as a whole.
///
/// # Errors
/// The first one of the writer, or that a part is left out as [`print_module`] says; nothing is written after it.
pub fn print_module_to(module: &Module, flags: &PrintFlags, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer::new(module.context(), flags);
    writer.sink = Some(out);
    writer.out.reserve(FLUSH + FLUSH / 8);
    writer.module(module);
    writer.flush();
    writer.failed.map_or(Ok(()), Err)
}

/// Prints one operation with everything inside it. Values that are defined outside of it have no name and are
/// printed `%<<UNKNOWN SSA VALUE>>`.
pub fn print_op(body: &Body, op: Op, flags: &PrintFlags) -> String {
    let mut writer = Writer::new(body.context(), flags);
    writer.op_with_aliases(body, op);
    writer.finish()
}

/// Operations with more than this inside are shown without their regions.
const SHOWN_INSIDE: usize = 1000;

/// Elements of the longest literals that are shown.
const SHOWN_ELEMENTS: usize = 16;

/// Prints single operations of one body for messages, in generic form: what they are called is found out once for all.
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

    /// An operation with what is inside it, unless that is much.
    pub(crate) fn op(&mut self, op: Op) -> String {
        let view = self.body.op(op);
        self.writer.reset();
        self.writer.skip_regions = has_more_inside(view, SHOWN_INSIDE);
        self.writer.op_line(view);
        String::from_utf8_lossy(&self.writer.out).into_owned()
    }
}

/// Whether there are more operations inside an operation than `most`.
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

/// Elements from which on a dense literal is written in hexadecimal.
const HEX_FROM: usize = 100;

/// Appends bytes, few of them usually: a call costs more than to write 16 bytes and to take back some.
#[inline(always)]
pub(crate) fn append(out: &mut Vec<u8>, bytes: &[u8]) {
    if let [byte] = bytes {
        out.push(*byte);
    } else {
        out.extend_from_slice(bytes);
    }
}

/// Appends the bytes `start..start + length` of a buffer. Where 16 bytes are there, 16 are written and some taken
/// back: names are shorter, and a copy of unknown length is a call.
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

/// Bytes that are handed on at once.
const FLUSH: usize = 32 * 1024;

/// The text so far, and what it depends on.
pub(crate) struct Writer<'b> {
    pub(crate) ctx: &'b Context,
    flags: PrintFlags,
    pub(crate) out: Vec<u8>,
    /// Where the text goes while it is made, and the first error there.
    sink: Option<&'b mut dyn Write>,
    failed: Option<io::Error>,
    pub(crate) generic: bool,
    pub(crate) debuginfo: bool,
    skip_regions: bool,
    pretty_debuginfo: bool,
    elide_elements: Option<usize>,
    hex_elements: usize,
    /// Keys of the resources that were printed, in the order of the text.
    resource_keys: Vec<Name>,
    pub(crate) names: Names,
    aliases: Aliases,
    /// While aliases are collected, before anything is printed for good.
    collector: Option<Collector>,
    pub(crate) indent: usize,
    default_dialects: Vec<&'b str>,
    distinct: FxHashMap<u64, usize>,
    /// How many parts of attributes, types and locations the current operation has so far, and how many it may have.
    parts: usize,
    most_parts: usize,
}

/// How many parts the attributes, types and locations of an operation may have, however few there are in the context.
const MOST_PARTS: usize = 1 << 20;

/// The same behind an operation that had more.
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
            most_parts: MOST_PARTS,
        }
    }

    /// Counts a part of an attribute, a type or a location that may have parts itself. Where there are too many, writes that it
    /// is left out, and says false.
    #[inline]
    fn counts_part(&mut self) -> bool {
        self.parts += 1;
        self.parts <= self.most_parts || self.may_have_more_parts()
    }

    #[cold]
    fn may_have_more_parts(&mut self) -> bool {
        // Without shared parts there are not more than the context has.
        let most = self.ctx.n_interned().saturating_mul(8);
        if self.most_parts >= MOST_PARTS && self.parts <= most {
            self.most_parts = most;
            return true;
        }
        self.most_parts = FEW_PARTS;
        self.text("<<ELIDED>>");
        if self.collector.is_none() && self.failed.is_none() {
            let message =
                format!("an operation's attributes, types and locations have more than {MOST_PARTS} parts");
            self.failed = Some(io::Error::other(message));
        }
        false
    }

    /// A module, its aliases and its resources.
    fn module(&mut self, module: &'b Module) {
        self.op_with_aliases(module.holder(), module.op());
        if !self.flags.local_scope {
            self.resource_sections(module.resources(), self.flags.elide_resources);
        }
    }

    /// An operation between the aliases that it uses.
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

    /// Hands the text so far to the writer when there is enough of it.
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

    /// `distinct` attributes are numbered in the order of the text.
    fn distinct_number(&mut self, id: u64) -> usize {
        let next = self.distinct.len();
        *self.distinct.entry(id).or_insert(next)
    }
}
