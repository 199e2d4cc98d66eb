//! Integer operations of the languages on every back end: defined for all operands, or the same located error.

use minoan::services::{Tensor, TensorData};
use minoan::{Backend, Datum, Failure, Float, Session};

const BACKENDS: [Backend; 3] = [Backend::Interpret, Backend::InterpretBuffers, Backend::Jit];

/// A type of integers as Relay has it.
struct Ty {
    name: &'static str,
    width: u32,
    signed: bool,
}

const TYPES: [Ty; 4] = [
    Ty { name: "int8", width: 8, signed: true },
    Ty { name: "uint8", width: 8, signed: false },
    Ty { name: "int32", width: 32, signed: true },
    Ty { name: "int64", width: 64, signed: true },
];

impl Ty {
    /// The value with the low bits of a number.
    fn value(&self, number: i128) -> i128 {
        let low = number.rem_euclid(1 << self.width);
        if self.signed && low >= 1 << (self.width - 1) { low - (1 << self.width) } else { low }
    }

    /// The operands that matter: around zero, the width, and both ends.
    fn operands(&self) -> Vec<i128> {
        let width = i128::from(self.width);
        let ends = [-(1i128 << (width - 1)), (1 << (width - 1)) - 1, (1 << width) - 1];
        let mut all: Vec<i128> = [0, 1, 2, 3, 7, -1, -2, -7, width - 1, width, width + 1]
            .into_iter()
            .chain(ends)
            .map(|it| self.value(it))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The definition of Relay's operator: a quotient by zero is zero and leaves zero, results wrap, and a distance of the width or
/// more shifts all bits out.
fn model(operator: &str, ty: &Ty, a: i128, b: i128) -> i128 {
    let by = b.rem_euclid(1 << ty.width);
    let result = match operator {
        "divide" | "mod" | "floor_divide" | "floor_mod" if b == 0 => 0,
        "divide" => a / b,
        "mod" => a % b,
        "floor_divide" => a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0),
        "floor_mod" => {
            let rest = a.rem_euclid(b);
            if b < 0 && rest != 0 { rest + b } else { rest }
        }
        "left_shift" if by >= i128::from(ty.width) => 0,
        "left_shift" => a << by,
        "right_shift" => a >> by.min(i128::from(ty.width)),
        other => panic!("no operator {other}"),
    };
    ty.value(result)
}

#[test]
fn relay_integers_are_defined_for_all_operands() {
    let _turn = crate::turn();
    let session = Session::new();
    for ty in &TYPES {
        let operands = ty.operands();
        let pairs: Vec<(i128, i128)> =
            operands.iter().flat_map(|&a| operands.iter().map(move |&b| (a, b))).collect();
        let (count, name) = (pairs.len(), ty.name);
        let side = |pick: fn(&(i128, i128)) -> i128| {
            // Kept sign extended from the width.
            let kept = |value: i128| minoan::services::wrap(value, ty.width);
            let data = TensorData::Int(pairs.iter().map(|pair| kept(pick(pair))).collect());
            Datum::from(Tensor { shape: vec![count], data })
        };
        for operator in ["divide", "mod", "floor_divide", "floor_mod", "left_shift", "right_shift"] {
            let of = format!("Tensor[({count}), {name}]");
            let text = format!(
                "#[version = \"0.0.5\"]\ndef @main(%x: {of}, %y: {of}) -> {of} {{ {operator}(%x, %y) }}\n"
            );
            let program = session.read_text("integers.relay", &text).expect("the program is valid");
            let entry = session.entry(&program, "main", Float::F32).expect("the program lowers");
            let wanted: Vec<i64> = pairs
                .iter()
                .map(|&(a, b)| minoan::services::wrap(model(operator, ty, a, b), ty.width))
                .collect();
            for backend in BACKENDS {
                let given = [side(|pair| pair.0), side(|pair| pair.1)];
                let results = session
                    .run(&entry, &given, backend)
                    .unwrap_or_else(|failure: Failure| panic!("{operator} of {name}: {failure}"));
                let Datum::Tensor(found) = &results[0] else { panic!("a tensor") };
                for (at, (&(a, b), want)) in pairs.iter().zip(&wanted).enumerate() {
                    // Compiled code may hand an unsigned number over as such.
                    let found = minoan::services::wrap(
                        found.data.get(at).int().expect("an integer").into(),
                        ty.width,
                    );
                    assert_eq!(found, *want, "{operator}({a}, {b}) of {name}, {backend:?}");
                }
            }
        }
    }
}

#[test]
fn knossos_division_wraps_and_refuses_zero() {
    let _turn = crate::turn();
    let session = Session::new();
    let run = |text: &str, backend| {
        let program = session.read_text("integers.ks", text)?;
        let entry = session.entry(&program, "entry", Float::F32)?;
        session.run(&entry, &[], backend)
    };
    let least = "(sub (sub 0 9223372036854775807) 1)";
    for backend in BACKENDS {
        let found = run(&format!("(def entry Integer () (div {least} (sub 0 1)))"), backend);
        assert_eq!(found.expect("it wraps"), [Datum::Int(i64::MIN)], "{backend:?}");
        let zero = run("(def entry Integer () (div 1 (size (build 0 (lam (i : Integer) 1.0)))))", backend);
        assert_eq!(zero.expect_err("undefined").to_string(), "division by zero", "{backend:?}");
    }
}
