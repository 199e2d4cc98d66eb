//! Hostile input: deeply nested, long, truncated, or not text.

use crate::common::{
    context, counted, emitted, expected, good, lowered, messages, on_buffers, rendered, run,
};
use minoan_diag::SourceMap;
use minoan_iexpr::emit::EmitOptions;
use minoan_iexpr::{check, parse, print};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// A generous bound, for slow machines and unoptimized builds.
const SOON: Duration = Duration::from_secs(60);
const DEEP: usize = 100_000;

#[test]
fn deep_nesting() {
    let work = || {
        let (open, close) = ("(".repeat(DEEP), ")".repeat(DEEP));
        let start = Instant::now();
        for text in [
            format!("main = {open}i(\"+i~i\"){close}"),
            format!("main = {}I", "~".repeat(DEEP)),
            format!("main = {}I{}", "(I >> ".repeat(DEEP / 2), ")".repeat(DEEP / 2)),
            format!("main = I{}", " >> I".repeat(DEEP - 1)),
            format!("main = I{}", "\n<< I".repeat(DEEP - 1)),
        ] {
            let (_, checked, file) = good(&text);
            assert_eq!(checked.signature("main").map(|it| it.outputs.len()), Some(1));
            let (_, _, again) = good(&print(&file));
            assert!(file.same_structure(&again));
            drop(checked.clone());
        }
        for text in [
            open.clone(),
            close,
            format!("main = {open}"),
            "~".repeat(DEEP),
            "i(".repeat(DEEP),
            "i(\"".repeat(DEEP),
        ] {
            let said = messages(&text);
            assert!(said.contains("error: "), "{said}");
            assert!(said.matches("error: ").count() < 25, "{said}");
        }
        assert!(start.elapsed() < SOON);
    };
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("no panic");
}

#[test]
fn wide_components_are_an_error() {
    for combinator in ["|", "&"] {
        let text = format!("main = I{}", format!(" {combinator} I").repeat(DEEP));
        let start = Instant::now();
        let said = messages(&text);
        assert!(said.contains("a component has at most 1000 "), "{said}");
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
        assert!(start.elapsed() < SOON);
    }
}

#[test]
fn doubling_definitions_are_an_error() {
    let mut text = "a0 = i(\"-i~i\")\n".to_owned();
    for at in 0..200 {
        text.push_str(&format!("a{} = a{at} >> a{at}\n", at + 1));
    }
    let said = messages(&text);
    assert!(said.contains("'a17' has 131072 expressions"), "{said}");
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
}

#[test]
fn long_chains_are_emitted_and_lowered() {
    let start = Instant::now();
    let text = format!("main = i(\"-i~i\"){}", " >> i(\"-i~i\")".repeat(20_000));
    let module = emitted(&context(), &text, &EmitOptions::default()).expect("emits");
    lowered(module);
    assert!(start.elapsed() < SOON);
}

#[test]
fn long_chains_of_stages_are_an_error() {
    for (schedule, what) in [("|0i", "more than 1000 expressions"), ("|i0", "more than 1000 expressions")] {
        let text = format!("main = i(\"-i~i\"){}", format!(" >> i(\"-i~i|{schedule}\")").repeat(5000));
        let error = refused(&text);
        assert!(error.contains(what), "{error}");
    }
    // Each consumer reads a value twice that is computed twice.
    let step = " >> (I & I) >> i(\"i+i~i||0i1\")";
    let error = refused(&format!("main = i(\"-i~i\"){}", step.repeat(60)));
    assert!(error.contains("more than 1000 expressions"), "{error}");
}

/// The diagnostic of a text that cannot be emitted.
fn refused(text: &str) -> String {
    emitted(&context(), text, &EmitOptions::default()).expect_err("it is refused")
}

#[test]
fn deep_stages_work() {
    let x = counted(&[2]);
    for step in ["-i~i||0i", "-i~i||i0", "-i~i|i:2|i0i'"] {
        let first = step.replace('0', "");
        let text = format!("main = i(\"{first}\"){}", format!(" >> i(\"{step}\")").repeat(300));
        assert_eq!(run(&text, std::slice::from_ref(&x)), expected(&text, std::slice::from_ref(&x)));
    }
    // Each sum is recomputed inside the loops of the next one.
    let step = " >> i(\"+ijk~ij||ijk0\") >> i(\"ij*k~ijk||ijk0\")";
    let text = |times: usize| format!("main = i(\"ijk~ijk\"){}", step.repeat(times));
    let (x, v) = (counted(&[2, 1, 2]), counted(&[2]));
    let inputs = [vec![x], vec![v; 4]].concat();
    assert_eq!(run(&text(4), &inputs), expected(&text(4), &inputs));
    on_buffers(lowered(emitted(&context(), &text(190), &EmitOptions::default()).expect("emits")));
    let error = refused(&text(250));
    assert!(error.contains("staging nests more than 200 loops"), "{error}");
    assert_eq!(error.matches("error: ").count(), 1, "{error}");
}

#[test]
fn long_expressions_are_an_error() {
    let (letters, factors) = ("ij".repeat(DEEP), ":2".repeat(DEEP));
    for expr in [
        format!("{letters}~i"),
        format!("+{letters}~{letters}"),
        format!("+i~i|i{factors}|"),
        format!("+i~i||{letters}"),
        format!("+i~i||i{}", "'".repeat(DEEP)),
        "+i~i|i:99999999999999999999|".to_owned(),
        format!("+i~i|i:{}|", "9".repeat(DEEP)),
        "+".repeat(DEEP),
        "|".repeat(DEEP),
        format!("+i~i|{}|", (b'a'..=b'z').map(|c| format!("{}:2", c as char)).collect::<Vec<_>>().join(",")),
    ] {
        let start = Instant::now();
        let said = messages(&format!("main = i(\"{expr}\")"));
        assert!(said.contains("error: "), "{said}");
        assert!(said.len() < 1_000_000, "{}", said.len());
        assert!(start.elapsed() < SOON);
    }
}

#[test]
fn control_characters_and_other_alphabets() {
    for text in [
        "\0",
        "\u{feff}",
        "main = \u{1b}[31m",
        "größe = i(\"+i~i\")",
        "x = i(\"+ë~ë\")",
        "main = i(\"\0~i\")",
        "\u{2028}",
        "𝚒(\"+i~i\")",
    ] {
        let sources = SourceMap::new();
        let file = sources.add("test.iexpr", text);
        let (file, syntax) = parse(&sources, file);
        let (_, rules) = check(&file);
        let said = rendered(&syntax, &sources) + &rendered(&rules, &sources);
        assert!(!said.contains('\u{1b}'), "{said}");
    }
    assert_eq!(messages("\u{feff}größe = i(\"+i~i\") # ø"), "");
    assert!(messages("x = i(\"+ë~ë\")").contains("expected a pattern, found `ë`"));
}

const SAMPLE: &str =
    "# a comment\nf = i(\"+ijk~ij|i:16,k:4|ikji'k'0\")\ng = ~(f | I) >> (f & id) << i('i>=j~ij')\n";

#[test]
fn every_prefix_and_deletion_is_parsed() {
    for at in 0..=SAMPLE.len() {
        messages(&SAMPLE[..at]);
        messages(&SAMPLE[at..]);
        for end in at..(at + 4).min(SAMPLE.len()) {
            messages(&format!("{}{}", &SAMPLE[..at], &SAMPLE[end..]));
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_parsed(text in "[-a-k+*/<>^$=!&|~.:,'\"()0-9 \n#Ii]{0,60}") {
        messages(&text);
    }

    #[test]
    fn any_expression_is_parsed(text in "[-i-k+*/<>^$=!&|~.:,'012]{0,20}") {
        let Ok((expr, places)) = minoan_iexpr_dialect::parse(&text) else { return Ok(()) };
        if minoan_iexpr_dialect::check(&expr, &places).is_empty() {
            // Accepted expressions are emitted; a stage may have nothing to compute.
            let text = format!("main = i(\"{expr}\")");
            prop_assert_eq!(messages(&text), "");
            match emitted(&context(), &text, &EmitOptions::default()) {
                Ok(module) => _ = lowered(module),
                Err(error) => prop_assert!(error.contains("graph input with a compute site"), "{error}"),
            }
        }
    }
}
