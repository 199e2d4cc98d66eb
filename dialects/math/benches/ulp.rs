//! The errors of the expansions of functions on vectors, in units in the last place. Run by `cargo xtask bench math`.
//!
//! `ulp` computes the functions of one argument for all 2^32 numbers of type `f32`, and those of two for random pairs, and
//! prints the worst error of each. `ulp FUNCTION..` does so for some functions. `ulp --double COUNT FUNCTION` prints random
//! arguments and results of type `f64` in hexadecimal, which `bench/math/check.py` compares with mpmath.
//!
//! The reference for `f32` is the expansion for `f64`. The C library confirms each result that differs from the rounded reference
//! and has a new maximum error, and also checks one in [`SAMPLE`] numbers, so that a mistake in both expansions is detected.

use minoan_math::expand::{self, Double, Single};
use std::time::Instant;

/// One in this many arguments is compared with the C library even if it cannot have the largest error.
const SAMPLE: u32 = 61;

/// The numbers that are computed together, so that the compiler vectorizes the algorithm.
const BLOCK: usize = 1024;

/// The number of random pairs for functions of two arguments.
const PAIRS: u64 = 1 << 26;

struct Function {
    name: &'static str,
    single: fn(&[f32; BLOCK], &mut [f32; BLOCK]),
    double: fn(&[f32; BLOCK], &mut [f64; BLOCK]),
    library: fn(f64) -> f64,
    /// The C library computes arguments with larger absolute values.
    limit: f64,
    one: fn(f64) -> f64,
}

macro_rules! functions {
    ($($name:ident $library:expr;)*) => {
        [$(Function {
            name: stringify!($name),
            single: |x, y| y.iter_mut().zip(x).for_each(|(y, &x)| *y = expand::$name(&Single, x)),
            double: |x, y| y.iter_mut().zip(x).for_each(|(y, &x)| *y = expand::$name(&Double, x.into())),
            library: $library,
            limit: if matches!(stringify!($name), "sin" | "cos" | "tan") { expand::LIMIT } else { f64::INFINITY },
            one: |x| expand::$name(&Double, x),
        },)*]
    };
}

fn functions() -> Vec<Function> {
    let mut all: Vec<Function> = functions! {
        exp f64::exp;
        exp2 f64::exp2;
        expm1 f64::exp_m1;
        log f64::ln;
        log2 f64::log2;
        log1p f64::ln_1p;
        sin f64::sin;
        cos f64::cos;
        tanh f64::tanh;
        erf libm::erf;
        rsqrt |x| 1.0 / x.sqrt();
        tan f64::tan;
        atan f64::atan;
        asin f64::asin;
        acos f64::acos;
        log10 f64::log10;
        sinh f64::sinh;
        cosh f64::cosh;
        asinh libm::asinh;
        acosh |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) };
        atanh libm::atanh;
        cbrt f64::cbrt;
    }
    .into();
    // 1 / (1 + exp(-x)), as programs write it; where exp(-x) overflows, zero is the result.
    let sigmoid = |x: f64| if x < -88.722839 { 0.0 } else { 1.0 / (1.0 + (-x).exp()) };
    all.push(Function {
        name: "sigmoid",
        single: |x, y| {
            y.iter_mut().zip(x).for_each(|(y, &x)| *y = 1.0 / (1.0 + expand::exp(&Single, -x)));
        },
        double: |x, y| {
            let reference =
                |x: f64| if x < -88.722839 { 0.0 } else { 1.0 / (1.0 + expand::exp(&Double, -x)) };
            y.iter_mut().zip(x).for_each(|(y, &x)| *y = reference(x.into()));
        },
        library: sigmoid,
        limit: f64::INFINITY,
        one: |x| 1.0 / (1.0 + expand::exp(&Double, -x)),
    });
    all
}

#[inline(always)]
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The error of a result in units in the last place of the reference; infinite for a wrong NaN, or a wrong sign of zero.
fn error(got: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if got.is_nan() || rounded.is_nan() {
        return if got.is_nan() == rounded.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got.to_bits() == rounded.to_bits() && (want == 0.0 || rounded.is_infinite()) {
        return 0.0;
    }
    if want == 0.0 {
        return f64::INFINITY;
    }
    distance(got, want)
}

/// The distance of two numbers in units in the last place of the second; infinity counts as the number after the largest.
#[inline(always)]
fn distance(got: f32, want: f64) -> f64 {
    let limit = power_of_two(128);
    let exponent = ((want.to_bits() << 1 >> 53) as i64 - 1023).clamp(-126, 127);
    let got = f64::from(got).clamp(-limit, limit);
    (got - want.clamp(-2.0 * limit, 2.0 * limit)).abs() * power_of_two(23 - exponent)
}

/// The worst error with its argument, over every `threads`-th block from block `first` on.
fn worst(function: &Function, first: u64, threads: u64) -> (f64, f32) {
    let mut worst = (-1.0, 0.0f32);
    let (mut x, mut single, mut double) = ([0.0f32; BLOCK], [0.0f32; BLOCK], [0.0f64; BLOCK]);
    let blocks = (1u64 << 32) / BLOCK as u64;
    for block in (first..blocks).step_by(threads as usize) {
        let base = (block * BLOCK as u64) as u32;
        for (at, x) in x.iter_mut().enumerate() {
            *x = f32::from_bits(base + at as u32);
        }
        if x.iter().all(|&x| f64::from(x.abs()) > function.limit) && x[0].is_finite() {
            continue;
        }
        (function.single)(&x, &mut single);
        (function.double)(&x, &mut double);
        // Without branches, so that the compiler vectorizes it.
        let is_better = |got: f32, want: f64| {
            let is_same = got.to_bits() == (want as f32).to_bits() || (got.is_nan() & want.is_nan());
            is_same | ((got != 0.0) & (distance(got, want) <= worst.0))
        };
        let all = single.iter().zip(&double).fold(true, |all, (&got, &want)| all & is_better(got, want));
        let first_sample = (SAMPLE - base % SAMPLE) as usize;
        let samples = (first_sample..BLOCK).step_by(SAMPLE as usize);
        let worse = (0..BLOCK).filter(|&at| !all && !is_better(single[at], double[at]));
        let found: Vec<usize> = samples.chain(worse).collect();
        for at in found {
            let error = error(single[at], (function.library)(x[at].into()));
            if error > worst.0 {
                worst = (error, x[at]);
            }
        }
    }
    worst
}

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// A function of two arguments.
struct Binary {
    name: &'static str,
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
    library: fn(f64, f64) -> f64,
    /// A second argument, from the first and a number between -1 and 1, with which the result is neither zero nor infinite.
    second: fn(f64, f64) -> f64,
    /// Whether the first argument is positive in these pairs.
    is_positive: bool,
}

const BINARY: [Binary; 2] = [
    Binary {
        name: "pow",
        single: |x, y| expand::pow(&Single, x, y),
        double: |x, y| expand::pow(&Double, x, y),
        library: f64::powf,
        second: |x, unit| unit / x.log2(),
        is_positive: true,
    },
    Binary {
        name: "atan2",
        single: |x, y| expand::atan2(&Single, x, y),
        double: |x, y| expand::atan2(&Double, x, y),
        library: f64::atan2,
        second: |x, unit| x * 0.01 * unit,
        is_positive: false,
    },
];

/// The worst error over random pairs: any bits, and pairs whose result is in range.
fn worst_binary(function: &Binary, seed: u64, count: u64) -> (f64, f32, f32) {
    let (mut worst, mut state) = ((-1.0, 0.0, 0.0), seed);
    for number in 0..count {
        let bits = random(&mut state);
        let (x, y) = match number % 2 {
            0 => (f32::from_bits(bits as u32), f32::from_bits((bits >> 32) as u32)),
            _ => {
                let x = f32::from_bits(bits as u32 & if function.is_positive { 0x7fff_ffff } else { !0 });
                let unit = (bits >> 32) as f64 / 2_147_483_648.0 - 1.0;
                (x, (function.second)(x.into(), unit * 150.0) as f32)
            }
        };
        let error = error((function.single)(x, y), (function.library)(x.into(), y.into()));
        if error > worst.0 {
            worst = (error, x, y);
        }
    }
    worst
}

/// Prints random arguments and results of type `f64`.
fn print_double(function: &str, count: u64) {
    let functions = functions();
    let known = functions.iter().find(|known| known.name == function);
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for number in 0..count {
        let bits = random(&mut state);
        // Any exponent, moderate numbers, and numbers near one.
        let unit = bits as f64 / (1u64 << 63) as f64 - 1.0;
        let x = match number % 4 {
            0 => f64::from_bits(bits),
            1 => unit * 700.0,
            2 => unit * 4.0,
            _ => 1.0 + unit * 0.5,
        };
        match known {
            Some(function) => println!("{:016x} {:016x}", x.to_bits(), (function.one)(x).to_bits()),
            None => {
                let function = BINARY.iter().find(|known| known.name == function).expect("a known function");
                let x = if function.is_positive { x.abs() } else { x };
                let y =
                    (function.second)(x, (random(&mut state) as f64 / (1u64 << 63) as f64 - 1.0) * 1000.0);
                let result = (function.double)(x, y);
                println!("{:016x} {:016x} {:016x}", x.to_bits(), y.to_bits(), result.to_bits());
            }
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [flag, count, function] = &args[..]
        && flag == "--double"
    {
        return print_double(function, count.parse().expect("a number of samples"));
    }
    let is_wanted = |name: &str| args.is_empty() || args.iter().any(|arg| arg == name);
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    for function in functions().iter().filter(|function| is_wanted(function.name)) {
        let start = Instant::now();
        let (error, x) = std::thread::scope(|scope| {
            let runs = (0..threads).map(|first| scope.spawn(move || worst(function, first, threads)));
            let runs: Vec<_> = runs.collect();
            let runs = runs.into_iter().map(|run| run.join().expect("no function panics"));
            runs.fold((-1.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
        });
        let seconds = start.elapsed().as_secs();
        println!("{:8} {error:.3} ulp at {x:e} (0x{:08x}), {seconds} s", function.name, x.to_bits());
    }
    for function in BINARY.iter().filter(|function| is_wanted(function.name)) {
        let (error, x, y) = worst_binary(function, 0x9e37_79b9_7f4a_7c15, PAIRS);
        println!("{:8} {error:.3} ulp at {x:e}, {y:e}, of {PAIRS} pairs", function.name);
    }
}
