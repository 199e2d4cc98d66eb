//! Error codes of signatures, and their positions.

use crate::component::{SignatureParser, Value};
use std::fmt;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $code:literal, $lenient:literal;)*) => {
        /// The kind of an error or deviation.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = $doc])+ $name,)* }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The stable name of the code.
            pub fn name(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// The message of the code.
            pub fn message(self) -> &'static str {
                match self { $(Code::$name => concat!($($doc),+).trim_ascii(),)* }
            }

            /// Whether [`Mode::Lenient`](crate::Mode::Lenient) accepts it.
            pub fn is_deviation(self) -> bool {
                match self { $(Code::$name => $lenient,)* }
            }
        }
    };
}

codes! {
    /// expected a tag: '_' or a letter
    UnknownTag = "unknown-tag", false;
    /// expected digits after the tag
    MissingInteger = "missing-integer", false;
    /// the integer does not fit into 32 bits
    IntegerOverflow = "integer-overflow", false;
    /// expected the length of a span in digits
    MissingLength = "missing-length", false;
    /// the length of a span includes its '!', so it is at least 1
    ZeroLength = "zero-length", false;
    /// expected '!' after the length
    MissingMark = "missing-mark", false;
    /// the span is longer than the remaining bytes
    SpanTooLong = "span-too-long", false;
    /// expected the inputs, a span 'I'
    MissingInputs = "missing-inputs", false;
    /// expected the results, a span 'R'
    MissingResults = "missing-results", false;
    /// a key is not allowed here
    KeyNotAllowed = "key-not-allowed", false;
    /// a value without a key in a container
    ValueNotAllowed = "value-not-allowed", false;
    /// expected '_', 'S', 'D', or a key 'k' or 'K'
    UnexpectedTag = "unexpected-tag", false;
    /// expected a type: 'B', 'S', 'O' or 'U'
    UnexpectedType = "unexpected-type", false;
    /// expected an element type 't' or a dimension 'd' in a buffer
    UnexpectedBufferField = "unexpected-buffer-field", false;
    /// expected an element type 't' in a scalar
    UnexpectedScalarField = "unexpected-scalar-field", false;
    /// unexpected contents of a reference object
    UnexpectedObjectField = "unexpected-object-field", false;
    /// unexpected contents of an unrecognized type
    UnexpectedUnrecognizedField = "unexpected-unrecognized-field", false;
    /// no element type has this code
    UnknownScalarType = "unknown-scalar-type", false;
    /// the visitor refused
    Refused = "refused", false;

    /// an integer with more digits than it needs
    LongInteger = "long-integer", true;
    /// a length with more digits than it needs
    LongLength = "long-length", true;
    /// the results precede the inputs
    ResultsFirst = "results-first", true;
    /// a component beside inputs and results
    ExtraComponent = "extra-component", true;
    /// malformed bytes after inputs and results
    TrailingBytes = "trailing-bytes", true;
    /// more than one value at the root
    SeveralRoots = "several-roots", true;
    /// a key without a value
    KeyWithoutValue = "key-without-value", true;
    /// a string key in a sequence or an integer key in a dictionary
    WrongKeyKind = "wrong-key-kind", true;
    /// the key occurs twice
    DuplicateKey = "duplicate-key", true;
    /// the key is smaller than the one before it
    UnsortedKey = "unsorted-key", true;
    /// a negative key
    NegativeKey = "negative-key", true;
    /// a negative raw index
    NegativeIndex = "negative-index", true;
    /// the raw index occurs twice
    DuplicateIndex = "duplicate-index", true;
    /// a smaller raw index is unused
    SparseIndex = "sparse-index", true;
    /// an element type that is written although it is the default, float32
    ExplicitDefault = "explicit-default", true;
    /// a second element type; the last one counts
    RepeatedElement = "repeated-element", true;
    /// an element type after a dimension
    ElementAfterDim = "element-after-dim", true;
    /// a negative dimension other than -1
    NegativeDim = "negative-dim", true;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A position at which a readable signature is not canonical.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Deviation {
    /// The byte offset.
    pub offset: usize,
    /// The kind of deviation.
    pub code: Code,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "at byte {}: {} [{}]", self.offset, self.code.message(), self.code)
    }
}

/// A span that encloses a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Enclosing {
    /// Its tag.
    pub tag: u8,
    /// The offset of its tag.
    pub offset: usize,
}

/// The error that a signature was rejected with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The kind of error.
    pub code: Code,
    /// The byte offset of the error; the length of the text if something is missing at its end.
    pub offset: usize,
    /// The spans that enclose the byte, outermost first.
    pub path: Vec<Enclosing>,
    /// The token that was found, or the visitor's message.
    pub detail: Option<String>,
}

impl Error {
    pub(crate) fn new(code: Code, text: &[u8], offset: usize) -> Self {
        Self { code, offset, path: enclosing(text, offset), detail: None }
    }

    pub(crate) fn with_detail(mut self, detail: String) -> Self {
        self.detail = Some(detail);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        /// The number of enclosing spans to print; the others are counted.
        const SHOWN: usize = 8;
        write!(f, "at byte {}: {}", self.offset, self.code.message())?;
        if let Some(detail) = &self.detail {
            write!(f, ": {detail}")?;
        }
        let hidden = self.path.len().saturating_sub(SHOWN);
        for (at, span) in self.path[hidden..].iter().rev().enumerate() {
            let word = if at == 0 { "; in" } else { "," };
            write!(f, "{word} '{}' at byte {}", char::from(span.tag), span.offset)?;
        }
        if hidden > 0 {
            write!(f, ", and {hidden} more")?;
        }
        write!(f, " [{}]", self.code)
    }
}

impl std::error::Error for Error {}

/// The spans of a signature that enclose a byte, outermost first.
///
/// A byte belongs to a span if it follows the span's `!`.
///
/// ```
/// let path = minoan_sip::enclosing(b"I8!S5!k0_0R3!_0", 8);
/// let tags: Vec<u8> = path.iter().map(|span| span.tag).collect();
/// assert_eq!(tags, b"IS");
/// ```
pub fn enclosing(text: &[u8], offset: usize) -> Vec<Enclosing> {
    let mut path = Vec::new();
    let mut components = SignatureParser::new(text);
    while let Some(Some(component)) = components.lex() {
        if let Value::Span(contents) = component.value {
            let start = component.contents_offset();
            if (start..start + contents.len()).contains(&offset) {
                path.push(Enclosing { tag: component.tag, offset: component.offset });
                components = component.components();
            }
        }
        if components.offset() > offset {
            break;
        }
    }
    path
}
