//! A recursive-descent parser with a nesting limit.
//!
//! The parser never fails: malformed input becomes an error node and a diagnostic, and parsing resumes after the
//! closing bracket of the list.

mod expr;
mod names;
mod top;
mod types;

use crate::ast::{ExprId, Ident, Program};
use crate::lexer::{Token, TokenKind, lex};
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use minoan_frontend::{Reporter, with_stack};

/// The maximum nesting depth of expressions and types.
pub const MAX_DEPTH: usize = 20_000;

/// Parses a file. The program contains every form that could be parsed; the diagnostics report the others.
pub fn parse(sources: &SourceMap, file: FileId) -> (Program, Diagnostics) {
    parse_all(sources, file, &[])
}

/// Parses several files as one program: the forms of `file`, followed by those of each of `others`.
pub fn parse_all(sources: &SourceMap, file: FileId, others: &[FileId]) -> (Program, Diagnostics) {
    let (mut program, mut reporter) = (Program::new(file), Reporter::default());
    for &one in std::iter::once(&file).chain(others) {
        let text = sources.file(one).text().clone();
        let tokens = lex(one, &text, &mut reporter);
        program.file = one;
        let mut parser = Parser { text: &text, tokens, at: 0, depth: 0, too_deep: false, program, reporter };
        parser.items();
        (program, reporter) = (parser.program, parser.reporter);
    }
    program.file = file;
    (program, reporter.finish())
}

/// Words that cannot name a variable or a function.
pub const RESERVED: [&str; 15] = [
    "def", "edef", "rule", "let", "if", "assert", "call", "tuple", "$dummy", "Integer", "Float", "Vec",
    "Lam", "String", "true",
];

pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) || matches!(word, "false" | ":")
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// Whether excessive nesting has been reported for this top-level form.
    too_deep: bool,
    program: Program,
    reporter: Reporter,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token {
        self.peek(0)
    }

    fn peek(&self, ahead: usize) -> Token {
        self.token_at(self.at + ahead)
    }

    fn token_at(&self, index: usize) -> Token {
        self.tokens[index.min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn word_of(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The name at `index`; empty if there is none.
    fn name_at(&self, index: usize) -> &'a str {
        let token = self.token_at(index);
        if token.kind == TokenKind::Name { self.word_of(token) } else { "" }
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.program.file, token.start, token.end)
    }

    fn here(&self) -> Span {
        self.span_of(self.token())
    }

    /// The span from the token at `first` to the last consumed token.
    fn span_from(&self, first: usize) -> Span {
        let last = self.token_at(self.at.saturating_sub(1).max(first));
        self.span_of(self.token_at(first)).to(self.span_of(last))
    }

    /// The index after the element that starts at `index`, skipping a whole list.
    fn after(&self, index: usize) -> usize {
        let token = self.token_at(index);
        match token.kind {
            TokenKind::Open | TokenKind::OpenBracket => token.partner as usize + 1,
            TokenKind::End | TokenKind::Close | TokenKind::CloseBracket => index,
            _ => index + 1,
        }
    }

    fn skip(&mut self) {
        self.at = self.after(self.at);
    }

    /// The indices of the first `most` elements of the list that opens at `index`, and whether these are all.
    fn elements(&self, index: usize, most: usize) -> (Vec<usize>, bool) {
        let close = self.token_at(index).partner as usize;
        let mut starts = Vec::new();
        let mut at = index + 1;
        while at < close && starts.len() < most {
            starts.push(at);
            at = self.after(at);
        }
        (starts, at >= close)
    }

    /// A description of the current token for "found ...".
    fn found(&self) -> String {
        let token = self.token();
        match token.kind {
            TokenKind::End => "the end of the file".into(),
            TokenKind::Open => match self.name_at(self.at + 1) {
                "" => "'('".into(),
                word => format!("'({} ...'", minoan_frontend::clip(word)),
            },
            _ if token.start == token.end => "the end of the list".into(),
            _ => format!("'{}'", minoan_frontend::clip(self.word_of(token))),
        }
    }

    /// Reports "expected ..., found ..." at the current token.
    fn expected(&mut self, what: &str) {
        if self.kind() == TokenKind::Bad {
            return;
        }
        let error = Diagnostic::error(format!("expected {what}, found {}", self.found())).at(self.here());
        self.reporter.report(error);
    }

    /// Leaves the list whose closing bracket is at `close`; remaining elements are an error.
    fn close(&mut self, close: usize, form: &str) {
        if self.at < close {
            let span = self.here();
            if self.kind() != TokenKind::Bad {
                let message = format!("expected ')' at the end of {form}, found {}", self.found());
                self.reporter.report(Diagnostic::error(message).at(span));
            }
        }
        self.at = close + 1;
    }

    /// Parses a bound name, which must not be a reserved word.
    fn binder(&mut self, what: &str) -> Option<Ident> {
        let token = self.token();
        let word = self.word_of(token);
        if token.kind != TokenKind::Name {
            self.expected(what);
            return None;
        }
        let span = self.here();
        if is_reserved(word) {
            let message = format!("expected {what}, found the reserved word '{word}'");
            self.reporter.report(Diagnostic::error(message).at(span));
            self.at += 1;
            return None;
        }
        self.at += 1;
        Some(Ident { name: self.program.names.intern(word), span })
    }

    /// Runs `work` one level deeper, or reports excessive nesting and skips the element.
    fn nested<R>(&mut self, too_deep: R, work: impl FnOnce(&mut Self) -> R) -> R {
        if self.depth >= MAX_DEPTH {
            if !self.too_deep {
                self.too_deep = true;
                let message = format!("nesting deeper than {MAX_DEPTH} levels");
                self.reporter.report(Diagnostic::error(message).at(self.here()));
            }
            self.skip();
            return too_deep;
        }
        self.depth += 1;
        let result = with_stack(|| work(self));
        self.depth -= 1;
        result
    }

    fn error_expr(&mut self, span: Span) -> ExprId {
        self.program.add_expr(crate::ast::ExprKind::Error, span)
    }
}
