//! Generates a module of a given number of operations: the input of the text benchmarks.
//!
//! Functions of about 100 operations in custom form, from `func`, `arith`, `scf` and `cf`: constants that fold, common
//! subexpressions, dead code, branches, loops, and calls of small functions. The same number gives the same text.

use std::fmt::Write;

/// Marsaglia's xorshift: the text must not change with a library.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    fn percent(&mut self) -> usize {
        self.below(100)
    }

    fn pick<'a, T: AsRef<str>>(&mut self, from: &'a [T]) -> &'a str {
        from[self.below(from.len())].as_ref()
    }

    /// One of the last `count`.
    fn recent<'a>(&mut self, from: &'a [String], count: usize) -> &'a str {
        self.pick(&from[from.len().saturating_sub(count)..])
    }
}

/// A function while it is written.
struct Function<'r> {
    random: &'r mut Random,
    text: String,
    ops: usize,
    names: usize,
}

impl Function<'_> {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    fn line(&mut self, indent: usize, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:indent$}{text}", "");
    }

    /// One to three operations on the values that are visible.
    fn arith(&mut self, indent: usize, ints: &mut Vec<String>, floats: &mut Vec<String>) {
        let (kind, name) = (self.random.percent(), self.name());
        match kind {
            0..15 => {
                let value = self.random.below(8);
                self.line(indent, format_args!("{name} = arith.constant {value} : i64"));
                ints.push(name);
            }
            15..70 => {
                const OPS: &[&str] = &["addi", "muli", "subi", "andi", "ori", "xori", "maxsi", "minsi"];
                let op = self.random.pick(OPS);
                let (a, b) = (self.random.recent(ints, 12), self.random.recent(ints, 12));
                self.line(indent, format_args!("{name} = arith.{op} {a}, {b} : i64"));
                ints.push(name);
            }
            70..78 => {
                let (a, b) = (self.random.recent(ints, 12), self.random.recent(ints, 12));
                let (again, difference) = (self.name(), self.name());
                self.line(indent, format_args!("{name} = arith.addi {a}, {b} : i64"));
                self.line(indent, format_args!("{again} = arith.addi {a}, {b} : i64"));
                self.line(indent, format_args!("{difference} = arith.subi {name}, {again} : i64"));
                ints.extend([name, again, difference]);
                self.ops += 2;
            }
            _ => {
                let op = self.random.pick(&["addf", "mulf", "subf", "maximumf"]);
                let (a, b) = (self.random.recent(floats, 8), self.random.recent(floats, 8));
                self.line(indent, format_args!("{name} = arith.{op} {a}, {b} : f32"));
                floats.push(name);
            }
        }
        self.ops += 1;
    }

    fn branch(&mut self, ints: &mut Vec<String>, floats: &[String]) {
        let (condition, result) = (self.name(), self.name());
        let last = &ints[ints.len() - 1];
        self.line(4, format_args!("{condition} = arith.cmpi slt, {last}, {} : i64", ints[0]));
        self.line(4, format_args!("{result} = scf.if {condition} -> (i64) {{"));
        for end in ["} else {", "}"] {
            let (mut ints, mut floats) = (ints.clone(), floats.to_vec());
            for _ in 0..2 {
                self.arith(6, &mut ints, &mut floats);
            }
            self.line(6, format_args!("scf.yield {} : i64", ints[ints.len() - 1]));
            self.line(4, format_args!("{end}"));
        }
        self.ops += 4;
        ints.push(result);
    }

    fn repeat(&mut self, ints: &mut Vec<String>) {
        let [zero, upper, one, result, index, sum, cast, next] = std::array::from_fn(|_| self.name());
        let end = 2 + self.random.below(62);
        let start = &ints[ints.len() - 1];
        self.line(4, format_args!("{zero} = arith.constant 0 : index"));
        self.line(4, format_args!("{upper} = arith.constant {end} : index"));
        self.line(4, format_args!("{one} = arith.constant 1 : index"));
        self.line(
            4,
            format_args!(
                "{result} = scf.for {index} = {zero} to {upper} step {one} iter_args({sum} = {start}) -> (i64) {{"
            ),
        );
        self.line(6, format_args!("{cast} = arith.index_cast {index} : index to i64"));
        self.line(6, format_args!("{next} = arith.addi {sum}, {cast} : i64"));
        self.line(6, format_args!("scf.yield {next} : i64"));
        self.line(4, format_args!("}}"));
        self.ops += 7;
        ints.push(result);
    }

    /// The last operations: of a small function a return, of another one two more blocks.
    fn end(&mut self, small: bool, ints: &[String]) {
        let last = &ints[ints.len() - 1];
        if small {
            self.line(4, format_args!("return {last} : i64"));
            self.ops += 1;
            return;
        }
        let (condition, sum) = (self.name(), self.name());
        self.line(4, format_args!("{condition} = arith.cmpi sgt, {last}, {} : i64", ints[0]));
        self.line(4, format_args!("cf.cond_br {condition}, ^bb1({last} : i64), ^bb2"));
        self.line(2, format_args!("^bb1(%ph: i64):"));
        self.line(4, format_args!("return %ph : i64"));
        self.line(2, format_args!("^bb2:"));
        self.line(4, format_args!("{sum} = arith.addi {last}, %b : i64"));
        self.line(4, format_args!("cf.br ^bb1({sum} : i64)"));
        self.ops += 5;
    }
}

/// A module of at least `ops` operations, and few more.
pub fn module(ops: usize) -> String {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut text = String::from("module {\n");
    let (mut made, mut number) = (1, 0);
    let mut leaves: Vec<String> = Vec::new();
    while made < ops {
        let small = number % 4 == 0;
        let budget = (if small { 12 } else { 100 }).min(ops - made).max(8);
        let mut function = Function { random: &mut random, text: String::new(), ops: 1, names: 0 };
        let (mut ints, mut floats) = (vec!["%a".to_owned(), "%b".to_owned()], vec!["%x".to_owned()]);
        while function.ops < budget - 6 {
            match function.random.percent() {
                0..86 => function.arith(4, &mut ints, &mut floats),
                _ if budget - function.ops < 14 => function.arith(4, &mut ints, &mut floats),
                86..91 => function.branch(&mut ints, &floats),
                91..95 => function.repeat(&mut ints),
                95..98 if !leaves.is_empty() => {
                    let name = function.name();
                    let callee = function.random.recent(&leaves, 50);
                    let (a, x) = (&ints[ints.len() - 1], &floats[floats.len() - 1]);
                    let b = function.random.recent(&ints, 6);
                    let call =
                        format!("{name} = func.call @{callee}({a}, {b}, {x}) : (i64, i64, f32) -> i64");
                    function.line(4, format_args!("{call}"));
                    function.ops += 1;
                    ints.push(name);
                }
                _ => function.arith(4, &mut ints, &mut floats),
            }
        }
        function.end(small, &ints);
        made += function.ops;
        let visibility = if small { "private " } else { "" };
        let body = function.text;
        let _ = write!(
            text,
            "  func.func {visibility}@f{number}(%a: i64, %b: i64, %x: f32) -> i64 {{\n{body}  }}\n"
        );
        if small {
            leaves.push(format!("f{number}"));
        }
        number += 1;
    }
    text.push_str("}\n");
    text
}
