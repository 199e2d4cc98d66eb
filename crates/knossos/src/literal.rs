//! Parsing and printing of literals.

/// Splits off an optional sign, which white space may follow.
fn split_sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, text[1..].trim_start()),
        Some(b'+') => (false, text[1..].trim_start()),
        _ => (false, text),
    }
}

/// The classification of a word that starts with a digit, or with a sign and a digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    Integer,
    Float,
    /// A name such as `7of9`.
    Name,
    Malformed,
}

pub(crate) fn classify(text: &str) -> Word {
    let signed = text.starts_with(['-', '+']);
    let digits = split_sign(text).1.as_bytes();
    if let [b'0', base @ (b'x' | b'X' | b'o' | b'O'), rest @ ..] = digits {
        let radix = if matches!(base, b'x' | b'X') { 16 } else { 8 };
        let good = !rest.is_empty() && rest.iter().all(|&byte| (byte as char).is_digit(radix));
        return if good { Word::Integer } else { Word::Malformed };
    }
    let whole = leading_digits(digits);
    let mut rest = &digits[whole..];
    if rest.is_empty() {
        return Word::Integer;
    }
    if let [b'.', fraction @ ..] = rest {
        let count = leading_digits(fraction);
        if count == 0 {
            return Word::Malformed;
        }
        rest = &fraction[count..];
        if rest.is_empty() {
            return Word::Float;
        }
        if !is_exponent(rest) {
            return Word::Malformed;
        }
        return Word::Float;
    }
    if is_exponent(rest) {
        return Word::Float;
    }
    let letter = rest[0].is_ascii_alphabetic() || rest[0] == b'_' || !rest[0].is_ascii();
    if letter && !signed { Word::Name } else { Word::Malformed }
}

fn leading_digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn is_exponent(bytes: &[u8]) -> bool {
    let [b'e' | b'E', rest @ ..] = bytes else { return false };
    let digits = match rest {
        [b'+' | b'-', digits @ ..] => digits,
        digits => digits,
    };
    !digits.is_empty() && leading_digits(digits) == digits.len()
}

/// The value of a word that [`classify`] calls an integer; `None` if it does not fit into 64 bits.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = split_sign(text);
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'o' | b'O', ..] => (8, &digits[2..]),
        _ => (10, digits),
    };
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    if negative { 0i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
}

/// The value of a word that [`classify`] calls a float; `None` if it overflows.
pub(crate) fn float(text: &str) -> Option<f64> {
    let (negative, digits) = split_sign(text);
    let value: f64 = digits.parse().ok()?;
    value.is_finite().then_some(if negative { -value } else { value })
}

/// The names of the ASCII control characters, indexed by code. If one is a prefix of another, the longest match
/// applies.
const CONTROL_NAMES: [&str; 33] = [
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS",
    "US", "SP",
];

/// Decodes the contents of a string literal, with Haskell's escapes.
///
/// The error has the byte offset of the invalid escape and a message.
pub(crate) fn string(text: &str) -> Result<String, (usize, String)> {
    let mut value = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        value.push_str(&rest[..at]);
        let offset = text.len() - rest.len() + at;
        let escape = &rest[at + 1..];
        let (character, length) = one_escape(escape).map_err(|message| (offset, message))?;
        value.extend(character);
        rest = &escape[length..];
    }
    value.push_str(rest);
    Ok(value)
}

/// Decodes an escape without its backslash: the character and the length in bytes.
fn one_escape(escape: &str) -> Result<(Option<char>, usize), String> {
    let Some(first) = escape.chars().next() else { return Err("incomplete escape".into()) };
    let simple = match first {
        'a' => Some('\x07'),
        'b' => Some('\x08'),
        'f' => Some('\x0c'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\x0b'),
        '\\' | '"' | '\'' => Some(first),
        _ => None,
    };
    if simple.is_some() {
        return Ok((simple, 1));
    }
    match first {
        '&' => Ok((None, 1)),
        '^' => match escape.as_bytes().get(1) {
            Some(&control @ b'@'..=b'_') => Ok((Some((control - b'@') as char), 2)),
            _ => Err("'\\^' must be followed by a character from '@' to '_'".into()),
        },
        'x' | 'X' => numeric(&escape[1..], 16).map(|(c, length)| (c, length + 1)),
        'o' | 'O' => numeric(&escape[1..], 8).map(|(c, length)| (c, length + 1)),
        '0'..='9' => numeric(escape, 10),
        c if c.is_whitespace() => match escape.find('\\') {
            Some(end) if escape[..end].chars().all(char::is_whitespace) => Ok((None, end + 1)),
            _ => Err("a gap in a string may contain only white space and ends with '\\'".into()),
        },
        _ => {
            if escape.starts_with("DEL") {
                return Ok((Some('\x7f'), 3));
            }
            let codes = CONTROL_NAMES.iter().enumerate().filter(|(_, name)| escape.starts_with(**name));
            match codes.max_by_key(|(_, name)| name.len()) {
                Some((code, name)) => Ok((char::from_u32(code as u32), name.len())),
                None => Err(format!("unknown escape '\\{first}'")),
            }
        }
    }
}

fn numeric(digits: &str, radix: u32) -> Result<(Option<char>, usize), String> {
    let length = digits.bytes().take_while(|&byte| (byte as char).is_digit(radix)).count();
    if length == 0 {
        return Err("a number is missing in the escape".into());
    }
    let code = u32::from_str_radix(&digits[..length], radix).ok();
    match code.and_then(char::from_u32) {
        Some(character) => Ok((Some(character), length)),
        None => Err("the escape is not a Unicode character".into()),
    }
}

/// Prints `value` as a string literal that [`string`] decodes.
pub(crate) fn quote(value: &str, out: &mut String) {
    out.push('"');
    let mut after_code = false;
    for c in value.chars() {
        let digit_after_code = after_code && c.is_ascii_digit();
        after_code = false;
        if digit_after_code {
            out.push_str("\\&");
        }
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => {
                out.push('\\');
                out.push_str(&(c as u32).to_string());
                after_code = true;
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_starting_with_digits() {
        let cases = [
            ("42", Word::Integer),
            ("-42", Word::Integer),
            ("- 42", Word::Integer),
            ("0x1F", Word::Integer),
            ("0o17", Word::Integer),
            ("1.5", Word::Float),
            ("1e3", Word::Float),
            ("1.0e-3", Word::Float),
            ("+2.5", Word::Float),
            ("7of9", Word::Name),
            ("5.", Word::Malformed),
            ("1.2.3", Word::Malformed),
            ("0xG", Word::Malformed),
            ("1-2", Word::Malformed),
        ];
        for (text, word) in cases {
            assert_eq!(classify(text), word, "{text}");
        }
    }

    #[test]
    fn integers_are_64_bits() {
        assert_eq!(integer("-9223372036854775808"), Some(i64::MIN));
        assert_eq!(integer("9223372036854775807"), Some(i64::MAX));
        assert_eq!(integer("9223372036854775808"), None);
        assert_eq!(integer("0x1F"), Some(31));
        assert_eq!(integer("-0o17"), Some(-15));
        assert_eq!(float("1e999"), None);
    }

    #[test]
    fn haskell_string_escapes() {
        assert_eq!(string(r"a\n\65\x42\o103\&1\SOH\DEL\^A\"), Err((29, "incomplete escape".into())));
        assert_eq!(string(r"\65\x42\o103\&1").as_deref(), Ok("ABC1"));
        assert_eq!(string("a\\  \n  \\b").as_deref(), Ok("ab"));
        assert_eq!(string(r"\SOH\SO\DEL\^A").as_deref(), Ok("\x01\x0e\x7f\x01"));
        assert_eq!(string(r"\q"), Err((0, "unknown escape '\\q'".into())));
        assert_eq!(string(r"\99999999"), Err((0, "the escape is not a Unicode character".into())));
    }

    #[test]
    fn quoting_round_trips() {
        for value in ["", "a\"b\\", "\u{1}2", "\n\t\r\u{7f}é"] {
            let mut text = String::new();
            quote(value, &mut text);
            assert_eq!(string(&text[1..text.len() - 1]).as_deref(), Ok(value));
        }
    }
}
