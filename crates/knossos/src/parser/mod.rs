//! From tokens to the syntax tree, by recursive descent with a budget of depth.
//!
//! The parser never fails: what it does not understand becomes an error node and a diagnostic, and it goes on after
//! the bracket that closes the list.

mod expr;
mod names;
mod top;
mod types;

use crate::ast::{ExprId, Ident, Program};
use crate::lexer::{Token, TokenKind, lex};
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use minoan_frontend::{Reporter, with_stack};

/// How deep expressions and types may nest.
pub const DEEPEST: usize = 20_000;

/// Reads a file. The program holds every form that could be read; the diagnostics say what could not.
pub fn parse(sources: &SourceMap, file: FileId) -> (Program, Diagnostics) {
    let text = sources.file(file).text().clone();
    let mut reporter = Reporter::default();
    let tokens = lex(file, &text, &mut reporter);
    let program = Program::new(file);
    let mut parser = Parser { text: &text, tokens, at: 0, depth: 0, too_deep: false, program, reporter };
    parser.items();
    (parser.program, parser.reporter.finish())
}

/// Words that cannot name a variable or a function.
pub(crate) const RESERVED: [&str; 15] = [
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
    /// Whether the depth was reported for this top-level form.
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

    /// The name at `index`, or an empty text.
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

    /// From the token at `first` to the last one that was consumed.
    fn span_from(&self, first: usize) -> Span {
        let last = self.token_at(self.at.saturating_sub(1).max(first));
        self.span_of(self.token_at(first)).to(self.span_of(last))
    }

    /// One past the element that starts at `index`: over a whole list when it is an opening bracket.
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

    /// The indices of up to `most` elements of the list that opens at `index`, and whether there are no more.
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

    /// What stands here, for "found ...".
    fn found(&self) -> String {
        let token = self.token();
        match token.kind {
            TokenKind::End => "the end of the file".into(),
            TokenKind::Open => match self.name_at(self.at + 1) {
                "" => "'('".into(),
                word => format!("'({} ...'", crate::lexer::clip(word)),
            },
            _ if token.start == token.end => "the end of the list".into(),
            _ => format!("'{}'", crate::lexer::clip(self.word_of(token))),
        }
    }

    /// "expected ..., found ...", here.
    fn expected(&mut self, what: &str) {
        if self.kind() == TokenKind::Bad {
            return;
        }
        let error = Diagnostic::error(format!("expected {what}, found {}", self.found())).at(self.here());
        self.reporter.report(error);
    }

    /// Leaves the list whose closing bracket is at `close`; whatever is left in it is an error.
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

    /// A name that is bound: not a reserved word.
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

    /// Runs `work` one level deeper, or reports that this is too deep and steps over the element.
    fn nested<R>(&mut self, too_deep: R, work: impl FnOnce(&mut Self) -> R) -> R {
        if self.depth >= DEEPEST {
            if !self.too_deep {
                self.too_deep = true;
                let message = format!("nesting deeper than {DEEPEST} levels");
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
