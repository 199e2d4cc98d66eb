//! Programs with data types, closures and references: the same on every back end, and no object is left.

#[path = "../../../relay/tests/all/common/functional.rs"]
mod functional;

use minoan::services::{Datum, Tensor};
use minoan::{Backend, Entry, Failure, Float, Session, Stage};
use minoan_runtime::{live_allocations, live_objects};

/// Declarations that the programs share.
const COMMON: &str = r#"#[version = "0.0.5"]
type Tree[A] { Leaf, Node(Tree[A], A, Tree[A]) }
type Shape { Point, Circle(float32), Box(float64, Tensor[(2), float32], int8), Group(List[Shape], (int16, bool)), Empty }
type Fun { Fun(fn (int32) -> int32) }
type Only { Only(int64) }
def @iota(%n: int32, %acc: List[int32]) -> List[int32] {
  if (%n == 0) { %acc } else { @iota(%n - 1, Cons(%n, %acc)) }
}
def @insert(%t: Tree[int32], %x: int32) -> Tree[int32] {
  match (%t) {
    Leaf => Node(Leaf, %x, Leaf),
    Node(%l, %y, %r) => if (%x < %y) { Node(@insert(%l, %x), %y, %r) } else { Node(%l, %y, @insert(%r, %x)) }
  }
}
def @twice(%l: List[int32]) -> List[int32] { match (%l) { Cons(%x, %r) => Cons(%x + %x, @twice(%r)), Nil => Nil } }
def @flatten(%t: Tree[int32], %acc: List[int32]) -> List[int32] {
  match (%t) { Leaf => %acc, Node(%l, %x, %r) => @flatten(%l, Cons(%x, @flatten(%r, %acc))) }
}
"#;

/// Programs: the definition of `@main`, arguments in JSON, and the result as text.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("def @main(%n: int32) -> List[int32] { @iota(%n, Nil) }", "[4]", "Cons(1, Cons(2, Cons(3, Cons(4, Nil))))"),
    ("def @main(%x: List[int32]) -> List[int32] { %x }", r#"[{"ctor": "Cons", "fields": [7, "Nil"]}]"#, "Cons(7, Nil)"),
    (
        "def @main(%x: List[int32]) -> (List[int32], List[int32]) { (%x, Cons(1, %x)) }",
        r#"[{"ctor": "Cons", "fields": [7, "Nil"]}]"#,
        "(Cons(7, Nil), Cons(1, Cons(7, Nil)))",
    ),
    ("def @main(%n: int32) -> List[int32] { @map(fn (%x: int32) -> int32 { %x * %n }, @iota(%n, Nil)) }", "[3]", "Cons(3, Cons(6, Cons(9, Nil)))"),
    ("def @main(%n: int32) -> List[int32] { @filter(fn (%x: int32) -> bool { %x > 2 }, @iota(%n, Nil)) }", "[4]", "Cons(3, Cons(4, Nil))"),
    ("def @main(%n: int32) -> int32 { @sum(@rev(@concat(@iota(%n, Nil), @iota(%n, Nil)))) }", "[10]", "110"),
    ("def @main(%n: int32) -> List[(int32, int32)] { @zip(@iota(%n, Nil), @rev(@iota(%n, Nil))) }", "[2]", "Cons((1, 2), Cons((2, 1), Nil))"),
    (
        "def @main(%n: int32) -> List[int32] { @flatten(@insert(@insert(@insert(Leaf, %n), 2), 9), Nil) }",
        "[5]",
        "Cons(2, Cons(5, Cons(9, Nil)))",
    ),
    (
        "def @main(%n: int32) -> Tree[int32] { @insert(@insert(Leaf, %n), 2) }",
        "[5]",
        "Node(Node(Leaf, 2, Leaf), 5, Leaf)",
    ),
    // Shared objects are copied and others are changed in place; this also holds for parts.
    (
        "def @main(%n: int32) -> (List[int32], List[int32]) { let %l = @iota(%n, Nil); (@twice(%l), %l) }",
        "[3]",
        "(Cons(2, Cons(4, Cons(6, Nil))), Cons(1, Cons(2, Cons(3, Nil))))",
    ),
    (
        "def @main(%n: int32) -> (List[int32], List[int32]) { let %l = @iota(%n, Nil); (@twice(Cons(8, Cons(9, %l))), Cons(7, %l)) }",
        "[2]",
        "(Cons(16, Cons(18, Cons(2, Cons(4, Nil)))), Cons(7, Cons(1, Cons(2, Nil))))",
    ),
    (
        "def @main(%n: int32) -> (Tree[int32], Tree[int32]) { let %t = @insert(@insert(Leaf, %n), 2); (@insert(%t, 9), @insert(%t, 1)) }",
        "[5]",
        "(Node(Node(Leaf, 2, Leaf), 5, Node(Leaf, 9, Leaf)), Node(Node(Node(Leaf, 1, Leaf), 2, Leaf), 5, Leaf))",
    ),
    (
        "def @mirror(%t: Tree[int32]) -> Tree[int32] { match (%t) { Node(%l, %x, %r) => Node(@mirror(%r), %x, @mirror(%l)), Leaf => Leaf } }
      def @main(%n: int32) -> (Tree[int32], Tree[int32]) { let %t = @insert(@insert(Leaf, %n), 2); (@mirror(%t), @mirror(@mirror(%t))) }",
        "[5]",
        "(Node(Leaf, 5, Node(Leaf, 2, Leaf)), Node(Node(Leaf, 2, Leaf), 5, Leaf))",
    ),
    // Plain and constructor tail calls in one function, one of them of a function that is also a value.
    (
        "def @odd(%l: List[int32]) -> List[int32] { match (%l) { Cons(%x, %r) => if (floor_mod(%x, 2) == 1) { Cons(%x, @odd(%r)) } else { @odd(%r) }, Nil => Nil } }
      def @main(%n: int32) -> List[List[int32]] { let %l = @iota(%n, Nil); Cons(@odd(%l), @map(@odd, Cons(%l, Cons(@twice(%l), Nil)))) }",
        "[3]",
        "Cons(Cons(1, Cons(3, Nil)), Cons(Cons(1, Cons(3, Nil)), Cons(Nil, Nil)))",
    ),
    // Partial application, composition, closures in closures and in data types.
    ("def @main(%n: int32) -> int32 { let %add = fn (%a: int32) { fn (%b: int32) -> int32 { %a + %b } }; %add(%n)(4) }", "[3]", "7"),
    ("def @main(%n: int32) -> int32 { let %f = fn (%x: int32) -> int32 { %x * %n }; @compose(%f, @compose(%f, %f))(1) }", "[3]", "27"),
    ("def @main(%n: int32) -> int32 { match (Fun(fn (%x: int32) -> int32 { %x - %n })) { Fun(%f) => %f(10) } }", "[3]", "7"),
    ("def @main(%n: int32) -> int32 { let %sum = fn (%k: int32) -> int32 { if (%k == 0) { %n } else { %k + %sum(%k - 1) } }; let %g = if (%n > 100) { fn (%k: int32) -> int32 { 0 } } else { %sum }; %g(4) }", "[5]", "15"),
    ("def @main(%n: int32) -> List[int32] { @map(fn (%f: fn (int32) -> int32) -> int32 { %f(%n) }, Cons(fn (%x: int32) -> int32 { %x }, Cons(fn (%x: int32) -> int32 { %x + %n }, Nil))) }", "[5]", "Cons(5, Cons(10, Nil))"),
    // References: aliases, tensors, lists and functions.
    ("def @main(%n: int32) -> (int32, int32) { let %r = ref(%n); let %s = %r; ref_write(%s, %n + 1); (ref_read(%r), ref_read(%s)) }", "[5]", "(6, 6)"),
    ("def @main(%x: Tensor[(?), float32]) -> Tensor[(?), float32] { let %r = ref(%x); ref_write(%r, ref_read(%r) + ref_read(%r)); ref_read(%r) }", "[[1, 2, 3]]", "[2, 4, 6]"),
    ("def @main(%n: int32) -> List[int32] { let %r = ref(@iota(%n, Nil)); ref_write(%r, Cons(0, ref_read(%r))); ref_read(%r) }", "[2]", "Cons(0, Cons(1, Cons(2, Nil)))"),
    ("def @main(%n: int32) -> int32 { let %r = ref(fn (%x: int32) -> int32 { %x }); let %f = ref_read(%r); ref_write(%r, fn (%x: int32) -> int32 { %f(%x) * %n }); ref_read(%r)(2) }", "[5]", "10"),
    // Objects that own each other: a function that a reference contains has the reference, a list has a function that has the
    // list.
    (
        "def @count(%n: int32) -> int32 { let %r = ref(fn (%x: int32) -> int32 { 0 }); ref_write(%r, fn (%x: int32) -> int32 { if (%x == 0) { 0 } else { ref_read(%r)(%x - 1) + 2 } }); ref_read(%r)(%n) }
      def @main(%n: int32) -> List[int32] { @map(@count, @iota(%n, Nil)) }",
        "[3]",
        "Cons(2, Cons(4, Cons(6, Nil)))",
    ),
    (
        "type Knot { Knot(int32, ref(Option[Knot])), Loose }
      def @ring(%n: int32) -> int32 { let %r: ref(Option[Knot]) = ref(None); let %k = Knot(%n, %r); ref_write(%r, Some(%k)); match (ref_read(%r)) { Some(%s) => match (%s) { Knot(%m, _) => %m, Loose => 0 }, None => 1 } }
      def @main(%n: int32) -> int32 { @sum(@map(@ring, @iota(%n, Nil))) }",
        "[10000]",
        "50005000",
    ),
    // Constructors of all kinds, tensors and tuples in fields, scalars of all widths.
    ("def @main(%n: int8) -> Shape { Group(Cons(Point, Cons(Circle(1.5), Cons(Box(2.5f64, @meta_ones(), %n), Cons(Empty, Nil)))), (7i16, True)) }
      def @meta_ones() -> Tensor[(2), float32] { ones(shape=[2], dtype=\"float32\") }", "[-3]", "Group(Cons(Point, Cons(Circle(1.5), Cons(Box(2.5, [1, 1], -3), Cons(Empty, Nil)))), (7, true))"),
    ("def @main(%s: Shape) -> Shape { %s }", r#"[{"ctor": "Group", "fields": [{"ctor": "Cons", "fields": [{"ctor": "Box", "fields": [0.5, [1, -2], -128]}, "Nil"]}, {"tuple": [-3, true]}]}]"#, "Group(Cons(Box(0.5, [1, -2], -128), Nil), (-3, true))"),
    ("def @main(%x: int64) -> Only { Only(%x) }", "[-9]", "Only(-9)"),
    ("def @main(%x: List[Tensor[(?), float32]]) -> List[Tensor[(?), float32]] { @map(fn (%t: Tensor[(?), float32]) -> Tensor[(?), float32] { %t + %t }, %x) }", r#"[{"ctor": "Cons", "fields": [[1, 2], {"ctor": "Cons", "fields": [[3], "Nil"]}]}]"#, "Cons([2, 4], Cons([6], Nil))"),
    ("def @main(%x: Tensor[(2, 3), float32]) -> Option[Tensor[(3, 2), float32]] { Some(transpose(%x, axes=[1, 0])) }", "[[[1, 2, 3], [4, 5, 6]]]", "Some([[1, 4], [2, 5], [3, 6]])"),
    ("def @main(%x: Tensor[(4), float32]) -> Option[Tensor[(2), float32]] { Some(strided_slice(%x, begin=[0], end=[4], strides=[2], axes=[0])) }", "[[1, 2, 3, 4]]", "Some([1, 3])"),
    // Matches: nested, overlapping, without a default, and one that fails.
    ("def @main(%x: List[int32]) -> int32 { match (%x) { Cons(%a, Cons(%b, _)) => %a - %b, Cons(%a, Nil) => %a, Nil => 0 } }", r#"[{"ctor": "Cons", "fields": [7, {"ctor": "Cons", "fields": [4, "Nil"]}]}]"#, "3"),
    ("def @main(%x: List[int32]) -> int32 { match? (%x) { Cons(%a, _) => %a } }", r#"["Nil"]"#, "did not find any match"),
    // The objects and arguments of a program that fails are freed.
    ("def @main(%x: List[int32], %n: int32) -> int32 { let %l = @concat(%x, @iota(%n, %x)); match? (@rev(%l)) { Nil => @sum(%l) } }", r#"[{"ctor": "Cons", "fields": [7, {"ctor": "Cons", "fields": [4, "Nil"]}]}, 100]"#, "did not find any match"),
    ("def @deep(%x: List[int32]) -> List[int32] { @rev(@deep(Cons(1, %x))) } def @main(%n: int32) -> int32 { @sum(@deep(@iota(%n, Nil))) }", "[3]", "recursion too deep"),
];

fn session() -> Session {
    let mut session = Session::new();
    session.options.verify_each = true;
    session
}

/// The result of a call as text, or the message.
fn shown(entry: &Entry, result: Result<Vec<Datum>, Failure>) -> String {
    result.map_or_else(|failure| failure.to_string(), |result| entry.interface.result_text(&result))
}

#[test]
fn programs_give_the_same_on_every_back_end_and_free_their_objects() {
    let _turn = crate::turn();
    let session = session();
    for (main, args, expected) in PROGRAMS {
        let text = format!("{COMMON}{main}\n");
        let program =
            session.read_text("objects.relay", &text).unwrap_or_else(|failure| panic!("{failure}\n{main}"));
        let entry =
            session.entry(&program, "main", Float::F32).unwrap_or_else(|failure| panic!("{failure}\n{main}"));
        let args = entry.interface.parse_args(&serde_json::from_str(args).expect("valid JSON"));
        let args = args.unwrap_or_else(|failure| panic!("{failure}\n{main}"));
        let expect = |back_end: &str, found: &str| {
            assert!(
                found.trim_end() == *expected || found.contains("error: ") && found.contains(expected),
                "{back_end}: {found}\n{main}"
            );
        };
        let oracle = shown(&entry, session.run(&entry, &args, Backend::Interpret));
        expect("interpreter", &oracle);
        expect("buffers", &shown(&entry, session.run(&entry, &args, Backend::InterpretBuffers)));
        let loaded = session.load(&entry).unwrap_or_else(|failure| panic!("{failure}\n{main}"));
        let (objects, allocations) = (live_objects(), live_allocations());
        for _ in 0..2 {
            let found = shown(&entry, loaded.call(&args));
            // Machine code says how large the stack is.
            assert!(found.starts_with(&oracle), "machine code: {found}\nexpected: {oracle}\n{main}");
        }
        assert_eq!(live_objects() - objects, 0, "objects are left\n{main}");
        if !oracle.contains("error") {
            assert_eq!(live_allocations() - allocations, 0, "blocks are left\n{main}");
        }
    }
}

#[test]
fn random_programs_give_the_same_and_free_their_objects() {
    let _turn = crate::turn();
    let session = session();
    let seeds = 0..120;
    let header = "#[version = \"0.0.5\"]\n";
    let mut texts = format!("{header}def @nil() -> List[int32] {{ Nil }}\n");
    let mut names = Vec::new();
    for seed in seeds.clone() {
        let text = functional::program(seed);
        let main = text.lines().skip(2).collect::<Vec<_>>().join("\n");
        names.push(format!("p{seed}"));
        texts.push_str(&main.replace("@main", &format!("@p{seed}")));
        texts.push('\n');
    }
    let program = session.read_text("random.relay", &texts).unwrap_or_else(|failure| panic!("{failure}"));
    let first = session.entry(&program, "p0", Float::F32).expect("the first program lowers");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut module = session.module(&program, &names, Float::F32).expect("the programs are emitted");
    session.advance(&mut module, Stage::Shared).expect("the programs lower");
    let all = Entry { module, symbol: first.symbol, interface: first.interface.clone() };
    let loaded = session.load(&all).unwrap_or_else(|failure| panic!("{failure}"));
    let objects = live_objects();
    for name in names {
        for n in [0, 1, 5] {
            let args = [Datum::from(Tensor::splat(&[], &Datum::Int(n)).expect("a scalar"))];
            let entry = Entry {
                module: all.module.clone(),
                symbol: name.to_owned(),
                interface: first.interface.clone(),
            };
            let oracle = session.run(&entry, &args, Backend::Interpret).expect("programs do not fail");
            let found = loaded.call_function(name, &args).expect("programs do not fail");
            let same = oracle.len() == found.len() && oracle.iter().zip(&found).all(|(a, b)| a.same(b));
            assert!(same, "{name}({n}): {found:?} is not {oracle:?}\n{texts}");
            assert_eq!(live_objects(), objects, "{name}({n}) leaves objects");
        }
    }
}

#[test]
fn a_list_of_a_million_cells_is_built_mapped_reversed_folded_and_freed() {
    let _turn = crate::turn();
    let session = session();
    let main = "def @main(%n: int32) -> int32 { @foldl(fn (%a: int32, %x: int32) -> int32 { %a + %x }, 0, @rev(@map(fn (%x: int32) -> int32 { %x * 3 }, @iota(%n, Nil)))) }";
    let program = session.read_text("million.relay", &format!("{COMMON}{main}\n")).expect("a valid program");
    let entry = session.entry(&program, "main", Float::F32).expect("it lowers");
    let args = entry.interface.parse_args(&serde_json::json!([1_000_000])).expect("a number");
    let objects = live_objects();
    let result = session.run(&entry, &args, Backend::Jit).unwrap_or_else(|failure| panic!("{failure}"));
    // In 32 bits: 3 * 1000000 * 1000001 / 2.
    assert_eq!(entry.interface.result_text(&result).trim_end(), "1057913696");
    assert_eq!(live_objects(), objects);
}

/// Fields that are scalars in MLIR are tensors of rank 0 in Relay.
#[test]
fn a_function_of_an_mlir_module_takes_and_returns_values_of_data_types() {
    let _turn = crate::turn();
    let session = session();
    let text = r#"data.type @List = "Cons"(i32, f64, !data.cell<@List>) | "Nil"()
func.func @twice(%xs: !data.cell<@List>) -> !data.cell<@List> {
  %r = data.match %xs : !data.cell<@List> -> !data.cell<@List> {
  case "Cons"[0](%x: i32, %y: f64, %rest: !data.cell<@List>) {
    %s = func.call @twice(%rest) : (!data.cell<@List>) -> !data.cell<@List>
    %t = arith.addi %x, %x : i32
    %c = data.make "Cons"[0](%t, %y, %s) : (i32, f64, !data.cell<@List>) -> !data.cell<@List>
    data.yield %c : !data.cell<@List>
  }
  case "Nil"[1]() {
    data.yield %xs : !data.cell<@List>
  }
  }
  return %r : !data.cell<@List>
}
"#;
    let program = session.read_text("twice.mlir", text).unwrap_or_else(|failure| panic!("{failure}"));
    let entry = session.entry(&program, "twice", Float::F32).unwrap_or_else(|failure| panic!("{failure}"));
    let list =
        serde_json::json!([{"ctor": "Cons", "fields": [3, 0.5, {"ctor": "Cons", "fields": [-4, 2, "Nil"]}]}]);
    let args = entry.interface.parse_args(&list).unwrap_or_else(|failure| panic!("{failure}"));
    for backend in [Backend::Interpret, Backend::InterpretBuffers, Backend::Jit] {
        let found = shown(&entry, session.run(&entry, &args, backend));
        assert_eq!(found.trim_end(), "Cons(6, 0.5, Cons(-8, 2, Nil))", "{backend:?}");
    }
}
