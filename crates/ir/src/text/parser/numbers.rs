//! Numbers: integers and floats as attributes, and integers in custom forms.

use super::{Parsed, Parser, Tok};
use crate::{Attr, Int, Signedness, Type, TypeData};
use minoan_diag::{Diagnostic, Span};
use num_bigint::BigInt;

/// The value of an integer token, decimal or hexadecimal; `None` if it exceeds 64 bits.
pub(super) fn literal(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

impl Parser<'_> {
    pub(super) fn negative_number(&mut self, ty: Option<Type>) -> Parsed<Attr> {
        let start = self.span();
        self.advance();
        if !matches!(self.tok.kind, Tok::Integer | Tok::Float) {
            return Err(self.error("expected constant integer or floating point value"));
        }
        self.number(start, true, ty)
    }

    /// Parses a number; `start` is the position of its sign or first digit.
    pub(super) fn number(&mut self, start: Span, negative: bool, ty: Option<Type>) -> Parsed<Attr> {
        let (span, kind) = (self.span(), self.tok.kind);
        let word = self.spelling();
        self.advance();
        let default = if kind == Tok::Float { Type::F64 } else { Type::I64 };
        let colon = ty.is_none() && self.is(":");
        let before = self.span();
        let ty = self.trailing_type(ty, default)?;
        if let Some(float) = ty.float_kind(self.ctx) {
            let bits = self.float_bits(negative, word, kind, float, span)?;
            return Ok(Attr::float_bits(self.ctx, bits, ty));
        }
        // The type follows the colon.
        let shown = Span::new(span.file, before.end, self.prev_end);
        let with_type =
            |error: Diagnostic| if colon { error.label(self.trimmed(shown), "its type") } else { error };
        if kind == Tok::Float {
            let error = Diagnostic::error("floating point value not valid for specified type");
            return Err(self.report_here(with_type(error)));
        }
        match ty.data(self.ctx) {
            TypeData::Integer { .. } | TypeData::Index => {
                let message = "integer constant out of range for attribute";
                let value = self.integer_value(negative, word, ty, span, message)?;
                Ok(self.recent.integer(self.ctx, value, ty))
            }
            _ => {
                let error = Diagnostic::error("integer literal not valid for specified type").at(start);
                Err(self.report(with_type(error)))
            }
        }
    }

    /// The bits of a number in a floating-point format.
    pub(super) fn float_bits(
        &self,
        negative: bool,
        word: &str,
        kind: Tok,
        float: crate::FloatKind,
        span: minoan_diag::Span,
    ) -> Parsed<u128> {
        if kind == Tok::Float {
            let text = if negative { format!("-{word}") } else { word.to_owned() };
            return read_decimal(float, &text)
                .ok_or_else(|| self.error_at(span, "floating point value too large for attribute"));
        }
        let Some(digits) = word.strip_prefix("0x") else {
            let diagnostic = minoan_diag::Diagnostic::error(
                "unexpected decimal integer literal for a floating point value",
            );
            let diagnostic = diagnostic.at(span).note("add a trailing dot to make the literal a float");
            return Err(self.report(diagnostic));
        };
        if negative {
            return Err(self.error_at(span, "hexadecimal float literal should not have a leading minus"));
        }
        match u128::from_str_radix(digits, 16) {
            Ok(bits) if float.width() == 128 || bits >> float.width() == 0 => Ok(bits),
            _ => Err(self.error_at(span, "hexadecimal float constant out of range for type")),
        }
    }

    /// The value of an integer literal of an integer type or `index`; `too_large` is the message on overflow.
    pub(crate) fn integer_value(
        &self,
        negative: bool,
        word: &str,
        ty: Type,
        span: minoan_diag::Span,
        too_large: &str,
    ) -> Parsed<Int> {
        let (width, signedness) = match *ty.data(self.ctx) {
            TypeData::Integer { width, signedness } => (width, signedness),
            _ => (64, Signedness::Signed),
        };
        let out_of_range = || self.error_at(span, too_large);
        if word.len() > 1 << 16 {
            return Err(out_of_range());
        }
        let value = match word.strip_prefix("0x") {
            Some(digits) => BigInt::parse_bytes(digits.as_bytes(), 16),
            None => match word.parse::<i64>() {
                Ok(value) => Some(BigInt::from(value)),
                Err(_) => BigInt::parse_bytes(word.as_bytes(), 10),
            },
        };
        let value = value.ok_or_else(out_of_range)?;
        if negative && signedness == Signedness::Unsigned {
            return Err(self.error_at(span, "negative integer literal not valid for unsigned integer type"));
        }
        // The number of bits available for the magnitude.
        let magnitude_fits = if width == 0 {
            !negative && value.bits() == 0
        } else if negative {
            // There is no negative zero.
            value.bits() > 0 && value.bits() < u64::from(width)
                || value.bits() == u64::from(width)
                    && value.trailing_zeros() == Some(u64::from(width).saturating_sub(1))
        } else if signedness == Signedness::Signed {
            value.bits() < u64::from(width)
        } else {
            value.bits() <= u64::from(width)
        };
        if !magnitude_fits {
            return Err(out_of_range());
        }
        let value = Int::from(if negative { -value } else { value });
        Ok(match ty.data(self.ctx) {
            TypeData::Integer { .. } => value.wrapped(width, signedness),
            _ => value,
        })
    }

    /// Parses a signed 64-bit integer, in the custom form of an operation or elsewhere.
    pub(crate) fn signed_integer(&mut self, op: Option<&str>) -> Parsed<i64> {
        let wrong = |message: &str| match op {
            Some(op) => format!("custom op '{op}' {message}"),
            None => message.to_owned(),
        };
        let span = self.span();
        let negative = self.eat("-");
        if self.tok.kind != Tok::Integer {
            return Err(self.error(wrong("expected integer value")));
        }
        let word = self.spelling();
        let magnitude = literal(word).map(i128::from);
        let value = magnitude.and_then(|value| i64::try_from(if negative { -value } else { value }).ok());
        match value {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => Err(self.error_at(span, wrong("integer value too large"))),
        }
    }
}

/// Converts a decimal number as MLIR does: to an `f64` first, then rounded to the format.
pub(crate) fn read_decimal(kind: crate::FloatKind, text: &str) -> Option<u128> {
    let value = text.parse::<f64>().ok()?;
    Some(crate::float_from_f64(kind, value))
}
