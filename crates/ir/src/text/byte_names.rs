//! Names that are not valid UTF-8.
//!
//! Names are bytes in MLIR and UTF-8 here. A byte that is not part of valid UTF-8 is represented by one of the last
//! 256 characters of the last private use plane, and so are the bytes of these characters themselves, so that names
//! are printed as they were parsed.

use std::borrow::Cow;

/// Represents the byte 0.
const FIRST: u32 = 0x10_ff00;

fn stands_for_byte(c: char) -> bool {
    u32::from(c) >= FIRST
}

/// Converts bytes to a name.
pub(crate) fn name_of_bytes(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(name) if !name.contains(stands_for_byte) => name,
        Ok(name) => escaped(name.as_bytes()),
        Err(error) => escaped(error.as_bytes()),
    }
}

fn escaped(bytes: &[u8]) -> String {
    let mut name = String::with_capacity(bytes.len() + 3);
    let byte = |name: &mut String, byte: u8| name.extend(char::from_u32(FIRST + u32::from(byte)));
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if stands_for_byte(c) {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|part| byte(&mut name, part));
            } else {
                name.push(c);
            }
        }
        chunk.invalid().iter().for_each(|&part| byte(&mut name, part));
    }
    name
}

/// Converts a name to bytes.
pub(crate) fn bytes_of_name(name: &str) -> Cow<'_, [u8]> {
    if !name.contains(stands_for_byte) {
        return name.as_bytes().into();
    }
    let mut bytes = Vec::with_capacity(name.len());
    for c in name.chars() {
        match u32::from(c).checked_sub(FIRST) {
            Some(byte) => bytes.push(byte as u8),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_is_preserved() {
        assert_eq!(name_of_bytes("é".into()), "é");
        assert_eq!(name_of_bytes(b"a\xff".to_vec()), "a\u{10ffff}");
        assert_eq!(*bytes_of_name("a\u{10ffff}"), *b"a\xff");
    }

    proptest! {
        #[test]
        fn names_round_trip(bytes: Vec<u8>, c in proptest::char::range('\u{10fe00}', '\u{10ffff}')) {
            let mut bytes = bytes;
            bytes.extend(c.to_string().bytes());
            let name = name_of_bytes(bytes.clone());
            prop_assert_eq!(bytes_of_name(&name).into_owned(), bytes);
        }
    }
}
