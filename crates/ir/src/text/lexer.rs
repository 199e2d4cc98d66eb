//! The lexer, which produces tokens on demand.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tok {
    Eof,
    /// An invalid character, or an unterminated string.
    Error,
    /// `func.func`, `i32`, `x`.
    Word,
    /// `@name` or `@"name"`.
    At,
    /// `#name`.
    Hash,
    /// `%name`.
    Percent,
    /// `^name`.
    Caret,
    /// `!name`.
    Bang,
    /// `12` or `0x1F`.
    Integer,
    /// `1.5e3`.
    Float,
    /// `"text"`.
    String,
    /// Any other token: `(`, `->`, `::`.
    Punct,
}

/// A token: its kind and byte range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Tok,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Character classes: bytes of a word, of a name after a sigil, and of white space; first byte of a word; single-byte
/// tokens; digits.
const WORD: u8 = 1;
const NAME: u8 = 2;
const SPACE: u8 = 4;
const START: u8 = 8;
const MARK: u8 = 16;
const DIGIT: u8 = 32;

/// The classes of each byte.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let at = byte as u8;
        classes[byte] = match at {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => WORD | NAME | START,
            b'0'..=b'9' => WORD | NAME | DIGIT,
            b'$' | b'.' => WORD | NAME,
            b'-' => NAME,
            b' ' | b'\t' | b'\r' | b'\n' => SPACE,
            b'(' | b')' | b'[' | b']' | b'}' | b'<' | b'>' | b',' | b'=' | b'+' | b'*' | b'?' | b'|' => MARK,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// A position in a text. A copy saves the position.
#[derive(Clone, Copy)]
pub(crate) struct Lexer<'c> {
    text: &'c str,
    pos: usize,
    /// The line of `pos`, from 1, and the start of that line.
    pub(crate) line: u32,
    pub(crate) line_start: u32,
}

impl<'c> Lexer<'c> {
    pub(crate) fn new(text: &'c str) -> Self {
        Self { text, pos: 0, line: 1, line_start: 0 }
    }

    /// Continues at a position in the current line.
    pub(crate) fn reset(&mut self, pos: u32) {
        self.pos = pos as usize;
    }

    /// Continues at the start of a line.
    pub(crate) fn jump(&mut self, pos: u32, line: u32) {
        (self.pos, self.line, self.line_start) = (pos as usize, line, pos);
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.pos + ahead).copied().unwrap_or(0)
    }

    /// The byte directly after the last token.
    pub(crate) fn next_byte(&self) -> u8 {
        self.peek(0)
    }

    /// Scans the next token. Words and single-byte tokens, which are most of a text, are handled here, others out of
    /// line.
    pub(crate) fn next(&mut self) -> Token {
        loop {
            let byte = self.skip_space();
            let (class, start) = (CLASSES[usize::from(byte)], self.pos);
            let kind = if class & START != 0 {
                self.take_class(WORD);
                Tok::Word
            } else if class & MARK != 0 {
                self.punct(1)
            } else if byte == b'%' {
                self.prefixed(byte)
            } else if byte == b'/' && self.skip_comment() || byte == 0 && self.skip_nul() {
                continue;
            } else {
                return self.other();
            };
            return Token { kind, start: start as u32, end: self.pos as u32 };
        }
    }

    /// Skips white space and comments; returns the first byte of the next token, or 0 at the end of the text.
    #[inline(always)]
    fn skip_space(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        let mut pos = self.pos;
        loop {
            let byte = bytes.get(pos).copied().unwrap_or(0);
            if CLASSES[usize::from(byte)] & SPACE == 0 {
                self.pos = pos;
                return byte;
            }
            pos += 1;
            if byte == b'\n' {
                self.line += 1;
                self.line_start = pos as u32;
                pos += blanks(&bytes[pos..]);
            }
        }
    }

    /// Skips a comment up to the end of the line.
    #[inline(never)]
    fn skip_comment(&mut self) -> bool {
        let found = self.peek(1) == b'/';
        if found {
            self.take_while(|byte| byte != b'\n');
        }
        found
    }

    /// Skips a NUL byte, which is white space except at the end of the text.
    #[cold]
    fn skip_nul(&mut self) -> bool {
        let found = self.pos < self.text.len();
        self.pos += usize::from(found);
        found
    }

    /// Scans a token that is neither a word nor a single byte.
    #[inline(never)]
    fn other(&mut self) -> Token {
        let start = self.pos;
        let byte = self.peek(0);
        let kind = match byte {
            b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b'@' => {
                self.pos += 1;
                match self.peek(0) {
                    b'"' if self.string() == Tok::String => Tok::At,
                    b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                        self.take_class(WORD);
                        Tok::At
                    }
                    _ => Tok::Error,
                }
            }
            b'^' | b'#' | b'!' => self.prefixed(byte),
            b'-' if self.peek(1) == b'>' => self.punct(2),
            b':' if self.peek(1) == b':' => self.punct(2),
            b'{' if self.peek(1) == b'-' && self.peek(2) == b'#' => self.punct(3),
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => self.punct(3),
            b'{' | b':' | b'-' | b'/' => self.punct(1),
            0 if self.pos >= self.text.len() => Tok::Eof,
            _ => self.unknown(),
        };
        Token { kind, start: start as u32, end: self.pos as u32 }
    }

    #[cold]
    fn unknown(&mut self) -> Tok {
        let width = self.text[self.pos..].chars().next().map_or(1, char::len_utf8);
        self.pos += width;
        Tok::Error
    }

    fn punct(&mut self, length: usize) -> Tok {
        self.pos += length;
        Tok::Punct
    }

    /// Skips the bytes of a class.
    #[inline(always)]
    fn take_class(&mut self, class: u8) {
        self.pos = end_of_class(self.text.as_bytes(), self.pos, class);
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.pos..];
        self.pos += rest.iter().position(|&byte| !accept(byte)).unwrap_or(rest.len());
    }

    #[inline(always)]
    fn prefixed(&mut self, sigil: u8) -> Tok {
        self.pos += 1;
        if sigil == b'#' && self.peek(0) == b'-' && self.peek(1) == b'}' {
            return self.punct(2);
        }
        match name_end(self.text.as_bytes(), self.pos) {
            Some(end) => self.pos = end,
            None => return Tok::Error,
        }
        match sigil {
            b'%' => Tok::Percent,
            b'^' => Tok::Caret,
            b'#' => Tok::Hash,
            _ => Tok::Bang,
        }
    }

    #[inline(never)]
    fn number(&mut self) -> Tok {
        if self.peek(0) == b'0' && self.peek(1) == b'x' && self.peek(2).is_ascii_hexdigit() {
            self.pos += 2;
            self.take_while(|b| b.is_ascii_hexdigit());
            return Tok::Integer;
        }
        self.take_while(|b| b.is_ascii_digit());
        if self.peek(0) != b'.' {
            return Tok::Integer;
        }
        self.pos += 1;
        self.take_while(|b| b.is_ascii_digit());
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if self.peek(1 + sign).is_ascii_digit() {
                self.pos += 1 + sign;
                self.take_while(|b| b.is_ascii_digit());
            }
        }
        Tok::Float
    }

    #[inline(never)]
    fn string(&mut self) -> Tok {
        self.pos += 1;
        loop {
            self.take_while(|b| !matches!(b, b'"' | b'\\' | b'\n'));
            match self.peek(0) {
                b'"' => {
                    self.pos += 1;
                    return Tok::String;
                }
                b'\\' => {
                    let pair = [self.peek(1), self.peek(2)];
                    if matches!(pair[0], b'"' | b'\\' | b'n' | b't') {
                        self.pos += 2;
                    } else if pair.iter().all(u8::is_ascii_hexdigit) {
                        self.pos += 3;
                    } else {
                        self.pos += 1;
                        self.take_while(|b| b != b'\n');
                        return Tok::Error;
                    }
                }
                _ => return Tok::Error,
            }
        }
    }

    /// Skips the body of a dialect's type or attribute that starts with `<` here, up to the matching `>`. Returns its
    /// end, or the unclosed bracket.
    pub(crate) fn skip_brackets(&mut self) -> Result<u32, u8> {
        let mut open: Vec<u8> = Vec::new();
        loop {
            let innermost = open.last().copied().unwrap_or(b'<');
            let byte = self.peek(0);
            match byte {
                b'"' => {
                    if self.string() == Tok::Error {
                        return Err(innermost);
                    }
                    continue;
                }
                b'-' if self.peek(1) == b'>' => self.pos += 1,
                b'<' | b'(' | b'[' | b'{' => open.push(byte),
                b'>' | b')' | b']' | b'}' => {
                    let wanted = match byte {
                        b'>' => b'<',
                        b')' => b'(',
                        b']' => b'[',
                        _ => b'{',
                    };
                    if open.pop() != Some(wanted) {
                        return Err(innermost);
                    }
                }
                b'\n' => {
                    self.line += 1;
                    self.line_start = self.pos as u32 + 1;
                }
                0 => return Err(innermost),
                _ => {}
            }
            self.pos += 1;
            if open.is_empty() {
                return Ok(self.pos as u32);
            }
        }
    }
}

/// The end of a sequence of bytes of a class.
#[inline(always)]
fn end_of_class(bytes: &[u8], start: usize, class: u8) -> usize {
    let outside = |byte: &u8| CLASSES[usize::from(*byte)] & class == 0;
    let mut pos = start;
    // Eight at a time, so that the end of the text is not checked for every byte.
    while let Some(chunk) = bytes.get(pos..pos + 8) {
        if let Some(at) = chunk.iter().position(outside) {
            return pos + at;
        }
        pos += 8;
    }
    let rest = bytes.get(pos..).unwrap_or_default();
    pos + rest.iter().position(outside).unwrap_or(rest.len())
}

/// The end of the name or number after a sigil; `None` if there is neither.
#[inline]
pub(crate) fn name_end(bytes: &[u8], start: usize) -> Option<usize> {
    let first = bytes.get(start).copied().unwrap_or(0);
    // A number only: `%0#1`.
    let class = if CLASSES[usize::from(first)] & DIGIT != 0 { DIGIT } else { NAME };
    let mut end = start;
    while let Some(&byte) = bytes.get(end)
        && CLASSES[usize::from(byte)] & class != 0
    {
        end += 1;
    }
    (end > start).then_some(end)
}

/// The number of leading spaces in the next eight bytes, which covers most indentations.
#[inline]
fn blanks(bytes: &[u8]) -> usize {
    let Some(chunk) = bytes.first_chunk::<8>() else { return 0 };
    let others = u64::from_le_bytes(*chunk) ^ u64::from_le_bytes([b' '; 8]);
    others.trailing_zeros() as usize / 8
}

/// The bytes of a string token, unescaped; the token includes its quotes.
pub(crate) fn unescape(token: &str) -> Vec<u8> {
    let inner = token.as_bytes();
    let inner = inner.strip_prefix(b"\"").unwrap_or(inner);
    let inner = inner.strip_suffix(b"\"").unwrap_or(inner);
    let mut out = Vec::with_capacity(inner.len());
    let mut at = 0;
    while at < inner.len() {
        if inner[at] != b'\\' {
            out.push(inner[at]);
            at += 1;
            continue;
        }
        let next = inner.get(at + 1).copied().unwrap_or(b'\\');
        let simple = match next {
            b'n' => Some(b'\n'),
            b't' => Some(b'\t'),
            b'"' | b'\\' => Some(next),
            _ => None,
        };
        match simple {
            Some(byte) => {
                out.push(byte);
                at += 2;
            }
            None => {
                let digit =
                    |byte: Option<&u8>| byte.and_then(|&b| (b as char).to_digit(16)).unwrap_or(0) as u8;
                out.push(digit(inner.get(at + 1)) << 4 | digit(inner.get(at + 2)));
                at += 3;
            }
        }
    }
    out
}

/// Whether a text can be written as a word without quotes.
pub(crate) fn is_word(text: &[u8]) -> bool {
    text.first().is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_')
        && text.iter().all(|&b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'))
}
