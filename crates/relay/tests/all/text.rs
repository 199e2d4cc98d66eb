//! Round trips from the relay dialect to Relay text and back.

use crate::common::emitted::{context, emitted, text_of};
use crate::common::{functional, programs, run};
use minoan_interp::Interpreter;
use minoan_relay::to_text;
use minoan_services::{Datum, Tensor};
use std::fs;
use std::path::Path;

/// Prints the functions that `roots` reach, reads them, and so on; `None` if the program cannot run. A message if the text
/// still changes after functions have been lifted and names chosen, and whether the first module is equal to the second.
fn round_trip(name: &str, text: &str, roots: &[&str]) -> Option<(String, bool)> {
    let ctx = context();
    let first = emitted(&ctx, text, roots).ok()?;
    let printed = to_text(&first).ok()?;
    let again = |text: &str| -> Result<(String, String), String> {
        let module =
            emitted(&ctx, text, roots).map_err(|messages| format!("{name}: {messages}\n{text}\n"))?;
        let printed = to_text(&module).map_err(|errors| format!("{name}: {errors:?}\n{text}\n"))?;
        Ok((text_of(&module), printed))
    };
    let twice = again(&printed).and_then(|second| Ok((again(&second.1)?.1, second)));
    Some(match twice {
        Ok((third, (module, second))) if third == second => (String::new(), module == text_of(&first)),
        Ok((third, (_, second))) => (format!("{name}: another text\n{second}\n{third}\n"), false),
        Err(message) => (message, false),
    })
}

#[test]
fn measured_programs_round_trip() {
    let (mut wrong, mut count, mut equal) = (String::new(), 0, 0);
    for program in programs::vectors().iter().chain(&programs::operators()) {
        if let Some((message, same)) = round_trip(&program.name, &program.text, &["main"]) {
            count += 1;
            equal += usize::from(same);
            wrong += &message;
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    // The others have functions that were lifted, or data types.
    assert!(count > 700 && equal + 30 > count, "{equal} of {count}");
}

#[test]
fn examples_round_trip() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in ["mlp.relay", "resnet_block.relay"] {
        let text = fs::read_to_string(directory.join(name)).expect("an example");
        assert_eq!(round_trip(name, &text, &["main"]).map(|(message, _)| message), Some(String::new()));
    }
}

#[test]
fn text_of_a_conditional_call() {
    let program =
        "def @f(%x: int32) -> int32 { if (%x < 10) { @f(%x * 2) } else { let %y = (%x, (1f, %x)); %y.1.1 } }";
    let module = emitted(&context(), program, &["f"]).expect("a valid program");
    let text = to_text(&module).expect("its text");
    assert!(text.contains("let %v = if (%0) {"), "{text}");
    assert_eq!(round_trip("f", program, &["f"]), Some((String::new(), true)));
}

#[test]
fn text_of_objects() {
    let program = "type T[A] { A(A), B }
        def @get[A](%x: T[A]) -> A { match? (%x) { A(%a) => %a } }
        def @main(%x: int32) -> (int32, T[float32]) {
          let %r = ref(fn (%y: int32) -> int32 { %y + %x });
          let %f = ref_read(%r);
          ref_write(%r, fn (%y: int32) -> int32 { %f(%y) * 2 });
          let %g = ref_read(%r);
          (%g(@get(A(3))), if (%x < 1) { A(1f) } else { B })
        }";
    let printed =
        to_text(&emitted(&context(), program, &["main"]).expect("a valid program")).expect("its text");
    let types = ["type T[A] { A(A), B }", "-> (int32, T[float32]) {"];
    let values = [
        "(match? (%x) {",
        "A(%f) => {",
        "= %v_1(%y_1);",
        "ref_write(%v, %2);",
        ": T[float32] = A(1f);",
        "= B;",
    ];
    for expected in types.into_iter().chain(values) {
        assert!(printed.contains(expected), "{expected}\n{printed}");
    }
    assert_eq!(round_trip("objects", program, &["main"]).map(|(message, _)| message), Some(String::new()));
}

#[test]
fn random_programs_with_objects_round_trip() {
    for seed in 0..60 {
        let text = functional::program(seed);
        let found = round_trip(&format!("seed {seed}"), &text, &["main"]).map(|(message, _)| message);
        assert_eq!(found.as_deref(), Some(""));
        if seed % 6 != 0 {
            continue;
        }
        let lowered = |text: &str| {
            let module = emitted(&run::context(), text, &["main"]).expect("it has been read before");
            run::lowered(&module).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
        };
        let module = emitted(&context(), &text, &["main"]).expect("it has been read before");
        let printed = to_text(&module).expect("it has been printed before");
        let (first, second) = (lowered(&text), lowered(&printed));
        let args = [Datum::from(Tensor::splat(&[], &Datum::Int(4)).expect("a scalar"))];
        let results = [&first, &second].map(|module| Interpreter::new(module).call("main", &args));
        let [Ok(expected), Ok(found)] = &results else { panic!("seed {seed}: {results:?}\n{text}") };
        assert_eq!(run::tensors(found), run::tensors(expected), "seed {seed}\n{printed}");
    }
}
