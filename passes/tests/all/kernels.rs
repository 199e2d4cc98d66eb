//! Kernels compute what the operations that they replace compute, with chosen plans and with random legal ones.
//!
//! Elements are small integers, so that sums are exact in any order. `MINOAN_RANDOM_CASES` sets the number of plans of
//! each program.

use crate::common;
use minoan_pass::Pass;
use minoan_passes::emit_kernels::EmitKernels;
use minoan_passes::form_kernels::{FormKernels, FormKernelsOptions};
use minoan_passes::merge_axes::MergeAxes;
use minoan_passes::plan_buffers::PlanBuffers;
use minoan_passes::schedule_kernels::ScheduleKernels;
use minoan_schedule::resolve;
use minoan_services::KernelOps;
use minoan_testing::kernels::{Random, each_kernel, programs, random_plan};

fn boxed(pass: impl Pass + 'static) -> Vec<Box<dyn Pass>> {
    vec![Box::new(pass)]
}

fn formed(text: &str) -> minoan_ir::Module {
    let module = common::apply(
        common::parse(text),
        boxed(FormKernels { options: FormKernelsOptions { min_points: 1, ..Default::default() } }),
    );
    common::apply(module, boxed(ScheduleKernels::default()))
}

/// Kernels of merged axes.
fn merged(text: &str) -> minoan_ir::Module {
    let module = common::apply(
        common::parse(text),
        boxed(FormKernels { options: FormKernelsOptions { min_points: 1, ..Default::default() } }),
    );
    let module = common::apply(module, boxed(MergeAxes));
    common::apply(module, boxed(ScheduleKernels::default()))
}

#[test]
fn chosen_and_random_plans_preserve_results() {
    let cases: usize = std::env::var("MINOAN_RANDOM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(16);
    let mut random =
        Random(std::env::var("PROPTEST_RNG_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1));
    let (mut legal, mut tried) = (0, 0);
    for dynamic in [false, true] {
        for (name, text, args) in programs(&mut random, dynamic) {
            let source = common::parse(&text);
            let scheduled = [formed(&text), merged(&text)];
            for case in 0..=2 * cases + 1 {
                let (merges, case) = (case % 2, case / 2);
                let mut module = scheduled[merges].clone();
                let mut text = String::new();
                let mut is_new = case == 0;
                each_kernel(&mut module, |body, op, kernel, plan| {
                    let mut chosen = plan.clone();
                    if case > 0 {
                        tried += 1;
                        if let Some(other) = random_plan(&plan, kernel, case, &mut random) {
                            (legal, is_new) = (legal + 1, true);
                            chosen = other;
                        }
                    }
                    text = chosen.to_string();
                    let ctx = body.context().clone();
                    let service = <dyn KernelOps>::any(&ctx).expect("the dialect is loaded");
                    service.set_plan(body, op, Some(&text));
                });
                if !is_new {
                    continue;
                }
                let buffers = common::apply(module, boxed(PlanBuffers));
                let buffers = common::apply(buffers, boxed(EmitKernels));
                println!("{name} (dynamic: {dynamic}, merged: {}): {text}", merges == 1);
                common::agree(&source, &buffers, &args);
            }
        }
    }
    println!("{legal} legal plans of {tried}");
    assert!(legal * 10 > tried, "{legal} of {tried} plans are legal");
}

#[test]
fn kernels_before_emission_preserve_results() {
    let mut random = Random(3);
    for (_, text, args) in programs(&mut random, false) {
        let source = common::parse(&text);
        for kernels in [formed(&text), merged(&text)] {
            common::agree(&source, &common::apply(kernels, boxed(PlanBuffers)), &args);
        }
    }
}

/// The number of kernels of each program, and the shape of their plans.
#[test]
fn programs_become_kernels() {
    let mut random = Random(5);
    let mut shapes = Vec::new();
    for (name, text, _) in programs(&mut random, false) {
        let mut kernels = Vec::new();
        each_kernel(&mut formed(&text), |_, _, kernel, plan| {
            assert!(resolve(&plan, kernel).is_ok());
            kernels.push(plan.leaves().len());
        });
        shapes.push((name, kernels));
    }
    let expected = [
        ("product with epilogue", vec![3]),
        ("product with a transposed factor", vec![1]),
        ("product of bytes", vec![1]),
        ("products in a batch", vec![1]),
        ("rows", vec![5]),
        ("contraction of rows", vec![4]),
        ("rows with unit dimensions", vec![5]),
        ("sums of columns", vec![1]),
        // The order of the elements excludes lanes, and a transposed operand is not contiguous.
        ("sums in order", vec![]),
        ("sums of sines in order", vec![3]),
        ("two results", vec![3]),
        // A transposed operand has a separate kernel.
        ("pointwise", vec![2, 1]),
        ("convolution", vec![3]),
        // The constant is not a statement from which a padding can read lanes.
        ("convolution of a padded constant", vec![1]),
        ("depthwise convolution with strides", vec![2]),
        // The columns of windows are reduced first.
        ("pooling", vec![3]),
        ("pooling with channels last", vec![4]),
        ("convolution with channels last", vec![2]),
        ("convolution with channels last by weights with channels first", vec![2]),
        ("depthwise convolution with channels last", vec![2]),
        ("convolution by windows of one element", vec![2]),
        ("convolution by one window that does not cover the image", vec![1]),
        ("sums of images", vec![1, 1]),
    ];
    let triangles = shapes.split_off(expected.len());
    assert!(triangles.len() == 6 && triangles.iter().all(|(_, kernels)| kernels[..] == [1]), "{triangles:?}");
    assert_eq!(shapes, expected);
}
