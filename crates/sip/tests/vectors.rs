//! Texts that the original implementation wrote and read.

use minoan_sip::{
    Key, Mode, RawSignature, RawType, ScalarType, SignatureBuilder, SignatureParser, SipSignature,
    SipSignatureMangler, Structure, Value, pretty,
};

/// A path: integers for sequences, strings for dictionaries.
macro_rules! path {
    ($($key:expr),*) => { vec![$(Key::from($key)),*] };
}

type Paths = Vec<(Vec<Key>, i32)>;

fn check(inputs: Paths, results: Paths, text: &str) {
    let signature = SipSignature {
        inputs: Structure::from_paths(inputs.clone()).unwrap(),
        results: Structure::from_paths(results.clone()).unwrap(),
    };
    assert_eq!(String::from_utf8(signature.encode()).unwrap(), text);
    assert_eq!(SipSignature::parse(text.as_bytes(), Mode::Strict).unwrap().signature, signature);
    let mangle = |paths: &Paths| {
        let mut mangler = SipSignatureMangler::new();
        // The order does not matter.
        for (path, raw) in paths.iter().rev() {
            mangler.set_raw_signature_index(*raw, path).unwrap();
        }
        mangler
    };
    assert_eq!(
        SipSignatureMangler::to_function_signature(&mangle(&inputs), &mangle(&results)),
        text.as_bytes()
    );
}

#[test]
fn worked_examples() {
    let one = || vec![(path![], 0)];
    let two = || vec![(path![0], 0), (path![1], 1)];
    check(vec![], vec![], "I1!R1!");
    check(vec![], one(), "I1!R3!_0");
    check(vec![(path![0], 0)], one(), "I8!S5!k0_0R3!_0");
    check(two(), one(), "I12!S9!k0_0k1_1R3!_0");
    check(vec![(path![0, "x"], 0), (path![0, "y"], 1)], one(), "I23!S19!k0D13!K2!x_0K2!y_1R3!_0");
    check(
        two(),
        vec![(path!["x"], 0), (path!["x_squared"], 1)],
        "I12!S9!k0_0k1_1R26!D22!K2!x_0K10!x_squared_1",
    );
    check(
        two(),
        vec![(path![0], 0), (path![1, "a"], 1), (path![1, "b"], 2)],
        "I12!S9!k0_0k1_1R27!S23!k0_0k1D13!K2!a_1K2!b_2",
    );
    check(
        vec![(path![0, "foo"], 0), (path![0, "bar"], 1), (path![1], 2)],
        two(),
        "I31!S27!k0D17!K4!bar_1K4!foo_0k1_2R12!S9!k0_0k1_1",
    );
    check(
        vec![(path!["input_ids"], 1), (path!["input_mask"], 2), (path!["segment_ids"], 0)],
        vec![(path!["end_logits"], 0), (path!["start_logits"], 1)],
        "I53!D49!K10!input_ids_1K11!input_mask_2K12!segment_ids_0R39!D35!K11!end_logits_0K13!start_logits_1",
    );
}

#[test]
fn integer_keys_sort_by_value_and_strings_bytewise() {
    let integers = Structure::from_paths([(path![10], 0), (path![9], 1), (path![2], 2)]).unwrap();
    assert_eq!(integers.to_string(), "[2: raw(2), 9: raw(1), 10: raw(0)]");
    let strings = Structure::from_paths([(path!["9"], 0), (path!["10"], 1), (path!["0"], 2)]).unwrap();
    assert_eq!(strings.to_string(), r#"{"0": raw(2), "10": raw(1), "9": raw(0)}"#);
}

#[test]
fn pretty_form_is_byte_exact() {
    let text = |text: &str| {
        let signature = SipSignature::parse(text.as_bytes(), Mode::Strict).unwrap().signature;
        String::from_utf8([pretty(&signature.inputs), pretty(&signature.results)].join(&b"--\n"[..])).unwrap()
    };
    assert_eq!(text("I1!R3!_0"), "--\n=raw(0),\n");
    assert_eq!(text("I4!S1!R4!D1!"), ":[\n],\n--\n:{\n},\n");
    assert_eq!(
        text("I31!S27!k0D17!K4!bar_1K4!foo_0k1_2R12!S9!k0_0k1_1"),
        "\
:[
  0:{
    bar=raw(1),
    foo=raw(0),
  },
  1=raw(2),
],
--
:[
  0=raw(0),
  1=raw(1),
],
"
    );
}

#[test]
fn keys_are_arbitrary_bytes() {
    let key = Key::Name(b"\0!S9!k0\xff\n=raw(7)".to_vec());
    let structure = Structure::from_paths([(vec![key.clone()], 0)]).unwrap();
    let signature = SipSignature { inputs: structure, results: Structure::default() };
    assert_eq!(SipSignature::parse(&signature.encode(), Mode::Strict).unwrap().signature, signature);
    assert_eq!(signature.inputs.paths()[0].0, [key]);
    assert_eq!(signature.inputs.to_string(), r#"{"\x00!S9!k0\xff\n=raw(7)": raw(0)}"#);
}

#[test]
fn raw_signatures() {
    let buffer = |element, dims: &[Option<u64>]| RawType::buffer(element, dims.iter().copied());
    let check = |inputs: Vec<RawType>, results: Vec<RawType>, text: &str, shown: &str| {
        let signature = RawSignature { inputs, results };
        assert_eq!(signature.encode(), text);
        assert_eq!(RawSignature::parse(text.as_bytes(), Mode::Strict).unwrap().signature, signature);
        assert_eq!(signature.to_string(), shown);
    };
    check(vec![], vec![], "I1!R1!", "() -> ()");
    check(
        vec![
            buffer(ScalarType::Float32, &[None, Some(128), Some(64)]),
            RawType::RefObject,
            RawType::Scalar(ScalarType::SInt32),
        ],
        vec![buffer(ScalarType::UInt64, &[Some(32), None, Some(64)])],
        "I23!B11!d-1d128d64O1!S3!t6R17!B13!t11d32d-1d64",
        "(Buffer<float32[?x128x64]>, RefObject<?>, sint32) -> (Buffer<uint64[32x?x64]>)",
    );
    check(
        vec![buffer(ScalarType::Float32, &[]), RawType::Scalar(ScalarType::Float32)],
        vec![RawType::Unrecognized],
        "I7!B1!S1!R4!U1!",
        "(Buffer<float32[]>, float32) -> (Unrecognized<?>)",
    );
    // Two texts of the original's tests: "I10!B7!t7d4d4" and its counterpart for results.
    check(
        vec![buffer(ScalarType::SInt64, &[Some(4), Some(4)])],
        vec![buffer(ScalarType::SInt64, &[Some(4), Some(4)])],
        "I10!B7!t7d4d4R10!B7!t7d4d4",
        "(Buffer<sint64[4x4]>) -> (Buffer<sint64[4x4]>)",
    );
    assert_eq!(buffer(ScalarType::Float32, &[Some(1 << 31)]), RawType::Unrecognized);
}

#[test]
fn every_scalar_code() {
    let table = [
        ("float32", 4),
        ("float16", 2),
        ("float64", 8),
        ("bfloat16", 2),
        ("sint8", 1),
        ("sint16", 2),
        ("sint32", 4),
        ("sint64", 8),
        ("uint8", 1),
        ("uint16", 2),
        ("uint32", 4),
        ("uint64", 8),
    ];
    for (code, (name, size)) in (0..).zip(table) {
        let scalar = ScalarType::from_code(code).unwrap();
        assert_eq!((scalar.code(), scalar.name(), scalar.size()), (code, name, size));
        let signature = RawSignature { inputs: vec![RawType::Scalar(scalar)], results: vec![] };
        let text = signature.encode();
        assert_eq!(RawSignature::parse(text.as_bytes(), Mode::Strict).unwrap().signature, signature);
    }
}

#[test]
fn components_escape_nothing() {
    let mut builder = SignatureBuilder::new();
    builder.integer(b'_', i32::MIN).span(b'Z', b"").span(b'A', b"-1!").integer(b'z', i32::MAX);
    assert_eq!(builder.encoded(), b"_-2147483648Z1!A4!-1!z2147483647");
    let values: Vec<_> = SignatureParser::new(builder.encoded()).map(|it| it.unwrap().value).collect();
    let expected =
        [Value::Integer(i32::MIN), Value::Span(b""), Value::Span(b"-1!"), Value::Integer(i32::MAX)];
    assert_eq!(values, expected);
}
