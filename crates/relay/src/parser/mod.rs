//! A recursive-descent parser with a nesting limit.
//!
//! The parser never fails: a malformed binding becomes an error node and a diagnostic, and parsing resumes after the
//! next semicolon, or else at the next definition.

mod attrs;
mod blocks;
mod expr;
mod items;
mod types;

pub(crate) use items::VERSION;

use crate::ast::{ExprId, ExprKind, Ident, MetaRef, Module};
use crate::lexer::lex;
use crate::token::{KEYWORDS, Token, TokenKind};
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span, nearest};
use minoan_frontend::{Reporter, clip, with_stack};

/// The maximum nesting depth of expressions and types.
pub const MAX_DEPTH: usize = 20_000;

/// The maximum number of operators in a row without parentheses.
pub const MAX_CHAIN: usize = 100_000;

/// Parses a file. The module contains every form that could be parsed; the diagnostics report the others.
pub fn parse(sources: &SourceMap, file: FileId) -> (Module, Diagnostics) {
    let (module, reporter) = parse_into(Module::new(file), sources, file, Reporter::default());
    (module, reporter.finish())
}

/// Like [`parse`], with the definitions of the standard [prelude](crate::PRELUDE), and with tensor arrays of the element types
/// that the file mentions in names such as `@tensor_array_read_float32`.
pub fn parse_with_prelude(sources: &SourceMap, file: FileId) -> (Module, Diagnostics) {
    let prelude = sources.add("prelude.relay", crate::PRELUDE);
    let (mut module, mut reporter) = parse_into(Module::new(prelude), sources, prelude, Reporter::default());
    for arrays in crate::prelude::tensor_arrays(sources.file(file).text()) {
        let arrays = sources.add("tensor_arrays.relay", arrays);
        (module, reporter) = parse_into(module, sources, arrays, reporter);
    }
    module.prelude_items = module.items.len();
    module.file = file;
    let (module, reporter) = parse_into(module, sources, file, reporter);
    (module, reporter.finish())
}

fn parse_into(
    module: Module,
    sources: &SourceMap,
    file: FileId,
    mut reporter: Reporter,
) -> (Module, Reporter) {
    let text = sources.file(file).text().clone();
    let tokens = lex(file, &text, &mut reporter);
    let mut parser = Parser { text: &text, file, tokens, at: 0, depth: 0, module, reporter };
    parser.items();
    (parser.module, parser.reporter)
}

/// The recovery level after an error, which has been reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Abort {
    /// The enclosing block resumes after the next semicolon.
    Binding,
    /// The whole definition is skipped.
    Item,
}

type Parsed<T> = Result<T, Abort>;

struct Parser<'a> {
    text: &'a str,
    file: FileId,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    module: Module,
    reporter: Reporter,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token {
        self.peek(0)
    }

    fn peek(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn is(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    fn text_of(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The word at the cursor; empty if there is none.
    fn word(&self) -> &'a str {
        self.word_at(0)
    }

    fn word_at(&self, ahead: usize) -> &'a str {
        let token = self.peek(ahead);
        if token.kind == TokenKind::Word { self.text_of(token) } else { "" }
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    fn here(&self) -> Span {
        self.span_of(self.token())
    }

    /// The span from the token at `first` to the last consumed token.
    fn span_from(&self, first: usize) -> Span {
        let last = self.at.saturating_sub(1).max(first).min(self.tokens.len() - 1);
        Span::new(self.file, self.tokens[first].start, self.tokens[last].end)
    }

    /// Consumes the token at the cursor if it has this kind.
    fn accept(&mut self, kind: TokenKind) -> bool {
        let found = self.is(kind);
        self.at += usize::from(found);
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<()> {
        if self.accept(kind) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Consumes the bracket that closes the one at `open`.
    fn close(&mut self, kind: TokenKind, closer: &str, open: usize) -> Parsed<()> {
        if self.accept(kind) {
            return Ok(());
        }
        if !self.is(TokenKind::Bad) {
            let message = format!("expected '{closer}', found {}", self.found());
            let open = self.span_of(self.tokens[open]);
            self.reporter.report(Diagnostic::error(message).at(self.here()).label(open, "to close this"));
        }
        Err(Abort::Binding)
    }

    /// A description of the current token for "found ...".
    fn found(&self) -> String {
        match self.kind() {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Metadata => "the metadata section".to_owned(),
            _ => format!("'{}'", clip(self.text_of(self.token()))),
        }
    }

    /// Reports "expected ..., found ..." at the cursor.
    fn expected(&mut self, what: &str) -> Abort {
        if !self.is(TokenKind::Bad) {
            let error = Diagnostic::error(format!("expected {what}, found {}", self.found()));
            self.reporter.report(error.at(self.here()));
        }
        Abort::Binding
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.reporter.report(Diagnostic::error(message).at(span));
    }

    /// The name after the sigil of a token; its span includes the sigil.
    fn sigil_name(&mut self, token: Token) -> Ident {
        let name = self.module.names.intern(&self.text_of(token)[1..]);
        Ident { name, span: self.span_of(token) }
    }

    /// Parses a variable or function name with this sigil.
    fn sigil(&mut self, kind: TokenKind, what: &str) -> Parsed<Ident> {
        if !self.is(kind) {
            return Err(self.expected(what));
        }
        self.at += 1;
        let token = self.tokens[self.at - 1];
        Ok(self.sigil_name(token))
    }

    /// Parses a word that is not a keyword.
    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        let word = self.word();
        if word.is_empty() || KEYWORDS.contains(&word) {
            return Err(self.expected(what));
        }
        let span = self.here();
        self.at += 1;
        Ok(Ident { name: self.module.names.intern(word), span })
    }

    /// Parses words joined by points, such as `nn.dense`.
    fn dotted(&mut self, what: &str) -> Parsed<Ident> {
        let first = self.at;
        let head = self.ident(what)?;
        if !(self.is(TokenKind::Dot) && self.peek(1).kind == TokenKind::Word) {
            return Ok(head);
        }
        let mut name = self.module.text(head.name).to_owned();
        while self.is(TokenKind::Dot) && self.peek(1).kind == TokenKind::Word {
            name.push('.');
            name.push_str(self.word_at(1));
            self.at += 2;
        }
        Ok(Ident { name: self.module.names.intern(&name), span: self.span_from(first) })
    }

    /// Parses `meta[key][index]` if it is at the cursor.
    fn meta(&mut self) -> Parsed<Option<MetaRef>> {
        if self.word() != "meta" || self.peek(1).kind != TokenKind::OpenBracket {
            return Ok(None);
        }
        let open = self.at + 1;
        self.at += 2;
        let key = self.dotted("the kind of a metadata entry")?.name;
        self.close(TokenKind::CloseBracket, "]", open)?;
        let open = self.at;
        self.expect(TokenKind::OpenBracket, "'[' and the number of a metadata entry")?;
        let index = self.index("the number of a metadata entry")?;
        self.close(TokenKind::CloseBracket, "]", open)?;
        Ok(Some(MetaRef { key, index }))
    }

    /// Parses an unsigned integer without a suffix.
    fn index(&mut self, what: &str) -> Parsed<u32> {
        let token = self.token();
        let value = self.text_of(token).parse();
        match value {
            Ok(value) if token.kind == TokenKind::Number => {
                self.at += 1;
                Ok(value)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Parses elements up to and including a closing bracket. Commas after the second element are optional.
    fn sequence<T>(
        &mut self,
        open: usize,
        close: (TokenKind, &str),
        mut element: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        loop {
            if self.accept(close.0) {
                return Ok(items);
            }
            if matches!(self.kind(), TokenKind::End | TokenKind::Metadata | TokenKind::Semicolon) {
                self.close(close.0, close.1, open)?;
            }
            items.push(element(self)?);
            let closes_other =
                matches!(self.kind(), TokenKind::Close | TokenKind::CloseBracket | TokenKind::CloseBrace);
            let may_continue = items.len() >= 2 && !closes_other;
            if !self.accept(TokenKind::Comma) && !self.is(close.0) && !may_continue {
                let message = format!("expected ',' or '{}', found {}", close.1, self.found());
                if !self.is(TokenKind::Bad) {
                    let open = self.span_of(self.tokens[open]);
                    let error = Diagnostic::error(message).at(self.here()).label(open, "to close this");
                    self.reporter.report(error);
                }
                return Err(Abort::Binding);
            }
        }
    }

    /// Runs `work` one level deeper, or reports excessive nesting and skips the definition.
    fn nested<R>(&mut self, work: impl FnOnce(&mut Self) -> Parsed<R>) -> Parsed<R> {
        if self.depth >= MAX_DEPTH {
            self.error(self.here(), format!("nesting deeper than {MAX_DEPTH} levels"));
            return Err(Abort::Item);
        }
        self.depth += 1;
        let result = with_stack(|| work(self));
        self.depth -= 1;
        result
    }

    fn add(&mut self, kind: ExprKind, first: usize) -> ExprId {
        let span = self.span_from(first);
        self.module.add_expr(kind, span)
    }

    fn did_you_mean<'b>(
        error: Diagnostic,
        word: &str,
        known: impl IntoIterator<Item = &'b str>,
    ) -> Diagnostic {
        error.did_you_mean(nearest(word, known))
    }
}
