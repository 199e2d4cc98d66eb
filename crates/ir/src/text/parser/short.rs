//! Short words as integers, which are compared without a call.

/// The first eight bytes of the word at `start..end` of a text, as an integer; missing bytes are 0.
#[inline]
pub(super) fn head(text: &[u8], start: u32, end: u32) -> u64 {
    let (start, length) = (start as usize, (end - start) as usize);
    let bytes = match text.get(start..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => at_end(text, start, length),
    };
    let unused = 64u32.saturating_sub(8 * length as u32);
    bytes & u64::MAX.checked_shr(unused).unwrap_or(0)
}

/// The same if fewer than eight bytes of the text remain.
#[cold]
fn at_end(text: &[u8], start: usize, length: usize) -> u64 {
    let rest = text.get(start..).unwrap_or_default();
    number(&rest[..length.min(rest.len())])
}

/// The integer of a word of at most eight bytes, as computed by [`head`].
pub(super) const fn number(word: &[u8]) -> u64 {
    let (mut number, mut at) = (0, word.len());
    while at > 0 {
        at -= 1;
        number = number << 8 | word[at] as u64;
    }
    number
}

/// The remaining bytes of a text, at most seven from `start` on, followed by `filler`.
#[cold]
pub(super) fn until_end(text: &[u8], start: usize, filler: u8) -> u64 {
    let mut word = [filler; 8];
    for (to, from) in word.iter_mut().zip(text.get(start..).unwrap_or_default()) {
        *to = *from;
    }
    u64::from_le_bytes(word)
}

/// The top bit of the first of eight bytes that equals `byte`, if any; higher bits are unspecified.
#[inline]
pub(super) const fn places_of(word: u64, byte: u8) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let others = word ^ (ONES * byte as u64);
    others.wrapping_sub(ONES) & !others & (ONES << 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_first_occurrence() {
        for (text, place) in [(b"%abcdefg", 0), (b"abc%d%ef", 3), (b"abcdefg%", 7), (b"$$$$$$%\xff", 6)] {
            assert_eq!(places_of(number(text), b'%').trailing_zeros() / 8, place);
        }
        assert_eq!(places_of(number(b"abcdefg&"), b'%'), 0);
        assert_eq!(until_end(b"ab%", 1, b'\n'), number(b"b%\n\n\n\n\n\n"));
        assert_eq!(until_end(b"ab", 5, 0), 0);
    }

    #[test]
    fn prefix_depends_only_on_the_word() {
        let text = b"i64 index, %a_long_name";
        assert_eq!(head(text, 0, 3), number(b"i64"));
        assert_eq!(head(text, 4, 9), number(b"index"));
        assert_eq!(head(text, 11, 23), number(b"%a_long_"));
        assert_eq!(head(b"i64", 0, 3), number(b"i64"));
        assert_eq!(head(b"i64", 3, 3), 0);
        assert_eq!(head(b"i64", 1, 7), number(b"64"));
        assert_eq!(head(b"i64", 5, 8), 0);
    }
}
