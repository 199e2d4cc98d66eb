//! Programs that become kernels.

mod products;
mod text;
mod windows;

use super::Random;
use minoan_services::{Datum, Tensor, TensorData};
use std::rc::Rc;
use text::{Text, Value};

/// A program writes its computations for three extents, and returns its results.
type Program = fn(&mut Text, [usize; 3]) -> Vec<Value>;

/// A program with its name and its arguments.
pub type NamedProgram = (&'static str, String, Vec<Datum>);

/// Programs that become kernels, with their names and arguments. Their types have extents unless `dynamic`.
/// Elements are small integers, so that sums are exact in any order.
pub fn programs(random: &mut Random, dynamic: bool) -> Vec<NamedProgram> {
    let extents = [5usize, 7, 8, 13, 16, 17, 33, 37];
    let sizes = loop {
        let [i, j, k] = [(); 3].map(|()| random.one_of(&extents));
        if i != j && j != k && i != k {
            break [i, j, k];
        }
    };
    let mut all = written(products::PROGRAMS, sizes, dynamic);
    let (text, args) = product_of_bytes(sizes, random, dynamic);
    all.insert(2, ("product of bytes", text, args));
    if !dynamic {
        // The extents of windows are derived, so they are static.
        let extents = [4usize, 5, 8, 9, 16, 24];
        let (h, w) = (random.one_of(&extents), random.one_of(&extents));
        let sizes = [h, w, random.one_of(&[3usize, 5, 8, 13])];
        all.extend(written(windows::PROGRAMS, sizes, false));
    }
    all.extend(triangles(sizes, dynamic));
    all
}

fn written(programs: &[(&'static str, Program)], sizes: [usize; 3], dynamic: bool) -> Vec<NamedProgram> {
    let write = |&(name, program): &(&'static str, Program)| {
        let mut text = Text::new(dynamic);
        let results = program(&mut text, sizes);
        let (text, args) = text.finish(&results);
        (name, text, args)
    };
    programs.iter().map(write).collect()
}

/// Products whose terms are selected by a comparison of two indices, with the factors in either order.
fn triangles([i, j, k]: [usize; 3], dynamic: bool) -> Vec<NamedProgram> {
    let mut all = Vec::new();
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
    all
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
