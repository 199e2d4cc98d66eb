//! Tests the queries of typed programs.

use crate::common::good;
use expect_test::expect;
use minoan_diag::{SourceMap, render};
use minoan_knossos::{ExprId, FnRef, TypedKind, TypedProgram};

const PROGRAM: &str = "(def f Float (x : Float) (g x))
(def f Float (x : Integer) 1.0)
(def g Float (x : Float) (mul x x))
(edef far Float Float)
(def [rev [g Float]] Float ((x : Float) (d : Float)) (far d))
(def unused Float (x : Float) (f x))
(gdef rev [f Float])
(def grad Float (x : Float) ([rev f] x 1.0))";

fn names(typed: &TypedProgram, start: &str) -> String {
    let start = typed.entries_named(start);
    let reachable = typed.reachable_from(start);
    let defs = reachable.defs.into_iter().map(FnRef::Def);
    let all = defs.chain(reachable.edefs.into_iter().map(FnRef::Edef));
    let all = all.chain(reachable.gdefs.into_iter().map(FnRef::Gdef));
    let texts = all.map(|function| {
        let (name, base_arg) = typed.identity(function);
        typed.full_text(name, base_arg)
    });
    texts.collect::<Vec<_>>().join(" ")
}

#[test]
fn reachable_functions() {
    let typed = good(PROGRAM).typed;
    // The program requests derivatives, so that those which it supplies are kept.
    expect!["[f Float] [g Float] [rev [g Float]] [far Float]"].assert_eq(&names(&typed, "[f Float]"));
    expect!["[grad Float] [f Float] [g Float] [rev [g Float]] [far Float] [rev [f Float]]"]
        .assert_eq(&names(&typed, "grad"));
}

#[test]
fn entries() {
    let front = good(PROGRAM);
    let typed = front.typed;
    assert_eq!(typed.find_entry("[ rev\n[f   Float ]]").ok(), typed.find_entry("[rev f]").ok());
    assert_eq!(typed.entries_named("f").len(), 2);
    assert_eq!(typed.entries_named("[f Integer]").len(), 1);
    let sources = SourceMap::new();
    sources.add("test.ks", PROGRAM);
    let said =
        |name: &str| typed.find_entry(name).err().map(|error| render(&error, &sources)).unwrap_or_default();
    expect![[r#"
        error: 'f' means 2 functions
          |
        note: [f Float] gives Float
         --> test.ks:1:6
          |
        1 | (def f Float (x : Float) (g x))
          |      ^
        note: [f Integer] gives Float
         --> test.ks:2:6
          |
        2 | (def f Float (x : Integer) 1.0)
          |      ^
          = help: give the type of the argument: '[name Type]'
        error: unknown function 'unusde'
         |
         = help: did you mean 'unused'?
        error: unknown function 'far'
         |
         = note: the functions are 'f', 'g', 'unused', 'grad'
    "#]]
    .assert_eq(&(said("f") + &said("unusde") + &said("far")));
}

#[test]
fn free_variables() {
    let typed = good(
        "(def f (Vec Float) ((a : Float) (b : Float) (n : Integer))
  (let (k (lam (x : Float) (add x b)))
  (build n (lam (i : Integer)
    (let ((p q) (tuple (to_float i) a)) (add (k p) (mul q (add a (let (a 1.0) a)))))))))",
    )
    .typed;
    let mut said = String::new();
    for id in 0..typed.expr_count() as u32 {
        if let TypedKind::Lambda(_) = typed.expr(ExprId(id)).kind {
            let free = typed.free_vars(ExprId(id));
            let free: Vec<&str> = free.into_iter().map(|var| typed.names.text(typed.var(var).name)).collect();
            said += &format!("{}\n", free.join(" "));
        }
    }
    expect![[r#"
        b
        a b
    "#]]
    .assert_eq(&said);
}
