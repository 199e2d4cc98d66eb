//! Hostile input: deeply nested, long, truncated, or not text.

use crate::common::{front, parsed, rendered};
use minoan_diag::SourceMap;
use minoan_relay::{check, parse, print};
use std::time::{Duration, Instant};

const SAMPLE: &str = r#"#[version = "0.0.5"]
/* a /* nested */ comment */
type List[A] { Cons(A, List[A]), Nil }
extern type Storage
def @f[A](%x: A, %l: List[A], Primitive=1) -> (A, int32) where Identity { // comment
  %0 = nn.dense(%x, %w/w, units=None, out_dtype="float32");
  let %y: Tensor[(2, ?), float32] = if (%x < -1.5e-3f && True) { %0.0.1 } else { ref_read(ref(1i64)) };
  ref_write(%r, 1); match? (%l) { Cons(%h, (_, %t: int32)) => @f[int32](%h), Nil => meta[relay.Constant][0] }
}
#[metadata]
{"root": 1, "nodes": [{"type_key": ""}, {"type_key": "Map", "keys": ["relay.Constant"], "data": [2]}, {"type_key": "Array", "data": [3]}, {"type_key": "relay.Constant", "attrs": {"data": "0"}}], "b64ndarrays": [], "attrs": {}}
"#;

/// A generous bound, for slow machines and unoptimized builds.
const SOON: Duration = Duration::from_secs(60);

fn nested(open: &str, inside: &str, close: &str, count: usize) -> String {
    format!("{}{inside}{}", open.repeat(count), close.repeat(count))
}

#[test]
fn deep_nesting_is_an_error() {
    const DEEP: usize = 100_000;
    for text in [
        nested("(", "1", ")", DEEP),
        nested("{", "1", "}", DEEP),
        "(".repeat(DEEP),
        ")".repeat(DEEP),
        "[".repeat(DEEP),
        nested("abs(", "1f", ")", DEEP),
        nested("fn () { ", "1", " }", DEEP),
        nested("if (True) { ", "1", " } else { 2 }", DEEP),
        format!("{} 1", "if (True) { 1 } else ".repeat(DEEP)),
        nested("match (1) { _ => ", "1", " }", DEEP),
        format!("{}1", "match ".repeat(DEEP)),
        nested("let %x = (", "1", "); %x", DEEP),
        format!("{}x", "-!".repeat(DEEP)),
        format!("1{}", ".0".repeat(DEEP)),
        format!("add{}", "(1)".repeat(DEEP)),
        format!("1{}", " + 1".repeat(2 * DEEP)),
        format!("def @f(%x: {}) {{ 1 }}", nested("(", "int32", ",)", DEEP)),
        format!("def @f(%x: {}int32) {{ 1 }}", "fn () -> ".repeat(DEEP)),
        format!("match (1) {{ {} => 1 }}", nested("(", "_", ",)", DEEP)),
        format!("clip(1, a_min={})", nested("[", "1", "]", DEEP)),
        format!("def @f() {{ 1 }}\n{}", "/*".repeat(DEEP)),
        format!("1 #[metadata]{}", "[".repeat(DEEP)),
    ] {
        let start = Instant::now();
        let front = front(&text);
        let head: String = text.chars().take(40).collect();
        assert!(front.errors > 0, "{head}");
        assert!(front.errors < 5, "{head}\n{}", front.messages.chars().take(2000).collect::<String>());
        assert!(start.elapsed() < SOON, "{head}");
    }
    let front = front(&nested("(", "1", ")", DEEP));
    assert!(front.messages.starts_with("error: nesting deeper than 20000 levels"), "{}", front.messages);
}

#[test]
fn allowed_nesting_works_on_a_small_stack() {
    let work = || {
        const DEEP: usize = 9_000;
        for text in [
            nested("(", "1", ")", DEEP),
            nested("(1, ", "1", ")", DEEP),
            nested("abs(", "1f", ")", DEEP),
            nested("fn () { ", "1", " }", 500),
            format!("{}{{ 1 }}", "if (True) { 1 } else ".repeat(DEEP)),
            nested("let %x = (", "1", "); %x", DEEP),
            format!("1{}", " + 1".repeat(50_000)),
            format!("-{}(1)", "-".repeat(DEEP)),
            format!("def @f(%x: {}) {{ %x }}", nested("(", "int32", ",)", DEEP)),
            format!(
                "def @f(%x: int32) {{ match ({}) {{ {} => 1 }} }}",
                nested("(", "%x", ",)", 2_000),
                nested("(", "_", ",)", 2_000)
            ),
        ] {
            let head: String = text.chars().take(40).collect();
            let front = front(&text);
            assert_eq!(front.messages.chars().take(1000).collect::<String>(), "", "{head}");
            let printed = print(&front.typed.module);
            let (again, errors) = parsed(&printed);
            assert_eq!(errors, 0, "{head}");
            assert!(front.typed.module.same_structure(&again), "{head}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work);
    assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
}

#[test]
fn long_sequences_do_not_recurse() {
    let work = || {
        const LONG: usize = 100_000;
        let lets: String = (0..LONG).map(|at| format!("let %v{} = add(%v{at}, %v0);\n", at + 1)).collect();
        let graphs: String = (0..LONG).map(|at| format!("%{} = add(%{at}, %v0);\n", at + 1)).collect();
        for text in [
            format!("def @main(%v0: float32) {{ {lets} %v{LONG} }}"),
            format!("def @main(%v0: float32) {{ %0 = %v0; {graphs} %{LONG} }}"),
            (0..LONG / 10).map(|at| format!("def @f{at}() {{ @f{}() }}\n", (at + 1) % (LONG / 10))).collect(),
        ] {
            let front = front(&text);
            let printed = print(&front.typed.module);
            let (again, _) = parsed(&printed);
            assert!(front.typed.module.same_structure(&again));
            assert_eq!(front.errors, 0);
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work);
    assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
}

#[test]
fn truncated_sample() {
    let (_, errors) = parsed(SAMPLE);
    assert_eq!(errors, 0, "{}", front(SAMPLE).messages);
    for end in 0..SAMPLE.len() {
        check_recovery(&SAMPLE[..end]);
    }
}

/// A text with any errors has a tree that can be checked and printed; without syntax errors, the printed text has the
/// same tree.
fn check_recovery(text: &str) {
    print(&front(text).typed.module);
    let (module, errors) = parsed(text);
    let printed = print(&module);
    if errors == 0 {
        let (again, errors) = parsed(&printed);
        assert_eq!(errors, 0, "{printed}");
        assert_eq!(print(&again), printed, "{text}");
    }
}

#[test]
fn sample_with_replaced_or_deleted_byte_round_trips() {
    for at in 0..SAMPLE.len() {
        for replacement in ["", "(", ")", "{", "\"", "/*", "é", " ", ";", "%", "."] {
            check_recovery(&format!("{}{replacement}{}", &SAMPLE[..at], &SAMPLE[at + 1..]));
        }
    }
}

/// Pseudo-random bytes, the same in every run.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn megabytes_of_random_bytes() {
    const SIZE: usize = 2 << 20;
    let start = Instant::now();
    let letters: Vec<u8> =
        noise(SIZE).into_iter().map(|byte| b"(){}[]def @x%y=\"12.:;#|/*\n"[byte as usize % 26]).collect();
    let ascii: Vec<u8> = noise(SIZE).into_iter().map(|byte| byte & 0x7f).collect();
    let mut half_open = b"def @f(%x: int32) { let %y = (%x; ".repeat(SIZE / 34);
    half_open.truncate(SIZE);
    for bytes in
        [letters, ascii, half_open, vec![b'('; SIZE], vec![b'a'; SIZE], vec![b' '; SIZE], vec![b'%'; SIZE]]
    {
        let sources = SourceMap::new();
        let file = sources.add("noise.relay", String::from_utf8(bytes).unwrap_or_default());
        let (module, errors) = parse(&sources, file);
        let (_, more) = check(module);
        assert!(errors.error_count() <= 21 && more.error_count() <= 21);
        rendered(&errors, &sources);
        rendered(&more, &sources);
    }
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

/// The product of the constructors of all columns would not fit into memory.
#[test]
fn exponential_matches_are_shared() {
    let start = Instant::now();
    let columns = 20;
    let row = |at: usize, name: &str| {
        let cells: Vec<&str> = (0..columns).map(|column| if column == at { name } else { "_" }).collect();
        format!("({}) => {at},", cells.join(", "))
    };
    let rows: String =
        (0..columns).map(|at| row(at, "A")).chain((0..columns).map(|at| row(at, "B"))).collect();
    let values: Vec<String> = (0..columns).map(|_| "%t".to_owned()).collect();
    let text =
        format!("type T {{ A, B, C }} def @main(%t: T[]) {{ match (({})) {{ {rows} }} }}", values.join(", "));
    let front = front(&text);
    assert!(front.errors <= 1);
    assert!(start.elapsed() < SOON);
}

#[test]
fn exponential_types_are_shared() {
    let mut text = "def @main(%x0: int32) {".to_owned();
    for at in 0..60 {
        text += &format!("let %x{} = (%x{at}, %x{at});\n", at + 1);
    }
    text += "let %f = fn (%y) { %y }; let %z = %f(%x60); %z.0.1.0 + 1 }";
    let front = front(&text);
    assert_eq!(front.errors, 1, "{}", front.messages.chars().take(2000).collect::<String>());
}
