//! Conversions of 16-bit floats that LLVM calls on processors without instructions for them.
//!
//! A 16-bit float is passed in the low half of a floating-point register, so the functions have `f32` where C has
//! `_Float16` or `__bf16`. The bf16 functions are exported under their standard names, since libgcc before version 13
//! lacks them; the others are in every libgcc but not visible to the JIT, which resolves their names to these
//! functions.

/// Rounds `x` to the nearest 16-bit float with `mantissa` stored fraction bits; ties to even.
fn narrow(x: f64, mantissa: u32) -> u16 {
    let exponent_bits = 15 - mantissa;
    let bias = (1i32 << (exponent_bits - 1)) - 1;
    let infinity = ((1u64 << exponent_bits) - 1) << mantissa;
    let bits = x.to_bits();
    let sign = (bits >> 63 << 15) as u16;
    let fraction = bits & ((1 << 52) - 1);
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
    if x.is_nan() {
        let payload = fraction >> (52 - mantissa);
        return sign | (infinity | payload | 1 << (mantissa - 1)) as u16;
    }
    if exponent > bias {
        return sign | infinity as u16;
    }
    let smallest = 1 - bias;
    let below = (smallest - exponent).max(0) as u32;
    let shift = 52 - mantissa + below;
    if shift > 54 {
        return sign;
    }
    let whole = 1 << 52 | fraction;
    let (kept, rest, half) = (whole >> shift, whole & ((1 << shift) - 1), 1u64 << (shift - 1));
    let rounded = kept + u64::from(rest > half || (rest == half && kept & 1 == 1));
    // The leading digit of a normal number increments the exponent; a carry increments it again, up to infinity.
    let exponent_field = (exponent - smallest).max(0) as u64;
    sign | ((exponent_field << mantissa) + rounded) as u16
}

/// Converts IEEE half-precision bits; exact.
pub(crate) fn widen(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let magnitude = half & 0x7fff;
    let bits = match magnitude {
        // Subnormals are multiples of 2^-24.
        0..0x0400 => (f32::from(magnitude) * f32::from_bits(0x3380_0000)).to_bits(),
        0x0400..0x7c00 => (u32::from(magnitude) << 13) + ((127 - 15) << 23),
        _ => 0x7f80_0000 | u32::from(magnitude & 0x3ff) << 13,
    };
    f32::from_bits(sign | bits)
}

fn in_register(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits))
}

/// Converts single precision to bf16.
#[unsafe(no_mangle)]
pub extern "C" fn __truncsfbf2(x: f32) -> f32 {
    in_register(narrow(f64::from(x), 7))
}

/// Converts double precision to bf16.
#[unsafe(no_mangle)]
pub extern "C" fn __truncdfbf2(x: f64) -> f32 {
    in_register(narrow(x, 7))
}

/// Converts single precision to half precision.
pub(crate) extern "C" fn truncsfhf2(x: f32) -> f32 {
    in_register(narrow(f64::from(x), 10))
}

/// Converts double precision to half precision.
pub(crate) extern "C" fn truncdfhf2(x: f64) -> f32 {
    in_register(narrow(x, 10))
}

/// Converts half precision to single precision.
pub(crate) extern "C" fn extendhfsf2(half: f32) -> f32 {
    widen(half.to_bits() as u16)
}

#[cfg(test)]
mod tests {
    use super::{narrow, widen};

    #[test]
    fn every_half_round_trips() {
        for bits in 0..=u16::MAX {
            let value = widen(bits);
            if value.is_nan() {
                assert!(bits & 0x7fff > 0x7c00);
            } else {
                assert_eq!(narrow(f64::from(value), 10), bits, "{value:e}");
            }
            let brain = f32::from_bits(u32::from(bits) << 16);
            if !brain.is_nan() {
                assert_eq!(narrow(f64::from(brain), 7), bits, "{brain:e}");
            }
        }
    }

    #[test]
    fn rounds_to_nearest_even() {
        let cases = [
            (1.0 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
            (65519.99, 0x7bff),
            (65520.0, 0x7c00),
            (1e-8, 0x0000),
            (2.980_232_238_769_531_3e-8, 0x0000),
            (2.99e-8, 0x0001),
            (-1e300, 0xfc00),
        ];
        for (value, bits) in cases {
            assert_eq!(narrow(value, 10), bits, "{value:e}");
        }
        assert_eq!(narrow(1.0 + 1.0 / 256.0, 7), 0x3f80);
        assert_eq!(narrow(1.0 + 1.0 / 256.0 + 1e-12, 7), 0x3f81);
        assert_eq!(narrow(f64::NAN, 7) & 0x7fff, 0x7fc0);
    }
}
