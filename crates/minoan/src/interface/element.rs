//! Element types: their values, and the conversion of these from and to text.

use super::ValueError;
use half::{bf16, f16};
use minoan_ir::{Context, FloatKind, Int, Signedness, Type, TypeData, parse_float};
use minoan_services::{Datum, MOST_NARROW, TensorData, wrap};
use serde_json::{Number, Value as Json, json};
use std::fmt;

/// The type of a number or truth value, as the source declares it.
///
/// Integers have a sign or none: MLIR's signless integers are read as signed ones, as in a function's raw signature.
/// [`Datum::Int`], or [`Datum::Wide`] above 64 bits, holds the bits of either, sign extended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElementType {
    /// A truth value.
    Bool,
    /// A signed integer of 2 or more bits; an `index` has 64.
    Signed(u32),
    /// An unsigned integer of 2 or more bits.
    Unsigned(u32),
    /// IEEE half precision.
    F16,
    /// `bfloat16`: the upper half of an IEEE single.
    BF16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// A complex number with parts in single precision.
    ComplexF32,
    /// A complex number with parts in double precision.
    ComplexF64,
}

impl ElementType {
    /// The element type of an IR type; `None` if values of that type do not cross the boundary of a program.
    pub fn of_type(ctx: &Context, ty: Type) -> Option<ElementType> {
        match *ty.data(ctx) {
            TypeData::Index => Some(ElementType::Signed(64)),
            TypeData::Integer { width: 1, .. } => Some(ElementType::Bool),
            TypeData::Integer { width, signedness } if width > 1 => Some(match signedness {
                Signedness::Unsigned => ElementType::Unsigned(width),
                _ => ElementType::Signed(width),
            }),
            TypeData::Float(FloatKind::F16) => Some(ElementType::F16),
            TypeData::Float(FloatKind::BF16) => Some(ElementType::BF16),
            TypeData::Float(FloatKind::F32) => Some(ElementType::F32),
            TypeData::Float(FloatKind::F64) => Some(ElementType::F64),
            TypeData::Complex(part) => match ElementType::of_type(ctx, part)? {
                ElementType::F32 => Some(ElementType::ComplexF32),
                ElementType::F64 => Some(ElementType::ComplexF64),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of the real and the imaginary part of a complex type; `None` for other types.
    pub fn part(self) -> Option<ElementType> {
        match self {
            ElementType::ComplexF32 => Some(ElementType::F32),
            ElementType::ComplexF64 => Some(ElementType::F64),
            _ => None,
        }
    }

    /// The floating-point format; `None` for integers, truth values and complex numbers.
    pub fn float_kind(self) -> Option<FloatKind> {
        match self {
            ElementType::F16 => Some(FloatKind::F16),
            ElementType::BF16 => Some(FloatKind::BF16),
            ElementType::F32 => Some(FloatKind::F32),
            ElementType::F64 => Some(FloatKind::F64),
            _ => None,
        }
    }

    /// The least and the greatest value of an integer type; `None` for other types.
    pub fn range(self) -> Option<(Int, Int)> {
        // -1 has all bits set.
        let ones = |width| Int::from(-1i64).wrapped(width, Signedness::Unsigned);
        match self {
            ElementType::Signed(width) => {
                let greatest = ones(width - 1);
                let least = Int::from(-greatest.to_big() - 1);
                Some((least, greatest))
            }
            ElementType::Unsigned(width) => Some((Int::from(0), ones(width))),
            _ => None,
        }
    }

    /// A noun phrase for messages: `an integer (int32)`.
    pub fn describe(self) -> String {
        match self {
            ElementType::Bool => "true or false".to_owned(),
            ElementType::Signed(_) | ElementType::Unsigned(_) => format!("an integer ({self})"),
            ElementType::ComplexF32 | ElementType::ComplexF64 => format!("a complex number ({self})"),
            _ => format!("a number ({self})"),
        }
    }

    /// A tensor's storage without elements.
    pub(crate) fn no_elements(self) -> TensorData {
        match self {
            ElementType::F64 => TensorData::F64(Vec::new()),
            ElementType::ComplexF32 => TensorData::Complex32(Vec::new()),
            ElementType::ComplexF64 => TensorData::Complex64(Vec::new()),
            ElementType::F16 | ElementType::BF16 | ElementType::F32 => TensorData::F32(Vec::new()),
            _ if self.width() > MOST_NARROW => TensorData::Wide(Vec::new()),
            _ => TensorData::Int(Vec::new()),
        }
    }

    /// The integer `value`.
    ///
    /// # Errors
    /// The value is out of the range of the type, or the type is not an integer type.
    pub fn integer(self, value: impl Into<Int>) -> Result<Datum, ValueError> {
        let value = value.into();
        let width = self.width();
        let fits = match (self, value.as_i64()) {
            (ElementType::Signed(_), Some(value)) => width >= 64 || wrap(value.into(), width) == value,
            (ElementType::Unsigned(_), Some(value)) => value >= 0 && (width >= 63 || value < 1 << width),
            (ElementType::Signed(_) | ElementType::Unsigned(_), None) => {
                self.range().is_some_and(|(least, greatest)| (least..=greatest).contains(&value))
            }
            _ => return Err(ValueError::new(format!("expected {}", self.describe()))),
        };
        if !fits {
            return Err(self.out_of_range(&value));
        }
        let bits = value.wrapped(width, Signedness::Signed);
        Ok(match bits.as_i64() {
            Some(bits) if width <= MOST_NARROW => Datum::Int(bits),
            _ => Datum::Wide(bits),
        })
    }

    /// The float nearest to `value`, ties to even.
    ///
    /// # Errors
    /// A finite value is rounded to an infinity, or the type is not a floating-point type.
    pub fn float(self, value: f64) -> Result<Datum, ValueError> {
        let rounded = match self {
            ElementType::F64 => return Ok(Datum::F64(value)),
            ElementType::F32 => value as f32,
            _ if value.is_nan() => f32::NAN,
            _ if value.is_infinite() => value as f32,
            // The shortest decimal of a double lies on the same side of every midpoint as the double.
            _ => return self.parse_finite(&format!("{value:e}")),
        };
        if rounded.is_infinite() && value.is_finite() {
            return Err(self.out_of_range(&value));
        }
        Ok(Datum::F32(rounded))
    }

    /// The complex number with these parts, which are values of the [type of its parts](Self::part).
    ///
    /// # Errors
    /// The type is not a complex type, or the parts are of other types.
    pub fn complex(self, parts: [&Datum; 2]) -> Result<Datum, ValueError> {
        match (self, parts) {
            (ElementType::ComplexF32, [&Datum::F32(re), &Datum::F32(im)]) => Ok(Datum::Complex32([re, im])),
            (ElementType::ComplexF64, [&Datum::F64(re), &Datum::F64(im)]) => Ok(Datum::Complex64([re, im])),
            _ => Err(ValueError::new(format!("expected {}", self.describe()))),
        }
    }

    /// The value of a decimal number as JSON writes it, rounded once.
    ///
    /// # Errors
    /// The number does not belong to the type, or is out of its range.
    pub(crate) fn parse(self, number: &str) -> Result<Datum, ValueError> {
        match self {
            ElementType::Bool | ElementType::ComplexF32 | ElementType::ComplexF64 => {
                Err(self.unexpected(number))
            }
            ElementType::Signed(_) | ElementType::Unsigned(_) => {
                if number.contains(['.', 'e', 'E']) {
                    return Err(self.unexpected(number));
                }
                // The time of the conversion is quadratic in the number of digits.
                let digits = self.width() as usize / 3 + 2;
                let value = Some(number).filter(|number| number.len() <= digits);
                match value.and_then(|number| number.parse::<Int>().ok()) {
                    Some(value) => self.integer(value),
                    None => Err(self.out_of_range(&number)),
                }
            }
            _ => self.parse_finite(number),
        }
    }

    fn parse_finite(self, number: &str) -> Result<Datum, ValueError> {
        let datum = match self {
            ElementType::F64 => number.parse().ok().map(Datum::F64),
            ElementType::F32 => number.parse().ok().map(Datum::F32),
            _ => self.float_kind().and_then(|kind| parse_float(kind, number)).map(|bits| {
                let bits = bits as u16;
                Datum::F32(match self {
                    ElementType::F16 => f16::from_bits(bits).to_f32(),
                    _ => bf16::from_bits(bits).to_f32(),
                })
            }),
        };
        match datum {
            Some(Datum::F64(value)) if value.is_infinite() => Err(self.out_of_range(&number)),
            Some(Datum::F32(value)) if value.is_infinite() => Err(self.out_of_range(&number)),
            Some(datum) => Ok(datum),
            None => Err(self.unexpected(number)),
        }
    }

    fn unexpected(self, number: &str) -> ValueError {
        let number = super::document::shortened(number);
        ValueError::new(format!("expected {}, found the number {number}", self.describe()))
    }

    fn out_of_range(self, value: &dyn fmt::Display) -> ValueError {
        let value = super::document::shortened(&value.to_string());
        ValueError::new(match self.range() {
            Some((least, greatest)) => {
                format!("{value} is out of the range of {self} ({least} to {greatest})")
            }
            None => format!("{value} is out of the range of {self}"),
        })
    }

    /// Bits of a value.
    pub fn width(self) -> u32 {
        match self {
            ElementType::Bool => 1,
            ElementType::Signed(width) | ElementType::Unsigned(width) => width,
            ElementType::F16 | ElementType::BF16 => 16,
            ElementType::F32 => 32,
            ElementType::F64 | ElementType::ComplexF32 => 64,
            ElementType::ComplexF64 => 128,
        }
    }

    /// Interprets the bits of an integer as a number; `None` for other data.
    pub(crate) fn number(self, bits: &Datum) -> Option<Int> {
        let bits = bits.wide().ok()?;
        Some(match self {
            ElementType::Unsigned(width) => bits.wrapped(width, Signedness::Unsigned),
            _ => bits,
        })
    }

    /// Whether the datum is a value of this type.
    pub(crate) fn holds(self, datum: &Datum) -> bool {
        match (self, datum) {
            (ElementType::F64, Datum::F64(_))
            | (ElementType::F32, Datum::F32(_))
            | (ElementType::ComplexF32, Datum::Complex32(_))
            | (ElementType::ComplexF64, Datum::Complex64(_)) => true,
            (ElementType::F16, Datum::F32(value)) => {
                value.is_nan() || f16::from_f32(*value).to_f32() == *value
            }
            (ElementType::BF16, Datum::F32(value)) => {
                value.is_nan() || bf16::from_f32(*value).to_f32() == *value
            }
            (ElementType::Bool | ElementType::Signed(_) | ElementType::Unsigned(_), Datum::Int(value)) => {
                self.width() <= MOST_NARROW && wrap(i128::from(*value), self.width()) == *value
            }
            (ElementType::Signed(width) | ElementType::Unsigned(width), Datum::Wide(value)) => {
                width > MOST_NARROW && value.clone().wrapped(width, Signedness::Signed) == *value
            }
            _ => false,
        }
    }

    /// The first element that is not a value of this type.
    pub(crate) fn first_other(self, data: &TensorData) -> Option<Datum> {
        match (self, data) {
            (ElementType::F64, TensorData::F64(_))
            | (ElementType::F32, TensorData::F32(_))
            | (ElementType::ComplexF32, TensorData::Complex32(_))
            | (ElementType::ComplexF64, TensorData::Complex64(_)) => None,
            _ => (0..data.len()).map(|at| data.get(at)).find(|datum| !self.holds(datum)),
        }
    }

    /// A value as text; NaN and the infinities are `NaN`, `inf` and `-inf`, and a complex number is `0.5-2i`.
    pub(crate) fn text(self, datum: &Datum) -> String {
        if let Some((part, [re, im])) = self.parts(datum) {
            let (re, im) = (part.text(&re), part.text(&im));
            let plus = if im.starts_with('-') { "" } else { "+" };
            return format!("{re}{plus}{im}i");
        }
        match (self, datum) {
            (ElementType::Bool, Datum::Int(value)) => (*value != 0).to_string(),
            (_, Datum::Int(_) | Datum::Wide(_)) => {
                self.number(datum).map_or_else(|| "?".to_owned(), |number| number.to_string())
            }
            (_, Datum::F64(value)) => decimal(*value, *value),
            (ElementType::F32, Datum::F32(value)) => decimal(*value, f64::from(*value)),
            (_, Datum::F32(value)) => decimal(self.shortest(*value), f64::from(*value)),
            _ => "?".to_owned(),
        }
    }

    /// A value as JSON. A float is the shortest number that reads back as the same value, NaN and the infinities are
    /// the strings `"nan"`, `"inf"` and `"-inf"`. A complex number is the array of its parts.
    pub(crate) fn json(self, datum: &Datum) -> Json {
        if let Some((part, parts)) = self.parts(datum) {
            return Json::Array(parts.iter().map(|value| part.json(value)).collect());
        }
        let (value, text) = match (self, datum) {
            (ElementType::Bool, Datum::Int(value)) => return json!(*value != 0),
            (_, Datum::Int(_) | Datum::Wide(_)) => {
                let number = self.number(datum).and_then(|number| number.to_string().parse().ok());
                return number.map_or(Json::Null, Json::Number);
            }
            (_, Datum::F64(value)) => (*value, format!("{value:?}")),
            (ElementType::F32, Datum::F32(value)) => (f64::from(*value), format!("{value:?}")),
            (_, Datum::F32(value)) => (f64::from(*value), format!("{:?}", self.shortest(*value))),
            _ => return Json::Null,
        };
        if value.is_nan() {
            json!("nan")
        } else if value.is_infinite() {
            json!(if value > 0.0 { "inf" } else { "-inf" })
        } else {
            text.parse::<Number>().map_or(Json::Null, Json::Number)
        }
    }

    /// The parts of a complex number, and their type; `None` if the type is not complex, or the datum is not of the type.
    fn parts(self, datum: &Datum) -> Option<(ElementType, [Datum; 2])> {
        let parts = match *datum {
            Datum::Complex32(parts) => parts.map(Datum::F32),
            Datum::Complex64(parts) => parts.map(Datum::F64),
            _ => return None,
        };
        Some((self.part()?, parts))
    }

    /// The decimal of the fewest digits that this 16-bit format rounds to `value`.
    fn shortest(self, value: f32) -> f64 {
        if !value.is_finite() {
            return f64::from(value);
        }
        // Five digits distinguish all values of `f16`, four those of `bf16`.
        let decimals = (0..5).map(|digits| format!("{value:.digits$e}"));
        let same = |text: &String| self.parse_finite(text) == Ok(Datum::F32(value));
        decimals.into_iter().find(same).and_then(|text| text.parse().ok()).unwrap_or(f64::from(value))
    }
}

/// The shortest decimal of a number, with an exponent if it would have many zeros.
fn decimal(number: impl fmt::Display + fmt::LowerExp, value: f64) -> String {
    let has_zeros = value.is_finite() && value != 0.0 && !(1e-5..1e16).contains(&value.abs());
    if has_zeros { format!("{number:e}") } else { number.to_string() }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ElementType::Bool => f.write_str("bool"),
            ElementType::Signed(width) => write!(f, "int{width}"),
            ElementType::Unsigned(width) => write!(f, "uint{width}"),
            ElementType::BF16 => f.write_str("bfloat16"),
            ElementType::ComplexF32 | ElementType::ComplexF64 => write!(f, "complex{}", self.width()),
            float => write!(f, "float{}", float.width()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsigned_integers_keep_their_bits_and_print_without_a_sign() {
        let byte = ElementType::Unsigned(8);
        assert_eq!(byte.parse("255"), Ok(Datum::Int(-1)));
        assert_eq!(byte.text(&Datum::Int(-1)), "255");
        assert_eq!(byte.parse("-1"), Err(ValueError::new("-1 is out of the range of uint8 (0 to 255)")));
        let word = ElementType::Unsigned(64);
        assert_eq!(word.parse("18446744073709551615"), Ok(Datum::Int(-1)));
        assert_eq!(word.json(&Datum::Int(i64::MIN)).to_string(), "9223372036854775808");
        assert!(word.parse("18446744073709551616").is_err());
        assert!(word.parse("1e2").is_err());
        assert_eq!(ElementType::Signed(8).parse("-128"), Ok(Datum::Int(-128)));
        assert!(ElementType::Signed(8).parse("128").is_err());
    }

    #[test]
    fn complex_numbers_are_pairs() {
        let element = ElementType::ComplexF32;
        let number = Datum::Complex32([0.5, -2.0]);
        assert_eq!(element.text(&number), "0.5-2i");
        assert_eq!(element.text(&Datum::Complex32([-0.0, f32::INFINITY])), "-0+infi");
        assert_eq!(element.json(&number).to_string(), "[0.5,-2.0]");
        assert_eq!(element.json(&Datum::Complex32([f32::NAN, 0.0])).to_string(), r#"["nan",0.0]"#);
        assert!(element.holds(&number) && !ElementType::ComplexF64.holds(&number));
        assert_eq!(element.complex([&Datum::F32(0.5), &Datum::F32(-2.0)]), Ok(number));
        assert_eq!(
            (element.to_string(), ElementType::ComplexF64.to_string()),
            ("complex64".into(), "complex128".into())
        );
        assert!(element.parse("1").is_err());
    }

    #[test]
    fn wide_integers_have_their_range() {
        let signed = ElementType::Signed(128);
        let least = i128::MIN.to_string();
        assert_eq!(signed.parse(&least).map(|datum| signed.text(&datum)), Ok(least));
        assert!(signed.parse("170141183460469231731687303715884105728").is_err());
        assert_eq!(signed.parse("5"), Ok(Datum::Wide(Int::from(5))));
        let unsigned = ElementType::Unsigned(65);
        let greatest = "36893488147419103231";
        assert_eq!(unsigned.parse(greatest), Ok(Datum::Wide(Int::from(-1))));
        assert_eq!(unsigned.json(&Datum::Wide(Int::from(-1))).to_string(), greatest);
        assert!(unsigned.holds(&Datum::Wide(Int::from(-1))) && !unsigned.holds(&Datum::Int(-1)));
        assert!(unsigned.parse("36893488147419103232").is_err());
    }

    #[test]
    fn messages_shorten_numbers_with_many_digits() {
        let digits = "9".repeat(1000);
        for (ty, number) in
            [(ElementType::Signed(8), format!("1e{digits}")), (ElementType::Bool, digits.clone())]
        {
            let message = ty.parse(&number).expect_err("no such value").to_string();
            assert!(message.ends_with("99..") && message.len() < 120, "{message}");
        }
    }

    #[test]
    fn floats_are_rounded_once_from_their_text() {
        // Just above the midpoint of 1 and the next single; rounded to a double first it would be the midpoint.
        let text = "1.00000005960464477540";
        assert_eq!(ElementType::F32.parse(text), Ok(Datum::F32(1.000_000_1)));
        // Above the midpoint of 1 and the next half, by less than a single can represent.
        let text = "1.00048828125000000001";
        assert_eq!(ElementType::F16.parse(text), Ok(Datum::F32(1.000_976_6)));
        assert_eq!(ElementType::BF16.float(1.003_906_25 + 1e-12), Ok(Datum::F32(1.007_812_5)));
        assert!(ElementType::F16.parse("65520").is_err());
        assert_eq!(ElementType::F16.parse("65519.99"), Ok(Datum::F32(65504.0)));
        assert!(ElementType::F32.parse("1e39").is_err());
        assert!(ElementType::F64.parse("1e400").is_err());
        assert!(ElementType::F32.float(1e300).is_err());
    }

    #[test]
    fn narrow_floats_print_the_shortest_decimal_that_reads_back() {
        for (ty, step) in [(ElementType::F16, 7), (ElementType::BF16, 3)] {
            for bits in (0..=u16::MAX).step_by(step) {
                let value = if ty == ElementType::F16 {
                    f16::from_bits(bits).to_f32()
                } else {
                    bf16::from_bits(bits).to_f32()
                };
                if value.is_finite() {
                    assert_eq!(ty.parse(&ty.json(&Datum::F32(value)).to_string()), Ok(Datum::F32(value)));
                }
            }
        }
        assert_eq!(ElementType::F16.text(&Datum::F32(f16::from_f32(0.1).to_f32())), "0.1");
    }
}
