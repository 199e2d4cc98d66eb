//! The precision of the floats of an interface, which determines the steps and the accuracy of differences.

use crate::interface::{ElementType, Interface, ValueType};
use minoan_services::Datum;

/// The precision of floats: that of an element type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Precision(ElementType);

/// The float types, from the coarsest on.
const FLOATS: [ElementType; 4] = [ElementType::BF16, ElementType::F16, ElementType::F32, ElementType::F64];

impl Precision {
    /// The coarsest precision of the floats in a value; `None` if it has none.
    pub(super) fn of(ty: &ValueType) -> Option<Precision> {
        let has = |element: ElementType| {
            ty.contains(&|leaf| match leaf {
                ValueType::Scalar(own) | ValueType::Tensor { element: own, .. } => {
                    own.part().unwrap_or(*own) == element
                }
                _ => false,
            })
        };
        FLOATS.into_iter().find(|&element| has(element)).map(Precision)
    }

    /// The coarsest precision of the parameters and results of a function; that of doubles if they have no floats.
    pub fn of_interface(interface: &Interface) -> Precision {
        let all = interface.params.iter().chain([&interface.result]).filter_map(Precision::of);
        let rank = |own: &Precision| FLOATS.iter().position(|&element| element == own.0);
        all.min_by_key(rank).unwrap_or(Precision(ElementType::F64))
    }

    /// The distance of 1 to the next greater number.
    pub fn unit(self) -> f64 {
        match self.0 {
            ElementType::BF16 => 1.0 / 128.0,
            ElementType::F16 => 1.0 / 1024.0,
            ElementType::F32 => f64::from(f32::EPSILON),
            _ => f64::EPSILON,
        }
    }

    /// The longest step of differences at numbers up to 1. Shorter steps follow, so it is longer than the best one, which is
    /// about the cube root of the unit.
    pub(super) fn longest_step(self) -> f64 {
        match self.0 {
            ElementType::BF16 => 1.0 / 4.0,
            ElementType::F16 => 1.0 / 8.0,
            ElementType::F32 => 1.0 / 64.0,
            _ => 1.0 / 1024.0,
        }
    }

    /// The nearest number of this precision; a NaN if it is out of range.
    pub(super) fn round(self, number: f64) -> f64 {
        match self.0.float(number) {
            Ok(Datum::F64(rounded)) => rounded,
            Ok(Datum::F32(rounded)) => f64::from(rounded),
            _ => f64::NAN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coarsest_precision() {
        let pair = |x, y| ValueType::Tuple(vec![ValueType::Scalar(x), ValueType::tensor(1, y)]);
        let of = |x, y| Precision::of(&pair(x, y)).map(|own| own.0);
        assert_eq!(of(ElementType::F32, ElementType::F16), Some(ElementType::F16));
        assert_eq!(of(ElementType::F16, ElementType::BF16), Some(ElementType::BF16));
        assert_eq!(of(ElementType::F64, ElementType::Bool), Some(ElementType::F64));
        assert_eq!(of(ElementType::Bool, ElementType::Signed(8)), None);
        assert_eq!(of(ElementType::F64, ElementType::ComplexF32), Some(ElementType::F32));
    }

    #[test]
    fn rounding() {
        for element in FLOATS {
            let own = Precision(element);
            assert_eq!(own.round(1.0 + own.unit()), 1.0 + own.unit());
            assert_eq!(own.round(1.0 + 0.4 * own.unit()), 1.0);
        }
        assert!(Precision(ElementType::F16).round(1e6).is_nan());
    }
}
