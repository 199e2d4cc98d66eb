//! The function table of a shared library: names and both signatures, readable without a compiler.
//!
//! The table is the data symbol [`SYMBOL`], a contiguous block of bytes without pointers. Numbers are 32-bit
//! little-endian; offsets are relative to the beginning of the table; each text is followed by a zero byte that its
//! length excludes.
//!
//! | offset | contents |
//! |---|---|
//! | 0 | the 8 bytes `MINOANSG` |
//! | 8 | the version of this layout, 1 |
//! | 12 | the size of the table in bytes |
//! | 16 | the number of functions |
//! | 20 + 24 i | for function i: offset and length of its name, of `f`, and of `sip` |
//! | after the last | the texts |
//!
//! A loader obtains the address from `dlsym(library, "minoan_signatures")`.

use std::fmt;

/// The symbol of the table in a shared library.
pub const SYMBOL: &str = "minoan_signatures";
/// The version of the layout.
pub const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"MINOANSG";
const HEADER: usize = 20;
const ENTRY: usize = 24;

/// A function in a table. The signatures are not parsed; see [`RawSignature::parse`](crate::RawSignature::parse) and
/// [`SipSignature::parse`](crate::SipSignature::parse).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry<'a> {
    /// The function's symbol.
    pub name: &'a [u8],
    /// Its raw signature.
    pub raw: &'a [u8],
    /// Its structured signature.
    pub sip: &'a [u8],
}

/// The reason why bytes are not a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableError {
    /// The bytes end before the table does.
    Truncated {
        /// The number of bytes.
        size: usize,
        /// The expected number of bytes.
        expected: usize,
    },
    /// The magic number does not match.
    NoTable,
    /// An unsupported version of the layout.
    Version(u32),
    /// The text of a function lies outside the table.
    OutOfBounds {
        /// The index of the function.
        function: usize,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Truncated { size, expected } => {
                write!(f, "the signature table is truncated: {size} of {expected} bytes")
            }
            Self::NoTable => f.write_str("not a signature table: the magic number MINOANSG is missing"),
            Self::Version(version) => {
                write!(f, "unsupported signature table version {version}; expected version {VERSION}")
            }
            Self::OutOfBounds { function } => {
                write!(f, "the signature table is corrupt: function {function} lies outside of it")
            }
        }
    }
}

impl std::error::Error for TableError {}

/// Encodes a table.
///
/// # Panics
/// Panics if the table is 4 GiB or larger.
///
/// ```
/// use minoan_sip::table::{TableEntry, read, write};
///
/// let entries = [TableEntry { name: b"f", raw: b"I1!R1!", sip: b"I1!R1!" }];
/// assert_eq!(read(&write(&entries))?, entries);
/// # Ok::<(), minoan_sip::table::TableError>(())
/// ```
pub fn write(entries: &[TableEntry<'_>]) -> Vec<u8> {
    let number = |number: usize| u32::try_from(number).expect("a table below 4 GiB").to_le_bytes();
    let texts = || entries.iter().flat_map(|entry| [entry.name, entry.raw, entry.sip]);
    let start = HEADER + ENTRY * entries.len();
    let size = start + texts().map(|text| text.len() + 1).sum::<usize>();
    let mut out = Vec::with_capacity(size);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&number(size));
    out.extend_from_slice(&number(entries.len()));
    let mut offset = start;
    for text in texts() {
        out.extend_from_slice(&number(offset));
        out.extend_from_slice(&number(text.len()));
        offset += text.len() + 1;
    }
    for text in texts() {
        out.extend_from_slice(text);
        out.push(0);
    }
    out
}

/// Decodes a table, which may be followed by other bytes.
///
/// # Errors
/// The bytes are not a table, or the table is corrupt.
pub fn read(bytes: &[u8]) -> Result<Vec<TableEntry<'_>>, TableError> {
    let truncated = |expected| TableError::Truncated { size: bytes.len(), expected };
    let header = bytes.get(..HEADER).ok_or_else(|| truncated(HEADER))?;
    let number = |at: usize| {
        let number = bytes.get(at..at + 4).and_then(|number| number.try_into().ok()).map(u32::from_le_bytes);
        number.ok_or_else(|| truncated(at + 4))
    };
    if !header.starts_with(MAGIC) {
        return Err(TableError::NoTable);
    }
    let version = number(8)?;
    if version != VERSION {
        return Err(TableError::Version(version));
    }
    let size = number(12)? as usize;
    let table = bytes.get(..size).ok_or_else(|| truncated(size))?;
    let mut entries = Vec::new();
    for function in 0..number(16)? as usize {
        let at = HEADER + ENTRY * function;
        let text = |field: usize| {
            let (offset, length) = (number(at + 8 * field)? as usize, number(at + 8 * field + 4)? as usize);
            table.get(offset..offset + length).ok_or(TableError::OutOfBounds { function })
        };
        entries.push(TableEntry { name: text(0)?, raw: text(1)?, sip: text(2)? });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_matches_documentation() {
        let table = write(&[TableEntry { name: b"fn", raw: b"I1!R1!", sip: b"" }]);
        let mut expected = b"MINOANSG".to_vec();
        for number in [1u32, 56, 1, 44, 2, 47, 6, 54, 0] {
            expected.extend_from_slice(&number.to_le_bytes());
        }
        expected.extend_from_slice(b"fn\0I1!R1!\0\0");
        expected[12..16].copy_from_slice(&55u32.to_le_bytes());
        assert_eq!(table, expected);
    }

    #[test]
    fn corruption_is_detected() {
        let entries = [
            TableEntry { name: b"f", raw: b"I1!R1!", sip: b"I1!R1!" },
            TableEntry { name: b"g", raw: b"", sip: b"\0" },
        ];
        let table = write(&entries);
        assert_eq!(read(&[&table[..], b"more"].concat()).unwrap(), entries);
        for length in 0..table.len() {
            assert!(matches!(read(&table[..length]), Err(TableError::Truncated { .. })), "{length}");
        }
        let with = |at: usize, value: u8| {
            let mut table = table.clone();
            table[at] = value;
            table
        };
        assert_eq!(read(&with(0, b'm')), Err(TableError::NoTable));
        assert_eq!(read(&with(8, 2)), Err(TableError::Version(2)));
        assert_eq!(read(&with(HEADER + ENTRY + 3, 1)), Err(TableError::OutOfBounds { function: 1 }));
    }
}
