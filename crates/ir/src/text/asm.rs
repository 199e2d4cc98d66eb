//! How the attributes and types of a dialect are written.

use super::{AttrParser, Keywords, ParseError};
use crate::{Attr, AttrData, AttrSyntax, Context, Name, Piece, Type, service};

/// What is written behind `#dialect.mnemonic`, with its brackets: text and attributes.
#[derive(Clone, Debug, Default)]
pub struct AttrText {
    /// Each attribute with the text in front of it.
    parts: Vec<(String, Piece)>,
    /// The text behind the last attribute.
    text: String,
}

impl From<String> for AttrText {
    fn from(text: String) -> Self {
        Self { parts: Vec::new(), text }
    }
}

impl From<&str> for AttrText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl AttrText {
    /// Adds text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Adds an attribute, which is printed by its alias where it has one, and as the printer is told to.
    pub fn attr(&mut self, attr: Attr) -> &mut Self {
        self.piece(Piece::Attr(attr))
    }

    /// The same, without aliases in it.
    pub fn unaliased(&mut self, attr: Attr) -> &mut Self {
        self.piece(Piece::Unaliased(attr))
    }

    fn piece(&mut self, piece: Piece) -> &mut Self {
        self.parts.push((std::mem::take(&mut self.text), piece));
        self
    }

    /// The attribute that is written so.
    pub(super) fn finish(self, ctx: &Context, dialect: Name, mnemonic: &str) -> Attr {
        if self.parts.is_empty() {
            let text = ctx.name(&format!(".{mnemonic}{}", self.text));
            return ctx.intern_attr(AttrData::Opaque { dialect, text, ty: Type::NONE });
        }
        let mut pieces = Vec::with_capacity(2 * self.parts.len() + 1);
        for (at, (text, piece)) in self.parts.into_iter().enumerate() {
            let text = if at == 0 { format!(".{mnemonic}{text}") } else { text };
            pieces.extend([Piece::Text(ctx.name(&text)), piece]);
        }
        pieces.push(Piece::Text(ctx.name(&self.text)));
        ctx.intern_attr(AttrData::Structured { dialect, pieces: pieces.into() })
    }
}

/// How attributes and types of a dialect are written. Asked by the parser and the printer; without an answer each is the
/// text between its brackets, as it is, wherever it stands. How values are named operations say: [`AsmNames`].
///
/// [`AsmNames`]: super::AsmNames
pub trait Asm: Send + Sync {
    /// Whether attributes `#dialect.mnemonic<..>` have a form, which [`Asm::read_attr`] reads.
    fn has_attr(&self, mnemonic: &str) -> bool {
        let _ = mnemonic;
        false
    }

    /// The names of all attributes of the dialect, where it has no others, and no types but those of [`Asm::all_types`];
    /// `None` where any text will do.
    fn all_attrs(&self) -> Option<&[&'static str]> {
        None
    }

    /// Reads what follows `#dialect.mnemonic`, from `<` to `>`, and gives it as it is to be kept and printed: with its
    /// brackets, in the one form that equal attributes have in common.
    ///
    /// # Errors
    /// Where the text has another form, or says what is not allowed; it is reported.
    fn read_attr(&self, p: &mut AttrParser<'_, '_>, mnemonic: &str) -> Result<AttrText, ParseError> {
        Err(p.error_at(p.span(), format!("unknown attribute `{mnemonic}`")))
    }

    /// Whether types `!dialect.mnemonic<..>` have a form, which [`Asm::read_type`] reads.
    fn has_type(&self, mnemonic: &str) -> bool {
        let _ = mnemonic;
        false
    }

    /// The names of all types of the dialect, where it has no others; `None` where any text will do.
    fn all_types(&self) -> Option<&[&'static str]> {
        None
    }

    /// Reads what follows `!dialect.mnemonic`, from `<` to `>`, and gives it as it is to be kept and printed: with its
    /// brackets, in the one form that equal types have in common.
    ///
    /// # Errors
    /// Where the text has another form, or says what is not allowed; it is reported.
    fn read_type(&self, p: &mut AttrParser<'_, '_>, mnemonic: &str) -> Result<String, ParseError> {
        Err(p.error_at(p.span(), format!("unknown type `{mnemonic}`")))
    }

    /// The name under which one of the dialect's attributes is written once, before everything that mentions it; a number is
    /// put behind it where several want it. `text` is what stands behind `#dialect`, up to the first attribute in it.
    /// `None` for one that is written in its place.
    fn attr_alias(&self, text: &str) -> Option<&'static str> {
        let _ = text;
        None
    }

    /// The same for one of the dialect's types, of which `text` is what stands behind `!dialect`.
    fn type_alias(&self, text: &str) -> Option<&'static str> {
        let _ = text;
        None
    }
}
service!(dyn Asm, "Asm", Optional);

/// The answer of a dialect whose attributes are keywords, or lists of keywords: those that its operations declare with
/// [`AttrSyntax::EnumOpaque`].
pub struct EnumAttrs {
    syntaxes: &'static [AttrSyntax],
    /// The names of all attributes, where there are no others and no types.
    all: Option<Vec<&'static str>>,
}

impl EnumAttrs {
    /// Attributes with these forms; the dialect may have others, and types.
    pub fn new(syntaxes: &'static [AttrSyntax]) -> Self {
        Self { syntaxes, all: None }
    }

    /// The attributes with these forms, no others, and no types.
    pub fn only(syntaxes: &'static [AttrSyntax]) -> Self {
        let mnemonic = |syntax: &AttrSyntax| match *syntax {
            AttrSyntax::EnumOpaque { mnemonic, .. } => Some(mnemonic),
            _ => None,
        };
        Self { syntaxes, all: Some(syntaxes.iter().filter_map(mnemonic).collect()) }
    }

    fn find(&self, wanted: &str) -> Option<Keywords> {
        self.syntaxes.iter().find_map(|syntax| match *syntax {
            AttrSyntax::EnumOpaque { mnemonic, cases, flags, all, .. } if mnemonic == wanted => {
                Some(Keywords { cases, flags, all })
            }
            _ => None,
        })
    }
}

impl Asm for EnumAttrs {
    fn has_attr(&self, mnemonic: &str) -> bool {
        self.find(mnemonic).is_some()
    }

    fn all_attrs(&self) -> Option<&[&'static str]> {
        self.all.as_deref()
    }

    fn read_attr(&self, p: &mut AttrParser<'_, '_>, mnemonic: &str) -> Result<AttrText, ParseError> {
        Ok(p.keywords(self.find(mnemonic).unwrap_or_default())?.into())
    }
}
