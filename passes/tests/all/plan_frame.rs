//! Temporaries in frames keep their contents for as long as they live.
//!
//! `MINOAN_RANDOM_CASES` sets the number of programs.

use crate::common;
use minoan_interp::Interpreter;
use minoan_ir::Module;
use minoan_passes::plan_frame::PlanFrame;
use minoan_services::Datum;
use minoan_testing::kernels::Random;
use std::fmt::Write as _;

/// The types of temporaries with a number of elements.
const TYPES: [(&str, usize); 6] = [("f32", 24), ("f64", 3), ("i64", 9), ("i8", 20), ("i1", 5), ("f16", 40)];

/// Writes a program with nested blocks of temporaries. Each is filled with a number when it is allocated; before it is freed,
/// all of its elements are compared with that number.
struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    /// The temporaries that live, of all blocks around the current one: the number, and the type in [`TYPES`].
    live: Vec<(usize, usize)>,
    next: usize,
    /// The number of operations to write.
    left: usize,
}

impl Writer<'_> {
    fn name(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn fill(&mut self, number: usize, ty: usize) {
        let (element, count) = TYPES[ty];
        let (value, id) = (Self::value(number, ty), self.name());
        let _ = writeln!(
            self.text,
            "%v{id} = arith.constant {value}\n\
             linalg.fill ins(%v{id} : {element}) outs(%t{number} : memref<{count}x{element}>)"
        );
    }

    /// The contents of a temporary.
    fn value(number: usize, ty: usize) -> String {
        match TYPES[ty].0 {
            "i1" if number.is_multiple_of(2) => "true".to_owned(),
            "i1" => "false".to_owned(),
            "i8" => format!("{} : i8", number % 100),
            element if element.starts_with('f') => format!("{}.5 : {element}", number % 1000),
            element => format!("{number} : {element}"),
        }
    }

    /// Counts the elements that are not what was written.
    fn check(&mut self, number: usize, ty: usize) {
        let (element, count) = TYPES[ty];
        let (value, id) = (Self::value(number, ty), self.name());
        let differs = if element.starts_with('f') { "cmpf une" } else { "cmpi ne" };
        let _ = writeln!(
            self.text,
            "%w{id} = arith.constant {value}\n\
             %n{id} = arith.constant {count} : index\n\
             scf.for %j{id} = %c0 to %n{id} step %c1 {{\n\
             %e{id} = memref.load %t{number}[%j{id}] : memref<{count}x{element}>\n\
             %d{id} = arith.{differs}, %e{id}, %w{id} : {element}\n\
             %x{id} = arith.extui %d{id} : i1 to i64\n\
             %o{id} = memref.load %wrong[] : memref<i64>\n\
             %s{id} = arith.addi %o{id}, %x{id} : i64\n\
             memref.store %s{id}, %wrong[] : memref<i64>\n\
             }}"
        );
    }

    fn block(&mut self, depth: usize) {
        let outer = self.live.len();
        for _ in 0..2 + self.random.below(8) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            self.statement(depth, outer);
        }
        while self.live.len() > outer {
            self.free(outer);
        }
    }

    fn statement(&mut self, depth: usize, outer: usize) {
        match self.random.below(if depth < 4 { 10 } else { 7 }) {
            0..4 => {
                let (number, ty) = (self.name(), self.random.below(TYPES.len()));
                let (element, count) = TYPES[ty];
                let _ = writeln!(self.text, "%t{number} = memref.alloc() : memref<{count}x{element}>");
                self.fill(number, ty);
                self.live.push((number, ty));
            }
            4 if self.live.len() > outer => self.free(outer),
            4 | 5 if !self.live.is_empty() => {
                let (number, ty) = self.live[self.random.below(self.live.len())];
                self.check(number, ty);
            }
            4..6 => {}
            6 => {
                let id = self.name();
                let _ = writeln!(
                    self.text,
                    "%m{id} = arith.subi %depth, %c1 : index\n\
                     func.call @nested(%m{id}, %wrong) : (index, memref<i64>) -> ()"
                );
            }
            7 => self.nested("scf.for %i{id} = %c0 to %c3 step %c1 {", "}", depth),
            8 => self.nested("scf.if %yes {", "}", depth),
            _ => {
                self.nested("scf.if %no {", "} else {", depth);
                self.nested("", "}", depth);
            }
        }
    }

    fn nested(&mut self, before: &str, after: &str, depth: usize) {
        let id = self.name().to_string();
        let _ = writeln!(self.text, "{}", before.replace("{id}", &id));
        self.block(depth + 1);
        let _ = writeln!(self.text, "{after}");
    }

    /// Checks and frees one of the temporaries of the current block.
    fn free(&mut self, outer: usize) {
        let at = outer + self.random.below(self.live.len() - outer);
        let (number, ty) = self.live.remove(at);
        self.check(number, ty);
        let (element, count) = TYPES[ty];
        let _ = writeln!(self.text, "memref.dealloc %t{number} : memref<{count}x{element}>");
    }
}

/// The beginning of both functions.
const START: &str = "%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c3 = arith.constant 3 : index
%yes = arith.cmpi sgt, %depth, %c0 : index
%no = arith.cmpi eq, %depth, %c1 : index";

/// A program whose result is the number of wrong elements. Its second function may call itself.
fn program(random: &mut Random) -> String {
    let mut writer = Writer { random, text: String::new(), live: Vec::new(), next: 0, left: 40 };
    let _ = writeln!(
        writer.text,
        "func.func @main(%depth: index) -> i64 {{\n\
         %wrong = memref.alloca() : memref<i64>\n\
         %zero = arith.constant 0 : i64\n\
         memref.store %zero, %wrong[] : memref<i64>\n{START}"
    );
    writer.block(0);
    let _ = writeln!(
        writer.text,
        "%found = memref.load %wrong[] : memref<i64>\nreturn %found : i64\n}}\n\
         func.func private @nested(%depth: index, %wrong: memref<i64>) {{\n{START}\nscf.if %yes {{"
    );
    writer.left = 12;
    writer.block(1);
    writer.text + "}\nreturn\n}\n"
}

/// Runs `main`, which must free what it allocates; returns the number of wrong elements.
fn run(module: &Module, text: &str) -> Datum {
    let mut machine = Interpreter::new(module);
    let found =
        machine.call("main", &[Datum::Int(2)]).unwrap_or_else(|trap| panic!("{}\n{text}", trap.message));
    assert_eq!(machine.live_buffers(), 0, "{text}");
    found[0].clone()
}

#[test]
fn temporaries_of_random_programs_keep_their_contents() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let mut random = Random(number("PROPTEST_RNG_SEED").unwrap_or(1));
    let (cases, mut views) = (number("MINOAN_RANDOM_CASES").unwrap_or(200), 0);
    for _ in 0..cases {
        let text = program(&mut random);
        let module = common::parse(&text);
        assert_eq!(run(&module, &text), Datum::Int(0), "the program is right\n{text}");
        let framed = common::apply(module, vec![Box::new(PlanFrame)]);
        let printed = common::print(&framed);
        assert_eq!(run(&framed, &printed), Datum::Int(0), "{text}\n{printed}");
        views += printed.matches("memref.view").count() as u64;
    }
    assert!(views > 5 * cases, "{views} temporaries in {cases} programs");
}
