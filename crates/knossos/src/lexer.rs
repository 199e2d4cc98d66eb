//! Tokenization, with balanced brackets.
//!
//! The resulting tokens are balanced: every opening bracket knows its closing partner. Missing brackets are inserted
//! (at the end of the file, or where a new top-level form starts at the left margin) and superfluous ones are
//! dropped, each with an error, so that the parser can skip any malformed list.

use crate::literal::{self, Word};
use minoan_diag::{Diagnostic, FileId, Span};
use minoan_frontend::{Reporter, clip};

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// A standalone `:`.
    Colon,
    Integer,
    Float,
    /// A string literal, including its quotes.
    String,
    Name,
    /// An invalid token, which has been reported.
    Bad,
    /// The end of the file.
    End,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// For an opening bracket: the index of the closing one.
    pub(crate) partner: u32,
}

/// Tokenizes a file; the last token is [`TokenKind::End`].
pub(crate) fn lex(file: FileId, text: &str, reporter: &mut Reporter) -> Vec<Token> {
    let mut lexer = Lexer { file, text, at: 0, tokens: Vec::new(), reporter };
    lexer.run();
    let tokens = lexer.tokens;
    balance(file, text, tokens, reporter)
}

/// Whether an identifier may start with `c`.
pub(crate) fn starts_name(c: char) -> bool {
    c.is_alphabetic() || "_':!$%&*+.,/<=>?@\\^|-~".contains(c)
}

/// Whether an identifier may contain `c` after its first character.
pub fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || starts_name(c)
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    reporter: &'a mut Reporter,
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = 3;
        }
        while let Some(c) = self.text[self.at..].chars().next() {
            if self.reporter.is_full() {
                break;
            }
            self.token(c);
        }
        self.at = self.text.len();
        self.push(TokenKind::End, self.at);
    }

    fn token(&mut self, c: char) {
        let start = self.at;
        match c {
            _ if c.is_whitespace() => self.at += c.len_utf8(),
            ';' => {
                let rest = &self.text.as_bytes()[self.at..];
                self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            }
            '#' if self.text[start..].starts_with("#|") => self.block_comment(),
            '(' => self.bracket(TokenKind::Open),
            ')' => self.bracket(TokenKind::Close),
            '[' => self.bracket(TokenKind::OpenBracket),
            ']' => self.bracket(TokenKind::CloseBracket),
            '"' => self.string(),
            _ if c.is_ascii_digit() => self.number(start),
            '-' | '+' if self.sign_of_number() => self.number(start),
            _ if starts_name(c) => {
                self.at = self.end_of_word(start);
                let kind = if &self.text[start..self.at] == ":" { TokenKind::Colon } else { TokenKind::Name };
                self.push(kind, start);
            }
            _ => {
                // One message for a run of invalid characters.
                let rest = self.text[start..].char_indices();
                let mut meaningless = rest.skip_while(|&(_, c)| is_meaningless(c));
                self.at = meaningless
                    .next()
                    .map_or(self.text.len(), |(offset, _)| start + offset.max(c.len_utf8()));
                let printable = if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
                self.error(start, self.at, format!("unexpected character '{printable}'"));
                self.push(TokenKind::Bad, start);
            }
        }
    }

    fn bracket(&mut self, kind: TokenKind) {
        self.at += 1;
        self.push(kind, self.at - 1);
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut depth = 0usize;
        while self.at < bytes.len() {
            match &bytes[self.at..] {
                [b'#', b'|', ..] => {
                    depth += 1;
                    self.at += 2;
                }
                [b'|', b'#', ..] => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
        let error = Diagnostic::error("unclosed comment: expected '|#' before the end of the file");
        let error = error.at(self.span(start, start + 2)).caption("starts here");
        self.reporter.report(if depth > 1 {
            error.note(format!("comments nest; {depth} are open at the end of the file"))
        } else {
            error
        });
    }

    fn string(&mut self) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        loop {
            match bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return self.push(TokenKind::String, start);
                }
                Some(b'\\') => {
                    at += 1;
                    if bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
                        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
                            at += 1;
                        }
                        at += usize::from(bytes.get(at) == Some(&b'\\'));
                    } else {
                        at += 1;
                    }
                }
                None | Some(b'\n') => {
                    self.at = at.min(bytes.len());
                    self.error(
                        start,
                        self.at,
                        "unterminated string: expected '\"' before the end of the line",
                    );
                    return self.push(TokenKind::Bad, start);
                }
                Some(_) => at += 1,
            }
        }
    }

    /// Whether the sign at the cursor belongs to a number: a digit follows, after white space only where a function
    /// name is impossible.
    fn sign_of_number(&self) -> bool {
        let rest = &self.text[self.at + 1..];
        let after_open = self.tokens.last().is_some_and(|token| token.kind == TokenKind::Open);
        let rest = if after_open { rest } else { rest.trim_start() };
        rest.starts_with(|c: char| c.is_ascii_digit())
    }

    fn number(&mut self, start: usize) {
        let signed = self.text[start..].starts_with(['-', '+']);
        let digits = if signed {
            let rest = &self.text[start + 1..];
            start + 1 + (rest.len() - rest.trim_start().len())
        } else {
            start
        };
        self.at = self.end_of_word(digits);
        let word = &self.text[start..self.at];
        match literal::classify(word) {
            Word::Integer => self.push(TokenKind::Integer, start),
            Word::Float => self.push(TokenKind::Float, start),
            Word::Name => self.push(TokenKind::Name, start),
            Word::Malformed => {
                let mut error = Diagnostic::error(format!("malformed number '{}'", clip(word)))
                    .at(self.span(start, self.at));
                if let Some(whole) = word.strip_suffix('.') {
                    let fixed = format!("{whole}.0");
                    let help = format!("digits are needed on both sides of the point: '{fixed}'");
                    error = error.suggest(self.span(start, self.at), fixed, help);
                }
                self.reporter.report(error);
                self.push(TokenKind::Bad, start);
            }
        }
    }

    fn end_of_word(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        start + rest.find(|c| !continues_name(c)).unwrap_or(rest.len())
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, start: start as u32, end: self.at as u32, partner: 0 });
    }

    fn error(&mut self, start: usize, end: usize, message: impl Into<String>) {
        let span = self.span(start, end);
        self.reporter.report(Diagnostic::error(message).at(span));
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }
}

fn is_meaningless(c: char) -> bool {
    !c.is_whitespace() && !c.is_alphanumeric() && !starts_name(c) && !"()[]\";#".contains(c)
}

/// Balances the brackets.
fn balance(file: FileId, text: &str, tokens: Vec<Token>, reporter: &mut Reporter) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut open: Vec<usize> = Vec::new();
    let mut stray = 0;
    let at = |token: &Token| Span::new(file, token.start, token.end);
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open | TokenKind::OpenBracket => {
                if !open.is_empty() && starts_item(text, &tokens, index) {
                    close_all(file, &mut out, &mut open, token, "before the next top-level form", reporter);
                }
                open.push(out.len());
            }
            TokenKind::Close | TokenKind::CloseBracket => {
                let Some(partner) = open.pop() else {
                    // Report a run of stray brackets once.
                    if stray != index || index == 0 {
                        let found = &text[token.start as usize..token.end as usize];
                        reporter.report(Diagnostic::error(format!("unexpected '{found}'")).at(at(token)));
                    }
                    stray = index + 1;
                    continue;
                };
                let expected = closer(out[partner].kind);
                if token.kind != expected {
                    let (found, wanted) = if expected == TokenKind::Close { (']', ')') } else { (')', ']') };
                    reporter.report(
                        Diagnostic::error(format!("expected '{wanted}', found '{found}'"))
                            .at(at(token))
                            .label(at(&out[partner]), "to close this"),
                    );
                }
                out[partner].partner = out.len() as u32;
                out.push(Token { kind: expected, ..*token });
                continue;
            }
            TokenKind::End if !open.is_empty() => {
                close_all(file, &mut out, &mut open, token, "before the end of the file", reporter);
            }
            _ => {}
        }
        out.push(*token);
    }
    out
}

/// Whether the bracket at `index` is at the left margin and starts a top-level form.
fn starts_item(text: &str, tokens: &[Token], index: usize) -> bool {
    let start = tokens[index].start as usize;
    let margin = start == 0 || text.as_bytes()[start - 1] == b'\n';
    let word = tokens.get(index + 1).filter(|next| next.kind == TokenKind::Name);
    let word = word.map(|next| &text[next.start as usize..next.end as usize]);
    margin && matches!(word, Some("def" | "edef" | "gdef" | "rule"))
}

fn closer(open: TokenKind) -> TokenKind {
    if open == TokenKind::Open { TokenKind::Close } else { TokenKind::CloseBracket }
}

fn close_all(
    file: FileId,
    out: &mut Vec<Token>,
    open: &mut Vec<usize>,
    before: &Token,
    place: &str,
    reporter: &mut Reporter,
) {
    let (count, first) = (open.len(), out[open[0]]);
    let span = Span::new(file, first.start, first.end);
    let wanted = if closer(first.kind) == TokenKind::Close { ')' } else { ']' };
    let mut error = Diagnostic::error(format!("unclosed bracket: expected '{wanted}' {place}")).at(span);
    if count > 1 {
        error = error.note(format!("{count} brackets are open there"));
    }
    reporter.report(error);
    let end = out.last().map_or(before.start, |last| last.end);
    while let Some(partner) = open.pop() {
        out[partner].partner = out.len() as u32;
        let kind = closer(out[partner].kind);
        out.push(Token { kind, start: end, end, partner: 0 });
    }
}
