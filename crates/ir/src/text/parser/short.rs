//! Short words as numbers, which compare without a call.

/// The first eight bytes of the word at `start..end` of a text, as a number; missing ones, those behind the end of the
/// text too, are 0.
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

/// The same where the text ends after fewer than eight bytes.
#[cold]
fn at_end(text: &[u8], start: usize, length: usize) -> u64 {
    let rest = text.get(start..).unwrap_or_default();
    number(&rest[..length.min(rest.len())])
}

/// The number of a word of at most eight bytes: what [`head`] gives for it.
pub(super) const fn number(word: &[u8]) -> u64 {
    let (mut number, mut at) = (0, word.len());
    while at > 0 {
        at -= 1;
        number = number << 8 | word[at] as u64;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_depends_on_the_word_alone() {
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
