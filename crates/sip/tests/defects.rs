//! Regression tests for the defects of the original implementation, and one test of every code.

use minoan_sip::{
    ArityError, Code, Key, Mode, RawSignature, ScalarType, SignatureParser, SipSignature,
    SipSignatureMangler, Structure, enclosing,
};
use std::collections::BTreeSet;

fn refuse(text: &str, mode: Mode) -> (Code, usize) {
    let error = SipSignature::parse(text.as_bytes(), mode).unwrap_err();
    (error.code, error.offset)
}

/// The deviations that lenient mode reports; also checks that strict mode rejects the text at the first of them.
fn deviations(text: &str) -> Vec<(Code, usize)> {
    let lenient = SipSignature::parse(text.as_bytes(), Mode::Lenient).unwrap();
    let found: Vec<_> = lenient.deviations.iter().map(|it| (it.code, it.offset)).collect();
    let strict = SipSignature::parse(text.as_bytes(), Mode::Strict).unwrap_err();
    assert!(found.contains(&(strict.code, strict.offset)), "{strict}");
    found
}

fn raw_refuse(text: &str, mode: Mode) -> (Code, usize) {
    let error = RawSignature::parse(text.as_bytes(), mode).unwrap_err();
    (error.code, error.offset)
}

fn raw_deviations(text: &str) -> Vec<(Code, usize)> {
    let lenient = RawSignature::parse(text.as_bytes(), Mode::Lenient).unwrap();
    assert!(RawSignature::parse(text.as_bytes(), Mode::Strict).is_err());
    lenient.deviations.iter().map(|it| (it.code, it.offset)).collect()
}

#[test]
fn tag_search_stops_at_malformed_component() {
    for mode in [Mode::Strict, Mode::Lenient] {
        assert_eq!(refuse("I9!", mode), (Code::SpanTooLong, 1));
        assert_eq!(refuse("I9!S5!k0_0R3!_0", mode), (Code::UnknownTag, 11));
    }
    let mut parser = SignatureParser::new(b"k1k_2");
    assert_eq!(parser.seek_tag(b'_').unwrap_err().code, Code::MissingInteger);
    assert!(parser.next().is_none());
}

#[test]
fn truncation_is_detected() {
    for mode in [Mode::Strict, Mode::Lenient] {
        assert_eq!(refuse("I1!R", mode), (Code::MissingLength, 4));
        assert_eq!(refuse("I1!R9!", mode), (Code::SpanTooLong, 4));
        assert_eq!(refuse("I1!", mode), (Code::MissingResults, 3));
        assert_eq!(refuse("", mode), (Code::MissingInputs, 0));
    }
    let whole = b"I31!S27!k0D17!K4!bar_1K4!foo_0k1_2R12!S9!k0_0k1_1";
    for length in 0..whole.len() {
        for mode in [Mode::Strict, Mode::Lenient] {
            assert!(SipSignature::parse(&whole[..length], mode).is_err(), "{length}");
        }
    }
}

#[test]
fn structure_below_leaf_is_rejected_in_either_order() {
    let (leaf, below) = (vec![], vec![Key::Index(0)]);
    let message = "raw(0) is at the root, where raw(1) requires a container";
    let paths = [(leaf.clone(), 0), (below.clone(), 1)];
    for paths in [paths.clone(), [paths[1].clone(), paths[0].clone()]] {
        assert_eq!(Structure::from_paths(paths.clone()).unwrap_err().to_string(), message);
        let mut mangler = SipSignatureMangler::new();
        mangler.set_raw_signature_index(paths[0].1, &paths[0].0).unwrap();
        let before = mangler.structure();
        let error = mangler.set_raw_signature_index(paths[1].1, &paths[1].0).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(mangler.structure(), before);
    }
}

#[test]
fn conflicts_name_both_indices_and_the_common_path() {
    let conflict = |paths: [(Vec<Key>, i32); 2]| {
        let [a, b] = paths;
        let one = Structure::from_paths([a.clone(), b.clone()]).unwrap_err();
        assert_eq!(one, Structure::from_paths([b, a]).unwrap_err());
        one.to_string()
    };
    let zero = || Key::Index(0);
    assert_eq!(
        conflict([(vec![zero(), "a".into()], 5), (vec![zero(), 1.into()], 4)]),
        "raw(4) needs a sequence at [0], and raw(5) a dictionary"
    );
    assert_eq!(conflict([(vec![zero()], 2), (vec![zero()], 1)]), "raw(1) and raw(2) are both at [0]");
    assert_eq!(
        conflict([(vec![zero()], 0), (vec![Key::Index(1)], -3)]),
        "raw(-3) at [1]: indices and integer keys are not negative"
    );
}

#[test]
fn defects_accepted_by_the_original_parser() {
    use Code::*;
    assert_eq!(deviations("I5!_0_1R1!"), [(SeveralRoots, 5)]);
    assert_eq!(deviations("I8!S5!k0_0R6!S3!k7"), [(KeyWithoutValue, 16)]);
    assert_eq!(deviations("I8!D5!k0_0R1!"), [(WrongKeyKind, 6)]);
    assert_eq!(deviations("I10!S7!K2!x_0R1!"), [(WrongKeyKind, 7)]);
    assert_eq!(deviations("I15!S11!k0_0K2!x_1R1!"), [(WrongKeyKind, 12)]);
    assert_eq!(deviations("I12!S9!k0_0k0_1R1!"), [(DuplicateKey, 11)]);
    assert_eq!(deviations("I12!S9!k1_0k0_1R1!"), [(UnsortedKey, 11)]);
    assert_eq!(deviations("I17!S13!k1_0k0_1k1_2R1!"), [(UnsortedKey, 12), (DuplicateKey, 16)]);
    assert_eq!(deviations("I9!S6!k-1_0R1!"), [(NegativeKey, 6)]);
    assert_eq!(deviations("I4!_-1R1!"), [(NegativeIndex, 3)]);
    assert_eq!(deviations("R1!I1!"), [(ResultsFirst, 3)]);
    assert_eq!(
        deviations("x1I1!Y3!abR1!z0"),
        [(ExtraComponent, 0), (ExtraComponent, 5), (ExtraComponent, 13)]
    );
    assert_eq!(deviations("I1!R1!I3!_0"), [(ExtraComponent, 6)]);
    assert_eq!(deviations("I1!R1!?!"), [(TrailingBytes, 6)]);
    assert_eq!(deviations("I01!R4!_00"), [(LongLength, 1), (LongInteger, 8)]);
    assert_eq!(deviations("I4!_-0R1!"), [(LongInteger, 4)]);
}

#[test]
fn raw_indices_are_dense_and_unique() {
    assert_eq!(deviations("I12!S9!k0_0k1_0R1!"), [(Code::DuplicateIndex, 13)]);
    assert_eq!(deviations("I12!S9!k0_0k1_2R1!"), [(Code::SparseIndex, 13)]);
}

#[test]
fn malformed_raw_type_fields_are_rejected() {
    for mode in [Mode::Strict, Mode::Lenient] {
        assert_eq!(raw_refuse("I6!B3!t-R1!", mode), (Code::MissingInteger, 8));
        assert_eq!(raw_refuse("I4!B9!R1!", mode), (Code::SpanTooLong, 4));
        assert_eq!(raw_refuse("I4!X1!R1!", mode), (Code::UnexpectedType, 3));
        assert_eq!(raw_refuse("I6!B3!x1R1!", mode), (Code::UnexpectedBufferField, 6));
        assert_eq!(raw_refuse("I6!S3!d1R1!", mode), (Code::UnexpectedScalarField, 6));
        assert_eq!(raw_refuse("I6!O3!t1R1!", mode), (Code::UnexpectedObjectField, 6));
        assert_eq!(raw_refuse("I6!U3!t1R1!", mode), (Code::UnexpectedUnrecognizedField, 6));
    }
    assert_eq!(raw_deviations("I8!B5!t4t6R1!"), [(Code::RepeatedElement, 8)]);
    assert_eq!(raw_deviations("I6!S3!t0R1!"), [(Code::ExplicitDefault, 6)]);
    assert_eq!(raw_deviations("I8!B5!d1t6R1!"), [(Code::ElementAfterDim, 8)]);
    let lenient = RawSignature::parse(b"I7!B4!d-7R1!", Mode::Lenient).unwrap();
    assert_eq!(lenient.deviations[0].code, Code::NegativeDim);
    assert_eq!(lenient.signature.to_string(), "(Buffer<float32[?]>) -> ()");
}

#[test]
fn unrecognized_types_can_be_read() {
    let signature = RawSignature::parse(b"I4!U1!R1!", Mode::Strict).unwrap().signature;
    assert_eq!(signature.to_string(), "(Unrecognized<?>) -> ()");
}

#[test]
fn code_after_last_scalar_type_is_rejected() {
    assert_eq!(ScalarType::from_code(12), None);
    assert_eq!(ScalarType::from_code(-1), None);
    for mode in [Mode::Strict, Mode::Lenient] {
        assert_eq!(raw_refuse("I7!S4!t12R1!", mode), (Code::UnknownScalarType, 6));
    }
}

#[test]
fn arity_is_checked() {
    let parse = |text: &str| SipSignature::parse(text.as_bytes(), Mode::Lenient).unwrap().signature;
    let two = parse("I12!S9!k0_0k1_1R3!_0");
    assert_eq!(two.check_arity(2, 1), Ok(()));
    assert_eq!(two.check_arity(1, 1).unwrap_err().to_string(), "input raw(1) does not exist: there are 1");
    assert_eq!(two.check_arity(3, 1).unwrap_err().to_string(), "input raw(2) of 3 is missing");
    assert_eq!(two.check_arity(2, 0).unwrap_err().to_string(), "result raw(0) does not exist: there are 0");
    let twice = parse("I12!S9!k0_0k1_0R1!").check_arity(2, 0).unwrap_err();
    assert!(matches!(twice, ArityError::Repeated { index: 0, .. }));
    assert_eq!(twice.to_string(), "input raw(0) occurs twice");
}

#[test]
fn errors_in_both_modes() {
    use Code::*;
    for mode in [Mode::Strict, Mode::Lenient] {
        assert_eq!(refuse("I3!k0R1!", mode), (KeyNotAllowed, 3));
        assert_eq!(refuse("I8!S5!k0k1R1!", mode), (KeyNotAllowed, 8));
        assert_eq!(refuse("I6!S3!_0R1!", mode), (ValueNotAllowed, 6));
        assert_eq!(refuse("I4!X1!R1!", mode), (UnexpectedTag, 3));
        assert_eq!(refuse("I3!?0R1!", mode), (UnknownTag, 3));
        assert_eq!(refuse("I12!_2147483648R1!", mode), (IntegerOverflow, 5));
        assert_eq!(refuse("I3!_+R1!", mode), (MissingInteger, 4));
        assert_eq!(refuse("I0!R1!", mode), (ZeroLength, 1));
        assert_eq!(refuse("I1R1!", mode), (MissingMark, 2));
        assert_eq!(refuse("I99999999999999999999999!R1!", mode), (SpanTooLong, 1));
    }
}

#[test]
fn errors_have_position_and_context() {
    let text = b"I23!S19!k0D13!K2!x_0K2!y?1R3!_0";
    let error = SipSignature::parse(text, Mode::Strict).unwrap_err();
    assert_eq!(
        error.to_string(),
        "at byte 24: expected a tag: '_' or a letter; in 'D' at byte 10, 'S' at byte 4, 'I' at byte 0 [unknown-tag]"
    );
    let error = SipSignature::parse(b"I1!R9!", Mode::Strict).unwrap_err();
    assert_eq!(
        error.to_string(),
        "at byte 4: the span is longer than the remaining bytes: it says 9 bytes and 1 follow [span-too-long]"
    );
    assert!(enclosing(text, 2).is_empty());
}

#[test]
fn visitor_can_reject() {
    use minoan_sip::{Container, SipSignatureParser, SipVisitor};
    struct NoDictionaries;
    impl SipVisitor for NoDictionaries {
        fn integer_key(&mut self, _: i32) -> Result<(), String> {
            Ok(())
        }
        fn string_key(&mut self, _: &[u8]) -> Result<(), String> {
            Ok(())
        }
        fn open_struct(&mut self, container: Container) -> Result<(), String> {
            if container == Container::Dictionary { Err("no dictionaries".into()) } else { Ok(()) }
        }
        fn close_struct(&mut self, _: Container) -> Result<(), String> {
            Ok(())
        }
        fn map_to_raw(&mut self, _: i32) -> Result<(), String> {
            Ok(())
        }
    }
    let mut parser = SipSignatureParser::new(b"I23!S19!k0D13!K2!x_0K2!y_1R3!_0", Mode::Strict).unwrap();
    let error = parser.visit_inputs(&mut NoDictionaries).unwrap_err();
    assert_eq!((error.code, error.offset), (Code::Refused, 10));
    assert_eq!(error.detail.as_deref(), Some("no dictionaries"));
    parser.visit_results(&mut NoDictionaries).unwrap();
}

#[test]
fn codes_have_distinct_names() {
    let names: BTreeSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(names.len(), Code::ALL.len());
    assert_eq!(Code::DuplicateKey.message(), "the key occurs twice");
}
