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

/// A nest in which loops and conditionals alternate. The conditionals depend on the iteration, and every level uses what the
/// levels in it compute.
fn alternating(depth: usize, is_while: bool) -> String {
    let mut text = "func.func @f(%a: f64, %b: f64, %n: index) -> f64 {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %limit = arith.constant 2.5 : f64\n"
        .to_owned();
    let source = |at: usize| if at == 0 { "%a".to_owned() } else { format!("%s{}", at - 1) };
    for at in 0..depth {
        let from = source(at);
        text += &match (at % 2 == 0, is_while) {
            (true, false) => format!(
                "%r{at} = scf.for %i{at} = %c0 to %n step %c1 iter_args(%y{at} = {from}) -> (f64) {{
                   %s{at} = math.sin %y{at} : f64\n"
            ),
            (true, true) => format!(
                "%q{at} = math.absf {from} : f64
                 %r{at} = scf.while (%y{at} = %q{at}) : (f64) -> f64 {{
                   %t{at} = arith.cmpf olt, %y{at}, %limit : f64
                   scf.condition(%t{at}) %y{at} : f64
                 }} do {{
                 ^bb0(%w{at}: f64):
                   %e{at} = math.exp %w{at} : f64
                   %s{at} = arith.addf %e{at}, %b : f64\n"
            ),
            (false, _) => format!(
                "%t{at} = arith.cmpf olt, {from}, %b : f64
                 %r{at} = scf.if %t{at} -> (f64) {{
                   %s{at} = arith.mulf {from}, %b : f64\n"
            ),
        };
    }
    text += &format!("%e = math.cos {} : f64\nscf.yield %e : f64\n", source(depth));
    for at in (0..depth).rev() {
        let from = source(at);
        text += &match (at % 2 == 0, is_while) {
            (true, _) => "}\n".to_owned(),
            // The other region has loops of its own.
            (false, _) => format!(
                "}} else {{
                   %u{at} = scf.for %j{at} = %c0 to %n step %c1 iter_args(%v{at} = {from}) -> (f64) {{
                     %x{at} = math.cos %v{at} : f64
                     scf.yield %x{at} : f64
                   }}
                   %o{at} = scf.for %k{at} = %c0 to %n step %c1 iter_args(%z{at} = %u{at}) -> (f64) {{
                     %g{at} = arith.mulf %z{at}, %u{at} : f64
                     %h{at} = math.sin %g{at} : f64
                     scf.yield %h{at} : f64
                   }}
                   scf.yield %o{at} : f64
                 }}\n"
            ),
        };
        text += &match at {
            0 => "%m0 = arith.mulf %r0, %b : f64\nreturn %m0 : f64\n}\n".to_owned(),
            _ if (at - 1) % 2 == 0 && is_while => format!(
                "%l{at} = math.absf %r{at} : f64\n%p{at} = arith.addf %w{}, %l{at} : f64
                 %m{at} = arith.addf %p{at}, %b : f64\nscf.yield %m{at} : f64\n",
                at - 1
            ),
            _ => format!("%m{at} = arith.mulf %r{at}, %b : f64\nscf.yield %m{at} : f64\n"),
        };
    }
    text
}

#[test]
fn loops_and_conditionals_that_alternate() {
    for depth in 2..=5 {
        for (a, b) in [(0.9, 0.7), (0.3, 0.8), (-0.2, 1.1)] {
            for n in [0, 1, 2] {
                check(&alternating(depth, false), &[a.into(), b.into(), n.into()]);
            }
            check(&alternating(depth, true), &[a.into(), b.into(), 2.into()]);
        }
    }
}
