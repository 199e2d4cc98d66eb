//! Programs of about a given number of operations, one in each language: the input of the compile-time benchmark.
//!
//! Chains in one function, which is the shape that is hardest for passes and for LLVM: scalar bindings in Knossos,
//! elementwise operators, matrix products and an unrolled LSTM in Relay, a row of definitions in i-expressions, scalar
//! arithmetic in MLIR.

use std::fmt::Write;

/// A program.
pub struct Source {
    /// Its name in the table.
    pub name: &'static str,
    /// The name of its file, with the ending of its language.
    pub file: &'static str,
    /// The function to compile.
    pub entry: String,
    /// Its text.
    pub text: String,
}

/// All programs of about `ops` operations.
pub fn all(ops: usize) -> Vec<Source> {
    vec![knossos(ops), elementwise(ops), products(ops), lstm(ops), iexpr(ops), mlir(ops)]
}

fn line(text: &mut String, args: std::fmt::Arguments<'_>) {
    text.write_fmt(args).expect("a string grows");
    text.push('\n');
}

fn knossos(ops: usize) -> Source {
    let mut text = String::from("(def f Float (x : Float) (let ((a0 x)\n");
    let steps = ops / 2;
    for at in 1..=steps {
        line(&mut text, format_args!("(a{at} (add (mul a{} x) {}.5))", at - 1, at % 7));
    }
    line(&mut text, format_args!(") a{steps}))"));
    Source { name: "Knossos, bindings", file: "f.ks", entry: "f".to_owned(), text }
}

fn relay(name: &'static str, ops: usize, step: impl Fn(usize) -> String) -> Source {
    let ty = "Tensor[(8, 8), float32]";
    let mut text =
        format!("#[version = \"0.0.5\"]\ndef @main(%x: {ty}) -> {ty} {{\n  let %a0 = nn.relu(%x);\n");
    for at in 1..ops {
        line(&mut text, format_args!("  let %a{at} = {};", step(at)));
    }
    line(&mut text, format_args!("  %a{}\n}}", ops - 1));
    Source { name, file: "f.relay", entry: "main".to_owned(), text }
}

fn elementwise(ops: usize) -> Source {
    relay("Relay, elementwise", ops, |at| match at % 4 {
        0 => format!("tanh(%a{})", at - 1),
        1 => format!("add(%a{}, %x)", at - 1),
        2 => format!("multiply(%a{}, %x)", at - 1),
        _ => format!("subtract(%a{}, %x)", at - 1),
    })
}

/// A product is eight operations: its loops and their bodies.
fn products(ops: usize) -> Source {
    relay("Relay, products", (ops / 8).max(2), |at| format!("nn.dense(%a{}, %x, units=8)", at - 1))
}

/// An unrolled LSTM of 16 features with weights as arguments. A step is 16 operators.
fn lstm(ops: usize) -> Source {
    const HIDDEN: usize = 16;
    const GATES: usize = 4 * HIDDEN;
    let state = format!("Tensor[(1, {HIDDEN}), float32]");
    let weights = format!("Tensor[({GATES}, {HIDDEN}), float32]");
    let mut text = format!(
        "#[version = \"0.0.5\"]\ndef @main(%x: {state}, %wi: {weights}, %wh: {weights}, %b: Tensor[({GATES}), float32]) -> {state} {{\n"
    );
    text.push_str("  let %h0 = nn.relu(%x);\n  let %c0 = tanh(%x);\n");
    let steps = (ops / 16).max(1);
    for at in 1..=steps {
        let before = at - 1;
        let products =
            format!("add(nn.dense(%x, %wi, units={GATES}), nn.dense(%h{before}, %wh, units={GATES}))");
        line(&mut text, format_args!("  let %g{at} = nn.bias_add({products}, %b);"));
        line(&mut text, format_args!("  let %s{at} = split(%g{at}, indices_or_sections=4, axis=1);"));
        let kept = format!("multiply(sigmoid(%s{at}.1), %c{before})");
        line(
            &mut text,
            format_args!("  let %c{at} = add({kept}, multiply(sigmoid(%s{at}.0), tanh(%s{at}.2)));"),
        );
        line(&mut text, format_args!("  let %h{at} = multiply(sigmoid(%s{at}.3), tanh(%c{at}));"));
    }
    line(&mut text, format_args!("  %h{steps}\n}}"));
    Source { name: "Relay, LSTM", file: "f.relay", entry: "main".to_owned(), text }
}

fn iexpr(ops: usize) -> Source {
    let mut text = String::from("c0 = i(\"^ij~ij\")\n");
    for at in 1..ops {
        line(&mut text, format_args!("c{at} = c{} >> i(\"^ij~ij\")", at - 1));
    }
    Source { name: "i-expressions", file: "f.iexpr", entry: format!("c{}", ops - 1), text }
}

fn mlir(ops: usize) -> Source {
    let mut text = String::from("func.func @main(%a0: f32, %b0: i64, %x: f32, %k: i64) -> (f32, i64) {\n");
    let steps = ops / 2;
    for at in 1..=steps {
        let before = at - 1;
        let (float, int) = if at % 2 == 0 { ("mulf", "xori") } else { ("addf", "muli") };
        line(&mut text, format_args!("  %a{at} = arith.{float} %a{before}, %x : f32"));
        line(&mut text, format_args!("  %b{at} = arith.{int} %b{before}, %k : i64"));
    }
    line(&mut text, format_args!("  return %a{steps}, %b{steps} : f32, i64\n}}"));
    Source { name: "MLIR, scalars", file: "f.mlir", entry: "main".to_owned(), text }
}
