//! The text of attributes and types of dialects that do not parse their own.
//!
//! The text is kept unchanged, except for aliases in it: their definitions do not outlive the parser, so each is replaced
//! by its value.

use super::{Alias, Parsed, Parser};
use crate::text::lexer::{Lexer, is_word, name_end};
use crate::text::{may_have_alias, print_attr, print_type};
use crate::{Attr, AttrData, Piece};
use minoan_diag::Span;
use std::borrow::Cow;

/// An attribute or a type of a dialect: `#foo.bar<1>`.
pub(super) struct DialectText<'c> {
    /// The namespace: `foo`.
    pub(super) dialect: &'c str,
    /// The text after the namespace: `.bar<1>`.
    pub(super) text: Cow<'c, str>,
    /// The same in pieces, if it contains attributes that are printed by aliases.
    pub(super) pieces: Vec<Piece>,
}

impl<'c> Parser<'c> {
    /// Parses a `#name` or `!name` token that belongs to a dialect, because it has a dot or is followed by `<`, and the brackets
    /// after it. `None` if the token is the name of an alias.
    pub(super) fn dialect_text(&mut self) -> Parsed<Option<DialectText<'c>>> {
        let start = self.tok.start as usize + 1;
        let name = &self.spelling()[1..];
        let bracket = self.lexer.next_byte() == b'<';
        let dot = name.find('.');
        if dot.is_none() && !bracket {
            return Ok(None);
        }
        let (mut end, span) = (self.tok.end, self.span());
        if bracket {
            match self.lexer.skip_brackets() {
                Ok(at) => end = at,
                Err(open) => {
                    let angle = Span { start: span.end, end: span.end + 1, ..span };
                    let message =
                        format!("unbalanced '{}' character in pretty dialect name", char::from(open));
                    return Err(self.error_at(angle, message));
                }
            }
        }
        let split = start + dot.unwrap_or(name.len());
        let (dialect, text) = (&self.text[start..split], &self.text[split..end as usize]);
        self.tok.end = end;
        self.advance();
        let mentions_aliases = bracket && text.bytes().any(|byte| matches!(byte, b'#' | b'!'));
        let spelled_out = if mentions_aliases { self.spell_out(text, span)? } else { None };
        Ok(Some(match spelled_out {
            None => DialectText { dialect, text: pretty_text(text), pieces: Vec::new() },
            Some((text, pieces)) => {
                let pieces = if dot.is_some() { pieces } else { Vec::new() };
                DialectText { dialect, text: pretty_text(&text).into_owned().into(), pieces }
            }
        }))
    }

    /// Replaces the aliases in a text by their values; `None` if the text has no aliases. In the pieces, an attribute remains
    /// separate if the printer may write it as an alias.
    fn spell_out(&mut self, text: &'c str, span: Span) -> Parsed<Option<(String, Vec<Piece>)>> {
        let bytes = text.as_bytes();
        let (mut whole, mut pieces, mut piece) = (String::new(), Vec::new(), String::new());
        // How far the text was looked at, and how far it was copied.
        let (mut pos, mut copied) = (0, 0);
        while let Some(&byte) = bytes.get(pos) {
            match byte {
                b'"' => {
                    let mut lexer = Lexer::new(&text[pos..]);
                    pos += (lexer.next().end as usize).max(1);
                    continue;
                }
                b'#' | b'!' => {}
                _ => {
                    pos += 1;
                    continue;
                }
            }
            let end = name_end(bytes, pos + 1).unwrap_or(pos + 1);
            let (alias, end) = self.attribute_inside(text, pos, end, span)?;
            let spelled = match alias {
                Some(Alias::Type(ty)) => print_type(self.ctx, ty),
                Some(Alias::Attr(attr)) => print_attr(self.ctx, attr),
                Some(Alias::Busy) | None => {
                    pos = end;
                    continue;
                }
            };
            let before = &text[copied..pos];
            whole.push_str(before);
            whole.push_str(&spelled);
            piece.push_str(before);
            match alias {
                Some(Alias::Attr(attr)) if may_have_alias(self.ctx, attr.data(self.ctx)) => {
                    let before = self.ctx.name(&std::mem::take(&mut piece));
                    pieces.extend([Piece::Text(before), Piece::Attr(attr)]);
                }
                _ => piece.push_str(&spelled),
            }
            (pos, copied) = (end, end);
        }
        if copied == 0 {
            return Ok(None);
        }
        whole.push_str(&text[copied..]);
        if !pieces.is_empty() {
            piece.push_str(&text[copied..]);
            pieces.push(Piece::Text(self.ctx.name(&piece)));
        }
        Ok(Some((whole, pieces)))
    }

    /// Resolves a name that begins with `#` or `!` and returns the end of its text: an alias, or an attribute (with its
    /// parameters in brackets) that prints as an alias.
    fn attribute_inside(
        &mut self,
        text: &'c str,
        start: usize,
        end: usize,
        span: Span,
    ) -> Parsed<(Option<Alias>, usize)> {
        let name = &text[start..end];
        let bracket = text.as_bytes().get(end) == Some(&b'<');
        let Some((dialect, _)) = name[1..].split_once('.') else {
            let is_alias = name.len() > 1 && !bracket;
            return Ok((if is_alias { self.alias_if_defined(name, span)? } else { None }, end));
        };
        let has_alias = name.starts_with('#')
            && self
                .ctx
                .foreign(dialect)
                .is_some_and(|known| known.alias(&name[1 + dialect.len()..]).is_some());
        if !has_alias {
            return Ok((None, end));
        }
        let close = match bracket.then(|| Lexer::new(&text[end..]).skip_brackets()) {
            None => end,
            Some(Ok(length)) => end + length as usize,
            Some(Err(_)) => return Ok((None, end)),
        };
        let inside = &text[start + 1 + dialect.len()..close];
        let attr = self.deeper(|parser| {
            Ok(match parser.spell_out(inside, span)? {
                Some((_, pieces)) if !pieces.is_empty() => parser.attribute_of_pieces(dialect, pieces),
                Some((text, _)) => Attr::opaque(parser.ctx, dialect, &text),
                None => Attr::opaque(parser.ctx, dialect, inside),
            })
        })?;
        Ok((Some(Alias::Attr(attr)), close))
    }

    /// The attribute of a dialect that is not loaded whose text contains attributes.
    pub(super) fn attribute_of_pieces(&self, dialect: &str, pieces: Vec<Piece>) -> Attr {
        let dialect = self.ctx.name(dialect);
        self.ctx.intern_attr(AttrData::Structured { dialect, pieces: pieces.into() })
    }
}

/// Rewrites `<name>` and `<name<..>>` to `.name` and `.name<..>`: normalizes both spellings to one text.
fn pretty_text(text: &str) -> Cow<'_, str> {
    let Some(inner) = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) else {
        return text.into();
    };
    let name = inner.find('<').map_or(inner, |at| &inner[..at]);
    let closed = name.len() == inner.len() || {
        // The bracket that opens after the name must be closed by the last one.
        let mut lexer = Lexer::new(&inner[name.len()..]);
        lexer.skip_brackets() == Ok((inner.len() - name.len()) as u32)
    };
    if is_word(name.as_bytes()) && name.as_bytes()[0] != b'_' && !name.contains('$') && closed {
        format!(".{inner}").into()
    } else {
        text.into()
    }
}
