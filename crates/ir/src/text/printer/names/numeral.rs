//! Numbers as names of values.

/// A decimal number preceded by `%`; incrementing is faster than formatting each number.
#[derive(Clone, Default)]
pub(super) struct Numeral {
    number: u32,
    pub(super) text: [u8; 16],
    /// The length; 0 if unset.
    pub(super) length: usize,
}

impl Numeral {
    /// Sets the number.
    #[inline]
    pub(super) fn set(&mut self, number: u32) {
        if self.length != 0 && self.number.checked_add(1) == Some(number) {
            self.number = number;
            let mut at = self.length - 1;
            while self.text[at] == b'9' {
                self.text[at] = b'0';
                at -= 1;
            }
            if at > 0 {
                self.text[at] += 1;
                return;
            }
        } else if self.length != 0 && number == self.number {
            return;
        }
        self.write(number);
    }

    #[inline(never)]
    fn write(&mut self, number: u32) {
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(number).as_bytes();
        self.text[0] = b'%';
        self.text[1..=digits.len()].copy_from_slice(digits);
        (self.number, self.length) = (number, digits.len() + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_match_their_numbers() {
        let mut numeral = Numeral::default();
        let jumps = [7, 7, 0, u32::MAX, 0, 99, 100, 5, 999_999_999, 1_000_000_000];
        for number in (0..12_000).chain(jumps) {
            numeral.set(number);
            assert_eq!(numeral.text[..numeral.length], *format!("%{number}").as_bytes());
        }
    }
}
