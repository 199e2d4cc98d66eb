//! The choice of the optimizer's pipelines.

use super::*;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::values::AnyValue;

/// A function with a loop over vectors of `lanes` floats, followed by a loop that stores `steps` zeros. Only the pipelines of
/// levels replace the latter by `memset`.
fn function(name: &str, lanes: u32, steps: u32) -> String {
    let ty = if lanes == 1 { "float".to_owned() } else { format!("<{lanes} x float>") };
    format!(
        "define void @{name}(ptr noalias %a, ptr noalias %b, i64 %n) {{
        entry:
          br label %vectors
        vectors:
          %i = phi i64 [ 0, %entry ], [ %i.next, %vectors ]
          %p = getelementptr inbounds {ty}, ptr %a, i64 %i
          %x = load volatile {ty}, ptr %p
          store volatile {ty} %x, ptr %p
          %i.next = add nuw nsw i64 %i, 1
          %more = icmp slt i64 %i.next, %n
          br i1 %more, label %vectors, label %zeros
        zeros:
          %j = phi i64 [ 0, %vectors ], [ %j.next, %zeros ]
          %q = getelementptr inbounds i32, ptr %b, i64 %j
          store i32 0, ptr %q
          %j.next = add nuw nsw i64 %j, 1
          %again = icmp slt i64 %j.next, {steps}
          br i1 %again, label %zeros, label %exit
        exit:
          ret void
        }}\n"
    )
}

/// The functions of a module that the pipeline of a level optimizes.
fn optimized_by_level(functions: &[String]) -> Vec<String> {
    let (context, text) = (Context::create(), functions.concat());
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "pipelines");
    let module = context.create_module_from_ir(buffer).expect("it is valid");
    Target::host(&TargetOptions::default()).and_then(|target| target.optimize(&module)).expect("it is valid");
    let fills = |function: &FunctionValue<'_>| {
        function.count_basic_blocks() > 0 && function.print_to_string().to_string().contains("@llvm.memset")
    };
    let by_level = module.get_functions().filter(fills);
    by_level.map(|function| function.get_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn functions_whose_innermost_loops_compute_on_vectors_take_the_short_pipeline() {
    assert_eq!(optimized_by_level(&[function("remainder", 8, 16)]), [""; 0]);
    assert_eq!(optimized_by_level(&[function("long", 8, 17)]), ["long"]);
    assert_eq!(optimized_by_level(&[function("scalar", 1, 16)]), ["scalar"]);
}

#[test]
fn functions_of_a_module_take_different_pipelines() {
    let functions = [function("scalar", 1, 40), function("vectors", 8, 16)];
    assert_eq!(optimized_by_level(&functions), ["scalar"]);
}

#[test]
fn modules_with_recursion_take_the_pipeline_of_their_level() {
    let recursive = "define i64 @recursive(i64 %n) {
        %zero = icmp eq i64 %n, 0
        br i1 %zero, label %end, label %deeper
        deeper:
          %next = lshr i64 %n, 1
          %depth = call i64 @recursive(i64 %next)
          %other = call i64 @recursive(i64 %depth)
          ret i64 %other
        end:
          ret i64 0
        }\n";
    assert_eq!(optimized_by_level(&[function("vectors", 8, 16), recursive.to_owned()]), ["vectors"]);
}

#[test]
fn modules_with_loops_of_calls_take_the_pipeline_of_their_level() {
    let caller = "define void @caller(ptr %a, ptr %b, i64 %n) {
        entry:
          br label %loop
        loop:
          %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
          call void @vectors(ptr %a, ptr %b, i64 %n)
          %i.next = add nuw nsw i64 %i, 1
          %more = icmp slt i64 %i.next, %n
          br i1 %more, label %loop, label %exit
        exit:
          ret void
        }\n";
    let by_level = optimized_by_level(&[function("vectors", 8, 16), caller.to_owned()]);
    assert!(by_level.contains(&"vectors".to_owned()), "{by_level:?}");
}
