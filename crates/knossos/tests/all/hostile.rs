//! Hostile input: deeply nested, long, truncated, or not text.

use crate::common::{front, parsed, rendered};
use minoan_diag::{SourceMap, render};
use minoan_frontend::load;
use minoan_knossos::{check, parse, print};
use std::time::{Duration, Instant};

const SAMPLE: &str = r#"
#| a #| nested |# comment |#
(edef g Float (Float Float))
(def f Float ((x : Float) (v : Tensor 1 Float)) ; comment
  (let ((a b) (tuple 1.0 "s\65\n"))
    (assert (gt x -1.5e3) (fold (lam (t : Tuple Float Float) (add@ff t)) a v))))
(gdef rev [f (Tuple Float (Vec Float))])
(rule "r" (7of9 : Any) (add 7of9 0x1F) 7of9)
(def main Integer () (print ([rev f] (tuple 1.0 (Vec_init 1.0)) 1.0)))
"#;

/// A generous bound, for slow machines and unoptimized builds.
const SOON: Duration = Duration::from_secs(60);

#[test]
fn deep_nesting_is_an_error() {
    const DEEP: usize = 100_000;
    let (open, close) = ("(".repeat(DEEP), ")".repeat(DEEP));
    for text in [
        open.clone(),
        close.clone(),
        "[".repeat(DEEP),
        format!("(def f Integer (x : Integer) {open}x{close})"),
        format!("(def f Integer (x : Integer) {}1{close})", "(neg ".repeat(DEEP)),
        format!("(def f Integer (x : Integer) {}1{close})", "(let (y 1) ".repeat(DEEP)),
        format!("(def f {}Float{close} (x : Integer) x)", "(Vec ".repeat(DEEP)),
        format!("(edef f Float {open}Float{close})"),
        format!("(gdef rev {}f{})", "[rev ".repeat(DEEP), "]".repeat(DEEP)),
        format!("(def f Integer () {}", "(tuple ".repeat(DEEP)),
        "#|".repeat(DEEP),
    ] {
        let start = Instant::now();
        let front = front(&text);
        assert!(front.errors > 0);
        assert!(front.errors < 5, "{}", front.messages);
        assert!(start.elapsed() < SOON);
    }
    let front = front(&format!("(def f Integer (x : Integer) {open}x{close})"));
    assert!(front.messages.starts_with("error: nesting deeper than 20000 levels"), "{}", front.messages);
}

#[test]
fn allowed_nesting_works_on_a_small_stack() {
    let work = || {
        const DEEP: usize = 19_000;
        let close = ")".repeat(DEEP);
        for text in [
            format!("(def f Integer (x : Integer) {}x{close})", "(".repeat(DEEP)),
            format!("(def f Integer (x : Integer) {}x{close})", "(neg ".repeat(DEEP)),
            format!("(def f Integer (x : Integer) {}x{close})", "(let (y x) ".repeat(DEEP)),
            format!("(def f Integer (x : {}Float{close}) 1)", "(Vec ".repeat(DEEP)),
            format!("(def f Integer (x : Integer) (print {}x{close}))", "(tuple 1.0 ".repeat(DEEP)),
            format!(
                "(def f Integer (x : Integer) (print {}x{close}))\n(gdef rev [f Integer])",
                "(tuple ".repeat(DEEP)
            ),
        ] {
            let front = front(&text);
            assert_eq!(front.messages, "");
            let printed = print(&front.program);
            let (again, errors) = parsed(&printed);
            assert_eq!(errors, 0);
            assert!(front.program.same_structure(&again));
            let body = front.typed.defs[0].body;
            assert!(front.typed.free_vars(body).len() <= 1);
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work);
    assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
}

#[test]
fn truncated_sample() {
    assert_eq!(front(SAMPLE).errors, 0, "{}", front(SAMPLE).messages);
    for end in 0..SAMPLE.len() {
        check_recovery(&SAMPLE[..end]);
    }
}

#[test]
fn sample_with_replaced_or_deleted_byte_round_trips() {
    for at in 0..SAMPLE.len() {
        for replacement in ["", "(", ")", "[", "\"", "#|", "é", " "] {
            check_recovery(&format!("{}{replacement}{}", &SAMPLE[..at], &SAMPLE[at + 1..]));
        }
    }
}

/// A text with any errors has a tree that can be checked and printed; without syntax errors, the printed text has the
/// same tree.
fn check_recovery(text: &str) {
    let front = front(text);
    let printed = print(&front.program);
    let (_, errors) = parsed(text);
    if errors == 0 {
        let (again, errors) = parsed(&printed);
        assert_eq!(errors, 0, "{printed}");
        assert_eq!(print(&again), printed, "{text}");
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
fn ten_megabytes_of_random_bytes() {
    const SIZE: usize = 10 << 20;
    let sources = SourceMap::new();
    let start = Instant::now();
    let error = load(&sources, "noise.ks", noise(SIZE)).err();
    let text = error.map(|error| render(&error, &sources)).unwrap_or_default();
    assert!(text.starts_with("error: 'noise.ks' is not UTF-8"), "{text}");

    let letters: Vec<u8> =
        noise(SIZE).into_iter().map(|byte| b"()[]def xy\"12.:;#|\n"[byte as usize % 19]).collect();
    let ascii: Vec<u8> = noise(SIZE).into_iter().map(|byte| byte & 0x7f).collect();
    let mut half_open = b"(def f Float (x : Float) ".repeat(SIZE / 25);
    half_open.truncate(SIZE);
    for bytes in [letters, ascii, half_open, vec![b'('; SIZE], vec![b'a'; SIZE], vec![b' '; SIZE]] {
        let sources = SourceMap::new();
        let Ok(file) = load(&sources, "noise.ks", bytes) else { continue };
        let (program, errors) = parse(&sources, file);
        let (_, more) = check(&program);
        assert!(errors.error_count() <= 21 && more.error_count() <= 21);
        rendered(&errors, &sources);
    }
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn invalid_utf8_is_located() {
    let sources = SourceMap::new();
    let error = load(&sources, "bad.ks", b"(def f\n  \xc3\xa9 \xff Float".to_vec()).err();
    let error = error.map(|error| render(&error, &sources)).unwrap_or_default();
    expect_test::expect![[r#"
        error: 'bad.ks' is not UTF-8: invalid byte 0xff
         --> bad.ks:2:5
          |
        2 |   é � Float
          |     ^
    "#]]
    .assert_eq(&error);
}

#[test]
fn wide_programs_take_linear_time() {
    let start = Instant::now();
    let mut text = String::new();
    for index in 0..20_000 {
        text += &format!("(def f{index} Float (x : Float) (add x (f{} x)))\n", (index + 1) % 20_000);
    }
    let list = " 1.0".repeat(200_000);
    text += &format!("(def v (Vec Float) () (Vec_init{list}))");
    assert_eq!(front(&text).messages, "");
    assert!(start.elapsed() < SOON);
}
