//! Canonicalization preserves the results of programs on vectors.

use minoan_diag::SourceMap;
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::verify::verify;
use minoan_ir::{Context, Module, Registry};
use minoan_rewrite::{GreedyConfig, GreedyDriver, PatternFilter, canonical_patterns};
use minoan_services::{Datum, Tensor, TensorData};
use proptest::prelude::*;
use std::fmt::Write;

/// The choices for one operation: its form, and three details.
type Choice = (u8, u8, u8, u8);

type Shape = Vec<usize>;

/// The maximum number of elements of a vector.
const LARGEST: usize = 48;

/// Creates programs from the values in scope. A scalar has no shape.
struct Writer {
    text: String,
    values: Vec<(String, Option<Shape>)>,
    count: usize,
}

fn ty(shape: &Option<Shape>) -> String {
    let extents = |shape: &Shape| shape.iter().map(|extent| format!("{extent}x")).collect::<String>();
    shape.as_ref().map_or("f32".to_owned(), |shape| format!("vector<{}f32>", extents(shape)))
}

fn list(numbers: impl IntoIterator<Item = usize>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

impl Writer {
    fn new() -> Self {
        let shapes =
            [("%a", Some(vec![2, 3])), ("%b", Some(vec![3])), ("%c", Some(vec![2, 1])), ("%s", None)];
        let mut writer = Writer { text: String::new(), values: Vec::new(), count: 0 };
        writer.values.extend(shapes.map(|(name, shape)| (name.to_owned(), shape)));
        writer.define(
            Some(vec![2, 3]),
            "arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>",
        );
        writer.define(None, "arith.constant 7.0 : f32");
        writer
    }

    fn define(&mut self, shape: Option<Shape>, text: &str) -> String {
        let name = format!("%v{}", self.count);
        self.count += 1;
        writeln!(self.text, "  {name} = {text}").expect("a string");
        self.values.push((name.clone(), shape));
        name
    }

    /// Chooses an accepted value; recent ones are preferred, so that operations interact.
    fn pick(&self, choice: u8, accept: impl Fn(&Option<Shape>) -> bool) -> Option<(String, Option<Shape>)> {
        let all: Vec<_> = self.values.iter().filter(|(_, shape)| accept(shape)).collect();
        let near = all.len().min(8);
        (near > 0).then(|| all[all.len() - 1 - usize::from(choice) % near].clone())
    }

    fn vector(&self, choice: u8) -> Option<(String, Shape)> {
        let (name, shape) =
            self.pick(choice, |shape| shape.as_ref().is_some_and(|shape| !shape.is_empty()))?;
        Some((name, shape?))
    }

    /// Chooses or creates a value of a shape.
    fn of_shape(&mut self, shape: &Option<Shape>, choice: u8) -> String {
        match self.pick(choice, |other| other == shape) {
            Some((name, _)) => name,
            None => self.define(shape.clone(), &format!("vector.broadcast %s : f32 to {}", ty(shape))),
        }
    }

    fn op(&mut self, (form, a, b, c): Choice) -> Option<()> {
        let (b, detail) = (usize::from(b), usize::from(c));
        if form % 12 == 0 {
            return self.broadcast(a, b, detail);
        }
        let (name, shape) = self.vector(a)?;
        let (rank, count) = (shape.len(), shape.iter().product::<usize>());
        let of = ty(&Some(shape.clone()));
        match form % 12 {
            1 | 2 => {
                let position: Vec<String> = (0..1 + b % rank)
                    .map(|dim| match shape[dim] {
                        extent if extent > 1 && detail >> dim & 1 == 1 => "%i".to_owned(),
                        extent => (detail / (dim + 2) % extent).to_string(),
                    })
                    .collect();
                let rest = Some(shape[position.len()..].to_vec()).filter(|rest| !rest.is_empty());
                let (at, part) = (position.join(", "), ty(&rest));
                if form % 12 == 1 {
                    self.define(rest, &format!("vector.extract {name}[{at}] : {part} from {of}"));
                } else {
                    let value = self.of_shape(&rest, c);
                    self.define(
                        Some(shape),
                        &format!("vector.insert {value}, {name} [{at}] : {part} into {of}"),
                    );
                }
            }
            3 => {
                let divisor = (1..=count).filter(|divisor| count % divisor == 0).nth(b % 3).unwrap_or(1);
                let (&last, lead) = shape.split_last()?;
                let half = (2..=last).find(|half| last % half == 0).unwrap_or(1);
                let to = match detail % 4 {
                    0 => vec![count],
                    1 => vec![divisor, count / divisor],
                    2 => [lead, &[half, last / half]].concat(),
                    _ => [&[1], &shape[..]].concat(),
                };
                let text = format!("vector.shape_cast {name} : {of} to {}", ty(&Some(to.clone())));
                self.define(Some(to), &text);
            }
            4 => {
                let mut order: Vec<usize> = (0..rank).collect();
                order.rotate_left(b % rank);
                order.swap(0, detail % rank);
                let to: Shape = order.iter().map(|&dim| shape[dim]).collect();
                let text =
                    format!("vector.transpose {name}, [{}] : {of} to {}", list(order), ty(&Some(to.clone())));
                self.define(Some(to), &text);
            }
            5 => {
                let other = self.of_shape(&Some(shape.clone()), c);
                let rows = shape[0];
                let mask: Vec<usize> = match detail % 4 {
                    0 => (0..rows).collect(),
                    1 => (rows..2 * rows).collect(),
                    2 => (0..rows).flat_map(|row| [row, rows + row]).collect(),
                    _ => (0..1 + b % 4).map(|at| (b * 7 + detail * (at + 3)) % (2 * rows)).collect(),
                };
                let to = [&[mask.len()], &shape[1..]].concat();
                if to.iter().product::<usize>() > LARGEST {
                    return None;
                }
                self.define(
                    Some(to),
                    &format!("vector.shuffle {name}, {other} [{}] : {of}, {of}", list(mask)),
                );
            }
            6 | 7 => {
                let dims = 1 + b % rank;
                let offsets: Vec<usize> = (0..dims).map(|dim| detail / (dim + 1) % shape[dim]).collect();
                let sizes: Vec<usize> = (0..dims).map(|dim| 1 + b % (shape[dim] - offsets[dim])).collect();
                let part = Some([&sizes[..], &shape[dims..]].concat());
                let ones = vec![1; dims];
                let text = format!(
                    "vector.extract_strided_slice {name} {{offsets = [{}], sizes = [{}], strides = [{}]}} : {of} to {}",
                    list(offsets),
                    list(sizes),
                    list(ones),
                    ty(&part)
                );
                let slice = self.define(part.clone(), &text);
                if form % 12 == 7 {
                    let whole = self.of_shape(&Some(shape.clone()), c);
                    let (zeros, ones) = (vec![0; rank], vec![1; rank]);
                    let text = format!(
                        "vector.insert_strided_slice {slice}, {whole} {{offsets = [{}], strides = [{}]}} : {} into {of}",
                        list(zeros),
                        list(ones),
                        ty(&part)
                    );
                    self.define(Some(shape), &text);
                }
            }
            8 => {
                let other = self.of_shape(&Some(shape.clone()), c);
                let mut to = shape.clone();
                to[rank - 1] *= 2;
                if 2 * count > LARGEST {
                    return None;
                }
                let text = format!("vector.interleave {name}, {other} : {of} -> {}", ty(&Some(to.clone())));
                let both = self.define(Some(to.clone()), &text);
                let (even, odd) = (format!("%v{}", self.count), format!("%v{}", self.count + 1));
                self.count += 2;
                let to = ty(&Some(to));
                writeln!(self.text, "  {even}, {odd} = vector.deinterleave {both} : {to} -> {of}")
                    .expect("a string");
                self.values.extend([(even, Some(shape.clone())), (odd, Some(shape))]);
            }
            9 => {
                let all = format!("%v{}", self.count);
                self.count += 1;
                writeln!(self.text, "  {all}:{count} = vector.to_elements {name} : {of}").expect("a string");
                let element = |at: usize| if count == 1 { all.clone() } else { format!("{all}#{at}") };
                let order = (0..count).map(|at| match detail % 3 {
                    0 => at,
                    1 => count - 1 - at,
                    _ => 0,
                });
                let elements: Vec<String> = order.map(element).collect();
                self.define(Some(shape), &format!("vector.from_elements {} : {of}", elements.join(", ")));
            }
            10 => {
                let bits = format!("%v{}", self.count);
                self.count += 1;
                let wide = of.replace("f32", "i32");
                writeln!(self.text, "  {bits} = vector.bitcast {name} : {of} to {wide}").expect("a string");
                self.define(Some(shape), &format!("vector.bitcast {bits} : {wide} to {of}"));
            }
            _ => {
                let flat = self.define(
                    Some(vec![count]),
                    &format!("vector.shape_cast {name} : {of} to vector<{count}xf32>"),
                );
                let acc = self.of_shape(&None, c);
                self.define(
                    None,
                    &format!("vector.reduction <maximumf>, {flat}, {acc} : vector<{count}xf32> into f32"),
                );
            }
        }
        Some(())
    }

    fn broadcast(&mut self, a: u8, b: usize, detail: usize) -> Option<()> {
        // Shapes with extents of 1 between others need care.
        let single = self.pick(a, |shape| shape.as_ref().is_some_and(|shape| shape.contains(&1)));
        let (name, shape) = single.filter(|_| detail % 2 == 1).or_else(|| self.pick(a, |_| true))?;
        let grown = shape.iter().flatten().map(|&extent| if extent == 1 { 1 + detail % 4 } else { extent });
        let lead = (0..b % 3).map(|dim| 1 + (b + detail) / (dim + 1) % 3);
        let to: Shape = lead.chain(grown).collect();
        if to.is_empty() || to.iter().product::<usize>() > LARGEST {
            return None;
        }
        let text = format!("vector.broadcast {name} : {} to {}", ty(&shape), ty(&Some(to.clone())));
        self.define(Some(to), &text);
        Some(())
    }

    /// The program; it returns the last values.
    fn finish(self) -> String {
        let last = self.values.len() - 5..;
        let (names, types): (Vec<_>, Vec<_>) =
            self.values[last].iter().map(|(name, shape)| (name.clone(), ty(shape))).unzip();
        let types = types.join(", ");
        format!(
            "func.func @f(%a: vector<2x3xf32>, %b: vector<3xf32>, %c: vector<2x1xf32>, %s: f32, %i: index) -> ({types}) {{\n{}  return {} : {types}\n}}\n",
            self.text,
            names.join(", ")
        )
    }
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_arith::ArithDialect)
        .add(minoan_vector::VectorDialect);
    Context::new(registry).expect("dialects of other names")
}

fn run(module: &Module) -> Vec<Datum> {
    let vector = |shape: &[usize], first: f32| {
        let count = shape.iter().product::<usize>();
        let data = (0..count).map(|at| first + at as f32).collect();
        Datum::from(Tensor { shape: shape.into(), data: TensorData::F32(data) })
    };
    let args =
        [vector(&[2, 3], 10.0), vector(&[3], 20.0), vector(&[2, 1], 30.0), Datum::F32(40.0), Datum::Int(1)];
    Interpreter::new(module).call("f", &args).expect("the program does not trap")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn vector_elements_are_preserved(choices in prop::collection::vec(any::<Choice>(), 1..24)) {
        let mut writer = Writer::new();
        for choice in choices {
            writer.op(choice);
        }
        let text = writer.finish();
        let ctx = context();
        let sources = SourceMap::new();
        let file = sources.add("test.mlir", text.clone());
        let mut module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect(&text);
        verify(&module).expect(&text);
        let before = run(&module);
        let patterns = canonical_patterns(&ctx).freeze(&ctx, &PatternFilter::default()).expect("they are named apart");
        let outcome = GreedyDriver::new(&patterns, GreedyConfig::default()).run_nested(module.body_mut());
        let canonical = print_module(&module, &PrintFlags::default());
        prop_assert!(outcome.converged, "{}\n{}", text, canonical);
        verify(&module).expect(&canonical);
        let after = run(&module);
        let same = before.iter().zip(&after).all(|(before, after)| before.same(after));
        prop_assert!(same, "{}\n{}\n{:?}\n{:?}", text, canonical, before, after);
    }
}
