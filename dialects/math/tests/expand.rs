//! Expansions: accuracy on samples, special values, and agreement of the created operations with the algorithms.

use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::verify::verify;
use minoan_ir::{Builder, Context, Module, Op, Value};
use minoan_math::expand::{self, Double, Single};
use minoan_services::{Datum, Expand, FloatPolicy, MachineModel, Tensor, TensorData};
use minoan_testing::context;

fn ctx() -> Context {
    context(|registry| {
        registry
            .add(minoan_builtin::BuiltinDialect)
            .add(minoan_func::FuncDialect)
            .add(minoan_arith::ArithDialect)
            .add(minoan_math::MathDialect)
            .add(minoan_scf::ScfDialect)
            .add(minoan_vector::VectorDialect);
    })
}

fn machine() -> MachineModel {
    MachineModel { has_fma: true, ..MachineModel::default() }
}

/// A function of one or two operands in both formats, with its reference.
struct Function {
    name: &'static str,
    arity: usize,
    single: fn(&[f32]) -> f32,
    double: fn(&[f64]) -> f64,
    reference: fn(&[f64]) -> f64,
    /// The bound on the error in units in the last place.
    ulp: f64,
}

macro_rules! functions {
    ($($name:ident $ulp:literal $reference:expr;)*) => {
        [$(Function {
            name: stringify!($name),
            arity: 1,
            single: |x| expand::$name(&Single, x[0]),
            double: |x| expand::$name(&Double, x[0]),
            reference: |x| $reference(x[0]),
            ulp: $ulp,
        },)*
        Function {
            name: "atan2",
            arity: 2,
            single: |x| expand::atan2(&Single, x[0], x[1]),
            double: |x| expand::atan2(&Double, x[0], x[1]),
            reference: |x| x[0].atan2(x[1]),
            ulp: 2.0,
        },
        Function {
            name: "powf",
            arity: 2,
            single: |x| expand::pow(&Single, x[0], x[1]),
            double: |x| expand::pow(&Double, x[0], x[1]),
            reference: |x| x[0].powf(x[1]),
            ulp: 2.0,
        }]
    };
}

fn functions() -> Vec<Function> {
    functions! {
        exp 1.0 f64::exp;
        exp2 2.0 f64::exp2;
        expm1 2.0 f64::exp_m1;
        log 1.0 f64::ln;
        log2 2.0 f64::log2;
        log1p 2.0 f64::ln_1p;
        sin 2.0 f64::sin;
        cos 2.0 f64::cos;
        tanh 2.0 f64::tanh;
        erf 2.0 libm::erf;
        rsqrt 2.0 |x: f64| 1.0 / x.sqrt();
        tan 2.0 f64::tan;
        atan 2.0 f64::atan;
        asin 2.0 f64::asin;
        acos 2.0 f64::acos;
        log10 1.0 f64::log10;
        sinh 2.0 f64::sinh;
        cosh 1.0 f64::cosh;
        asinh 2.0 libm::asinh;
        acosh 2.0 |x: f64| if x < 1.0 { f64::NAN } else { libm::acosh(x) };
        atanh 2.0 libm::atanh;
        cbrt 1.0 f64::cbrt;
    }
    .into()
}

/// The error of a result of type `f32` in units in the last place; infinite for a wrong special value or sign of zero.
fn error_f32(got: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if got.is_nan() || rounded.is_nan() {
        return if got.is_nan() == rounded.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if want == 0.0 || want.is_infinite() || got.is_infinite() && rounded.is_infinite() {
        return if got.to_bits() == rounded.to_bits() { 0.0 } else { f64::INFINITY };
    }
    // An infinite result counts as the number after the largest.
    let limit = 128f64.exp2();
    let got = f64::from(got).clamp(-limit, limit);
    let exponent = ((want.abs().to_bits() >> 52) as i32 - 1023).clamp(-126, 127);
    (got - want.clamp(-2.0 * limit, 2.0 * limit)).abs() / f64::from(exponent - 23).exp2()
}

/// Like [`error_f32`], for `f64`; the reference has an error of up to one unit itself.
fn error_f64(got: f64, want: f64) -> f64 {
    if got.is_nan() || want.is_nan() {
        return if got.is_nan() == want.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got.to_bits() == want.to_bits() {
        return 0.0;
    }
    if want == 0.0 || want.is_infinite() || got.is_sign_negative() != want.is_sign_negative() {
        return f64::INFINITY;
    }
    got.to_bits().abs_diff(want.to_bits()) as f64
}

/// Numbers with special values, bounds of cases, and random bits.
fn samples(count: usize) -> Vec<f64> {
    let special = [
        0.0,
        1.0,
        0.5,
        2.0,
        3.0,
        1.5,
        1e-45,
        1e-40,
        1.1754944e-38,
        3.4028235e38,
        f64::INFINITY,
        f64::NAN,
        88.72,
        88.73,
        87.3,
        103.9,
        104.1,
        128.0,
        127.99,
        149.0,
        150.0,
        0.34657,
        1e5,
        99999.0,
        100001.0,
        1e10,
        1e30,
        1.5707964,
        std::f64::consts::PI,
        6.2831855,
        0.70710677,
        std::f64::consts::SQRT_2,
        0.9999999,
        1.0000001,
        16777216.0,
        709.7,
        709.8,
        745.1,
        745.2,
        1e300,
        1e-300,
        5e-324,
        0.921875,
        3.9,
        5.9,
        9.0,
        19.0,
        // Near multiples of π/2.
        52516.434,
        33433.0 * std::f64::consts::FRAC_PI_2,
        // Where the hyperbolic functions overflow.
        89.41598,
        89.41599,
        89.49,
        710.4758600739439,
        710.475860073944,
        710.49,
        // Where cases of the inverse functions meet.
        0.23333324,
        0.2334,
        0.49999997,
        0.50000006,
        4096.0,
        4096.0005,
        134217728.0,
        134217729.0,
        1e20,
        0.99999994,
        0.9999999999999999,
        1.0000000000000002,
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut all: Vec<f64> = special.iter().flat_map(|&number| [number, -number]).collect();
    while all.len() < count {
        let bits = next();
        // Numbers of any exponent, and of moderate ones.
        all.push(f64::from(f32::from_bits(bits as u32)));
        all.push((bits as f64 / (1u64 << 63) as f64 - 1.0) * 100.0);
        all.push((bits as f64 / (1u64 << 63) as f64 - 1.0) * 4.0);
    }
    all
}

/// The operands of a function from samples.
fn operands(samples: &[f64], at: usize, arity: usize) -> Vec<f64> {
    (0..arity).map(|index| samples[(at + index * 31) % samples.len()]).collect()
}

#[test]
fn single_precision_is_within_bounds() {
    let samples = samples(60_000);
    for function in functions() {
        for at in 0..samples.len() {
            let x: Vec<f32> = operands(&samples, at, function.arity).iter().map(|&x| x as f32).collect();
            let wide: Vec<f64> = x.iter().map(|&x| f64::from(x)).collect();
            let (got, want) = ((function.single)(&x), (function.reference)(&wide));
            let error = error_f32(got, want);
            assert!(error <= function.ulp, "{}{x:?} is {got:e}, not {want:e}: {error} ulp", function.name);
        }
    }
}

#[test]
fn double_precision_is_within_bounds() {
    let samples = samples(60_000);
    for function in functions() {
        for at in 0..samples.len() {
            let x = operands(&samples, at, function.arity);
            let (got, want) = ((function.double)(&x), (function.reference)(&x));
            let error = error_f64(got, want);
            assert!(
                error <= function.ulp + 1.0,
                "{}{x:?} is {got:e}, not {want:e}: {error} ulp",
                function.name
            );
        }
    }
}

/// A module whose function `f` applies an operation to vectors, expanded.
fn expanded(ctx: &Context, function: &Function, machine: &MachineModel, ty: &str) -> Module {
    let name = format!("math.{}", function.name);
    let (params, args) = match function.arity {
        1 => (format!("%x: {ty}"), "%x"),
        _ => (format!("%x: {ty}, %y: {ty}"), "%x, %y"),
    };
    let text = format!("func.func @f({params}) -> {ty} {{ %r = {name} {args} : {ty} return %r : {ty} }}");
    let sources = minoan_diag::SourceMap::new();
    let file = sources.add("test.mlir", text);
    let mut module = parse_module(ctx, &sources, file, &ParseOptions::default()).expect("the text is good");
    let function = module.body().walk()[0];
    let body = module.body_mut().nested_mut(function).expect("it is isolated");
    let op: Op = body.walk().into_iter().find(|&op| body.op(op).name() == name).expect("the operation");
    let service = ctx.service::<dyn Expand>(body.op(op).kind()).expect("it is expanded");
    let results: Option<Vec<Value>> =
        service.expand(&mut Builder::before(body, op), op, machine, FloatPolicy::Default);
    body.replace(op, &results.expect("vectors of f32 and f64 are expanded"));
    verify(&module).expect("the expansion is valid");
    module
}

#[test]
fn created_operations_compute_what_the_algorithm_computes() {
    agree(&machine());
}

#[test]
fn operations_of_a_machine_with_ldexp_compute_the_same() {
    agree(&MachineModel { ldexp: true, ..machine() });
}

/// Compares the operations that are created for a machine with the algorithms, in every bit.
fn agree(machine: &MachineModel) {
    const LANES: usize = 6;
    let (ctx, samples) = (ctx(), samples(1_200));
    for function in functions() {
        // The extents and ranks of vectors do not matter.
        let expanded = |ty| expanded(&ctx, &function, machine, ty);
        let (single, double) = (expanded("vector<2x3xf32>"), expanded("vector<6xf64>"));
        for start in (0..samples.len()).step_by(LANES) {
            let lanes: Vec<Vec<f64>> =
                (start..start + LANES).map(|at| operands(&samples, at, function.arity)).collect();
            let column = |index: usize| lanes.iter().map(move |x| x[index]);
            let singles = (0..function.arity).map(|index| {
                let data = TensorData::F32(column(index).map(|x| x as f32).collect());
                Datum::from(Tensor { shape: [2, 3].into(), data })
            });
            let doubles = (0..function.arity).map(|index| {
                Datum::from(Tensor { shape: [LANES].into(), data: TensorData::F64(column(index).collect()) })
            });
            let run = |module: &Module, args: &[Datum]| {
                Interpreter::new(module).call("f", args).expect("it has no undefined behavior").remove(0)
            };
            let want: Vec<f32> = lanes
                .iter()
                .map(|x| (function.single)(&x.iter().map(|&x| x as f32).collect::<Vec<f32>>()))
                .collect();
            let want = Datum::from(Tensor { shape: [2, 3].into(), data: TensorData::F32(want) });
            let got = run(&single, &singles.collect::<Vec<Datum>>());
            assert!(got.same(&want), "{} of {lanes:?}: {got:?}, not {want:?}", function.name);
            let want: Vec<f64> = lanes.iter().map(|x| (function.double)(x)).collect();
            let want = Datum::from(Tensor { shape: [LANES].into(), data: TensorData::F64(want) });
            let got = run(&double, &doubles.collect::<Vec<Datum>>());
            assert!(got.same(&want), "{} of {lanes:?}: {got:?}, not {want:?}", function.name);
        }
    }
}

const SPECIAL: [f32; 23] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    3.0,
    -3.0,
    0.5,
    -0.5,
    1.5,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    1e-45,
    -1e-45,
    1e38,
    -1e38,
    16777216.0,
    16777217.0,
    -16777215.0,
    0.99999994,
    1.0000001,
];

#[test]
fn powers_of_special_values() {
    for x in SPECIAL {
        for y in SPECIAL {
            let (got, want) = (expand::pow(&Single, x, y), f64::from(x).powf(f64::from(y)));
            assert!(error_f32(got, want) <= 1.0, "pow({x:e}, {y:e}) is {got:e}, not {want:e}");
            let got = expand::pow(&Double, f64::from(x), f64::from(y));
            assert!(error_f64(got, want) <= 2.0, "pow({x}, {y}) is {got}, not {want}");
        }
    }
}

#[test]
fn angles_of_special_values() {
    for y in SPECIAL {
        for x in SPECIAL {
            let (got, want) = (expand::atan2(&Single, y, x), f64::from(y).atan2(f64::from(x)));
            assert!(error_f32(got, want) <= 1.5, "atan2({y:e}, {x:e}) is {got:e}, not {want:e}");
            let got = expand::atan2(&Double, f64::from(y), f64::from(x));
            assert!(error_f64(got, want) <= 2.0, "atan2({y}, {x}) is {got}, not {want}");
        }
    }
}

/// Powers of ten, cubes and zeros have exact results.
#[test]
fn exact_results() {
    for exponent in -37..=38 {
        let power: f32 = format!("1e{exponent}").parse().expect("a number");
        assert_eq!(expand::log10(&Single, power), exponent as f32);
    }
    for exponent in 0..=22 {
        assert_eq!(expand::log10(&Double, 10f64.powi(exponent)), f64::from(exponent));
    }
    for root in 1..=200_000_u32 {
        let root = f64::from(root);
        assert_eq!(expand::cbrt(&Double, -(root * root * root)), -root);
    }
    for root in 1..=256_u16 {
        let root = f32::from(root);
        assert_eq!(expand::cbrt(&Single, root * root * root), root);
    }
    assert_eq!(expand::acos(&Single, 1.0).to_bits(), 0);
    assert_eq!(expand::acosh(&Double, 1.0).to_bits(), 0);
    assert_eq!(expand::cosh(&Single, 0.0), 1.0);
    assert_eq!(expand::cosh(&Double, 0.0), 1.0);
}

#[test]
fn scalars_and_machines_without_fma_keep_the_operation() {
    let ctx = ctx();
    let sources = minoan_diag::SourceMap::new();
    let text = "func.func @f(%x: f32, %v: vector<4xf32>, %h: vector<4xf16>) {
      %a = math.exp %x : f32
      %b = math.exp %v : vector<4xf32>
      %c = math.exp %h : vector<4xf16>
      return
    }";
    let file = sources.add("test.mlir", text);
    let mut module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("the text is good");
    let function = module.body().walk()[0];
    let body = module.body_mut().nested_mut(function).expect("it is isolated");
    let ops: Vec<Op> = body.walk();
    let mut expand = |op: Op, machine: &MachineModel| {
        let service = ctx.service::<dyn Expand>(body.op(op).kind()).expect("it may be expanded");
        let before = body.walk().len();
        let done =
            service.expand(&mut Builder::before(body, op), op, machine, FloatPolicy::Default).is_some();
        assert!(done || body.walk().len() == before, "nothing is created in vain");
        done
    };
    assert!(!expand(ops[0], &machine()));
    assert!(!expand(ops[1], &MachineModel { has_fma: false, ..machine() }));
    assert!(expand(ops[1], &machine()));
    // Narrow floats are computed in `f32`.
    assert!(expand(ops[2], &machine()));
}
