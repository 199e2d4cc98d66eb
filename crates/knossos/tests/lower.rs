//! Programs in the shared dialects: what they look like, and what they print.

#[path = "common/run.rs"]
mod run;

use minoan_knossos::emit::FloatWidth;
use run::output;
use std::fs;
use std::path::Path;

#[test]
fn examples_print_what_the_reference_prints() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference");
    let list = fs::read_to_string(directory.join("outcomes.txt")).unwrap_or_default();
    let mut wrong = String::new();
    let mut left = Vec::new();
    for (name, _) in list.lines().filter_map(|line| line.split_once(' ')).filter(|(_, outcome)| *outcome == "ok") {
        let read = |kind: &str| fs::read_to_string(directory.join(format!("{name}.{kind}"))).unwrap_or_default();
        let printed = output(&read("ks"), FloatWidth::F32);
        if printed.contains("not lowered yet") {
            left.push(format!("{name}: {}", printed.lines().next().unwrap_or_default()));
        } else if printed != read("out") {
            wrong.push_str(&format!("==== {name}: expected {:?}, printed {printed}\n", read("out")));
        }
    }
    assert_eq!(wrong, "", "\nnot lowered: {left:#?}");
    println!("{left:#?}");
}

#[test]
fn show() {
    let text = "
(def gcd Integer ((a : Integer) (b : Integer) (k : Integer)) (if (eq b 0) (add a k) (gcd b (rem a b) k)))
(def dot Float ((a : Vec Float) (b : Vec Float)) (sumbuild (size a) (lam (i : Integer) (mul (index i a) (index i b)))))
(def minmax (Tuple Float Float) (v : Vec Float)
  (fold (lam (acc_x : (Tuple (Tuple Float Float) Float))
    (let ((acc x) acc_x) (let ((lo hi) acc) (tuple (min lo x) (max hi x))))) (tuple 1.0e30 -1.0e30) v))
(def main Integer () (let (v (build 5 (lam (i : Integer) (mul 2.0 (to_float i)))))
   (print (gcd 12 18 100) \" \" (dot v v) \" \" (minmax v) \" \" v)))";
    let ctx = run::context();
    let module = run::emitted(&ctx, text, &["main"], &Default::default()).unwrap();
    println!("{}", run::text_of(&module));
    println!("{}", run::lowered_text(text, &["main"]));
    println!("{}", output(text, FloatWidth::F32));
}
