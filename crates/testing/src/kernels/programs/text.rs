//! The text of programs.

use crate::kernels::Random;
use minoan_services::{Datum, Tensor, TensorData};
use std::fmt::Write as _;
use std::rc::Rc;

/// A tensor of the program: its name and its shape.
pub type Value = (String, Vec<usize>);

pub const SUM: &str = "%v = arith.addf %s, %x0 fastmath<reassoc> : f32\nlinalg.yield %v : f32";
pub const MAX: &str = "%v = arith.maximumf %s, %x0 : f32\nlinalg.yield %v : f32";
pub const PRODUCTS: &str = "%p = arith.mulf %x0, %x1 fastmath<contract> : f32\n\
    %v = arith.addf %s, %p fastmath<reassoc,contract> : f32\nlinalg.yield %v : f32";
pub const ADD: &str = "%v = arith.addf %x0, %x1 : f32\nlinalg.yield %v : f32";
pub const SUB: &str = "%v = arith.subf %x0, %x1 : f32\nlinalg.yield %v : f32";
pub const SQUARE: &str = "%v = arith.mulf %x0, %x0 : f32\nlinalg.yield %v : f32";
pub const ORDERED: &str = "%v = arith.addf %s, %x0 : f32\nlinalg.yield %v : f32";
pub const SINES_IN_ORDER: &str =
    "%w = math.sin %x0 : f32\n%v = arith.addf %s, %w : f32\nlinalg.yield %v : f32";
pub const TWO_RESULTS: &str = "%e = math.exp %x0 : f32\n%a = arith.addf %e, %x1 : f32\n\
    %m = arith.mulf %e, %x1 : f32\nlinalg.yield %a, %m : f32, f32";

/// The text of programs.
#[derive(Default)]
pub struct Text {
    args: Vec<String>,
    shapes: Vec<Vec<usize>>,
    body: String,
    count: usize,
    dynamic: bool,
}

impl Text {
    pub fn new(dynamic: bool) -> Self {
        Self { dynamic, ..Self::default() }
    }

    fn ty(&self, shape: &[usize]) -> String {
        let dims: String = shape
            .iter()
            .map(|extent| if self.dynamic && *extent > 1 { "?x".to_owned() } else { format!("{extent}x") })
            .collect();
        format!("tensor<{dims}f32>")
    }

    pub fn arg(&mut self, shape: &[usize]) -> Value {
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
    pub fn compute(
        &mut self,
        dims: &str,
        ins: &[(&Value, &str)],
        out: (&[usize], &str),
        init: Option<&str>,
        code: &str,
    ) -> Value {
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
    pub fn two_results(
        &mut self,
        dims: &str,
        [(x, of_x), (y, of_y)]: [(&Value, &str); 2],
        shape: &[usize],
        code: &str,
    ) -> [Value; 2] {
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
    pub fn filled(&mut self, shape: &[usize], value: &str) -> Value {
        let (output, id, ty) = (self.empty(shape), self.fresh(), self.ty(shape));
        let _ = writeln!(
            self.body,
            "%z{id} = arith.constant {value} : f32\n\
             %f{id} = linalg.fill ins(%z{id} : f32) outs({output} : {ty}) -> {ty}"
        );
        (format!("%f{id}"), shape.to_vec())
    }

    /// A padding by a constant.
    pub fn pad(&mut self, x: &Value, widths: &[(usize, usize)], value: &str) -> Value {
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

    pub fn finish(self, results: &[Value]) -> (String, Vec<Datum>) {
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
