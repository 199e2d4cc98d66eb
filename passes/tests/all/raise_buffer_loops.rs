//! Random loop nests over buffers compute the same before and after `raise-buffer-loops`, and in kernels.
//!
//! The buffers are views of the same bytes, at random places: some share all of their elements, some a part. Elements are integers of
//! 64 bits, so that results are exact. `MINOAN_RANDOM_CASES` sets the number of nests.

use crate::common;
use minoan_interp::Interpreter;
use minoan_ir::Module;
use minoan_pass::Pass;
use minoan_passes::canonicalize::Canonicalize;
use minoan_passes::cse::Cse;
use minoan_passes::emit_kernels::EmitKernels;
use minoan_passes::form_kernels::{FormKernels, FormKernelsOptions};
use minoan_passes::lower_affine::LowerAffine;
use minoan_passes::plan_buffers::PlanBuffers;
use minoan_passes::raise_buffer_loops::{RaiseBufferLoops, RaiseBufferLoopsOptions};
use minoan_passes::schedule_kernels::ScheduleKernels;
use minoan_services::{Datum, Tensor, TensorData, Trap};
use minoan_testing::kernels::Random;
use std::fmt::Write;

/// The extents of the buffers.
const EXTENT: usize = 8;

/// The bytes of all buffers, and of a buffer.
const BYTES: usize = 4 * BUFFER;
const BUFFER: usize = EXTENT * EXTENT * 8;

/// A function over buffers, as text.
struct Program<'r> {
    random: &'r mut Random,
    text: String,
    /// The types of the buffers.
    types: Vec<&'static str>,
    /// The names of the induction variables around the next operation.
    loops: Vec<String>,
    count: usize,
}

impl Program<'_> {
    fn name(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    /// The bounds of a loop.
    fn bounds(&mut self) -> String {
        let outer = self.loops.last().cloned();
        let lower = match (self.random.below(8), &outer) {
            (0, Some(outer)) => format!("affine_map<(d0) -> (d0 + 1)>({outer})"),
            _ => self.random.one_of(&["0", "1", "1", "2"]).to_owned(),
        };
        let upper = match (self.random.below(8), &outer) {
            (0, Some(outer)) => format!("affine_map<(d0) -> (d0)>({outer})"),
            (1 | 2, _) => "%n".to_owned(),
            _ => self.random.one_of(&["3", "6", "7", "7", "8"]).to_owned(),
        };
        format!("{lower} to {upper}")
    }

    fn index(&mut self) -> String {
        let inner = self.loops[self.random.below(self.loops.len())].clone();
        match self.random.below(12) {
            0 => format!("{inner} + 1"),
            1 => format!("{inner} - 1"),
            2 => self.random.one_of(&["0", "3", "%k"]).to_owned(),
            3 => format!("{inner} - {} + 3", self.loops[0]),
            _ => inner,
        }
    }

    fn place(&mut self) -> (usize, String) {
        let buffer = self.random.below(self.types.len());
        (buffer, format!("%b{buffer}[{}, {}] : {}", self.index(), self.index(), self.types[buffer]))
    }

    fn load(&mut self, place: &str) -> String {
        let name = self.name();
        writeln!(self.text, "{name} = affine.load {place}").expect("text");
        name
    }

    fn binary(&mut self, lhs: &str, rhs: &str) -> String {
        let op = self.random.one_of(&["addi", "addi", "subi", "muli", "maxsi", "xori"]);
        let name = self.name();
        writeln!(self.text, "{name} = arith.{op} {lhs}, {rhs} : i64").expect("text");
        name
    }

    /// A scalar that is computed from elements, numbers and indices.
    fn scalar(&mut self, depth: usize) -> String {
        match self.random.below(if depth > 2 { 3 } else { 6 }) {
            0 => {
                let (inner, name) = (self.loops[self.random.below(self.loops.len())].clone(), self.name());
                writeln!(self.text, "{name} = arith.index_cast {inner} : index to i64").expect("text");
                name
            }
            1 | 2 => {
                let (_, place) = self.place();
                self.load(&place)
            }
            3 if self.loops.len() < 3 => self.fold(),
            _ => {
                let (lhs, rhs) = (self.scalar(depth + 1), self.scalar(depth + 1));
                self.binary(&lhs, &rhs)
            }
        }
    }

    /// A loop that carries a scalar.
    fn fold(&mut self) -> String {
        let init = if self.random.below(2) == 0 { "%x".to_owned() } else { self.scalar(3) };
        let (name, carried, bounds) = (self.name(), self.name(), self.bounds());
        let index = format!("%i{}", self.count);
        writeln!(self.text, "{name} = affine.for {index} = {bounds} iter_args({carried} = {init}) -> i64 {{")
            .expect("text");
        self.loops.push(index);
        let term = self.scalar(2);
        let next = self.binary(&carried, &term);
        self.loops.pop();
        writeln!(self.text, "affine.yield {next} : i64 }}").expect("text");
        name
    }

    /// A store, often of a combination with the element before.
    fn store(&mut self) {
        let (_, place) = self.place();
        let value = if self.random.below(3) > 0 {
            let before = self.load(&place);
            let term = self.scalar(1);
            match self.random.below(2) {
                0 => self.binary(&before, &term),
                _ => self.binary(&term, &before),
            }
        } else {
            self.scalar(0)
        };
        writeln!(self.text, "affine.store {value}, {place}").expect("text");
    }

    /// A loop with loops and stores.
    fn nest(&mut self) {
        let bounds = self.bounds();
        let index = format!("%i{}", self.count);
        self.count += 1;
        writeln!(self.text, "affine.for {index} = {bounds} {{").expect("text");
        self.loops.push(index);
        for _ in 0..=self.random.below(2) {
            if self.loops.len() < 3 && self.random.below(3) > 0 {
                self.nest();
            } else {
                self.store();
            }
        }
        self.loops.pop();
        writeln!(self.text, "}}").expect("text");
    }
}

/// A module with a nest over three buffers, and `main`, which calls it.
fn program(random: &mut Random) -> String {
    let types: Vec<&str> = (0..3).map(|_| random.one_of(&["memref<8x8xi64>", "memref<?x?xi64>"])).collect();
    let mut program =
        Program { random, text: String::new(), types: types.clone(), loops: Vec::new(), count: 0 };
    for _ in 0..=program.random.below(2) {
        program.nest();
    }
    let text = program.text;
    let params =
        types.iter().enumerate().map(|(at, ty)| format!("%b{at}: {ty}")).collect::<Vec<_>>().join(", ");
    let mut main = String::new();
    let mut args = Vec::new();
    for (at, ty) in types.iter().enumerate() {
        let place = match random.below(3) {
            0 => random.below((BYTES - BUFFER) / 8) * 8,
            _ => at * BUFFER,
        };
        writeln!(
            main,
            "%p{at} = arith.constant {place} : index
%w{at} = memref.view %bytes[%p{at}][] : memref<{BYTES}xi8> to memref<8x8xi64>
%a{at} = memref.cast %w{at} : memref<8x8xi64> to {ty}"
        )
        .expect("text");
        args.push(format!("%a{at}"));
    }
    let (n, k) = (random.one_of(&[0, 5, 7, 8]), random.below(EXTENT));
    let types = types.join(", ");
    format!(
        "func.func @nest({params}, %n: index, %k: index, %x: i64) {{\n{text}return\n}}
func.func @main(%bytes: memref<{BYTES}xi8>) {{
{main}%n = arith.constant {n} : index
%k = arith.constant {k} : index
%x = arith.constant 3 : i64
func.call @nest({}, %n, %k, %x) : ({types}, index, index, i64) -> ()
return
}}",
        args.join(", ")
    )
}

/// The bytes after a call of `main`.
fn bytes_after(module: &Module) -> Result<Tensor, Trap> {
    let mut machine = Interpreter::new(module);
    let bytes = (0..BYTES).map(|at| (at * 37 % 11) as i64 - 5).collect();
    let buffer = machine.buffer(Tensor { shape: vec![BYTES], data: TensorData::Int(bytes) });
    machine.call("main", &[Datum::Buffer(buffer.clone())])?;
    assert_eq!(machine.live_buffers(), 1, "temporary buffers are freed");
    buffer.snapshot()
}

#[test]
fn random_nests_compute_the_same() {
    let cases = std::env::var("MINOAN_RANDOM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut random = Random(seed);
    let (mut raised, mut checked, mut defined) = (0, 0, 0);
    for _ in 0..cases {
        let text = program(&mut random);
        let clean = || -> Vec<Box<dyn Pass>> { vec![Box::<Canonicalize>::default(), Box::new(Cse)] };
        let mut passes: Vec<Box<dyn Pass>> = vec![Box::new(LowerAffine)];
        passes.extend(clean());
        let before = common::apply(common::parse(&text), passes);
        let expected = bytes_after(&before);
        let raise = RaiseBufferLoops { options: RaiseBufferLoopsOptions { min_points: 1 } };
        let nests = common::apply(before.clone(), vec![Box::new(raise)]);
        let after = common::print(&nests);
        raised += usize::from(after.contains("materialize_in_destination"));
        checked += usize::from(after.contains("scf.if"));
        defined += usize::from(expected.is_ok());
        let cleaned = common::apply(nests.clone(), clean());
        let planned = common::apply(cleaned.clone(), vec![Box::new(PlanBuffers)]);
        let form = FormKernels { options: FormKernelsOptions { min_points: 1, ..Default::default() } };
        let kernels = common::apply(
            cleaned.clone(),
            vec![
                Box::new(form),
                Box::<ScheduleKernels>::default(),
                Box::new(PlanBuffers),
                Box::new(EmitKernels),
            ],
        );
        for (stage, module) in
            [("raised", &nests), ("simplified", &cleaned), ("on buffers", &planned), ("kernels", &kernels)]
        {
            // An index that is out of bounds is undefined behavior: a load whose element is not used may be erased.
            let Ok(expected) = &expected else { continue };
            let found = bytes_after(module).unwrap_or_else(|trap| {
                panic!("{stage}: {trap:?}\n{text}\n{}", common::print(module));
            });
            let (expected, found) = (Datum::from(expected.clone()), Datum::from(found));
            assert!(expected.same(&found), "{stage}\n{text}\n{}", common::print(module));
        }
    }
    println!("{raised} of {cases} raised, {checked} with checks, {defined} in bounds");
    assert!(raised * 4 > cases && checked * 8 > cases && defined * 4 > cases, "{raised} {checked} {defined}");
}

/// `plan-buffers` compares each tensor with those that live at the same time only.
#[test]
fn many_nests_of_a_function_are_computed_in_place() {
    let nest = "affine.for %i = 0 to 16 { affine.for %j = 0 to 16 {
%x = affine.load %a[%i, %j] : memref<16x16xi64>
%y = affine.load %b[%j, %i] : memref<16x16xi64>
%z = arith.addi %x, %y : i64
affine.store %z, %a[%i, %j] : memref<16x16xi64>
} }\n";
    let ty = "memref<16x16xi64>";
    let text = format!("func.func @main(%a: {ty}, %b: {ty}) {{\n{}return\n}}", nest.repeat(400));
    let passes: Vec<Box<dyn Pass>> = vec![
        Box::new(LowerAffine),
        Box::<Canonicalize>::default(),
        Box::<RaiseBufferLoops>::default(),
        Box::new(PlanBuffers),
    ];
    let text = common::print(&common::apply(common::parse(&text), passes));
    assert_eq!(text.matches("linalg.generic").count(), 400);
    assert!(!text.contains("memref.alloc") && !text.contains("memref.copy"), "{text}");
}
