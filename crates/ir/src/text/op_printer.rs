//! The printer interface for custom assembly.

use super::format::is_elided_default;
use super::printer::Writer;
use crate::affine::{AffineExpr, AffineNames};
use crate::with_stack;
use crate::{Attr, AttrData, Block, Body, Context, DYNAMIC, Name, Op, OpRef, Type, Value};
use std::fmt;

/// The parts of a region that [`OpPrinter::region`] prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionStyle {
    /// The header of the entry block if it has arguments.
    pub(super) entry_args: bool,
    /// The terminator of the entry block.
    pub(super) terminator: bool,
    /// The header of the entry block if the block has no operations.
    pub(super) empty_block: bool,
}

impl RegionStyle {
    /// Prints the arguments and the terminator of the entry block.
    pub const FULL: Self = Self { entry_args: true, terminator: true, empty_block: false };
    /// The style of the generic form, in which a block without operations differs from no block.
    pub(super) const GENERIC: Self = Self { empty_block: true, ..Self::FULL };

    /// Omits the arguments of the entry block, which the operation prints itself.
    #[must_use]
    pub const fn without_entry_args(self) -> Self {
        Self { entry_args: false, ..self }
    }

    /// Omits the terminator of the entry block, which the parser adds.
    #[must_use]
    pub const fn without_terminator(self) -> Self {
        self.with_terminator(false)
    }

    /// Prints the terminator of the entry block, or omits it.
    #[must_use]
    pub const fn with_terminator(self, terminator: bool) -> Self {
        Self { terminator, ..self }
    }
}

/// Prints the part of a custom form after the operation's name.
pub struct OpPrinter<'p, 'b> {
    w: &'p mut Writer<'b>,
    body: &'b Body,
    op: OpRef<'b>,
}

impl<'p, 'b> OpPrinter<'p, 'b> {
    pub(super) fn new(w: &'p mut Writer<'b>, body: &'b Body, op: OpRef<'b>) -> Self {
        Self { w, body, op }
    }

    /// The body that contains the operation.
    pub fn body(&self) -> &'b Body {
        self.body
    }

    /// The operation.
    pub fn op(&self) -> OpRef<'b> {
        self.op
    }

    /// The context.
    pub fn ctx(&self) -> &'b Context {
        self.w.ctx
    }

    /// Prints text verbatim.
    pub fn text(&mut self, text: &str) {
        self.w.text(text);
    }

    /// Prints the name of a value: `%0`, `%1#2`. Arguments of the operation's own regions can be named, too.
    pub fn value(&mut self, value: Value) {
        let body = self.body_of(value);
        self.w.value(body, value);
    }

    /// The body that contains a value: arguments of an isolated operation are in its nested body.
    fn body_of(&self, value: Value) -> &'b Body {
        match self.op.nested() {
            Some(nested) if nested.contains_value(value) => nested,
            _ => self.body,
        }
    }

    /// Prints value names separated by commas.
    pub fn values(&mut self, values: &[Value]) {
        for (at, &value) in values.iter().enumerate() {
            if at > 0 {
                self.text(", ");
            }
            self.value(value);
        }
    }

    /// Prints the names of a range of operands separated by commas.
    #[inline]
    pub(super) fn operands(&mut self, range: std::ops::Range<usize>) {
        for (at, value) in self.op.operand_indices().skip(range.start).take(range.len()).enumerate() {
            if at > 0 {
                self.text(", ");
            }
            self.w.value_at(self.body, value);
        }
    }

    /// Prints the name of an operand.
    #[inline]
    pub(super) fn operand(&mut self, at: usize) {
        if let Some(value) = self.op.operand_indices().nth(at) {
            self.w.value_at(self.body, value);
        }
    }

    /// Prints `%a, 4, %b`: each number, or the next value if it is [`DYNAMIC`].
    pub fn index_list(&mut self, values: &[Value], numbers: &[i64]) {
        let mut values = values.iter();
        for (index, &number) in numbers.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            let value = if number == DYNAMIC { values.next() } else { None };
            match value {
                Some(&value) => self.value(value),
                None => self.text(&number.to_string()),
            }
        }
    }

    /// Prints affine expressions over the operands of dimensions and symbols: `%i + 1, symbol(%n)`.
    pub fn affine_exprs(&mut self, exprs: &[AffineExpr], dims: &[Value], symbols: &[Value]) {
        for (at, expr) in exprs.iter().enumerate() {
            if at > 0 {
                self.text(", ");
            }
            // Writing to the printer cannot fail.
            let _ = expr.write_named(&mut OverOperands { printer: self, dims, symbols });
        }
    }

    /// Prints a type.
    pub fn ty(&mut self, ty: Type) {
        self.w.ty(ty);
    }

    /// Prints types separated by commas.
    pub fn types(&mut self, types: &[Type]) {
        self.w.types(types);
    }

    /// Appends the first `length` of these bytes: all are stored, which takes one or two stores, and the rest is
    /// truncated.
    #[inline]
    pub(super) fn short_text<const N: usize>(&mut self, bytes: &[u8; N], length: usize) {
        let end = self.w.out.len() + length;
        self.w.out.extend_from_slice(bytes);
        self.w.out.truncate(end);
    }

    pub(super) fn types_between(&mut self, types: impl Iterator<Item = Type>) {
        for (at, ty) in types.enumerate() {
            if at > 0 {
                self.text(", ");
            }
            self.w.ty(ty);
        }
    }

    /// Prints ` -> t` or ` -> (t, t)`; nothing without types.
    pub fn arrow_types(&mut self, types: &[Type]) {
        if !types.is_empty() {
            self.text(" -> ");
            self.w.result_types(types);
        }
    }

    /// Prints `(a, b) -> c`.
    pub fn functional_type(&mut self, inputs: &[Type], results: &[Type]) {
        self.w.functional_type(inputs, results);
    }

    /// Prints an attribute with its type.
    pub fn attr(&mut self, attr: Attr) {
        self.w.attr(attr);
    }

    /// Prints a typed attribute without its type: `4`.
    pub fn attr_without_type(&mut self, attr: Attr) {
        self.w.attr_without_type(attr);
    }

    /// Prints a declared attribute without its prefix: `<fast>` for `#arith.fastmath<fast>`.
    pub fn stripped_attr(&mut self, attr: Attr) {
        self.w.stripped_attr(attr);
    }

    /// Prints `@name`, quoted if necessary.
    pub fn symbol(&mut self, name: &str) {
        self.w.symbol(name.as_bytes());
    }

    pub(super) fn symbol_bytes(&mut self, name: &[u8]) {
        self.w.symbol(name);
    }

    /// Prints a quoted and escaped string.
    pub fn string(&mut self, bytes: &[u8]) {
        self.w.string(bytes);
    }

    /// Prints `array<i64: 1, 2>` as `[1, 2]`.
    pub(super) fn bracketed_array(&mut self, attr: Attr) {
        match attr.data(self.w.ctx) {
            AttrData::DenseArray { element, data } => {
                self.text("[");
                self.w.elements(*element, data);
                self.text("]");
            }
            _ => self.attr(attr),
        }
    }

    fn shown(&self, elide: &[&str]) -> Vec<(Name, Attr)> {
        let ctx = self.w.ctx;
        let list = |attr: Attr| attr.as_dictionary(ctx).unwrap_or(&[]);
        let names = ctx.names();
        let mut entries: Vec<(Name, Attr)> = list(self.op.props())
            .iter()
            .filter(|(name, attr)| {
                let text = name.as_str(ctx);
                *name != names.operand_segments
                    && *name != names.result_segments
                    && !elide.contains(&text)
                    && !is_elided_default(self.op, *name, *attr)
            })
            .chain(list(self.op.attrs()).iter().filter(|(name, _)| !elide.contains(&name.as_str(ctx))))
            .copied()
            .collect();
        entries.sort_by(|(a, _), (b, _)| a.as_str(ctx).cmp(b.as_str(ctx)));
        entries
    }

    /// Prints ` {a = 1 : i32}` with all attributes, inherent and discardable, except those in `elide`, those with
    /// their default value, and segment sizes. Prints nothing if none remain.
    pub fn attr_dict(&mut self, elide: &[&str]) {
        let entries = self.shown(elide);
        if !entries.is_empty() {
            self.text(" {");
            self.w.entries(entries.into_iter());
            self.text("}");
        }
    }

    /// Prints an attribute dictionary after the keyword `attributes`.
    pub fn attr_dict_with_keyword(&mut self, elide: &[&str]) {
        let entries = self.shown(elide);
        if !entries.is_empty() {
            self.text(" attributes {");
            self.w.entries(entries.into_iter());
            self.text("}");
        }
    }

    /// Prints a dictionary: ` {a = 1 : i32}`; nothing for an empty one.
    pub fn dictionary(&mut self, attr: Attr) {
        if let Some(entries) = attr.as_dictionary(self.w.ctx).filter(|entries| !entries.is_empty()) {
            self.text(" {");
            self.w.entries(entries.iter().copied());
            self.text("}");
        }
    }

    /// Prints a region with its braces.
    pub fn region(&mut self, index: usize, style: RegionStyle) {
        if let Some((body, region)) = self.op.region_inside(index) {
            self.w.region(self.op, body, region, style);
        }
    }

    /// Prints an operation of one of the regions inline, without its results and its location.
    pub fn op_inline(&mut self, op: Op) {
        let body = self.op.nested().unwrap_or(self.body);
        with_stack(|| self.w.op_inline(body.op(op)));
    }

    /// Prints `%arg0: i32`, with its location if enabled.
    pub fn region_arg(&mut self, value: Value) {
        let body = self.body_of(value);
        self.w.block_arg(body, value);
    }

    /// Prints `%arg0`, with its location if enabled.
    pub fn region_arg_name(&mut self, value: Value) {
        let body = self.body_of(value);
        self.w.value(body, value);
        self.w.arg_loc(body, value);
    }

    /// Prints `%arg0: i32 {a = 1 : i32}`, with the location if enabled.
    pub fn region_arg_with_attrs(&mut self, value: Value, attrs: Attr) {
        let body = self.body_of(value);
        self.w.value(body, value);
        self.text(": ");
        self.ty(body.ty(value));
        self.dictionary(attrs);
        self.w.arg_loc(body, value);
    }

    /// Prints the name of a block: `^bb1`.
    pub fn successor(&mut self, block: Block) {
        self.w.successor(self.body, block);
    }

    /// Increases the indentation during `write`.
    pub fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.w.indent += 2;
        write(self);
        self.w.indent -= 2;
    }

    /// Prints a newline and the indentation.
    pub fn newline(&mut self) {
        self.text("\n");
        self.w.write_indent();
    }
}

/// Writes affine expressions with the names of values.
struct OverOperands<'a, 'p, 'b> {
    printer: &'a mut OpPrinter<'p, 'b>,
    dims: &'a [Value],
    symbols: &'a [Value],
}

impl fmt::Write for OverOperands<'_, '_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.printer.text(text);
        Ok(())
    }
}

impl AffineNames for OverOperands<'_, '_, '_> {
    fn dim(&mut self, at: u32) -> fmt::Result {
        match self.dims.get(at as usize) {
            Some(&value) => self.printer.value(value),
            None => self.printer.text(&format!("d{at}")),
        }
        Ok(())
    }

    fn symbol(&mut self, at: u32) -> fmt::Result {
        match self.symbols.get(at as usize) {
            Some(&value) => {
                self.printer.text("symbol(");
                self.printer.value(value);
                self.printer.text(")");
            }
            None => self.printer.text(&format!("s{at}")),
        }
        Ok(())
    }
}
