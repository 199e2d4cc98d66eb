//! Printing of attributes.

use super::floats::write_float;
use super::{Writer, write_int};
use crate::text::byte_names::bytes_of_name;
use crate::text::lexer::is_word;
use crate::with_stack;
use crate::{Attr, AttrData, DYNAMIC, Int, Name, Piece, Signedness, Type, TypeData};

/// The condition under which the type of a typed attribute is omitted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elide {
    Never,
    /// If it is the one that the parser assumes.
    May,
    Must,
}

impl Writer<'_> {
    /// Prints an attribute with its type.
    pub(crate) fn attr(&mut self, attr: Attr) {
        self.attr_as(attr, Elide::Never);
    }

    /// Prints an attribute; omits the types `i64` and `f64`.
    pub(crate) fn attr_may_elide(&mut self, attr: Attr) {
        self.attr_as(attr, Elide::May);
    }

    /// Prints an attribute without its type.
    pub(crate) fn attr_without_type(&mut self, attr: Attr) {
        self.attr_as(attr, Elide::Must);
    }

    fn attr_as(&mut self, attr: Attr, elide: Elide) {
        match attr.data(self.ctx) {
            AttrData::Integer { value, ty } => {
                if *ty == Type::I1 {
                    self.text(if value.as_i64() == Some(0) { "false" } else { "true" });
                    return;
                }
                self.int(value);
                if elide == Elide::Never || elide == Elide::May && *ty != Type::I64 {
                    self.text(" : ");
                    self.ty(*ty);
                }
            }
            AttrData::Float { bits, ty } => {
                let kind = ty.float_kind(self.ctx);
                let before = self.out.len();
                if let Some(kind) = kind {
                    write_float(&mut self.out, kind, *bits);
                }
                let hex = self.out[before..].starts_with(b"0x");
                if elide == Elide::Never || elide == Elide::May && (*ty != Type::F64 || hex) {
                    self.text(" : ");
                    self.ty(*ty);
                }
            }
            AttrData::Unit => self.text("unit"),
            _ => {
                if self.attr_alias(attr) {
                    return;
                }
                if self.counts_part() {
                    with_stack(|| self.nested_attr(attr, elide));
                }
            }
        }
    }

    fn colon_type(&mut self, ty: Type, elide: Elide) {
        if ty != Type::NONE && elide != Elide::Must {
            self.text(" : ");
            self.ty(ty);
        }
    }

    fn nested_attr(&mut self, attr: Attr, elide: Elide) {
        match attr.data(self.ctx) {
            AttrData::Integer { .. } | AttrData::Float { .. } | AttrData::Unit => self.attr_as(attr, elide),
            AttrData::Dictionary(entries) => {
                self.text("{");
                self.entries(entries.iter().copied());
                self.text("}");
            }
            AttrData::String { bytes, ty } => {
                self.string(bytes);
                self.colon_type(*ty, elide);
            }
            AttrData::Type(ty) => self.ty(*ty),
            AttrData::Array(elements) => {
                self.text("[");
                self.separated(elements, |printer, &element| printer.attr_may_elide(element));
                self.text("]");
            }
            AttrData::SymbolRef { root, nested } => {
                self.symbol(&bytes_of_name(root.as_str(self.ctx)));
                for name in nested {
                    self.text("::");
                    self.symbol(&bytes_of_name(name.as_str(self.ctx)));
                }
            }
            AttrData::DenseArray { element, data } => {
                self.text("array<");
                self.ty(*element);
                if !data.is_empty() {
                    self.text(": ");
                    self.elements(*element, data);
                }
                self.text(">");
            }
            AttrData::DenseElements { ty, .. }
            | AttrData::DenseStrings { ty, .. }
            | AttrData::ForeignElements { ty, .. }
            | AttrData::DenseResource { ty, .. }
            | AttrData::Sparse { ty, .. } => {
                self.elements_attr(attr);
                self.colon_type(*ty, elide);
            }
            AttrData::AffineMap(map) => self.text(&format!("affine_map<{map}>")),
            AttrData::IntegerSet(set) => self.text(&format!("affine_set<{set}>")),
            AttrData::Strided { offset, strides } => {
                self.text("strided<[");
                self.separated(strides, |printer, &stride| printer.stride(stride));
                self.text("]");
                if *offset != 0 {
                    self.text(", offset: ");
                    self.stride(*offset);
                }
                self.text(">");
            }
            AttrData::Distinct { id, referenced } => {
                let number = self.distinct_number(*id);
                self.text("distinct[");
                write_int(&mut self.out, number as i64);
                self.text("]<");
                if *referenced != Attr::UNIT {
                    self.attr(*referenced);
                }
                self.text(">");
            }
            AttrData::Location(loc) => self.loc_with_keyword(*loc, true),
            AttrData::Declared(declared) => {
                self.declared(declared, attr.into());
                self.colon_type(attr.value_type(self.ctx).unwrap_or(Type::NONE), elide);
            }
            AttrData::Opaque { dialect, text, ty } => {
                self.text("#");
                self.text(dialect.as_str(self.ctx));
                self.text(text.as_str(self.ctx));
                self.colon_type(*ty, elide);
            }
            AttrData::Structured { dialect, pieces } => {
                self.text("#");
                self.text(dialect.as_str(self.ctx));
                for piece in pieces {
                    match *piece {
                        Piece::Text(text) => self.text(text.as_str(self.ctx)),
                        Piece::Attr(attr) => self.attr(attr),
                        Piece::Unaliased(attr) => self.without_aliases(|writer| writer.attr(attr)),
                    }
                }
            }
        }
    }

    /// Prints the elements of a tensor or vector, without the type.
    fn elements_attr(&mut self, attr: Attr) {
        match attr.data(self.ctx) {
            AttrData::DenseResource { key, .. } => {
                self.text("dense_resource<");
                if self.collector.is_none() {
                    self.resource_keys.push(*key);
                }
                self.name(key.as_str(self.ctx));
                self.text(">");
            }
            _ if self.is_elided(attr) => self.text("dense_resource<__elided__>"),
            AttrData::DenseElements { .. } | AttrData::DenseStrings { .. } => {
                self.text("dense<");
                self.dense(attr);
                self.text(">");
            }
            AttrData::ForeignElements { elements, .. } => self.attr_without_type(*elements),
            AttrData::Sparse { indices, values, .. } => {
                self.text("sparse<");
                if let AttrData::DenseElements { ty, data, splat } = indices.data(self.ctx)
                    && ty.shape(self.ctx).is_some_and(|shape| shape.first() != Some(&0))
                {
                    // Indices are never printed in hexadecimal.
                    let hex = std::mem::replace(&mut self.hex_elements, usize::MAX);
                    self.dense_elements(*ty, data, *splat);
                    self.hex_elements = hex;
                    self.text(", ");
                    self.dense(*values);
                }
                self.text(">");
            }
            _ => {}
        }
    }

    /// Prints the inside of `dense<..>`.
    fn dense(&mut self, attr: Attr) {
        match attr.data(self.ctx) {
            AttrData::DenseElements { ty, data, splat } => self.dense_elements(*ty, data, *splat),
            AttrData::DenseStrings { ty, values } => self.dense_strings(*ty, values),
            _ => {}
        }
    }

    /// Prints items with commas between them.
    pub(super) fn separated<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut print: impl FnMut(&mut Self, T),
    ) {
        for (at, item) in items.into_iter().enumerate() {
            if at > 0 {
                self.text(", ");
            }
            print(self, item);
        }
    }

    fn stride(&mut self, value: i64) {
        if value == DYNAMIC { self.text("?") } else { write_int(&mut self.out, value) }
    }

    fn int(&mut self, value: &Int) {
        match value.as_i64() {
            Some(value) => write_int(&mut self.out, value),
            None => self.text(&value.to_string()),
        }
    }

    /// Prints `a = 1 : i32, b`.
    pub(crate) fn entries(&mut self, entries: impl Iterator<Item = (Name, Attr)>) {
        for (at, (name, attr)) in entries.enumerate() {
            if at > 0 {
                self.text(", ");
            }
            self.name(name.as_str(self.ctx));
            if attr != Attr::UNIT {
                self.text(" = ");
                self.attr(attr);
            }
        }
    }

    /// Prints a name, quoted if necessary.
    pub(super) fn name(&mut self, name: &str) {
        if is_word(name.as_bytes()) { self.text(name) } else { self.string(&bytes_of_name(name)) }
    }

    pub(crate) fn word_or_string(&mut self, text: &[u8]) {
        if is_word(text) { self.out.extend_from_slice(text) } else { self.string(text) }
    }

    /// Prints `@name`, quoted if necessary.
    pub(crate) fn symbol(&mut self, name: &[u8]) {
        self.text("@");
        self.word_or_string(name);
    }

    /// Prints a quoted string with MLIR's escapes.
    pub(crate) fn string(&mut self, bytes: &[u8]) {
        self.out.push(b'"');
        for &byte in bytes {
            match byte {
                b'\\' => self.out.extend_from_slice(b"\\\\"),
                b' '..=b'~' if byte != b'"' => self.out.push(byte),
                _ => self.out.extend_from_slice(format!("\\{byte:02X}").as_bytes()),
            }
        }
        self.out.push(b'"');
    }

    /// Prints elements separated by commas.
    pub(crate) fn elements(&mut self, element: Type, data: &[u8]) {
        let bytes = super::element_bytes(self.ctx, element).unwrap_or(1);
        self.separated(data.chunks_exact(bytes), |printer, chunk| printer.element(element, chunk));
    }

    fn element(&mut self, ty: Type, data: &[u8]) {
        match *ty.data(self.ctx) {
            TypeData::Float(kind) => {
                let mut bits = [0; 16];
                bits[..data.len()].copy_from_slice(data);
                write_float(&mut self.out, kind, u128::from_le_bytes(bits));
            }
            TypeData::Complex(part) => {
                let (re, im) = data.split_at(data.len() / 2);
                self.text("(");
                self.element(part, re);
                self.text(",");
                self.element(part, im);
                self.text(")");
            }
            TypeData::Integer { width: 1, .. } => {
                self.text(if data.first() == Some(&0) { "false" } else { "true" })
            }
            TypeData::Integer { signedness, .. } => {
                self.int(&Int::from_le_bytes(data, signedness != Signedness::Unsigned));
            }
            _ => self.int(&Int::from_le_bytes(data, true)),
        }
    }

    fn dense_elements(&mut self, ty: Type, data: &[u8], splat: bool) {
        let element = ty.element_or_self(self.ctx);
        let shape = ty.shape(self.ctx).unwrap_or(&[]).to_vec();
        // Like MLIR, which does not treat elements without bits as a splat.
        let count =
            shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent.try_into().ok()?));
        if element.integer_width(self.ctx) == Some(0) && !shape.is_empty() && count != Some(0) {
            match count.filter(|&count| count <= self.hex_elements) {
                Some(_) => self.nested_list(&shape, &mut |writer, _| writer.element(element, data)),
                None => self.text("\"0x\""),
            }
            return;
        }
        if splat {
            self.element(element, data);
            return;
        }
        let bytes = super::element_bytes(self.ctx, element).unwrap_or(1);
        let count = data.len() / bytes;
        if count == 0 {
            return;
        }
        if count > self.hex_elements {
            self.text("\"0x");
            if element == Type::I1 {
                for bits in data.chunks(8) {
                    let byte = bits.iter().enumerate().fold(0u8, |byte, (at, bit)| byte | (bit & 1) << at);
                    self.hex_byte(byte);
                }
            } else {
                // Bits beyond the width of an integer are printed as zero.
                let width = element.integer_width(self.ctx).unwrap_or(0);
                let last = if width.is_multiple_of(8) { 0xff } else { (1u8 << (width % 8)) - 1 };
                for (at, &byte) in data.iter().enumerate() {
                    self.hex_byte(if (at + 1) % bytes == 0 { byte & last } else { byte });
                }
            }
            self.text("\"");
            return;
        }
        let chunk = |at: usize| &data[at * bytes..(at + 1) * bytes];
        self.nested_list(&shape, &mut |writer, at| writer.element(element, chunk(at)));
    }

    fn dense_strings(&mut self, ty: Type, values: &[Box<[u8]>]) {
        if let [one] = values {
            return self.string(one);
        }
        let shape = ty.shape(self.ctx).unwrap_or(&[]).to_vec();
        if !values.is_empty() {
            self.nested_list(&shape, &mut |writer, at| {
                writer.string(values.get(at).map_or(&[], |value| value));
            });
        }
    }

    /// Whether a literal exceeds the limit on elements. Splats never do.
    fn is_elided(&self, attr: Attr) -> bool {
        let Some(limit) = self.elide_elements else { return false };
        let long = |ty: Type| {
            let extents = ty.shape(self.ctx).unwrap_or(&[]).iter();
            extents.fold(1usize, |all, &extent| all.saturating_mul(extent as usize)) > limit
        };
        match attr.data(self.ctx) {
            AttrData::DenseElements { ty, splat, .. } => !splat && long(*ty),
            AttrData::DenseStrings { ty, values } => values.len() > 1 && long(*ty),
            AttrData::ForeignElements { elements, .. } => self.is_elided(*elements),
            AttrData::Sparse { indices, values, .. } => self.is_elided(*indices) || self.is_elided(*values),
            _ => false,
        }
    }

    pub(super) fn hex_byte(&mut self, byte: u8) {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        self.out.extend([DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    }

    /// Prints `[[a, b], [c, d]]` in row-major order.
    fn nested_list(&mut self, shape: &[i64], element: &mut dyn FnMut(&mut Self, usize)) {
        let count = shape.iter().product::<i64>().max(0) as usize;
        for at in 0..count {
            let mut opened = 0;
            let mut stride = 1usize;
            for &extent in shape.iter().rev() {
                stride *= extent as usize;
                if at % stride == 0 {
                    opened += 1;
                }
            }
            if at > 0 {
                self.text(", ");
            }
            for _ in 0..opened {
                self.text("[");
            }
            element(self, at);
            let mut stride = 1usize;
            for &extent in shape.iter().rev() {
                stride *= extent as usize;
                if (at + 1) % stride == 0 {
                    self.text("]");
                }
            }
        }
    }
}
