//! Programs that become kernels, and random plans of these.

use minoan_ir::{Body, Module, Op};
use minoan_scheduling::{Kernel, Loop, Node, Plan, Prefetch, Tail, resolve};
use minoan_services::{Datum, KernelOps, Tensor, TensorData};
use std::fmt::Write as _;
use std::rc::Rc;

/// A generator of numbers.
pub struct Random(pub u64);

impl Random {
    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }

    /// One of several values.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// The text of programs.
#[derive(Default)]
struct Text {
    args: Vec<String>,
    shapes: Vec<Vec<usize>>,
    body: String,
    count: usize,
    dynamic: bool,
}

impl Text {
    fn new(dynamic: bool) -> Self {
        Self { dynamic, ..Self::default() }
    }

    fn ty(&self, shape: &[usize]) -> String {
        let dims: String = shape
            .iter()
            .map(|extent| if self.dynamic && *extent > 1 { "?x".to_owned() } else { format!("{extent}x") })
            .collect();
        format!("tensor<{dims}f32>")
    }

    fn arg(&mut self, shape: &[usize]) -> (String, Vec<usize>) {
        let name = format!("%arg{}", self.args.len());
        self.args.push(format!("{name}: {}", self.ty(shape)));
        self.shapes.push(shape.to_vec());
        (name, shape.to_vec())
    }

    fn fresh(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    /// An uninitialized tensor.
    fn empty(&mut self, shape: &[usize]) -> String {
        let id = self.fresh();
        let mut sizes = Vec::new();
        if self.dynamic {
            for (at, &extent) in shape.iter().enumerate().filter(|(_, extent)| **extent > 1) {
                // Opaque to folding: the extent of an argument.
                let of = self.shapes.iter().enumerate().find_map(|(arg, dims)| {
                    dims.iter().position(|&other| other == extent).map(|dim| (arg, dim))
                });
                let (arg, dim) = of.expect("some argument has the extent");
                let ty = self.ty(&self.shapes[arg].clone());
                let _ = writeln!(self.body, "%d{id}_{at}c = arith.constant {dim} : index");
                let _ = writeln!(self.body, "%d{id}_{at} = tensor.dim %arg{arg}, %d{id}_{at}c : {ty}");
                sizes.push(format!("%d{id}_{at}"));
            }
        }
        let ty = self.ty(shape);
        let _ = writeln!(self.body, "%e{id} = tensor.empty({}) : {ty}", sizes.join(", "));
        format!("%e{id}")
    }

    /// A computation; `init` is the initial value of a reduction.
    fn compute(
        &mut self,
        dims: &str,
        ins: &[(&(String, Vec<usize>), &str)],
        out: (&[usize], &str),
        init: Option<&str>,
        code: &str,
    ) -> (String, Vec<usize>) {
        let mut output = self.empty(out.0);
        let id = self.fresh();
        let ty = self.ty(out.0);
        if let Some(init) = init {
            let _ = writeln!(self.body, "%z{id} = arith.constant {init} : f32");
            let _ =
                writeln!(self.body, "%f{id} = linalg.fill ins(%z{id} : f32) outs({output} : {ty}) -> {ty}");
            output = format!("%f{id}");
        }
        let maps: Vec<String> = ins
            .iter()
            .map(|(_, map)| *map)
            .chain([out.1])
            .map(|map| format!("affine_map<({dims}) -> ({map})>"))
            .collect();
        let iterators: Vec<&str> = dims
            .split(", ")
            .map(|dim| if out.1.split(", ").any(|at| at == dim) { "\"parallel\"" } else { "\"reduction\"" })
            .collect();
        let names: Vec<&str> = ins.iter().map(|((name, _), _)| name.as_str()).collect();
        let types: Vec<String> = ins.iter().map(|((_, shape), _)| self.ty(shape)).collect();
        let args: String = (0..ins.len()).map(|at| format!("%x{at}: f32, ")).collect();
        let (maps, iterators, names, types) =
            (maps.join(", "), iterators.join(", "), names.join(", "), types.join(", "));
        let _ = writeln!(
            self.body,
            "%r{id} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} \
             ins({names} : {types}) outs({output} : {ty}) {{\n^bb0({args}%s: f32):\n{code}\n}} -> {ty}"
        );
        (format!("%r{id}"), out.0.to_vec())
    }

    /// A pointwise computation of two tensors from two.
    fn two_results(
        &mut self,
        dims: &str,
        [(x, of_x), (y, of_y)]: [(&(String, Vec<usize>), &str); 2],
        shape: &[usize],
        code: &str,
    ) -> [(String, Vec<usize>); 2] {
        let (p, q, id) = (self.empty(shape), self.empty(shape), self.fresh());
        let maps = [of_x, of_y, dims, dims].map(|map| format!("affine_map<({dims}) -> ({map})>")).join(", ");
        let iterators = vec!["\"parallel\""; shape.len()].join(", ");
        let (of_x, of_y, ty) = (self.ty(&x.1), self.ty(&y.1), self.ty(shape));
        let _ = writeln!(
            self.body,
            "%r{id}:2 = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} \
             ins({}, {} : {of_x}, {of_y}) outs({p}, {q} : {ty}, {ty}) {{\n\
             ^bb0(%x0: f32, %x1: f32, %s: f32, %t: f32):\n{code}\n}} -> ({ty}, {ty})",
            x.0, y.0
        );
        [0, 1].map(|result| (format!("%r{id}#{result}"), shape.to_vec()))
    }

    /// A tensor of equal elements.
    fn filled(&mut self, shape: &[usize], value: &str) -> (String, Vec<usize>) {
        let (output, id, ty) = (self.empty(shape), self.fresh(), self.ty(shape));
        let _ = writeln!(
            self.body,
            "%z{id} = arith.constant {value} : f32\n\
             %f{id} = linalg.fill ins(%z{id} : f32) outs({output} : {ty}) -> {ty}"
        );
        (format!("%f{id}"), shape.to_vec())
    }

    /// A padding by a constant.
    fn pad(
        &mut self,
        x: &(String, Vec<usize>),
        widths: &[(usize, usize)],
        value: &str,
    ) -> (String, Vec<usize>) {
        let id = self.fresh();
        let shape: Vec<usize> =
            x.1.iter().zip(widths).map(|(extent, (low, high))| extent + low + high).collect();
        let side = |of: fn(&(usize, usize)) -> usize| {
            widths.iter().map(|pair| of(pair).to_string()).collect::<Vec<_>>().join(", ")
        };
        let (low, high) = (side(|pair| pair.0), side(|pair| pair.1));
        let args: Vec<String> = (0..shape.len()).map(|at| format!("%i{id}_{at}: index")).collect();
        let (name, args, from, to) = (&x.0, args.join(", "), self.ty(&x.1), self.ty(&shape));
        let _ = writeln!(
            self.body,
            "%c{id} = arith.constant {value} : f32\n%p{id} = tensor.pad {name} low[{low}] high[{high}] {{\n\
             ^bb0({args}):\ntensor.yield %c{id} : f32\n}} : {from} to {to}"
        );
        (format!("%p{id}"), shape)
    }

    fn finish(self, results: &[(String, Vec<usize>)]) -> (String, Vec<Datum>) {
        let names: Vec<&str> = results.iter().map(|(name, _)| name.as_str()).collect();
        let types: Vec<String> = results.iter().map(|(_, shape)| self.ty(shape)).collect();
        let (args, names, types) = (self.args.join(", "), names.join(", "), types.join(", "));
        let text =
            format!("func.func @main({args}) -> ({types}) {{\n{}return {names} : {types}\n}}\n", self.body);
        let mut random = Random(7);
        let values = self.shapes.iter().map(|shape| {
            let count = shape.iter().product::<usize>();
            let data = (0..count).map(|_| random.below(9) as f32 - 4.0).collect();
            Datum::Tensor(Rc::new(Tensor { shape: shape.clone(), data: TensorData::F32(data) }))
        });
        (text, values.collect())
    }
}

const SUM: &str = "%v = arith.addf %s, %x0 fastmath<reassoc> : f32\nlinalg.yield %v : f32";
const MAX: &str = "%v = arith.maximumf %s, %x0 : f32\nlinalg.yield %v : f32";
const PRODUCTS: &str = "%p = arith.mulf %x0, %x1 fastmath<contract> : f32\n\
    %v = arith.addf %s, %p fastmath<reassoc,contract> : f32\nlinalg.yield %v : f32";
const ADD: &str = "%v = arith.addf %x0, %x1 : f32\nlinalg.yield %v : f32";
const SUB: &str = "%v = arith.subf %x0, %x1 : f32\nlinalg.yield %v : f32";
const SQUARE: &str = "%v = arith.mulf %x0, %x0 : f32\nlinalg.yield %v : f32";
const ORDERED: &str = "%v = arith.addf %s, %x0 : f32\nlinalg.yield %v : f32";
const SINES_IN_ORDER: &str = "%w = math.sin %x0 : f32\n%v = arith.addf %s, %w : f32\nlinalg.yield %v : f32";
const TWO_RESULTS: &str = "%e = math.exp %x0 : f32\n%a = arith.addf %e, %x1 : f32\n\
    %m = arith.mulf %e, %x1 : f32\nlinalg.yield %a, %m : f32, f32";

/// Programs that become kernels, with their names and arguments. Their types have extents unless `dynamic`.
/// Elements are small integers, so that sums are exact in any order.
pub fn programs(random: &mut Random, dynamic: bool) -> Vec<(&'static str, String, Vec<Datum>)> {
    let extents = [5usize, 7, 8, 13, 16, 17, 33, 37];
    let (i, j, k) = loop {
        let picked = (random.one_of(&extents), random.one_of(&extents), random.one_of(&extents));
        if picked.0 != picked.1 && picked.1 != picked.2 && picked.0 != picked.2 {
            break picked;
        }
    };
    let mut all = Vec::new();
    let mut add = |name, text: Text, results: &[(String, Vec<usize>)]| {
        let (text, args) = text.finish(results);
        all.push((name, text, args));
    };

    let mut t = Text::new(dynamic);
    let (a, b, bias) = (t.arg(&[i, k]), t.arg(&[k, j]), t.arg(&[j]));
    let product =
        t.compute("i, j, k", &[(&a, "i, k"), (&b, "k, j")], (&[i, j], "i, j"), Some("0.0"), PRODUCTS);
    let sum = t.compute("i, j", &[(&product, "i, j"), (&bias, "j")], (&[i, j], "i, j"), None, ADD);
    let relu = t.compute("i, j", &[(&sum, "i, j"), (&sum, "i, j")], (&[i, j], "i, j"), None, ADD);
    add("product with epilogue", t, &[relu]);

    let mut t = Text::new(dynamic);
    let (a, b) = (t.arg(&[i, k]), t.arg(&[j, k]));
    let product =
        t.compute("i, j, k", &[(&a, "i, k"), (&b, "j, k")], (&[i, j], "i, j"), Some("1.0"), PRODUCTS);
    add("product with a transposed factor", t, &[product]);

    let (text, args) = product_of_bytes([i, j, k], random, dynamic);
    all.push(("product of bytes", text, args));
    let mut add = |name, text: Text, results: &[(String, Vec<usize>)]| {
        let (text, args) = text.finish(results);
        all.push((name, text, args));
    };

    let mut t = Text::new(dynamic);
    let (a, b) = (t.arg(&[3, i, k]), t.arg(&[3, k, j]));
    let product = t.compute(
        "b, i, j, k",
        &[(&a, "b, i, k"), (&b, "b, k, j")],
        (&[3, i, j], "b, i, j"),
        Some("0.0"),
        PRODUCTS,
    );
    add("products in a batch", t, &[product]);

    let mut t = Text::new(dynamic);
    let x = t.arg(&[i, j]);
    let max = t.compute("i, j", &[(&x, "i, j")], (&[i], "i"), Some("0xFF800000"), MAX);
    let off = t.compute("i, j", &[(&x, "i, j"), (&max, "i")], (&[i, j], "i, j"), None, SUB);
    let total = t.compute("i, j", &[(&off, "i, j")], (&[i], "i"), Some("0.0"), SUM);
    let doubled = t.compute("i", &[(&total, "i"), (&total, "i")], (&[i], "i"), None, ADD);
    let result = t.compute("i, j", &[(&off, "i, j"), (&doubled, "i")], (&[i, j], "i, j"), None, ADD);
    add("rows", t, &[result]);

    let mut t = Text::new(dynamic);
    let (q, keys, v) = (t.arg(&[3, i, 5]), t.arg(&[3, j, 5]), t.arg(&[3, j, k]));
    let scores = t.compute(
        "h, i, j, d",
        &[(&q, "h, i, d"), (&keys, "h, j, d")],
        (&[3, i, j], "h, i, j"),
        Some("0.0"),
        PRODUCTS,
    );
    let max = t.compute("h, i, j", &[(&scores, "h, i, j")], (&[3, i], "h, i"), Some("0xFF800000"), MAX);
    let off =
        t.compute("h, i, j", &[(&scores, "h, i, j"), (&max, "h, i")], (&[3, i, j], "h, i, j"), None, SUB);
    let result = t.compute(
        "h, i, e, j",
        &[(&off, "h, i, j"), (&v, "h, j, e")],
        (&[3, i, k], "h, i, e"),
        Some("0.0"),
        PRODUCTS,
    );
    add("contraction of rows", t, &[result]);

    let mut t = Text::new(dynamic);
    let x = t.arg(&[i, j]);
    let mean = t.compute("i, j", &[(&x, "i, j")], (&[i, 1], "i, 0"), Some("0.0"), SUM);
    let off = t.compute("i, j", &[(&x, "i, j"), (&mean, "i, 0")], (&[i, j], "i, j"), None, SUB);
    let squares = t.compute("i, j", &[(&off, "i, j")], (&[i, j], "i, j"), None, SQUARE);
    let total = t.compute("i, j", &[(&squares, "i, j")], (&[i, 1], "i, 0"), Some("0.0"), SUM);
    let result = t.compute("i, j", &[(&off, "i, j"), (&total, "i, 0")], (&[i, j], "i, j"), None, ADD);
    add("rows with unit dimensions", t, &[result]);

    let mut t = Text::new(dynamic);
    let x = t.arg(&[i, j]);
    let sums = t.compute("i, j", &[(&x, "i, j")], (&[j], "j"), Some("2.0"), SUM);
    add("sums of columns", t, &[sums]);

    let mut t = Text::new(dynamic);
    let x = t.arg(&[i, j]);
    let sums = t.compute("i, j", &[(&x, "i, j")], (&[i], "i"), Some("2.0"), ORDERED);
    add("sums in order", t, &[sums]);

    let mut t = Text::new(dynamic);
    let x = t.arg(&[i, j]);
    let sums = t.compute("i, j", &[(&x, "i, j")], (&[i], "i"), Some("2.0"), SINES_IN_ORDER);
    let result = t.compute("i, j", &[(&x, "i, j"), (&sums, "i")], (&[i, j], "i, j"), None, ADD);
    add("sums of sines in order", t, &[result]);

    let mut t = Text::new(dynamic);
    let (x, y) = (t.arg(&[i, j]), t.arg(&[j]));
    let results = t.two_results("i, j", [(&x, "i, j"), (&y, "j")], &[i, j], TWO_RESULTS);
    add("two results", t, &results);

    let mut t = Text::new(dynamic);
    let (x, y, z) = (t.arg(&[i, j]), t.arg(&[j]), t.arg(&[j, i]));
    let sum = t.compute("i, j", &[(&x, "i, j"), (&y, "j")], (&[i, j], "i, j"), None, ADD);
    let square = t.compute("i, j", &[(&sum, "i, j")], (&[i, j], "i, j"), None, SQUARE);
    let result = t.compute("i, j", &[(&square, "i, j"), (&z, "j, i")], (&[i, j], "i, j"), None, ADD);
    add("pointwise", t, &[result]);
    if !dynamic {
        windows(random, &mut all);
    }
    triangles([i, j, k], dynamic, &mut all);
    all
}

/// Products whose terms are selected by a comparison of two indices, with the factors in either order.
fn triangles([i, j, k]: [usize; 3], dynamic: bool, all: &mut Vec<(&'static str, String, Vec<Datum>)>) {
    let names = [
        ("triangular product: k < i", 2, 0),
        ("triangular product: i < k", 0, 2),
        ("triangular product: k < j", 2, 1),
        ("triangular product: j < k", 1, 2),
        ("triangular product: j < i", 1, 0),
        ("triangular product: i < j", 0, 1),
    ];
    for (at, (name, less, than)) in names.into_iter().enumerate() {
        for (right, map) in [([k, j], "k, j"), ([j, k], "j, k")].into_iter().skip(at % 2).take(1) {
            // The neutral element is -0.0, or any zero if the sign does not matter.
            let (zero, flags) =
                [("-0.0", "fastmath<reassoc>"), ("0.0", "fastmath<reassoc,nsz>"), ("-0.0", "")][at % 3];
            let body = format!(
                "%l = linalg.index {less} : index\n%m = linalg.index {than} : index\n\
                 %p = arith.mulf %x0, %x1 : f32\n%c = arith.cmpi slt, %l, %m : index\n\
                 %n = arith.constant {zero} : f32\n%t = arith.select %c, %p, %n : f32\n\
                 %v = arith.addf %s, %t {flags} : f32\nlinalg.yield %v : f32"
            );
            let mut t = Text::new(dynamic);
            let (a, b) = (t.arg(&[i, k]), t.arg(&right));
            let reads = [(&a, "i, k"), (&b, map)];
            let product = t.compute("i, j, k", &reads, (&[i, j], "i, j"), Some("1.0"), &body);
            let (text, args) = t.finish(&[product]);
            all.push((name, text, args));
        }
    }
}

/// A product of bytes with a transposed factor, summed in 32 bits.
fn product_of_bytes([i, j, k]: [usize; 3], random: &mut Random, dynamic: bool) -> (String, Vec<Datum>) {
    let ty = |shape: [usize; 2], element: &str| {
        let [rows, columns] = shape.map(|extent| if dynamic { "?".to_owned() } else { extent.to_string() });
        format!("tensor<{rows}x{columns}x{element}>")
    };
    let (a, b, c) = (ty([i, k], "i8"), ty([j, k], "i8"), ty([i, j], "i32"));
    let text = format!(
        "func.func @main(%a: {a}, %b: {b}, %c: {c}) -> {c} {{\n\
         %r = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, \
         affine_map<(i, j, k) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} \
         ins(%a, %b : {a}, {b}) outs(%c : {c}) {{\n\
         ^bb0(%x: i8, %y: i8, %s: i32):\n\
         %wide = arith.extsi %x : i8 to i32\n%other = arith.extsi %y : i8 to i32\n\
         %p = arith.muli %wide, %other : i32\n%v = arith.addi %s, %p : i32\nlinalg.yield %v : i32\n}} -> {c}\n\
         return %r : {c}\n}}\n"
    );
    let args = [[i, k], [j, k], [i, j]].map(|shape| {
        let data = (0..shape[0] * shape[1]).map(|_| random.below(256) as i64 - 128).collect();
        Datum::Tensor(Rc::new(Tensor { shape: shape.to_vec(), data: TensorData::Int(data) }))
    });
    (text, args.to_vec())
}

/// Convolutions and poolings; their extents are static, since the extents of windows are derived.
fn windows(random: &mut Random, all: &mut Vec<(&'static str, String, Vec<Datum>)>) {
    let extents = [4usize, 5, 8, 9, 16, 24];
    let (h, w, o) = (random.one_of(&extents), random.one_of(&extents), random.one_of(&[3usize, 5, 8, 13]));
    let mut add = |name, text: Text, results: &[(String, Vec<usize>)]| {
        let (text, args) = text.finish(results);
        all.push((name, text, args));
    };

    let mut t = Text::new(false);
    let (x, weights, bias) = (t.arg(&[3, h, w]), t.arg(&[o, 3, 3, 3]), t.arg(&[o]));
    let padded = t.pad(&x, &[(0, 0), (1, 1), (1, 1)], "0.0");
    let sums = t.compute(
        "o, y, x, c, p, q",
        &[(&padded, "c, y + p, x + q"), (&weights, "o, c, p, q")],
        (&[o, h, w], "o, y, x"),
        Some("0.0"),
        PRODUCTS,
    );
    let result =
        t.compute("o, y, x", &[(&sums, "o, y, x"), (&bias, "o")], (&[o, h, w], "o, y, x"), None, ADD);
    add("convolution", t, &[result]);

    let mut t = Text::new(false);
    let weights = t.arg(&[o, 3, 3, 3]);
    let ones = t.filled(&[3, h, w], "1.0");
    let padded = t.pad(&ones, &[(0, 0), (1, 1), (1, 1)], "0.0");
    let sums = t.compute(
        "o, y, x, c, p, q",
        &[(&padded, "c, y + p, x + q"), (&weights, "o, c, p, q")],
        (&[o, h, w], "o, y, x"),
        Some("0.0"),
        PRODUCTS,
    );
    add("convolution of a padded constant", t, &[sums]);

    let mut t = Text::new(false);
    let (x, weights) = (t.arg(&[5, 2 * h, 2 * w]), t.arg(&[5, 3, 3]));
    let padded = t.pad(&x, &[(0, 0), (0, 1), (1, 0)], "2.0");
    let sums = t.compute(
        "c, y, x, p, q",
        &[(&padded, "c, y * 2 + p, x * 2 + q"), (&weights, "c, p, q")],
        (&[5, h, w], "c, y, x"),
        Some("0.0"),
        PRODUCTS,
    );
    add("depthwise convolution with strides", t, &[sums]);

    let mut t = Text::new(false);
    let (x, window) = (t.arg(&[3, 2 * h, 2 * w]), t.arg(&[3, 3]));
    let padded = t.pad(&x, &[(0, 0), (1, 0), (1, 0)], "0xFF800000");
    let max = t.compute(
        "c, y, x, p, q",
        &[(&padded, "c, y * 2 + p, x * 2 + q"), (&window, "p, q")],
        (&[3, h, w], "c, y, x"),
        Some("0xFF800000"),
        MAX,
    );
    add("pooling", t, &[max]);

    let mut t = Text::new(false);
    let (x, weights) = (t.arg(&[h, w, 3]), t.arg(&[3, 3, 3, o]));
    let padded = t.pad(&x, &[(1, 1), (1, 1), (0, 0)], "0.0");
    let sums = t.compute(
        "y, x, o, p, q, c",
        &[(&padded, "y + p, x + q, c"), (&weights, "p, q, c, o")],
        (&[h, w, o], "y, x, o"),
        Some("0.0"),
        PRODUCTS,
    );
    add("convolution with channels last", t, &[sums]);

    let mut t = Text::new(false);
    let (x, weights) = (t.arg(&[h, w, 3]), t.arg(&[o, 3, 3, 3]));
    let padded = t.pad(&x, &[(1, 1), (1, 1), (0, 0)], "0.0");
    let sums = t.compute(
        "y, x, o, c, p, q",
        &[(&padded, "y + p, x + q, c"), (&weights, "o, c, p, q")],
        (&[h, w, o], "y, x, o"),
        Some("0.0"),
        PRODUCTS,
    );
    add("convolution with channels last by weights with channels first", t, &[sums]);

    let mut t = Text::new(false);
    let (x, weights) = (t.arg(&[2 * h, w, 2 * o]), t.arg(&[3, 3, 1, 2 * o]));
    let padded = t.pad(&x, &[(1, 0), (1, 1), (0, 0)], "2.0");
    let sums = t.compute(
        "y, x, c, m, p, q",
        &[(&padded, "y * 2 + p, x + q, c + m"), (&weights, "p, q, m, c")],
        (&[h, w, 2 * o], "y, x, c"),
        Some("0.0"),
        PRODUCTS,
    );
    add("depthwise convolution with channels last", t, &[sums]);

    let mut t = Text::new(false);
    let (x, weights, bias) = (t.arg(&[h, w, 17]), t.arg(&[o, 17, 1, 1]), t.arg(&[o]));
    let sums = t.compute(
        "y, x, o, c, p, q",
        &[(&x, "y + p, x + q, c"), (&weights, "o, c, p, q")],
        (&[h, w, o], "y, x, o"),
        Some("0.0"),
        PRODUCTS,
    );
    let result =
        t.compute("y, x, o", &[(&sums, "y, x, o"), (&bias, "o")], (&[h, w, o], "y, x, o"), None, ADD);
    add("convolution by windows of one element", t, &[result]);

    let mut t = Text::new(false);
    let (x, weights) = (t.arg(&[4, w, 3]), t.arg(&[3, 1, 3, o]));
    let sums = t.compute(
        "y, x, o, p, q, c",
        &[(&x, "y * 2 + p, x + q, c"), (&weights, "p, q, c, o")],
        (&[1, w, o], "y, x, o"),
        Some("0.0"),
        PRODUCTS,
    );
    add("convolution by one window that does not cover the image", t, &[sums]);

    let mut t = Text::new(false);
    let (x, y) = (t.arg(&[o, h, w]), t.arg(&[o]));
    let sum = t.compute("c, y, x", &[(&x, "c, y, x"), (&y, "c")], (&[o, h, w], "c, y, x"), None, ADD);
    let total = t.compute("c, y, x", &[(&sum, "c, y, x")], (&[o], "c"), Some("0.0"), SUM);
    add("sums of images", t, &[total, sum]);
}

/// Visits the kernels of a module that have plans: the body that contains the kernel, its operation, its statements and its plan.
///
/// # Panics
/// Panics if the schedule dialect is not loaded, or a kernel or plan is not valid.
pub fn each_kernel(module: &mut Module, mut visit: impl FnMut(&mut Body, Op, &Kernel, Plan)) {
    let ctx = module.context().clone();
    let service = <dyn KernelOps>::any(&ctx).expect("the dialect is loaded");
    let block = module.block();
    let body = module.body_mut();
    for function in body.block(block).ops().collect::<Vec<_>>() {
        let inside = body.nested_mut(function).expect("a function");
        for op in inside.walk() {
            let view = inside.op(op);
            let Some(parts) = service.kernel(view) else { continue };
            let nested = view.nested().expect("a kernel has a body").duplicate();
            let entry = nested.region(nested.root(0)).entry().expect("a kernel has a body");
            let kernel = Kernel::of_block(&nested, entry, parts.inputs).expect("the kernel is valid");
            let plan = parts.plan.expect("the kernel has a plan").parse().expect("the plan is valid");
            visit(inside, op, &kernel, plan);
        }
    }
}

/// A legal plan that differs from another one at random; `None` if the one that was made is not legal. `number` selects the kind of
/// the difference.
pub fn random_plan(plan: &Plan, kernel: &Kernel, number: usize, random: &mut Random) -> Option<Plan> {
    let mut other = mutate(plan, random);
    match number % 4 {
        0 => block(&mut other.nodes, random),
        1 => prefetch(&mut other.nodes, random),
        2 => without_paddings(&mut other.nodes),
        _ => {}
    }
    resolve(&other, kernel).is_ok().then_some(other)
}

/// Changes sizes, kinds of loops and last steps at random.
fn mutate(plan: &Plan, random: &mut Random) -> Plan {
    fn visit(nodes: &mut [Node], sizes: &mut Vec<(String, i64, i64, bool)>, random: &mut Random) {
        for node in nodes {
            match node {
                Node::Loop(inner) => {
                    let step = random.one_of(&[1, 2, 3, 4, 5, 8, 11, 16]);
                    let flip = random.below(4) == 0;
                    sizes.push((inner.axis.clone(), inner.step, step, flip));
                    inner.step = step;
                    inner.tail =
                        random.one_of(&[None, Some(Tail::Shift), Some(Tail::Mask), Some(Tail::Scalar)]);
                    inner.parallel &= random.below(2) == 0;
                    visit(&mut inner.body, sizes, random);
                    sizes.pop();
                }
                Node::Leaf(leaf) => {
                    leaf.tile.retain(|dim| sizes.iter().any(|(axis, ..)| *axis == dim.axis));
                    for (axis, _, step, flip) in sizes.iter() {
                        match leaf.tile.iter_mut().find(|dim| dim.axis == *axis) {
                            Some(dim) => {
                                dim.size = *step;
                                dim.lanes ^= flip;
                            }
                            None if *step > 1 => leaf.tile.push(minoan_scheduling::TileDim {
                                axis: axis.clone(),
                                size: *step,
                                lanes: false,
                            }),
                            None => {}
                        }
                    }
                    leaf.tile.retain(|dim| dim.size > 1);
                }
                Node::Pack(_) | Node::Prefetch(_) => {}
            }
        }
    }
    let mut plan = plan.clone();
    visit(&mut plan.nodes, &mut Vec::new(), random);
    plan
}

/// Puts another loop over an axis around one that contains a loop over it: a block, of which the results of
/// reductions continue from those of the block before.
fn block(nodes: &mut [Node], random: &mut Random) {
    for node in nodes {
        let Node::Loop(outer) = node else { continue };
        let inside = Plan { nodes: outer.body.clone() };
        let axes: Vec<String> = inside
            .leaves()
            .iter()
            .flat_map(|(loops, _)| loops.iter().map(|around| around.axis.clone()))
            .filter(|axis| *axis != outer.axis)
            .collect();
        if axes.is_empty() || random.below(3) > 0 {
            block(&mut outer.body, random);
            continue;
        }
        let axis = axes[random.below(axes.len())].clone();
        let step = random.one_of(&[1, 2, 3, 5, 6, 8, 16]);
        let body = vec![node.clone()];
        *node = Node::Loop(Loop { parallel: false, axis, step, tail: None, body });
    }
}

/// Leaves paddings out, so that their readers read what they pad.
fn without_paddings(nodes: &mut Vec<Node>) {
    let is_padding = |node: &Node| {
        let leaves = Plan { nodes: vec![node.clone()] };
        let leaves = leaves.leaves();
        !leaves.is_empty() && leaves.iter().all(|(_, leaf)| leaf.statement.starts_with("pad"))
    };
    nodes.retain(|node| !is_padding(node));
    for node in nodes {
        if let Node::Loop(inner) = node {
            without_paddings(&mut inner.body);
        }
    }
}

/// Puts a prefetch into a loop.
fn prefetch(nodes: &mut [Node], random: &mut Random) {
    for node in nodes {
        let Node::Loop(outer) = node else { continue };
        if random.below(3) > 0 {
            prefetch(&mut outer.body, random);
            continue;
        }
        let inside = Plan { nodes: outer.body.clone() };
        let Some((_, leaf)) = inside.leaves().into_iter().next_back() else { continue };
        let (statement, operand) = (leaf.statement.clone(), random.below(2));
        outer.body.insert(0, Node::Prefetch(Prefetch { statement, operand }));
    }
}
