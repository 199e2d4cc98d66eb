//! The element types of NumPy's files, and the conversion of elements to those of parameters.

use crate::interface::{ElementType, ValueError};
use half::{bf16, f16};
use minoan_ir::Int;
use minoan_services::Datum;

/// An element type of NumPy's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Elements {
    /// `bool`
    Bool,
    /// Signed integers, with their size in bytes.
    Int(usize),
    /// Unsigned integers, with their size in bytes.
    UInt(usize),
    /// IEEE floats, with their size in bytes.
    Float(usize),
    /// Complex numbers of two IEEE floats, with the size of both in bytes.
    Complex(usize),
    /// Two raw bytes, as `ml_dtypes` writes `bfloat16`.
    TwoBytes,
}

impl Elements {
    /// The elements of an array of a result type; `None` if NumPy has no such type.
    pub(super) fn of(element: ElementType) -> Option<Elements> {
        let bytes = element.width().next_power_of_two().max(8) as usize / 8;
        Some(match element {
            ElementType::ComplexF32 | ElementType::ComplexF64 => Elements::Complex(bytes),
            _ if bytes > 8 => return None,
            ElementType::Bool => Elements::Bool,
            ElementType::Signed(_) => Elements::Int(bytes),
            ElementType::Unsigned(_) => Elements::UInt(bytes),
            ElementType::BF16 => Elements::TwoBytes,
            ElementType::F16 | ElementType::F32 | ElementType::F64 => Elements::Float(bytes),
        })
    }

    pub(super) fn size(self) -> usize {
        match self {
            Elements::Bool => 1,
            Elements::TwoBytes => 2,
            Elements::Int(bytes)
            | Elements::UInt(bytes)
            | Elements::Float(bytes)
            | Elements::Complex(bytes) => bytes,
        }
    }

    /// The size of the numbers that have a byte order: elements, or the parts of complex numbers.
    pub(super) fn word(self) -> usize {
        match self {
            Elements::Complex(bytes) => bytes / 2,
            other => other.size(),
        }
    }

    /// The type as NumPy writes it, little endian.
    pub(super) fn descr(self) -> String {
        let order = if self.size() == 1 { '|' } else { '<' };
        let kind = match self {
            Elements::Bool => 'b',
            Elements::Int(_) => 'i',
            Elements::UInt(_) => 'u',
            Elements::Float(_) => 'f',
            Elements::Complex(_) => 'c',
            Elements::TwoBytes => 'V',
        };
        format!("{order}{kind}{}", self.size())
    }

    /// Whether elements are converted to others: among integers, among floats, and among complex numbers.
    pub(super) fn converts_to(self, other: ElementType) -> bool {
        match self {
            Elements::Bool => other == ElementType::Bool,
            Elements::Int(_) | Elements::UInt(_) => {
                matches!(other, ElementType::Signed(_) | ElementType::Unsigned(_))
            }
            Elements::Float(_) | Elements::TwoBytes => other.float_kind().is_some(),
            Elements::Complex(_) => other.part().is_some(),
        }
    }

    /// The name of the type in messages, as NumPy's: `int32`.
    pub(super) fn name(self) -> String {
        let bits = 8 * self.size();
        match self {
            Elements::Bool => "bool".to_owned(),
            Elements::Int(_) => format!("int{bits}"),
            Elements::UInt(_) => format!("uint{bits}"),
            Elements::Float(_) => format!("float{bits}"),
            Elements::Complex(_) => format!("complex{bits}"),
            Elements::TwoBytes => "two bytes without a type ('<V2')".to_owned(),
        }
    }

    /// Converts an element to the type `wanted`. Floats are rounded to the wanted format; any other conversion returns `None`.
    ///
    /// # Errors
    /// The value is out of range.
    pub(super) fn datum(self, bytes: &[u8], wanted: ElementType) -> Option<Result<Datum, ValueError>> {
        if let Elements::Complex(size) = self {
            let (re, im) = bytes.split_at(size / 2);
            let parts = [re, im].map(|part| Elements::Float(size / 2).datum(part, wanted.part()?));
            let [Some(re), Some(im)] = parts else { return None };
            return Some(re.and_then(|re| wanted.complex([&re, &im?])));
        }
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(word);
        let narrow = bits as u16;
        let unused = 64 - 8 * bytes.len();
        Some(match (self, wanted) {
            (Elements::Bool, ElementType::Bool) => Ok((bits != 0).into()),
            (Elements::Int(_), ElementType::Signed(_) | ElementType::Unsigned(_)) => {
                wanted.integer((bits << unused).cast_signed() >> unused)
            }
            (Elements::UInt(_), ElementType::Signed(_) | ElementType::Unsigned(_)) => {
                wanted.integer(Int::from_le_bytes(&word, false))
            }
            (Elements::TwoBytes, ElementType::BF16) => Ok(Datum::F32(bf16::from_bits(narrow).to_f32())),
            (Elements::Float(2), _) if wanted.float_kind().is_some() => {
                wanted.float(f16::from_bits(narrow).to_f64())
            }
            (Elements::Float(4), _) if wanted.float_kind().is_some() => {
                wanted.float(f64::from(f32::from_bits(bits as u32)))
            }
            (Elements::Float(_), _) if wanted.float_kind().is_some() => wanted.float(f64::from_bits(bits)),
            _ => return None,
        })
    }
}
