//! Conditionals, and conditionals in them.

use super::support::*;
use minoan_services::Datum;

#[test]
fn conditionals() {
    let text = "func.func @f(%x: f64, %y: f64, %a: tensor<?xf64>) -> f64 {
        %c0 = arith.constant 0 : index
        %c = arith.cmpf olt, %x, %y : f64
        %r:2 = scf.if %c -> (f64, f64) {
          %0 = arith.mulf %x, %y : f64
          %e = tensor.extract %a[%c0] : tensor<?xf64>
          %1 = arith.mulf %0, %e : f64
          scf.yield %1, %x : f64, f64
        } else {
          %0 = math.sin %y : f64
          scf.yield %0, %y : f64, f64
        }
        %s = arith.mulf %r#0, %r#1 : f64
        return %s : f64
      }\n";
    check(text, &[0.3.into(), 0.8.into(), vector(&[2.0, 3.0])]);
    check(text, &[0.9.into(), 0.8.into(), vector(&[2.0, 3.0])]);
}

/// A nest of conditionals whose results are used, deeper than values are results of their own, with numbers and tensors as
/// results, for each depth at which a condition is false.
#[test]
fn conditionals_in_conditionals() {
    const DEPTH: usize = 12;
    for ty in ["f64", "tensor<2xf64>", "tensor<?xf64>"] {
        let conditions: Vec<String> = (0..DEPTH).map(|at| format!("%c{at}: i1")).collect();
        let mut text = format!("func.func @f(%a: {ty}, %b: {ty}, {}) -> {ty} {{\n", conditions.join(", "));
        for at in 0..DEPTH {
            let source = if at == 0 { "%a".to_owned() } else { format!("%s{}", at - 1) };
            text += &format!("%r{at} = scf.if %c{at} -> ({ty}) {{\n");
            text += &format!("%p{at} = arith.mulf {source}, %b : {ty}\n%s{at} = math.sin %p{at} : {ty}\n");
        }
        text += &format!("%e = math.exp %s{} : {ty}\nscf.yield %e : {ty}\n", DEPTH - 1);
        for at in (0..DEPTH).rev() {
            let other = if at == 0 { "%a".to_owned() } else { format!("%s{}", at - 1) };
            text +=
                &format!("}} else {{\n%o{at} = arith.mulf %b, {other} : {ty}\nscf.yield %o{at} : {ty}\n}}\n");
            text += &format!(
                "%m{at} = arith.mulf %r{at}, %r{at} : {ty}\n%q{at} = math.cos %m{at} : {ty}\n\
                 %n{at} = arith.addf %q{at}, %b : {ty}\n"
            );
            match at {
                0 => text += &format!("return %n0 : {ty}\n}}\n"),
                _ => text += &format!("scf.yield %n{at} : {ty}\n"),
            }
        }
        for end in [0, 3, 8, 9, DEPTH] {
            let (a, b) = match ty {
                "f64" => (0.9.into(), 0.7.into()),
                _ => (vector(&[0.9, -0.4]), vector(&[0.7, 0.3])),
            };
            let conditions = (0..DEPTH).map(|at| Datum::from(at != end));
            check(&text, &[a, b].into_iter().chain(conditions).collect::<Vec<Datum>>());
        }
    }
}
