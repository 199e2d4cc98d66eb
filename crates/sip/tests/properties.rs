//! Property tests: random structures, mutated signatures, random bytes and great depths.

use minoan_sip::{
    Code, Container, Key, Leaf, Mode, RawSignature, RawType, ScalarType, SipSignature, Structure,
};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
enum Tree {
    Leaf,
    Sequence(BTreeMap<i32, Tree>),
    Dictionary(BTreeMap<Vec<u8>, Tree>),
}

fn tree() -> impl Strategy<Value = Tree> {
    Just(Tree::Leaf).prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            btree_map(prop_oneof![0..12i32, Just(i32::MAX)], inner.clone(), 0..6).prop_map(Tree::Sequence),
            btree_map(vec(any::<u8>(), 0..12), inner, 0..6).prop_map(Tree::Dictionary),
        ]
    })
}

fn places(tree: &Tree, path: Vec<Key>, out: &mut Vec<(Vec<Key>, Option<Container>)>) {
    let below = |key: Key| path.iter().cloned().chain([key]).collect();
    match tree {
        Tree::Leaf => out.push((path, None)),
        Tree::Sequence(items) if items.is_empty() => out.push((path, Some(Container::Sequence))),
        Tree::Dictionary(items) if items.is_empty() => out.push((path, Some(Container::Dictionary))),
        Tree::Sequence(items) => {
            items.iter().for_each(|(key, tree)| places(tree, below(Key::Index(*key)), out));
        }
        Tree::Dictionary(items) => {
            items.iter().for_each(|(key, tree)| places(tree, below(Key::Name(key.clone())), out));
        }
    }
}

/// Leaves with their paths in random order; raw indices are assigned in that order.
fn paths() -> impl Strategy<Value = Vec<(Vec<Key>, Leaf)>> {
    let shuffled = tree().prop_flat_map(|tree| {
        let mut out = Vec::new();
        places(&tree, Vec::new(), &mut out);
        Just(out).prop_shuffle()
    });
    let numbered = shuffled.prop_map(|places| {
        let mut next = 0..;
        let leaf = |container: Option<Container>| {
            container.map_or_else(|| Leaf::Raw(next.next().expect("few leaves")), Leaf::Empty)
        };
        let leaves: Vec<Leaf> = places.iter().map(|(_, container)| *container).map(leaf).collect();
        places.into_iter().map(|(path, _)| path).zip(leaves).collect()
    });
    prop_oneof![9 => numbered, 1 => Just(Vec::new())]
}

fn signature() -> impl Strategy<Value = SipSignature> {
    let structure = || paths().prop_map(|paths| Structure::from_paths(paths).unwrap());
    (structure(), structure()).prop_map(|(inputs, results)| SipSignature { inputs, results })
}

fn raw_type() -> impl Strategy<Value = RawType> {
    let scalar = || (0..12i32).prop_map(|code| ScalarType::from_code(code).unwrap());
    let extent = prop_oneof![Just(None), (0..1u64 << 31).prop_map(Some)];
    prop_oneof![
        (scalar(), vec(extent, 0..5)).prop_map(|(element, dims)| RawType::buffer(element, dims)),
        scalar().prop_map(RawType::Scalar),
        Just(RawType::RefObject),
        Just(RawType::Unrecognized),
    ]
}

fn raw_signature() -> impl Strategy<Value = RawSignature> {
    (vec(raw_type(), 0..5), vec(raw_type(), 0..5))
        .prop_map(|(inputs, results)| RawSignature { inputs, results })
}

/// Almost valid signatures: valid components in invalid combinations.
fn nearly() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "[IRSDKBOUkt_d]".prop_map(String::into_bytes),
        "-?[0-9]{1,3}".prop_map(String::into_bytes),
        Just(b"!".to_vec()),
        "[IRSDK][1-9]!".prop_map(String::into_bytes),
        vec(any::<u8>(), 0..3),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn structures_round_trip(signature in signature()) {
        let text = signature.encode();
        prop_assert_eq!(&SipSignature::parse(&text, Mode::Strict).unwrap().signature, &signature);
        let lenient = SipSignature::parse(&text, Mode::Lenient).unwrap();
        prop_assert_eq!(lenient.signature, signature);
        prop_assert_eq!(lenient.deviations, vec![]);
    }

    #[test]
    fn paths_are_sorted(mut paths in paths()) {
        let structure = Structure::from_paths(paths.clone()).unwrap();
        paths.sort_by(|a, b| a.0.cmp(&b.0));
        prop_assert_eq!(structure.paths(), paths);
    }

    #[test]
    fn incremental_construction_agrees(paths in paths(), extra in vec((vec(0..3i32, 0..3), 0..9i32), 0..4)) {
        let mut mangler = minoan_sip::SipSignatureMangler::new();
        let mut kept = Vec::new();
        let extra = extra.into_iter().map(|(path, raw)| (path.into_iter().map(Key::Index).collect(), Leaf::Raw(raw)));
        for (path, leaf) in paths.into_iter().chain(extra) {
            let before = mangler.structure();
            let with: Vec<_> = kept.iter().cloned().chain([(path.clone(), leaf)]).collect();
            match mangler.set(&path, leaf) {
                Ok(()) => kept = with,
                Err(error) => {
                    prop_assert_eq!(Structure::from_paths(with).unwrap_err(), error);
                    prop_assert_eq!(mangler.structure(), before);
                }
            }
        }
        prop_assert_eq!(mangler.structure(), Structure::from_paths(kept).unwrap());
    }

    #[test]
    fn errors_are_independent_of_order(paths in vec((vec(prop_oneof![(0..2i32).prop_map(Key::Index), "[ab]".prop_map(|name| Key::Name(name.into_bytes()))], 0..3), 0..5i32), 0..5).prop_flat_map(|paths| (Just(paths.clone()), Just(paths).prop_shuffle()))) {
        let (paths, shuffled) = paths;
        prop_assert_eq!(Structure::from_paths(paths), Structure::from_paths(shuffled));
    }

    #[test]
    fn raw_signatures_round_trip(signature in raw_signature()) {
        let text = signature.encode();
        prop_assert_eq!(RawSignature::parse(text.as_bytes(), Mode::Strict).unwrap().signature, signature);
    }

    #[test]
    fn every_changed_byte_is_rejected_or_changes_the_result(signature in signature(), raw in raw_signature(), byte: u8) {
        let text = signature.encode();
        for changed in changes(&text, byte) {
            if let Ok(parsed) = SipSignature::parse(&changed, Mode::Strict) {
                prop_assert_ne!(&parsed.signature, &signature);
                prop_assert_eq!(parsed.signature.encode(), changed);
            }
        }
        for changed in changes(raw.encode().as_bytes(), byte) {
            if let Ok(parsed) = RawSignature::parse(&changed, Mode::Strict) {
                prop_assert_ne!(&parsed.signature, &raw);
                prop_assert_eq!(parsed.signature.encode().into_bytes(), changed);
            }
        }
    }

    #[test]
    fn lenient_mode_agrees_with_strict_mode(text in prop_oneof![nearly(), vec(any::<u8>(), 0..60)]) {
        let lenient = SipSignature::parse(&text, Mode::Lenient);
        match SipSignature::parse(&text, Mode::Strict) {
            Ok(strict) => {
                prop_assert_eq!(&strict.signature.encode(), &text);
                prop_assert_eq!(lenient, Ok(strict));
            }
            Err(error) => match lenient {
                Ok(lenient) => prop_assert!(lenient.deviations.iter().any(|it| it.code == error.code && it.offset == error.offset)),
                Err(lenient) => prop_assert!(error.code.is_deviation() || error == lenient),
            },
        }
        if let Ok(strict) = RawSignature::parse(&text, Mode::Strict) {
            prop_assert_eq!(strict.signature.encode().into_bytes(), text);
        }
    }
}

/// All single-byte mutations: replacement by a few bytes and a random one, duplication, deletion.
fn changes(text: &[u8], random: u8) -> Vec<Vec<u8>> {
    let mut changes = Vec::new();
    for at in 0..text.len() {
        let others = [b'0', b'1', b'9', b'-', b'!', b'k', b'_', b'K', b'S', b'D', b'I', b'R', random];
        for other in others.into_iter().chain([text[at] ^ 1]).filter(|&other| other != text[at]) {
            let mut changed = text.to_vec();
            changed[at] = other;
            changes.push(changed);
        }
        let (before, after) = text.split_at(at);
        changes.push([before, &after[..1], after].concat());
        changes.push([before, &after[1..]].concat());
    }
    changes
}

const DEEP: usize = 100_000;

#[test]
fn great_depth() {
    let path = vec![Key::Index(0); DEEP];
    let inputs = Structure::from_paths([(path.clone(), 0)]).unwrap();
    let signature = SipSignature { inputs, results: Structure::default() };
    let text = signature.encode();
    for mode in [Mode::Strict, Mode::Lenient] {
        assert_eq!(SipSignature::parse(&text, mode).unwrap().signature, signature);
    }
    assert_eq!(signature.inputs.paths(), [(path, Leaf::Raw(0))]);
    assert_eq!(signature.inputs.to_string().len(), 5 * DEEP + "raw(0)".len());
    assert_eq!(signature.clone(), signature);
    assert_eq!(signature.inputs.depth(), DEEP);
}

#[test]
fn deep_errors_have_context() {
    let inputs = Structure::from_paths([(vec![Key::Index(0); DEEP], 0)]).unwrap();
    let mut text = SipSignature { inputs, results: Structure::default() }.encode();
    let leaf = text.iter().position(|&byte| byte == b'_').unwrap();
    text[leaf] = b'?';
    let error = SipSignature::parse(&text, Mode::Lenient).unwrap_err();
    assert_eq!((error.code, error.offset), (Code::UnknownTag, leaf));
    assert_eq!(error.path.len(), DEEP + 1);
    assert!(error.to_string().ends_with(", and 99993 more [unknown-tag]"), "{error}");
}

/// Takes minutes if the cost of a deviation depends on depth or number.
#[test]
fn many_deviations_take_linear_time() {
    let inputs = Structure::from_paths([(vec![Key::Name(Vec::new()); DEEP], 0)]).unwrap();
    let text = SipSignature { inputs, results: Structure::default() }.encode();
    // Turns dictionaries into sequences with keys of the wrong kind.
    let text: Vec<u8> = text.into_iter().map(|byte| if byte == b'D' { b'S' } else { byte }).collect();
    let parsed = SipSignature::parse(&text, Mode::Lenient).unwrap();
    assert_eq!(parsed.deviations.len(), DEEP);

    let flat: String = (0..DEEP).rev().map(|key| format!("k{}_0", key / 2)).collect();
    let sequence = format!("S{}!{flat}", flat.len() + 1);
    let text = format!("I{}!{sequence}R1!", sequence.len() + 1);
    let parsed = SipSignature::parse(text.as_bytes(), Mode::Lenient).unwrap();
    let count = |code| parsed.deviations.iter().filter(|it| it.code == code).count();
    assert_eq!(count(Code::UnsortedKey), DEEP / 2 - 1);
    assert_eq!(count(Code::DuplicateKey), DEEP / 2);
    assert_eq!(count(Code::DuplicateIndex), DEEP - 1);
}
