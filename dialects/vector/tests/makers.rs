//! Loops and vector operations that passes create without naming a dialect, and vector forms of scalar operations.

use minoan_diag::SourceMap;
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::verify::verify;
use minoan_ir::{Builder, Context, Module, Op, Type, Value};
use minoan_services::{
    BufferOps, CombineKind, Datum, IndexOps, Lane, Lanes, LoopOps, Masked, Tensor, TensorData, VectorOps,
};
use minoan_testing::{context, tensor};

fn ctx() -> Context {
    context(|registry| {
        registry
            .add(minoan_builtin::BuiltinDialect)
            .add(minoan_func::FuncDialect)
            .add(minoan_arith::ArithDialect)
            .add(minoan_math::MathDialect)
            .add(minoan_memref::MemRefDialect)
            .add(minoan_scf::ScfDialect)
            .add(minoan_tensor::TensorDialect)
            .add(minoan_vector::VectorDialect);
    })
}

/// The makers of all loaded dialects.
struct Makers<'c> {
    loops: &'c dyn LoopOps,
    vectors: &'c dyn VectorOps,
    indices: &'c dyn IndexOps,
    buffers: &'c dyn BufferOps,
}

impl<'c> Makers<'c> {
    fn of(ctx: &'c Context) -> Self {
        Self {
            loops: <dyn LoopOps>::any(ctx).expect("scf is loaded"),
            vectors: <dyn VectorOps>::any(ctx).expect("vector is loaded"),
            indices: <dyn IndexOps>::any(ctx).expect("arith is loaded"),
            buffers: ctx.dialects().iter().find_map(|dialect| dialect.service()).expect("memref is loaded"),
        }
    }
}

/// A module whose function `f` has the given text; `build` creates operations before its return and gives the values
/// that are returned instead.
fn edited(
    ctx: &Context,
    text: &str,
    build: impl FnOnce(&mut Builder<'_>, &[Value], &Makers<'_>) -> Vec<Value>,
) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let mut module = parse_module(ctx, &sources, file, &ParseOptions::default()).expect("the text is good");
    let is_function = |&op: &Op| module.body().op(op).name() == "func.func";
    let function = module.body().walk().into_iter().find(is_function).expect("a function");
    let body = module.body_mut().nested_mut(function).expect("it is isolated");
    let block = body.region(body.root(0)).entry().expect("a block");
    let last = body.block(block).last().expect("a terminator");
    let args: Vec<Value> = body.block(block).args().collect();
    let results = build(&mut Builder::before(body, last), &args, &Makers::of(ctx));
    body.set_operands(last, &results);
    verify(&module).expect("the result is valid");
    module
}

fn run(module: &Module, args: &[Datum]) -> Vec<Datum> {
    Interpreter::new(module).call("f", args).expect("it runs")
}

/// A buffer that no allocation of the program has made.
fn buffer(elements: &[f32]) -> Datum {
    let contents = Tensor { shape: [elements.len()].into(), data: TensorData::F32(elements.into()) };
    Datum::Buffer(minoan_services::Buffer::new(u64::MAX, contents))
}

#[test]
fn a_sum_by_vectors_with_a_masked_tail() {
    let ctx = ctx();
    let text = "func.func @f(%m: memref<?xf32>, %x: f32) -> f32 { return %x : f32 }";
    let module = edited(&ctx, text, |b, args, Makers { loops, vectors, indices, buffers }| {
        let ty = Type::vector(&b.context(), &[4], Type::F32);
        let extent = buffers.extent(b, args[0], 0);
        let (zero, four) = (indices.index(b, 0), indices.index(b, 4));
        let none = vectors.splat(b, args[1], ty);
        let sums = loops.repeat(b, [zero, extent, four], &[none], &mut |b, at, sums| {
            let left = indices.sub(b, extent, at);
            let bits = Type::vector(&b.context(), &[4], Type::I1);
            let mask = vectors.mask(b, bits, &[left]);
            let none = minoan_arith::constant_float(b, 0.0, ty);
            let loaded = vectors.load(b, ty, args[0], &[at], Some(Masked { mask, otherwise: none }));
            let one = minoan_arith::constant_float(b, 1.0, ty);
            vec![vectors.fma(b, loaded, one, sums[0])]
        });
        vec![vectors.reduce(b, CombineKind::AddF, sums[0], true)]
    });
    let elements: Vec<f32> = (1..=6).map(|number| number as f32).collect();
    let args = [buffer(&elements), Datum::F32(0.25)];
    assert_eq!(run(&module, &args), [Datum::F32(22.0)]);
}

#[test]
fn parallel_loops_and_choices_store() {
    let ctx = ctx();
    let text = "func.func @f(%m: memref<?xf32>, %x: f32) -> f32 { return %x : f32 }";
    let module = edited(&ctx, text, |b, args, Makers { loops, indices, buffers, .. }| {
        let (zero, one) = (indices.index(b, 0), indices.index(b, 1));
        let extent = buffers.extent(b, args[0], 0);
        loops.parallel(b, &[[zero, extent, one]], &mut |b, point| {
            let old = buffers.load(b, args[0], point);
            let half = indices.index(b, 2);
            let low = indices.less(b, point[0], half);
            let value = loops.choose(
                b,
                low,
                &[Type::F32],
                &mut |b| vec![minoan_arith::addf(b, old, old)],
                &mut |_| vec![args[1]],
            );
            buffers.prefetch(b, args[0], point);
            buffers.store(b, value[0], args[0], point);
        });
        let one = indices.index(b, 1);
        vec![buffers.load(b, args[0], &[one])]
    });
    let args = [buffer(&[1.0, 2.0, 3.0]), Datum::F32(0.5)];
    assert_eq!(run(&module, &args), [Datum::F32(4.0)]);
}

/// The vector form of the operations between the arguments and the return of a function on scalars, applied to
/// vectors of four elements; buffers stay uniform.
fn vectorized(ctx: &Context, text: &str) -> Module {
    edited(ctx, text, |b, args, Makers { vectors, .. }| {
        let block = b.body().block_of(args[0]).expect("an argument");
        let ops: Vec<Op> = b.body().block(block).ops().collect();
        let (&last, ops) = ops.split_last().expect("a terminator");
        let mut lanes = Lanes::new(&[4]);
        for &arg in args {
            if !b.ty(arg).is_memref(ctx) {
                let element = b.ty(arg);
                let scale: Vec<Value> = (0..4)
                    .map(|at| match element == Type::INDEX {
                        true => minoan_arith::constant_index(b, at),
                        false => minoan_arith::constant_float(b, at as f64, element),
                    })
                    .collect();
                let ty = lanes.ty(ctx, element);
                let vector = vectors.join(b, &scale, ty);
                lanes.set(arg, Lane::Varying(vector));
            }
        }
        for &op in ops {
            lanes.run(b, op).unwrap_or_else(|| panic!("'{}' has no vector form", b.body().op(op).name()));
        }
        let returned: Vec<Value> = b.body().op(last).operands().collect();
        let vector = lanes.vector(b, returned[0]).expect("a vector");
        vec![vectors.reduce(b, CombineKind::AddF, vector, false)]
    })
}

#[test]
fn elementwise_operations_and_constants_have_lanes() {
    let ctx = ctx();
    let module = vectorized(
        &ctx,
        "func.func @f(%x: f32) -> f32 {
          %c = arith.constant 2.0 : f32
          %d = arith.mulf %c, %c : f32
          %y = arith.mulf %x, %d : f32
          %p = arith.cmpf olt, %y, %d : f32
          %z = arith.select %p, %c, %y : f32
          return %z : f32
        }",
    );
    // 0, 1, 2, 3 become 2, 4, 8, 12.
    assert_eq!(run(&module, &[Datum::F32(0.0)]), [Datum::F32(26.0)]);
}

#[test]
fn loads_become_broadcasts_and_gathers_under_a_mask() {
    let ctx = ctx();
    // Index 3 is out of bounds, and is only read where the condition holds.
    let module = vectorized(
        &ctx,
        "func.func @f(%i: index, %m: memref<?xf32>) -> f32 {
          %c0 = arith.constant 0 : index
          %c3 = arith.constant 3 : index
          %s = memref.load %m[%c0] : memref<?xf32>
          %p = arith.cmpi slt, %i, %c3 : index
          %v = scf.if %p -> f32 {
            %l = memref.load %m[%i] : memref<?xf32>
            scf.yield %l : f32
          } else {
            %n = arith.addf %s, %s : f32
            scf.yield %n : f32
          }
          return %v : f32
        }",
    );
    let args = [Datum::Int(0), buffer(&[1.0, 10.0, 100.0])];
    assert_eq!(run(&module, &args), [Datum::F32(113.0)]);
}

#[test]
fn a_division_by_a_variable_is_not_executed_on_inactive_lanes() {
    let ctx = ctx();
    let text = "func.func @f(%i: i32, %j: i32) -> i32 { %r = arith.divsi %i, %j : i32 return %r : i32 }";
    let mut refused = false;
    edited(&ctx, text, |b, args, Makers { vectors, .. }| {
        let ops: Vec<Op> = b.body().block(b.body().block_of(args[0]).expect("an argument")).ops().collect();
        let mut lanes = Lanes::new(&[4]);
        let ty = lanes.ty(&ctx, Type::I32);
        for &arg in args {
            let vector = vectors.splat(b, arg, ty);
            lanes.set(arg, Lane::Varying(vector));
        }
        let bits = lanes.ty(&ctx, Type::I1);
        let bound = minoan_arith::constant_index(b, 2);
        lanes.mask = Some(vectors.mask(b, bits, &[bound]));
        refused = lanes.run(b, ops[0]).is_none();
        vec![b.body().op(ops[0]).result(0)]
    });
    assert!(refused);
}

#[test]
fn parts_of_vectors() {
    let ctx = ctx();
    let text = "func.func @f(%v: vector<2x2xf32>, %x: f32) -> f32 { return %x : f32 }";
    let module = edited(&ctx, text, |b, args, Makers { vectors, .. }| {
        let row = vectors.extract(b, args[0], &[1]);
        let swapped = vectors.shuffle(b, row, row, &[1, 0]);
        let tile = vectors.insert(b, swapped, args[0], &[0]);
        let tile = vectors.outer(b, row, row, tile);
        let column = vectors.slice(b, tile, &[0, 1], &[2, 1]);
        let flat = vectors.reshape(b, column, &[2]);
        vec![vectors.reduce(b, CombineKind::MaximumF, flat, false)]
    });
    // The tile is [[4, 3], [3, 4]] plus [[9, 12], [12, 16]].
    let args = [tensor(&[2, 2], &[1.0, 2.0, 3.0, 4.0]), Datum::F32(0.0)];
    assert_eq!(run(&module, &args), [Datum::F32(20.0)]);
}
