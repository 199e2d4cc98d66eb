//! Parsing of locations.

use super::numbers::literal;
use super::{Alias, AliasUse, Parsed, Parser, Tok};
use crate::{AttrData, Loc, LocData};

impl Parser<'_> {
    /// Parses an optional `loc(...)` of an operation or argument: the alias of a location may be defined later.
    pub(crate) fn optional_loc(&mut self) -> Parsed<Option<Loc>> {
        let alias = |parser: &mut Self| match parser.tok.kind {
            Tok::Hash => parser.location_alias(AliasUse::Anywhere),
            _ => parser.location(),
        };
        self.optional_loc_of(alias, "expected ')' in location")
    }

    /// Parses an optional `loc(...)` in place of an attribute, with other messages.
    pub(super) fn inline_loc(&mut self) -> Parsed<Option<Loc>> {
        self.optional_loc_of(Self::location, "expected ')' in inline location")
    }

    fn optional_loc_of(
        &mut self,
        location: impl FnOnce(&mut Self) -> Parsed<Loc>,
        not_closed: &str,
    ) -> Parsed<Option<Loc>> {
        if !self.is_word("loc") {
            return Ok(None);
        }
        self.advance();
        self.expect_or("(", "expected '(' in location")?;
        let loc = location(self)?;
        self.expect_or(")", not_closed)?;
        Ok(Some(loc))
    }

    /// Parses the part between the parentheses.
    pub(crate) fn location(&mut self) -> Parsed<Loc> {
        self.deeper(Self::location_inner)
    }

    fn location_inner(&mut self) -> Parsed<Loc> {
        match self.tok.kind {
            Tok::Hash => self.location_alias(AliasUse::Earlier),
            Tok::String => self.named_location(),
            Tok::Word => match self.spelling() {
                "unknown" => {
                    self.advance();
                    Ok(Loc::UNKNOWN)
                }
                "callsite" => {
                    self.advance();
                    self.expect_or("(", "expected '(' in callsite location")?;
                    let callee = self.location()?;
                    self.expect_word("at", " in callsite location")?;
                    let caller = self.location()?;
                    self.expect_or(")", "expected ')' in callsite location")?;
                    Ok(Loc::call_site(self.ctx, callee, caller))
                }
                "fused" => self.fused_location(),
                // An alias or a dialect's attribute replaces the whole `loc(..)`.
                "loc" => self.inline_loc().map(|loc| loc.unwrap_or(Loc::UNKNOWN)),
                _ => Err(self.error_wrong_token("expected location instance")),
            },
            _ => Err(self.error_wrong_token("expected location instance")),
        }
    }

    fn location_alias(&mut self, of: AliasUse) -> Parsed<Loc> {
        let span = self.span();
        if self.spelling().contains('.') {
            return Err(self.error("expected location, but found dialect attribute"));
        }
        match self.alias(of)? {
            Alias::Attr(attr) => match attr.data(self.ctx) {
                AttrData::Location(loc) => Ok(*loc),
                _ => Err(self.error_at(span, "expected location, but found another attribute")),
            },
            _ => Err(self.error_at(span, "expected location, but found a type")),
        }
    }

    fn named_location(&mut self) -> Parsed<Loc> {
        let name = self.string_name()?;
        if self.eat(":") {
            let line = self.position("line")?;
            let has_column = self.eat(":");
            let start = (line, if has_column { self.position("column")? } else { 0 });
            let file = self.ctx.name(&name);
            if !has_column || !self.eat_word("to") {
                return Ok(Loc::file(self.ctx, &name, start.0, start.1));
            }
            let end = if self.eat(":") { (start.0, self.position("column")?) } else { self.line_col()? };
            if start == end {
                return Ok(Loc::file(self.ctx, &name, start.0, start.1));
            }
            return Ok(Loc::intern(self.ctx, LocData::Range { file, start, end }));
        }
        let child = if self.eat("(") {
            let child = self.location()?;
            self.expect_or(")", "expected ')' after child location of NameLoc")?;
            child
        } else {
            Loc::UNKNOWN
        };
        Ok(Loc::named(self.ctx, &name, child))
    }

    fn line_col(&mut self) -> Parsed<(u32, u32)> {
        let line = self.position("line")?;
        Ok((line, if self.eat(":") { self.position("column")? } else { 0 }))
    }

    fn position(&mut self, what: &str) -> Parsed<u32> {
        match literal(self.spelling()).and_then(|value| u32::try_from(value).ok()) {
            Some(value) if self.tok.kind == Tok::Integer => {
                self.advance();
                Ok(value)
            }
            _ => Err(self.error(format!("expected integer {what} number in FileLineColRange"))),
        }
    }

    fn fused_location(&mut self) -> Parsed<Loc> {
        self.advance();
        let metadata = if self.eat("<") {
            let metadata = self.attribute(None)?;
            self.expect_or(">", "expected '>' after fused location metadata")?;
            Some(metadata)
        } else {
            None
        };
        self.expect_or("[", "expected '[' in fused location")?;
        let mut parts: Vec<Loc> = Vec::new();
        self.list_until("]", "expected ']' in fused location", |parser| {
            parts.push(parser.location()?);
            Ok(())
        })?;
        Ok(match metadata {
            Some(metadata) => Loc::fused_with(self.ctx, &parts, metadata),
            None => Loc::fused(self.ctx, &parts),
        })
    }
}
