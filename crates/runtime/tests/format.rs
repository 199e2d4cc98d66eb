//! Compares the formatter with C's `printf("%.6g")`, which equals a C++ stream with default settings.

use minoan_runtime::{format_f32, format_f64, format_i1, ranhashdoub};
use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn snprintf(out: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
}

fn printf(value: f64) -> String {
    let mut buffer = [0u8; 64];
    // SAFETY: the buffer has the passed size, and the format takes one double.
    let len = unsafe { snprintf(buffer.as_mut_ptr().cast(), buffer.len(), c"%.6g".as_ptr(), value) };
    String::from_utf8_lossy(&buffer[..len as usize]).into_owned()
}

#[test]
fn known_values() {
    let cases = [
        (1.0, "1"),
        (0.1, "0.1"),
        (1e10, "1e+10"),
        (123456789.0, "1.23457e+08"),
        (999999.5, "1e+06"),
        (999999.4, "999999"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (0.0, "0"),
        (-0.0, "-0"),
        (1e-300, "1e-300"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
    ];
    for (value, text) in cases {
        assert_eq!(format_f64(value), text);
    }
    assert_eq!(format_f64(f64::NAN.copysign(1.0)), "nan");
    assert_eq!(format_f64(f64::NAN.copysign(-1.0)), "-nan");
    assert_eq!(format_f32(f32::NAN.copysign(-1.0)), "-nan");
    assert_eq!(format_f32(0.1), "0.1");
    assert_eq!(format_i1(true), "1");
}

#[test]
fn agrees_with_printf() {
    let mut bits = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..200_000 {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let wide = f64::from_bits(bits);
        assert_eq!(format_f64(wide), printf(wide), "{wide:e}");
        let narrow = f32::from_bits((bits >> 32) as u32);
        if !narrow.is_nan() {
            assert_eq!(format_f32(narrow), printf(f64::from(narrow)), "{narrow:e}");
        }
        // Numbers near those where rounding changes the exponent.
        let short = (bits >> 40) as f64 / 16.0;
        assert_eq!(format_f64(short), printf(short), "{short:e}");
    }
}

#[test]
fn seed_hash() {
    // The values of Ranhash::int64 in C.
    let cases = [
        (0, 0.481_500_449_619_318_4),
        (1, 0.744_771_162_384_248_6),
        (-5, 0.400_496_737_742_440_77),
        (1_000_000, 0.950_650_524_318_683_7),
        (1 << 32, 0.481_500_449_619_318_4),
    ];
    for (seed, hash) in cases {
        assert_eq!(ranhashdoub(seed), hash, "{seed}");
    }
}
