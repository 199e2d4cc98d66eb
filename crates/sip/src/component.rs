//! Components of a signature: integers and spans with one-letter tags.

use crate::error::{Code, Error};

/// The payload of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'a> {
    /// An integer, tagged by `_` or a lower-case letter.
    Integer(i32),
    /// Bytes, tagged by an upper-case letter.
    Span(&'a [u8]),
}

/// A component of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Component<'a> {
    /// The whole text.
    text: &'a [u8],
    /// The tag: a letter or `_`.
    pub tag: u8,
    /// The offset of the tag in the whole text.
    pub offset: usize,
    /// The payload.
    pub value: Value<'a>,
    /// Whether the integer or length is written without leading zeros.
    pub is_minimal: bool,
    end: usize,
}

impl<'a> Component<'a> {
    /// The offset of a span's contents in the whole text.
    pub fn contents_offset(&self) -> usize {
        match self.value {
            Value::Integer(_) => self.end,
            Value::Span(contents) => self.end - contents.len(),
        }
    }

    /// The components inside a span; empty for an integer. Offsets refer to the whole text.
    pub fn components(&self) -> SignatureParser<'a> {
        SignatureParser { text: self.text, at: self.contents_offset(), end: self.end }
    }

    pub(crate) fn error(&self, code: Code) -> Error {
        Error::new(code, self.text, self.offset)
    }
}

/// An iterator over components, without copying.
///
/// After an error the iterator is exhausted.
///
/// ```
/// use minoan_sip::{SignatureParser, Value};
///
/// let mut components = SignatureParser::new(b"k-7K4!a!b");
/// assert_eq!(components.next().unwrap()?.value, Value::Integer(-7));
/// assert_eq!(components.next().unwrap()?.value, Value::Span(b"a!b"));
/// assert!(components.next().is_none());
/// # Ok::<(), minoan_sip::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SignatureParser<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> SignatureParser<'a> {
    /// Creates a parser at the beginning of a text.
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, end: text.len() }
    }

    /// The offset of the next component in the whole text.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Skips to the next component with this tag; `None` if there is none.
    ///
    /// # Errors
    /// A malformed component before or at the tag.
    pub fn seek_tag(&mut self, tag: u8) -> Result<Option<Component<'a>>, Error> {
        self.find(|component| match component {
            Ok(component) => component.tag == tag,
            Err(_) => true,
        })
        .transpose()
    }

    /// The next component, without constructing a full error: `Some(None)` is a malformed component.
    pub(crate) fn lex(&mut self) -> Option<Option<Component<'a>>> {
        self.step().map(Result::ok)
    }

    fn step(&mut self) -> Option<Result<Component<'a>, Malformed>> {
        if self.at >= self.end {
            return None;
        }
        let component = component(self.text, self.at, self.end);
        self.at = component.as_ref().map_or(self.end, |component| component.end);
        Some(component)
    }
}

impl<'a> Iterator for SignatureParser<'a> {
    type Item = Result<Component<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().map(|component| {
            component.map_err(|Malformed { code, offset, detail }| {
                let error = Error::new(code, self.text, offset);
                if detail.is_empty() { error } else { error.with_detail(detail) }
            })
        })
    }
}

struct Malformed {
    code: Code,
    offset: usize,
    detail: String,
}

fn malformed(code: Code, offset: usize) -> Malformed {
    Malformed { code, offset, detail: String::new() }
}

/// Parses the component at `at`, which must end at or before `end`.
fn component(text: &[u8], at: usize, end: usize) -> Result<Component<'_>, Malformed> {
    let tag = text[at];
    match tag {
        b'_' | b'a'..=b'z' => {
            let negative = text[at + 1..end].first() == Some(&b'-');
            let start = at + 1 + usize::from(negative);
            let digits = digits(&text[start..end]);
            if digits.is_empty() {
                return Err(malformed(Code::MissingInteger, start));
            }
            let magnitude = number(digits).and_then(|value| i64::try_from(value).ok());
            let value = magnitude.map(|value| if negative { -value } else { value });
            let Some(value) = value.and_then(|value| i32::try_from(value).ok()) else {
                return Err(malformed(Code::IntegerOverflow, at + 1));
            };
            let is_minimal = is_minimal(digits) && !(negative && value == 0);
            let end = start + digits.len();
            Ok(Component { text, tag, offset: at, value: Value::Integer(value), is_minimal, end })
        }
        b'A'..=b'Z' => {
            let digits = digits(&text[at + 1..end]);
            let mark = at + 1 + digits.len();
            if digits.is_empty() {
                return Err(malformed(Code::MissingLength, mark));
            }
            let length = number(digits);
            if length == Some(0) {
                return Err(malformed(Code::ZeroLength, at + 1));
            }
            if mark < end && text[mark] != b'!' || mark == end && length.is_some_and(|length| length <= 1) {
                return Err(malformed(Code::MissingMark, mark));
            }
            let left = end - mark;
            let Some(length) = length.filter(|&length| length <= left as u64) else {
                let said = String::from_utf8_lossy(digits);
                let detail = format!("it says {said} bytes and {left} follow");
                return Err(Malformed { code: Code::SpanTooLong, offset: at + 1, detail });
            };
            let last = mark + length as usize;
            let value = Value::Span(&text[mark + 1..last]);
            Ok(Component { text, tag, offset: at, value, is_minimal: is_minimal(digits), end: last })
        }
        _ => Err(malformed(Code::UnknownTag, at)),
    }
}

fn digits(text: &[u8]) -> &[u8] {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    &text[..count]
}

fn number(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}

fn is_minimal(digits: &[u8]) -> bool {
    digits.len() == 1 || digits[0] != b'0'
}

/// Writes components.
///
/// ```
/// use minoan_sip::SignatureBuilder;
///
/// let mut key = SignatureBuilder::new();
/// key.integer(b'k', 0).integer(b'_', 3);
/// let mut sequence = SignatureBuilder::new();
/// sequence.nested(b'S', &key);
/// assert_eq!(sequence.encoded(), b"S5!k0_3");
/// ```
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct SignatureBuilder {
    text: Vec<u8>,
}

impl SignatureBuilder {
    /// Creates an empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an integer.
    ///
    /// # Panics
    /// Panics if the tag is neither `_` nor a lower-case letter.
    pub fn integer(&mut self, tag: u8, value: i32) -> &mut Self {
        assert!(tag == b'_' || tag.is_ascii_lowercase(), "the tag of an integer is '_' or a small letter");
        self.text.push(tag);
        self.text.extend_from_slice(value.to_string().as_bytes());
        self
    }

    /// Appends a span.
    ///
    /// # Panics
    /// Panics if the tag is not an upper-case letter.
    pub fn span(&mut self, tag: u8, contents: &[u8]) -> &mut Self {
        self.open(tag, contents.len());
        self.text.extend_from_slice(contents);
        self
    }

    /// Appends a span with the components of another builder.
    ///
    /// # Panics
    /// Panics if the tag is not an upper-case letter.
    pub fn nested(&mut self, tag: u8, contents: &SignatureBuilder) -> &mut Self {
        self.span(tag, &contents.text)
    }

    /// The text so far.
    pub fn encoded(&self) -> &[u8] {
        &self.text
    }

    /// Returns the text.
    pub fn into_encoded(self) -> Vec<u8> {
        self.text
    }

    /// Begins a span of `contents` bytes, which are appended next.
    pub(crate) fn open(&mut self, tag: u8, contents: usize) {
        assert!(tag.is_ascii_uppercase(), "the tag of a span is a capital letter");
        self.text.push(tag);
        self.text.extend_from_slice((contents + 1).to_string().as_bytes());
        self.text.push(b'!');
    }
}

/// The size in bytes of a span with its tag and length.
pub(crate) fn span_size(contents: usize) -> usize {
    1 + decimal_size(contents as u64 + 1) + 1 + contents
}

/// The size in bytes of an integer with its tag.
pub(crate) fn integer_size(value: i32) -> usize {
    1 + usize::from(value < 0) + decimal_size(u64::from(value.unsigned_abs()))
}

fn decimal_size(value: u64) -> usize {
    value.checked_ilog10().unwrap_or(0) as usize + 1
}
