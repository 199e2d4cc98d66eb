//! Linked programs: a definition that several functions use is linked once.

use minoan::ir::text::{PrintFlags, print_module};
use minoan::{Backend, Entry, Float, Program, Session};

/// A program and those that it is linked with, each a name and a text; the first function of the first is the entry.
fn linked(session: &Session, entry: &str, texts: &[(&str, &str)]) -> Entry {
    let read = |&(name, text): &(&str, &str)| session.read_text(name, text).expect("the program is valid");
    let mut programs: Vec<Program> = texts.iter().map(read).collect();
    let main = programs.remove(0);
    let mut entry = session.entry(&main, entry, Float::F32).expect("it can be lowered");
    session.link(&mut entry.module, &programs, Float::F32).expect("the programs go together");
    minoan::ir::verify::verify(&entry.module).expect("the linked module is valid");
    entry
}

/// The names of functions with a body, and of those without one.
fn functions(entry: &Entry) -> (Vec<String>, Vec<String>) {
    let text = print_module(&entry.module, &PrintFlags::default());
    let funcs = text.lines().filter_map(|line| line.trim().strip_prefix("func.func "));
    let name =
        |line: &str| line[line.find('@').expect("a symbol") + 1..].split('(').next().map(str::to_owned);
    let (defined, declared): (Vec<&str>, Vec<&str>) = funcs.partition(|line| line.ends_with('{'));
    let mut defined: Vec<String> = defined.into_iter().filter_map(name).collect();
    defined.sort_unstable();
    (defined, declared.into_iter().filter_map(name).collect())
}

fn run(session: &Session, entry: &Entry, arg: &str) -> String {
    let args =
        entry.interface.parse_args(&serde_json::from_str(arg).expect("JSON")).expect("the arguments fit");
    let result = session.run(entry, &args, Backend::Interpret).expect("it runs");
    entry.interface.result_text(&result)
}

const SHARED: (&str, &str) = (
    "shared.ks",
    "(def helper Float (x : Float) (mul x 10.0))
(def f Float (x : Float) (add (helper x) 1.0))
(def g Float (x : Float) (add (helper x) 2.0))",
);

#[test]
fn a_helper_of_two_functions_was_there_twice() {
    let session = Session::new();
    let main = "(edef f Float Float) (edef g Float Float) (def both Float (x : Float) (mul (f x) (g x)))";
    let entry = linked(&session, "both", &[("main.ks", main), SHARED]);
    assert_eq!(functions(&entry).0, ["both", "f", "g", "helper"]);
    assert!(functions(&entry).1.is_empty());
    assert_eq!(run(&session, &entry, "3"), "992");
}

#[test]
fn a_function_that_two_programs_declare_was_not_found_for_the_second() {
    let session = Session::new();
    let main =
        "(edef f Float Float) (edef twice Float Float) (def both Float (x : Float) (add (f x) (twice x)))";
    let twice = "(edef f Float Float) (def twice Float (x : Float) (f (f x)))";
    let entry = linked(&session, "both", &[("main.ks", main), ("twice.ks", twice), SHARED]);
    assert_eq!(functions(&entry), (["both", "f", "helper", "twice"].map(str::to_owned).into(), vec![]));
    assert_eq!(run(&session, &entry, "1"), "122");
}

#[test]
fn programs_that_need_each_other_are_taken_once() {
    let session = Session::new();
    let main = "(edef f Float Float) (def start Float (x : Float) (f x))";
    let one = "(edef g Float Float)
(def helper Float (x : Float) (add x 1.0))
(def f Float (x : Float) (g (helper x)))
(def h Float (x : Float) (mul (helper x) 2.0))";
    let other = "(edef h Float Float) (def helper Float (x : Float) (sub x 5.0)) (def g Float (x : Float) (h (helper x)))";
    let entry = linked(&session, "start", &[("main.ks", main), ("one.ks", one), ("other.ks", other)]);
    assert_eq!(functions(&entry).0, ["f", "g", "h", "helper", "helper_0", "start"]);
    assert_eq!(run(&session, &entry, "10"), "14");
}

#[test]
fn names_of_the_program_itself_stay() {
    let session = Session::new();
    let main = "(edef f Float Float) (def helper Float (x : Float) (f (f x))) (def start Float (x : Float) (helper x))";
    let entry = linked(&session, "start", &[("main.ks", main), SHARED]);
    assert_eq!(functions(&entry).0, ["f", "helper", "helper_0", "start"]);
    assert_eq!(run(&session, &entry, "1"), "111");
}

#[test]
fn one_adapter_stands_before_a_function_of_another_type() {
    let session = Session::new();
    let main = "(edef norm Float (Vec Float)) (edef half Float (Vec Float))
(def start Float (x : Vec Float) (add (norm x) (half x)))";
    let half = "(edef norm Float (Vec Float)) (def half Float (x : Vec Float) (mul (norm x) 0.5))";
    let norm = "func.func @norm(%x: tensor<3xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %x[%c0] : tensor<3xf32>
  %r = tensor.from_elements %a : tensor<f32>
  return %r : tensor<f32>
}";
    let entry = linked(&session, "start", &[("main.ks", main), ("half.ks", half), ("norm.mlir", norm)]);
    assert_eq!(functions(&entry).0, ["half", "norm", "norm_0", "start"]);
    assert_eq!(run(&session, &entry, "[4, 1, 1]"), "6");
}

#[test]
fn errors_of_all_declarations_come_at_once() {
    let session = Session::new();
    let read = |name: &str, text: &str| session.read_text(name, text).expect("the program is valid");
    let main = read(
        "main.ks",
        "(edef f Integer Float) (edef g Integer Float) (def start Integer (x : Float) (add (f x) (g x)))",
    );
    let mut entry = session.entry(&main, "start", Float::F32).expect("it can be lowered");
    let programs = [read(SHARED.0, SHARED.1)];
    let failure = session.link(&mut entry.module, &programs, Float::F32).expect_err("the types differ");
    let messages: Vec<&str> = failure.diagnostics.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        messages,
        ["f", "g"]
            .map(|name| format!("'{name}' is declared with another type than 'shared.ks' defines it with"))
    );
}
