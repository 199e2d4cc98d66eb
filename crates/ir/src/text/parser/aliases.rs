//! Definitions and uses of aliases of types, attributes and locations.

use super::{Parsed, Parser};
use crate::text::lexer::{Lexer, Tok};
use crate::{Attr, Type};
use minoan_diag::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// The definition of an alias.
#[derive(Clone, Copy)]
pub(crate) enum Alias {
    Type(Type),
    Attr(Attr),
    /// Being parsed.
    Busy,
}

/// A defined alias.
#[derive(Clone, Copy)]
pub(super) struct Defined {
    alias: Alias,
    /// The approximate size in bytes of its text with all nested aliases expanded.
    bytes: u64,
    /// The position of the definition.
    at: u32,
}

/// Limit on the expanded size of the aliases that one operation uses. Nested aliases can double the size with each
/// line, and a printer without aliases would not terminate.
const MAX_SPELLED_OUT: u64 = 64 << 20;
/// The limit relative to the size of the text, for large blobs.
const MAX_GROWTH: u64 = 16;

/// The position at which an alias must be defined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AliasUse {
    /// Before its use: a type or attribute.
    Earlier,
    /// Anywhere in the text: the location of an operation or argument.
    Anywhere,
}

/// The position of an alias definition.
#[derive(Clone, Copy)]
struct LaterAlias {
    pos: u32,
    line: u32,
}

/// The alias definitions in a text, found by a scan of its lines: a definition occupies one line.
pub(super) struct LaterAliases<'c> {
    at: FxHashMap<&'c str, LaterAlias>,
    /// In text order.
    order: Vec<(&'c str, LaterAlias)>,
    /// The number of definitions that were parsed early because the alias was used before them.
    n_read: usize,
}

impl<'c> LaterAliases<'c> {
    fn of(text: &'c str, first_line: u32) -> Self {
        let mut order = Vec::new();
        let mut offset = 0u32;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            if line.starts_with(['#', '!']) {
                let mut lexer = Lexer::new(line);
                let (first, second) = (lexer.next(), lexer.next());
                if line.get(second.start as usize..second.end as usize) == Some("=") {
                    let start = offset as usize;
                    let place = LaterAlias { pos: offset, line: number as u32 + first_line };
                    order.push((&text[start..start + first.end as usize], place));
                }
            }
            offset += line.len() as u32;
        }
        // The first definition counts; others are errors.
        let at = order.iter().rev().copied().collect();
        Self { at, order, n_read: 0 }
    }

    fn next(&mut self) -> Option<(&'c str, LaterAlias)> {
        let next = self.order.get(self.n_read).copied();
        self.n_read += usize::from(next.is_some());
        next
    }
}

impl<'c> Parser<'c> {
    /// Resolves the alias at the current token.
    pub(crate) fn alias(&mut self, of: AliasUse) -> Parsed<Alias> {
        let (span, name) = (self.span(), self.spelling());
        self.record_alias_use(name, span);
        self.advance();
        let behind = self.wrong_token_span();
        if of == AliasUse::Anywhere && !self.aliases.contains_key(name) {
            self.find_later_alias(name)?;
        }
        match self.aliases.get(name) {
            // The locations of operations may have led to definitions behind this use.
            Some(&Defined { alias, bytes, at })
                if !matches!(alias, Alias::Busy) && (at < span.start || of == AliasUse::Anywhere) =>
            {
                self.count_spelled_out(bytes, span)?;
                Ok(alias)
            }
            _ => Err(self.undefined_alias(of, name, span, behind)),
        }
    }

    #[cold]
    fn undefined_alias(
        &mut self,
        of: AliasUse,
        name: &'c str,
        span: Span,
        behind: Span,
    ) -> super::ParseError {
        let (message, at) = match of {
            AliasUse::Anywhere => (format!("operation location alias was never defined: '{name}'"), span),
            AliasUse::Earlier => (format!("undefined symbol alias id '{}'", &name[1..]), behind),
        };
        let error = Diagnostic::error(message).at(at);
        let (text, first_line) = (self.text, self.first_line);
        let later = self.later_aliases.get_or_insert_with(|| LaterAliases::of(text, first_line));
        if let Some(&LaterAlias { line, .. }) = later.at.get(name) {
            return self
                .report(error.help(format!("define '{name}', which line {line} does, before its use")));
        }
        let defined = self.aliases.iter().filter(|(_, defined)| defined.at < span.start);
        let near = minoan_diag::nearest(name, defined.map(|(&name, _)| name));
        self.report(error.did_you_mean(near))
    }

    /// The meaning of an alias, if it is one; as [`Parser::alias`], but the name is not the token under the cursor.
    pub(super) fn alias_if_defined(&mut self, name: &'c str, span: Span) -> Parsed<Option<Alias>> {
        self.record_alias_use(name, span);
        if !self.aliases.contains_key(name) {
            self.find_later_alias(name)?;
        }
        match self.aliases.get(name) {
            None | Some(Defined { alias: Alias::Busy, .. }) => Ok(None),
            Some(&Defined { alias, bytes, .. }) => {
                self.count_spelled_out(bytes, span)?;
                Ok(Some(alias))
            }
        }
    }

    /// Adds to the bytes of expanded aliases, which are bounded.
    fn count_spelled_out(&mut self, bytes: u64, span: Span) -> Parsed<()> {
        self.spelled_out = self.spelled_out.saturating_add(bytes);
        let most = MAX_SPELLED_OUT.max(MAX_GROWTH * self.text.len() as u64);
        if self.spelled_out <= most {
            return Ok(());
        }
        Err(self.error_at(span, format!("the aliases here expand to more than {most} bytes of text")))
    }

    /// Parses alias definitions up to that of `name`, in text order: a definition precedes its uses in other definitions.
    fn find_later_alias(&mut self, name: &'c str) -> Parsed<()> {
        let (text, first_line) = (self.text, self.first_line);
        let later = self.later_aliases.get_or_insert_with(|| LaterAliases::of(text, first_line));
        let Some(&target) = later.at.get(name) else { return Ok(()) };
        let saved = (self.lexer, self.tok, self.prev_end);
        let mut result = Ok(());
        while let Some((next, LaterAlias { pos, line })) =
            self.later_aliases.as_mut().and_then(LaterAliases::next)
        {
            if !self.aliases.contains_key(next) {
                self.lexer.jump(pos, line);
                self.advance();
                result = self.deeper(|parser| parser.alias_definition());
            }
            if pos >= target.pos {
                break;
            }
        }
        (self.lexer, self.tok, self.prev_end) = saved;
        if self.aliases.contains_key(name) { Ok(()) } else { result }
    }

    /// Parses `#name = attribute` or `!name = type`.
    pub(crate) fn alias_definition(&mut self) -> Parsed<()> {
        let (span, name, kind) = (self.span(), self.spelling(), self.tok.kind);
        // A definition that a location led to is parsed again.
        let again = self.aliases.get(name).is_some_and(|known| known.at == span.start);
        if name.contains('.') {
            return Err(self.error(if kind == Tok::Bang {
                "type names with a '.' are reserved for dialect-defined names"
            } else {
                "attribute names with a '.' are reserved for dialect-defined names"
            }));
        }
        if self.aliases.contains_key(name) && !again {
            return Err(self.error(format!(
                "redefinition of {} alias id '{}'",
                if kind == Tok::Bang { "type" } else { "attribute" },
                &name[1..]
            )));
        }
        self.record_alias_definition(name, span);
        self.advance();
        let what = if kind == Tok::Bang { "type" } else { "attribute" };
        self.expect_or("=", &format!("expected '=' in {what} alias definition"))?;
        let at = span.start;
        self.aliases.insert(name, Defined { alias: Alias::Busy, bytes: 0, at });
        let (start, outside) = (self.tok.start, std::mem::take(&mut self.spelled_out));
        let alias = match kind {
            Tok::Bang => self.ty().map(Alias::Type),
            _ => self.attribute(None).map(Alias::Attr),
        };
        let own = u64::from(self.prev_end.saturating_sub(start));
        let bytes = own + std::mem::replace(&mut self.spelled_out, outside);
        match alias {
            Ok(alias) => self.aliases.insert(name, Defined { alias, bytes, at }),
            Err(error) => {
                self.aliases.remove(name);
                return Err(error);
            }
        };
        Ok(())
    }
}
