//! Printing of declared types and attributes.

use crate::text::byte_names::bytes_of_name;
use crate::text::printer::{Writer, write_int};
use crate::{
    Attr, AttrData, Context, DataAssembly, DataElement, Declared, Param, ParamKind, Type, TypeData,
    TypeOrAttr,
};

/// Prints the text of a declared type or attribute after its mnemonic.
pub struct AttrPrinter<'p, 'b> {
    w: &'p mut Writer<'b>,
    element: TypeOrAttr,
}

impl<'b> AttrPrinter<'_, 'b> {
    /// The context.
    pub fn ctx(&self) -> &'b Context {
        self.w.ctx
    }

    /// The printed type or attribute.
    pub fn element(&self) -> TypeOrAttr {
        self.element
    }

    /// Prints text verbatim.
    pub fn text(&mut self, text: &str) {
        self.w.text(text);
    }

    /// Prints an attribute.
    pub fn attr(&mut self, attr: Attr) {
        self.w.attr(attr);
    }

    /// Prints a typed attribute without its type.
    pub fn attr_without_type(&mut self, attr: Attr) {
        self.w.attr_without_type(attr);
    }

    /// Prints an attribute without aliases; its parameter is declared `unaliased`.
    pub fn attr_without_alias(&mut self, attr: Attr) {
        self.w.without_aliases(|writer| writer.attr(attr));
    }

    /// Prints a type.
    pub fn ty(&mut self, ty: Type) {
        self.w.ty(ty);
    }

    /// Prints a quoted string.
    pub fn string(&mut self, text: &str) {
        self.w.string(&bytes_of_name(text));
    }
}

impl Writer<'_> {
    /// Prints `#dialect.mnemonic` and the body, or `#dialect<mnemonic body>` for a body without angle brackets.
    pub(crate) fn declared(&mut self, declared: &Declared, element: TypeOrAttr) {
        let spec = declared.spec();
        self.text(if spec.is_type { "!" } else { "#" });
        self.text(spec.dialect);
        let dot = self.out.len();
        self.text(".");
        self.text(spec.mnemonic);
        let body = self.out.len();
        self.declared_body(declared, element);
        let text = &self.out[body..];
        let is_bracketed = text.starts_with(b"<") && text.ends_with(b">");
        if !text.is_empty() && !is_bracketed {
            self.out[dot] = b'<';
            self.text(">");
        }
    }

    /// Prints an attribute of a declared kind without its prefix.
    pub(crate) fn stripped_attr(&mut self, attr: Attr) {
        match attr.data(self.ctx) {
            AttrData::Declared(declared) if !self.attr_alias(attr) => {
                self.declared_body(declared, attr.into())
            }
            AttrData::Declared(_) => {}
            _ => self.attr(attr),
        }
    }

    fn stripped_type(&mut self, ty: Type) {
        match ty.data(self.ctx) {
            TypeData::Declared(declared) if !self.type_alias(ty) => self.declared_body(declared, ty.into()),
            TypeData::Declared(_) => {}
            _ => self.ty(ty),
        }
    }

    fn declared_body(&mut self, declared: &Declared, element: TypeOrAttr) {
        match declared.spec().assembly {
            DataAssembly::Format(elements) => self.data_elements(declared, elements),
            DataAssembly::Custom { print, .. } => print(&mut AttrPrinter { w: self, element }),
        }
    }

    fn data_elements(&mut self, declared: &Declared, elements: &[DataElement]) {
        for element in elements {
            self.data_element(declared, element);
        }
    }

    fn data_element(&mut self, declared: &Declared, element: &DataElement) {
        let (specs, params) = (declared.spec().params, declared.params());
        let is_present = |writer: &Self, at: usize| specs[at].is_present(writer.ctx, &params[at]);
        match *element {
            DataElement::Space(space) => self.text(if space { " " } else { "" }),
            DataElement::Literal(space, text) => {
                self.text(if space { " " } else { "" });
                self.text(text);
            }
            DataElement::Param(space, at) => {
                self.text(if space { " " } else { "" });
                self.declared_param(declared, at);
            }
            DataElement::Params(space, indices) => {
                let mut separator = if space { " " } else { "" };
                // A parameter is printed, default or not, if a later one is.
                let last = indices
                    .iter()
                    .rposition(|&at| is_present(self, at) || specs[at].absent(self.ctx).is_none());
                for &at in &indices[..last.map_or(0, |last| last + 1)] {
                    self.text(separator);
                    self.declared_param(declared, at);
                    separator = ", ";
                }
            }
            DataElement::Struct(space, indices) => {
                let mut separator = if space { " " } else { "" };
                for &at in indices.iter().filter(|&&at| is_present(self, at)).collect::<Vec<_>>() {
                    self.text(separator);
                    self.text(specs[at].name);
                    self.text(" = ");
                    self.declared_param(declared, at);
                    separator = ", ";
                }
            }
            DataElement::Group(anchor, then, otherwise) => {
                let elements = if is_present(self, anchor) { then } else { otherwise };
                self.data_elements(declared, elements);
            }
        }
    }

    fn declared_param(&mut self, declared: &Declared, at: usize) {
        let (spec, param) = (&declared.spec().params[at], &declared.params()[at]);
        match spec.unaliased {
            true => self.without_aliases(|writer| writer.param(&spec.kind, param)),
            false => self.param(&spec.kind, param),
        }
    }

    fn param(&mut self, kind: &ParamKind, param: &Param) {
        match (kind, param) {
            (ParamKind::Optional(inner), param) => match param {
                Param::Absent => {}
                param => self.param(inner, param),
            },
            (ParamKind::Bool, Param::Int(value)) => self.text(if *value == 0 { "false" } else { "true" }),
            (ParamKind::Int { signed: false, .. }, Param::Int(value)) => {
                let mut buffer = itoa::Buffer::new();
                self.text(buffer.format(*value as u64));
            }
            (ParamKind::F64, Param::Int(bits)) => {
                self.attr_without_type(Attr::float_bits(self.ctx, u128::from(*bits as u64), Type::F64));
            }
            (ParamKind::Enum(cases), Param::Int(value)) => {
                self.text(cases.keyword(*value).unwrap_or("<<UNKNOWN>>"));
            }
            (ParamKind::Flags(cases), Param::Int(bits)) => {
                let text = cases.set_text(*bits);
                self.text(&text);
            }
            (ParamKind::Array(element), Param::Array(elements)) => {
                for (at, one) in elements.iter().enumerate() {
                    self.text(if at > 0 { ", " } else { "" });
                    self.param(element, one);
                }
            }
            (ParamKind::Declared(_), Param::Type(ty)) => self.stripped_type(*ty),
            (ParamKind::Declared(_), Param::Attr(attr)) => self.stripped_attr(*attr),
            (_, Param::Name(name)) => self.string(&bytes_of_name(name.as_str(self.ctx))),
            (_, Param::Type(ty)) => self.ty(*ty),
            (_, Param::Attr(attr)) => self.attr(*attr),
            (_, Param::Int(value)) => write_int(&mut self.out, *value),
            (_, Param::Absent) => {}
            (_, Param::Array(elements)) => elements.iter().for_each(|one| self.param(kind, one)),
        }
    }
}
