//! The measured programs with `?` for extents of parameters: the checks that the lowering emits find every run-time
//! extent that does not fit, before an element is read or written that is not there.

use crate::common::emitted::emitted;
use crate::common::programs::{Vector, operators, resized, vectors, with_dynamic_params};
use crate::common::run::{compare, context, lowered, planned, run_on_buffers, tensors};
use minoan_interp::Interpreter;
use minoan_ir::{Context, Module};
use minoan_services::{Datum, Trap, UNDEFINED_DIVISION};

fn module(ctx: &Context, text: &str) -> Option<Module> {
    lowered(&emitted(ctx, text, &["main"]).ok()?).ok()
}

/// Runs `@main` on tensors and on buffers, which must agree, and returns the outcome on tensors.
fn run(on_tensors: &Module, on_buffers: &Module, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
    let found = Interpreter::new(on_tensors).call("main", args);
    let agree = |a: &[Datum], b: &[Datum]| {
        let (a, b) = (tensors(a), tensors(b));
        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.same(b))
    };
    match (&found, run_on_buffers(on_buffers, args)) {
        (Ok(a), Ok(b)) if agree(a, &b) => found,
        (Err(a), Err(c)) if a.message == c.message => found,
        (_, other) => Err(Trap::new(format!("on tensors {found:?}\non buffers {other:?}"))),
    }
}

/// Programs whose meaning depends on extents in types.
const OF_TYPES: [&str; 2] = ["nn_batch_matmul__bcast", "depthwise_multiplier_given"];

#[test]
fn extents_that_disagree_are_found_before_elements_are_read() {
    let ctx = context();
    let (mut wrong, mut lowered, mut stopped, mut ran) = (String::new(), 0, 0, 0);
    for Vector { name, text, inputs, output } in vectors().into_iter().chain(operators()) {
        let variants = (0..inputs.len()).map(Some).chain((inputs.len() != 1).then_some(None));
        for variant in variants {
            let dynamic = |param: usize| variant.is_none_or(|only| only == param);
            let Some(text) = with_dynamic_params(&text, dynamic) else { continue };
            let Some(on_tensors) = module(&ctx, &text) else { continue };
            let on_buffers = match planned(on_tensors.clone()) {
                Ok(module) => module,
                Err(message) => {
                    wrong += &format!("{name}: {message}\n{text}");
                    continue;
                }
            };
            lowered += 1;
            match run(&on_tensors, &on_buffers, &inputs) {
                Ok(results) if text.contains("max") || text.contains("sort") || text.contains("min") => {
                    assert!(!results.is_empty());
                }
                Ok(results) => {
                    if let Err(message) = compare(&output, &results) {
                        wrong += &format!("{name}: {message}\n{text}");
                    }
                }
                // Which batch is repeated, and whether a depthwise kernel has a multiplier, must be in the types.
                Err(trap) if trap.is_assertion && OF_TYPES.iter().any(|of| name.starts_with(of)) => {
                    stopped += 1
                }
                Err(trap) => wrong += &format!("{name}: {}\n{text}", trap.message),
            }
            for (param, input) in inputs.iter().enumerate().filter(|(param, _)| dynamic(*param)) {
                let Datum::Tensor(tensor) = input else { continue };
                for (axis, &extent) in tensor.shape.iter().enumerate() {
                    for other in [extent + 1, extent.saturating_sub(1), 0, 1] {
                        let mut args = inputs.clone();
                        args[param] = resized(tensor, axis, other).into();
                        match run(&on_tensors, &on_buffers, &args) {
                            Ok(_) => ran += 1,
                            Err(trap) if trap.is_assertion || trap.message == UNDEFINED_DIVISION => {
                                stopped += 1
                            }
                            Err(trap) => {
                                let shape = args[param].tensor().map(|tensor| tensor.shape.clone());
                                wrong += &format!(
                                    "{name}, parameter {param} of {shape:?}: {}\n{text}",
                                    trap.message
                                );
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(lowered > 400 && stopped > 1000 && ran > 1000, "{lowered} lowered, {stopped} stopped, {ran} ran");
}
