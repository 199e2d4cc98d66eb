//! Custom syntax of dialect attributes and types.

use super::{AttrParser, Keywords, ParseError};
use crate::{Attr, AttrData, AttrSyntax, Context, Name, Piece, Type, service};

/// The text after `#dialect.mnemonic`, including its brackets: literal text and attributes.
#[derive(Clone, Debug, Default)]
pub struct AttrText {
    /// The attributes, each with the preceding text.
    parts: Vec<(String, Piece)>,
    /// The text after the last attribute.
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
    /// Appends text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Appends an attribute, which is printed as its alias if it has one.
    pub fn attr(&mut self, attr: Attr) -> &mut Self {
        self.piece(Piece::Attr(attr))
    }

    /// Appends an attribute that is printed without aliases.
    pub fn unaliased(&mut self, attr: Attr) -> &mut Self {
        self.piece(Piece::Unaliased(attr))
    }

    fn piece(&mut self, piece: Piece) -> &mut Self {
        self.parts.push((std::mem::take(&mut self.text), piece));
        self
    }

    /// The resulting attribute.
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

/// Custom syntax of a dialect's attributes and types. Asked by the parser and the printer. Default: they are
/// represented by the text between their brackets. Operations name their values by [`AsmNames`].
///
/// [`AsmNames`]: super::AsmNames
pub trait Asm: Send + Sync {
    /// Whether attributes `#dialect.mnemonic<..>` have custom syntax, parsed by [`Asm::read_attr`].
    fn has_attr(&self, mnemonic: &str) -> bool {
        let _ = mnemonic;
        false
    }

    /// The mnemonics of all attributes of the dialect, if it has no others and no types except those of
    /// [`Asm::all_types`]; `None` if any text is valid.
    fn all_attrs(&self) -> Option<&[&'static str]> {
        None
    }

    /// Parses the part after `#dialect.mnemonic`, from `<` to `>`, and returns it in canonical form: with its
    /// brackets, and equal for equal attributes.
    ///
    /// # Errors
    /// A syntax error or an invalid parameter, which has been reported.
    fn read_attr(&self, p: &mut AttrParser<'_, '_>, mnemonic: &str) -> Result<AttrText, ParseError> {
        Err(p.error_at(p.span(), format!("unknown attribute `{mnemonic}`")))
    }

    /// Whether types `!dialect.mnemonic<..>` have custom syntax, parsed by [`Asm::read_type`].
    fn has_type(&self, mnemonic: &str) -> bool {
        let _ = mnemonic;
        false
    }

    /// The mnemonics of all types of the dialect, if it has no others; `None` if any text is valid.
    fn all_types(&self) -> Option<&[&'static str]> {
        None
    }

    /// Parses the part after `!dialect.mnemonic`, from `<` to `>`, and returns it in canonical form: with its
    /// brackets, and equal for equal types.
    ///
    /// # Errors
    /// A syntax error or an invalid parameter, which has been reported.
    fn read_type(&self, p: &mut AttrParser<'_, '_>, mnemonic: &str) -> Result<String, ParseError> {
        Err(p.error_at(p.span(), format!("unknown type `{mnemonic}`")))
    }

    /// The alias under which one of the dialect's attributes is defined once before its uses; a number is appended if
    /// it is not unique. `text` is the text after `#dialect` up to the first nested attribute. `None` if the
    /// attribute is printed in place.
    fn attr_alias(&self, text: &str) -> Option<&'static str> {
        let _ = text;
        None
    }

    /// The alias of one of the dialect's types; `text` is the text after `!dialect`.
    fn type_alias(&self, text: &str) -> Option<&'static str> {
        let _ = text;
        None
    }
}
service!(dyn Asm, "Asm", Optional);

/// Implements the service for dialects whose attributes are keywords or lists of keywords: those declared with
/// [`AttrSyntax::EnumOpaque`].
pub struct EnumAttrs {
    syntaxes: &'static [AttrSyntax],
    /// The mnemonics of all attributes, if there are no others and no types.
    all: Option<Vec<&'static str>>,
}

impl EnumAttrs {
    /// Attributes with this syntax; the dialect may have others, and types.
    pub fn new(syntaxes: &'static [AttrSyntax]) -> Self {
        Self { syntaxes, all: None }
    }

    /// Attributes with this syntax, no others, and no types.
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
