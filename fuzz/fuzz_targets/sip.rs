//! Parses arbitrary bytes as signatures: nothing panics, strict mode accepts only canonical texts, and lenient mode
//! agrees with it.
//!
//! `cargo +nightly fuzz run sip`
#![no_main]

use libfuzzer_sys::fuzz_target;
use minoan_sip::{Mode, RawSignature, SipSignature, enclosing};

fuzz_target!(|text: &[u8]| {
    let lenient = SipSignature::parse(text, Mode::Lenient);
    match SipSignature::parse(text, Mode::Strict) {
        Ok(strict) => {
            assert_eq!(strict.signature.encode(), text);
            assert_eq!(lenient.as_ref(), Ok(&strict));
        }
        Err(error) => {
            assert!(lenient.is_ok() && error.code.is_deviation() || lenient.is_err());
            assert_eq!(error.path, enclosing(text, error.offset));
        }
    }
    if let Ok(lenient) = lenient {
        for deviation in &lenient.deviations {
            assert!(deviation.offset < text.len());
        }
    }
    if let Ok(strict) = RawSignature::parse(text, Mode::Strict) {
        assert_eq!(strict.signature.encode().as_bytes(), text);
    }
    let _ = RawSignature::parse(text, Mode::Lenient);
});
