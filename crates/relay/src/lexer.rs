//! Tokenization.

use crate::token::{Token, TokenKind};
use minoan_diag::{Diagnostic, FileId, Span};
use minoan_frontend::{Reporter, clip};

/// Tokenizes a file; the last token is [`TokenKind::End`]. Stops before the metadata section.
pub(crate) fn lex(file: FileId, text: &str, reporter: &mut Reporter) -> Vec<Token> {
    let tokens = Vec::with_capacity(text.len() / 4);
    let mut lexer = Lexer { file, text, bytes: text.as_bytes(), at: 0, tokens, reporter };
    lexer.run();
    lexer.tokens
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    reporter: &'a mut Reporter,
}

/// Whether a name may start with the byte.
fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = 3;
        }
        while let Some(&byte) = self.bytes.get(self.at) {
            if self.reporter.is_full() {
                self.at = self.bytes.len();
                break;
            }
            let start = self.at;
            self.token(byte);
            if self.tokens.last().is_some_and(|last| last.kind == TokenKind::Metadata) {
                break;
            }
            debug_assert!(self.at > start);
        }
        self.push(TokenKind::End, self.at);
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn token(&mut self, byte: u8) {
        let start = self.at;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
            b'%' | b'@' => self.sigil(byte),
            b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b'#' => self.hash(),
            b'/' if self.peek(1) == b'/' => self.line_comment(),
            b'/' if self.peek(1) == b'*' => self.block_comment(),
            _ if starts_name(byte) => {
                self.at = self.end_of_name(start);
                let partial = &self.text[start..self.at] == "match" && self.peek(0) == b'?';
                self.at += usize::from(partial);
                self.push(if partial { TokenKind::PartialMatch } else { TokenKind::Word }, start);
            }
            _ => match punctuation(byte, self.peek(1)) {
                Some((kind, length)) => {
                    self.at += length;
                    self.push(kind, start);
                }
                None => self.unexpected(),
            },
        }
    }

    /// Scans `%x`, `%0` or `@f`.
    fn sigil(&mut self, sigil: u8) {
        let start = self.at;
        let next = self.peek(1);
        let slash = next == b'/' && continues_name(self.peek(2));
        let kind = if starts_name(next) || slash {
            self.at = self.end_of_name(start + 1 + usize::from(slash));
            if sigil == b'%' { TokenKind::Local } else { TokenKind::Global }
        } else if sigil == b'%' && next.is_ascii_digit() {
            self.at = start + 1;
            while self.peek(0).is_ascii_digit() {
                self.at += 1;
            }
            TokenKind::Graph
        } else {
            self.at += 1;
            let what = if sigil == b'%' { "a variable name or number" } else { "a function name" };
            let found = self.text[self.at..].chars().next();
            let found = match found {
                Some(c) if !c.is_whitespace() => format!(", found '{}'", shown(c)),
                _ => String::new(),
            };
            self.error(start, self.at, format!("expected {what} after '{}'{found}", sigil as char));
            TokenKind::Bad
        };
        self.push(kind, start);
    }

    /// The end of a name: letters, digits, underscores, and slashes between them.
    fn end_of_name(&self, mut at: usize) -> usize {
        let byte = |at: usize| self.bytes.get(at).copied().unwrap_or(0);
        loop {
            if continues_name(byte(at)) || (byte(at) == b'/' && continues_name(byte(at + 1))) {
                at += 1;
            } else {
                return at;
            }
        }
    }

    /// Scans digits, a point, an exponent, and a suffix such as `f` or `i64`; after the point of a projection, digits
    /// only.
    fn number(&mut self) {
        let start = self.at;
        let digits = |lexer: &mut Self| {
            while lexer.peek(0).is_ascii_digit() {
                lexer.at += 1;
            }
        };
        digits(self);
        let adjacent = |last: &&Token| last.kind == TokenKind::Dot && last.end as usize == start;
        if self.tokens.last().filter(adjacent).is_some() {
            return self.push(TokenKind::Number, start);
        }
        let exponent = |lexer: &Self| {
            let signed = usize::from(matches!(lexer.peek(1), b'+' | b'-'));
            matches!(lexer.peek(0), b'e' | b'E') && lexer.peek(1 + signed).is_ascii_digit()
        };
        if self.peek(0) == b'.' && (!starts_name(self.peek(1)) || matches!(self.peek(1), b'f' | b'e' | b'E'))
        {
            self.at += 1;
            digits(self);
        }
        if exponent(self) {
            self.at += 2;
            digits(self);
        }
        while continues_name(self.peek(0)) {
            self.at += 1;
        }
        self.push(TokenKind::Number, start);
    }

    fn string(&mut self) {
        let start = self.at;
        let rest = &self.bytes[start + 1..];
        let end = rest.iter().position(|&byte| byte == b'"' || byte == b'\n');
        match end {
            Some(length) if rest[length] == b'"' => {
                self.at = start + length + 2;
                self.push(TokenKind::Str, start);
            }
            end => {
                self.at = start + 1 + end.unwrap_or(rest.len());
                let message = "unterminated string: expected '\"' before the end of the line";
                self.error(start, self.at, message);
                self.push(TokenKind::Bad, start);
            }
        }
    }

    /// Scans `#[metadata]`, `#[`, or a comment.
    fn hash(&mut self) {
        let start = self.at;
        if self.peek(1) != b'[' {
            return self.line_comment();
        }
        let inside = self.text[start + 2..].trim_start();
        let close = inside.strip_prefix("metadata").map(str::trim_start).filter(|rest| rest.starts_with(']'));
        if let Some(rest) = close {
            self.at = self.text.len() - rest.len() + 1;
            return self.push(TokenKind::Metadata, start);
        }
        self.at += 2;
        self.push(TokenKind::HashBracket, start);
    }

    fn line_comment(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        while self.at < self.bytes.len() {
            match &self.bytes[self.at..] {
                [b'/', b'*', ..] => {
                    depth += 1;
                    self.at += 2;
                }
                [b'*', b'/', ..] => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
        let error = Diagnostic::error("unclosed comment: expected '*/' before the end of the file");
        let error = error.at(self.span(start, start + 2)).caption("starts here");
        self.reporter.report(if depth > 1 {
            error.note(format!("comments nest; {depth} are open at the end of the file"))
        } else {
            error
        });
    }

    /// Reports a run of unexpected characters once.
    fn unexpected(&mut self) {
        let start = self.at;
        let mut rest = self.text[start..].char_indices();
        let first = rest.next().map_or(' ', |(_, c)| c);
        let mut meaningless =
            rest.skip_while(|(_, c)| !c.is_ascii() || c.is_ascii_control() && !c.is_whitespace());
        self.at = meaningless.next().map_or(self.text.len(), |(offset, _)| start + offset);
        self.error(start, self.at, format!("unexpected character '{}'", shown(first)));
        self.push(TokenKind::Bad, start);
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, start: start as u32, end: self.at as u32 });
    }

    fn error(&mut self, start: usize, end: usize, message: impl Into<String>) {
        let span = self.span(start, end);
        self.reporter.report(Diagnostic::error(clip_message(message.into())).at(span));
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }
}

fn clip_message(message: String) -> String {
    if message.len() > 200 { clip(&message) } else { message }
}

fn shown(c: char) -> String {
    if c.is_control() { c.escape_default().to_string() } else { c.to_string() }
}

/// The punctuation token that starts with the two bytes, and its length.
fn punctuation(first: u8, second: u8) -> Option<(TokenKind, usize)> {
    use TokenKind::*;
    let one = |kind| Some((kind, 1));
    let two = |kind| Some((kind, 2));
    match (first, second) {
        (b'-', b'>') => two(Arrow),
        (b'=', b'>') => two(FatArrow),
        (b'=', b'=') => two(EqualEqual),
        (b'!', b'=') => two(NotEqual),
        (b'<', b'=') => two(LessEqual),
        (b'>', b'=') => two(GreaterEqual),
        (b'&', b'&') => two(And),
        (b'|', b'|') => two(Or),
        (b'(', _) => one(Open),
        (b')', _) => one(Close),
        (b'[', _) => one(OpenBracket),
        (b']', _) => one(CloseBracket),
        (b'{', _) => one(OpenBrace),
        (b'}', _) => one(CloseBrace),
        (b',', _) => one(Comma),
        (b';', _) => one(Semicolon),
        (b':', _) => one(Colon),
        (b'.', _) => one(Dot),
        (b'?', _) => one(Question),
        (b'=', _) => one(Assign),
        (b'*', _) => one(Star),
        (b'/', _) => one(Slash),
        (b'+', _) => one(Plus),
        (b'-', _) => one(Minus),
        (b'<', _) => one(Less),
        (b'>', _) => one(Greater),
        (b'!', _) => one(Not),
        _ => None,
    }
}
