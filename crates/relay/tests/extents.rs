//! The measured programs with `?` for extents of parameters: the checks that the lowering emits find every run-time
//! extent that does not fit, before an element is read or written that is not there.

#[path = "common/emitted.rs"]
mod emitted;
#[path = "common/run.rs"]
mod run;

use emitted::emitted;
use minoan_interp::Interpreter;
use minoan_ir::{Context, Module};
use minoan_services::{Datum, Tensor};
use run::{compare, context, datum, lowered};
use serde_json::Value;

/// The program with `?` for each extent of the parameters of `@main` that `dynamic` selects.
fn with_dynamic_params(text: &str, dynamic: impl Fn(usize) -> bool) -> Option<String> {
    let start = text.find("def @main(")?;
    let end = start + text[start..].find(") ")?;
    let mut changed = text[..start].to_owned();
    for (index, param) in text[start..end].split('%').enumerate() {
        if index > 0 {
            changed.push('%');
        }
        match (param.find("Tensor[("), param.find("), ")) {
            (Some(from), Some(to)) if index > 0 && dynamic(index - 1) => {
                let extents = &param[from + 8..to];
                let dims: Vec<&str> =
                    extents.split(',').filter(|dim| !dim.trim().is_empty()).map(|_| "?").collect();
                let comma = if dims.len() == 1 { "," } else { "" };
                changed += &format!("{}{}{comma}{}", &param[..from + 8], dims.join(", "), &param[to..]);
            }
            _ => changed += param,
        }
    }
    changed += &text[end..];
    (changed != text).then_some(changed)
}

/// A tensor like `tensor` whose extent along `axis` is another one; the elements are repeated.
fn resized(tensor: &Tensor, axis: usize, extent: usize) -> Tensor {
    let mut shape = tensor.shape.clone();
    shape[axis] = extent;
    let count = shape.iter().product();
    let mut resized = Tensor::splat(&shape, &tensor.data.zero()).expect("a small tensor");
    for at in 0..count {
        if let Some(from) = at.checked_rem(tensor.data.len()) {
            resized.data.set(at, &tensor.data.get(from)).expect("of the same type");
        }
    }
    resized
}

fn module(ctx: &Context, text: &str) -> Option<Module> {
    lowered(&emitted(ctx, text, &["main"]).ok()?).ok()
}

#[test]
fn extents_that_disagree_are_found_before_elements_are_read() {
    let programs: Vec<Value> =
        serde_json::from_str(include_str!("data/relay-op-vectors.json")).unwrap_or_default();
    let ctx = context();
    let (mut wrong, mut lowered, mut stopped, mut ran) = (String::new(), 0, 0, 0);
    for program in programs.iter().filter(|program| program["output"].is_object()) {
        let name = program["name"].as_str().unwrap_or_default();
        let text = program["text"].as_str().unwrap_or_default();
        let inputs: Vec<Datum> = program["inputs"].as_array().into_iter().flatten().map(datum).collect();
        let variants = (0..inputs.len()).map(Some).chain((inputs.len() != 1).then_some(None));
        for variant in variants {
            let dynamic = |param: usize| variant.is_none_or(|only| only == param);
            let Some(text) = with_dynamic_params(text, dynamic) else { continue };
            let Some(module) = module(&ctx, &text) else { continue };
            lowered += 1;
            let run = |args: &[Datum]| Interpreter::new(&module).call("main", args);
            match run(&inputs) {
                Ok(results) if text.contains("max") || text.contains("sort") || text.contains("min") => {
                    assert!(!results.is_empty());
                }
                Ok(results) => {
                    if let Err(message) = compare(&program["output"], &results) {
                        wrong += &format!("{name}: {message}\n{text}");
                    }
                }
                // Which batch is repeated must be in the types.
                Err(trap) if trap.is_assertion && name.starts_with("nn_batch_matmul__bcast") => stopped += 1,
                Err(trap) => wrong += &format!("{name}: {}\n{text}", trap.message),
            }
            for (param, input) in inputs.iter().enumerate().filter(|(param, _)| dynamic(*param)) {
                let Datum::Tensor(tensor) = input else { continue };
                for (axis, &extent) in tensor.shape.iter().enumerate() {
                    for other in [extent + 1, extent.saturating_sub(1), 0, 1] {
                        let mut args = inputs.clone();
                        args[param] = resized(tensor, axis, other).into();
                        match run(&args) {
                            Ok(_) => ran += 1,
                            Err(trap) if trap.is_assertion || trap.message == "division by zero" => {
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
