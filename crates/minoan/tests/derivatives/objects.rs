//! Derivatives through data types, closures and references: reverse mode agrees with forward mode and with central
//! differences, on every back end. One of these interprets the buffers, and fails if objects are left.

use super::BACKENDS;
use super::support::{Case, backends, near};
use minoan::Backend;
use minoan::gradient::Wrt;
use serde_json::{Value, json};

pub(crate) const PRELUDE: &str = r#"#[version = "0.0.5"]
type List[A] { Cons(A, List[A]), Nil, }
type Tree[A] { Node(A, Tree[A], Tree[A]), Leaf, }
type Option[A] { Some(A), None, }
type Tagged { Tag(int32, float64), Plain(float64), Other(int32), }
def @sum(%l: List[float64]) -> float64 { match (%l) { Cons(%h, %t) => %h + @sum(%t), Nil => 0f64 } }
def @map[A, B](%f: fn(A) -> B, %l: List[A]) -> List[B] {
  match (%l) { Cons(%h, %t) => Cons(%f(%h), @map(%f, %t)), Nil => Nil }
}
def @foldl[A, B](%f: fn(A, B) -> A, %z: A, %l: List[B]) -> A {
  match (%l) { Cons(%h, %t) => @foldl(%f, %f(%z, %h), %t), Nil => %z }
}
def @foldr[A, B](%f: fn(A, B) -> B, %z: B, %l: List[A]) -> B {
  match (%l) { Cons(%h, %t) => %f(%h, @foldr(%f, %z, %t)), Nil => %z }
}
def @rev(%l: List[float64]) -> List[float64] {
  @foldl(fn (%a: List[float64], %b: float64) -> List[float64] { Cons(%b, %a) }, Nil, %l)
}
def @zip(%a: List[float64], %b: List[float64]) -> List[(float64, float64)] {
  match (%a) {
    Cons(%x, %s) => match (%b) { Cons(%y, %t) => Cons((%x, %y), @zip(%s, %t)), Nil => Nil },
    Nil => Nil
  }
}
def @three(%k: float64) -> List[float64] { Cons(%k, Cons(2f64 * %k, Cons(3f64, Nil))) }
def @tree(%x: float64, %n: int32) -> Tree[float64] {
  if (%n == 0) { Leaf } else { Node(%x, @tree(%x * 1.1f64, %n - 1), @tree(%x * 0.9f64, %n - 1)) }
}
def @net(%w: float64, %t: Tree[float64]) -> float64 {
  match (%t) { Node(%x, %l, %r) => tanh(%w * (@net(%w, %l) + @net(%w, %r)) + %x), Leaf => %w }
}
"#;

/// The name of a program, its definitions, the last of which is `@main`, and the arguments.
const ROWS: &[(&str, &str, &str)] = &[
    ("a list", "def @main(%k: float64) -> float64 { @sum(Cons(%k, Cons(2f64 * %k, Nil))) }", "[2]"),
    (
        "a closure that captures",
        "def @main(%k: float64) -> float64 { @sum(@map(fn (%y: float64) -> float64 { %y * %k }, @three(%k))) }",
        "[2]",
    ),
    (
        "a fold in tail position",
        "def @main(%k: float64) -> float64 {
           @foldl(fn (%a: float64, %b: float64) -> float64 { %a * %b * %k + sin(%a) }, 1f64, @three(%k))
         }",
        "[1.5]",
    ),
    (
        "a fold that needs its own result",
        "def @main(%k: float64) -> float64 {
           @foldr(fn (%a: float64, %b: float64) -> float64 { %a * %b * %k + sin(%b) }, 1f64, @three(%k))
         }",
        "[1.5]",
    ),
    (
        "reversal",
        "def @main(%k: float64) -> float64 {
           @foldl(fn (%a: float64, %b: float64) -> float64 { %a * 0.5f64 + %b * %b }, 0f64, @rev(@three(%k)))
         }",
        "[1.5]",
    ),
    (
        "pairs",
        "def @main(%k: float64) -> float64 {
           @sum(@map(fn (%p: (float64, float64)) -> float64 { %p.0 * %p.1 }, @zip(@three(%k), @three(%k * %k))))
         }",
        "[1.5]",
    ),
    ("a network on a tree", "def @main(%w: float64, %x: float64) -> float64 { @net(%w, @tree(%x, 3)) }", "[0.4, 0.3]"),
    (
        "a list that is used twice",
        "def @main(%k: float64) -> float64 { let %l = @three(%k); @sum(%l) * @sum(@map(fn (%y: float64) -> float64 { %y * %y }, %l)) }",
        "[1.5]",
    ),
    (
        "an argument",
        "def @main(%l: List[float64], %k: float64) -> float64 {
           @sum(@map(fn (%y: float64) -> float64 { %y * %y * %k }, %l))
         }",
        r#"[{"ctor": "Cons", "fields": [1.5, {"ctor": "Cons", "fields": [-2, "Nil"]}]}, 3]"#,
    ),
    (
        "a result",
        "def @main(%k: float64) -> List[float64] { @map(fn (%y: float64) -> float64 { %y * %y }, @three(%k)) }",
        "[1.5]",
    ),
    (
        "integers beside floats",
        "def @value(%t: Tagged) -> float64 {
           match (%t) { Tag(%n, %x) => cast(%n, dtype=\"float64\") * %x, Plain(%x) => %x * %x, Other(%n) => 1f64 }
         }
         def @main(%k: float64) -> float64 {
           @sum(@map(@value, Cons(Tag(3, %k), Cons(Plain(%k), Cons(Other(2), Nil)))))
         }",
        "[1.5]",
    ),
    (
        "an option",
        "def @half(%x: float64) -> Option[float64] { if (%x > 1f64) { Some(%x * 0.5f64) } else { None } }
         def @main(%k: float64) -> float64 {
           match (@half(%k)) { Some(%y) => match (@half(%y)) { Some(%z) => %z, None => %y * %y }, None => %k }
         }",
        "[1.5]",
    ),
    (
        "functions in a list",
        "def @main(%k: float64) -> float64 {
           let %fs = Cons(fn (%y: float64) -> float64 { %y * %k }, Cons(fn (%y: float64) -> float64 { sin(%y) }, Nil));
           @foldl(fn (%a: float64, %f: fn(float64) -> float64) -> float64 { %f(%a) }, %k, %fs)
         }",
        "[0.7]",
    ),
    (
        "composed functions",
        "def @compose(%f: fn(float64) -> float64, %n: int32) -> fn(float64) -> float64 {
           if (%n == 0) { fn (%x: float64) -> float64 { %x } }
           else { let %g = @compose(%f, %n - 1); fn (%x: float64) -> float64 { %f(%g(%x)) } }
         }
         def @main(%k: float64) -> float64 {
           let %h = @compose(fn (%x: float64) -> float64 { sin(%x * %k) }, 3);
           %h(%k)
         }",
        "[0.7]",
    ),
    (
        "tensors in a list",
        "def @main(%x: Tensor[(3), float64], %k: float64) -> Tensor[(3), float64] {
           @foldl(fn (%a: Tensor[(3), float64], %b: Tensor[(3), float64]) -> Tensor[(3), float64] { %a * %b + %x * %k },
                  %x, Cons(%x, Cons(%x * %x, Nil)))
         }",
        "[[1, 2, 3], 0.5]",
    ),
    (
        "functions that call each other, with results of two types",
        "def @odd(%l: List[float64], %k: float64) -> (float64, int32) {
           match (%l) { Cons(%h, %t) => let %p = @even(%t, sin(%k * %h)); (sin(%h * %p.0) + %k, %p.1 + 1), Nil => (%k, 1) }
         }
         def @even(%l: List[float64], %k: float64) -> (float64, int32) {
           match (%l) {
             Cons(%h, %t) => if (%h > 1.6f64) {
               let %p = @odd(%t, tanh(%k + %h));
               let %q = @odd(%t, %p.0);
               (tanh(%h * %p.0 * %q.0) * cast(%p.1, dtype=\"float64\"), %q.1 * 2)
             } else { let %p = @odd(%t, %k); (%p.0, %p.1) },
             Nil => (%k * %k, 2)
           }
         }
         def @main(%k: float64) -> float64 {
           let %p = @odd(@three(%k), %k);
           let %q = @even(Cons(%k, Cons(2f64, Cons(%k * %k, @three(%k)))), %p.0);
           %p.0 * %q.0 * cast(%q.1, dtype=\"float64\")
         }",
        "[0.7]",
    ),
    (
        // The list is on a stack, and the number in an array by iteration.
        "a list beside a number",
        "def @weigh(%l: List[float64], %k: float64, %n: float64, %sum: float64) -> float64 {
           match (%l) { Cons(%h, %t) => @weigh(%t, %k, %n + 1f64, %sum + %k * %h * %n), Nil => %sum }
         }
         def @main(%k: float64) -> float64 { @weigh(Cons(1f64, Cons(2f64, Cons(5f64, Nil))), %k, 1f64, 0f64) }",
        "[1.5]",
    ),
    (
        "a reference",
        "def @main(%k: float64) -> float64 {
           let %r = ref(%k);
           let %u = ref_write(%r, ref_read(%r) * %k);
           ref_read(%r) * ref_read(%r)
         }",
        "[1.5]",
    ),
    (
        "a reference in a branch",
        "def @main(%k: float64) -> float64 {
           let %r = ref(1f64);
           let %u = if (%k > 1f64) { ref_write(%r, %k * %k) } else { ref_write(%r, %k) };
           ref_read(%r) * %k
         }",
        "[1.5]",
    ),
];

/// A row as a case.
fn case(&(name, text, args): &(&str, &str, &str)) -> Case {
    let args: Value = serde_json::from_str(args).expect("the arguments are JSON");
    Case::new(name, "main.relay", &format!("{PRELUDE}{text}\n"), "main", &args)
}

#[test]
fn derivatives_through_objects_agree_with_differences() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let (name, case) = (row.0, case(row));
        let (differences, _) = case.differences();
        for backend in backends() {
            for (mode, found) in [("reverse", case.reverse(backend)), ("forward", case.forward(backend))] {
                match found {
                    Ok(found) if near(&found, &differences, 1e-6) => {}
                    Ok(found) => {
                        wrong.push(format!("{name}, {mode}, {backend:?}: {found:?}, not {differences:?}"))
                    }
                    Err(error) => wrong.push(format!("{name}, {mode}, {backend:?}: {error:?}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs whose reverse sweep would read a reference after it was overwritten, with the operation that is at fault.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "a count of calls",
        "def @tick(%r: ref(int32)) -> int32 { let %n = ref_read(%r); let %u = ref_write(%r, %n + 1); %n + 1 }
         def @power(%r: ref(int32), %x: float64, %k: int32) -> float64 {
           if (%k == 0) { 1f64 } else { cast(@tick(%r), dtype=\"float64\") * %x * @power(%r, %x, %k - 1) }
         }
         def @main(%x: float64) -> float64 { let %r = ref(0); @power(%r, %x, 3) }",
        "reads memory that the program writes",
    ),
    (
        "a float that does not depend on the argument",
        "def @power(%r: ref(float64), %x: float64, %k: int32) -> float64 {
           let %u = ref_write(%r, ref_read(%r) * 2f64);
           if (%k == 0) { 1f64 } else { ref_read(%r) * %x * @power(%r, %x, %k - 1) }
         }
         def @main(%x: float64) -> float64 { let %r = ref(1f64); @power(%r, %x, 3) }",
        "reads memory that the program writes",
    ),
    (
        "a call that writes",
        "def @next(%r: ref(int32), %k: int32) -> int32 {
           let %u = ref_write(%r, ref_read(%r) + %k);
           if (%k == 0) { ref_read(%r) } else { @next(%r, %k - 1) }
         }
         def @power(%r: ref(int32), %x: float64, %k: int32) -> float64 {
           if (%k == 0) { 1f64 } else { cast(@next(%r, %k), dtype=\"float64\") * %x * @power(%r, %x, %k - 1) }
         }
         def @main(%x: float64) -> float64 { let %r = ref(0); @power(%r, %x, 3) }",
        "reads memory that the program writes",
    ),
];

#[test]
fn a_reference_that_the_reverse_sweep_reads_again_gave_a_wrong_gradient() {
    for (name, text, expected) in REFUSED {
        let text = format!("#[version = \"0.0.5\"]\n{text}\n");
        let case = Case::new(name, "main.relay", &text, "main", &json!([2.0]));
        // Forward mode executes everything once.
        let forward = case.expect(case.forward(Backend::Interpret));
        let (differences, _) = case.differences();
        assert!(near(&forward, &differences, 1e-6), "{name}: {forward:?}, not {differences:?}");
        let error = match case.reverse(Backend::Interpret) {
            Err(error) => format!("{error:?}"),
            Ok(found) => panic!("{name}: {found:?}, and differences {differences:?}"),
        };
        assert!(error.contains(expected), "{name}: {error}");
    }
}

#[test]
fn second_derivatives_through_objects_agree_with_differences() {
    for row in ROWS {
        let (name, case) = (row.0, case(row));
        let case = Case { entry: case.gradient(), ..case };
        let (differences, _) = case.differences();
        let forward = case.expect(case.forward(Backend::Interpret));
        assert!(near(&forward, &differences, 1e-5), "{name}, forward: {forward:?}, not {differences:?}");
        let reverse = case.expect(case.reverse(Backend::Interpret));
        assert!(near(&reverse, &forward, 1e-9), "{name}, reverse: {reverse:?}, not {forward:?}");
    }
}

#[test]
fn values_and_gradients_are_computed_together() {
    for row in ROWS {
        let (name, case) = (row.0, case(row));
        let run = |entry: &minoan::Entry| {
            let result = case.session.run(entry, &case.args, Backend::Interpret);
            entry.interface.result_text(&case.expect(result))
        };
        let both = case.expect(case.session.value_and_grad(&case.entry, Wrt::All));
        assert_eq!(run(&both), format!("({}, {})", run(&case.entry), run(&case.gradient())), "{name}");
        // One request gives both, also if the cotangent of a list is made from the list.
        let text = minoan::ir::text::print_module(&both.module, &minoan::ir::text::PrintFlags::default());
        assert_eq!(text.matches("diff.").count(), 1, "{name}: {text}");
        assert!(text.contains("diff.value_and_rev"), "{name}: {text}");
    }
}

#[test]
fn a_gradient_through_a_data_type_was_zero() {
    let case = case(&(ROWS[0].0, ROWS[0].1, "[2.0]"));
    let gradient = case.gradient();
    for &backend in BACKENDS {
        let result = case.expect(case.session.run(&gradient, &case.args, backend));
        assert_eq!(gradient.interface.result_json_text(&result), r#"{"tuple":[3.0]}"#);
    }
}

#[test]
fn a_gradient_with_respect_to_a_list_is_a_list() {
    let row = ROWS.iter().find(|(name, ..)| *name == "an argument").expect("there is such a row");
    let case = case(row);
    let gradient = case.gradient();
    for &backend in BACKENDS {
        let result = case.expect(case.session.run(&gradient, &case.args, backend));
        assert_eq!(gradient.interface.result_text(&result), "(Cons(9, Cons(-12, Nil)), 6.25)");
    }
}
