//! Definitions of the functions that call the bodies of parallel loops.
//!
//! The pass `outline-parallel` makes `void f(i64 lower, i64 upper, captures..)` of the body of a parallel loop, and declares
//! `void f.parallel(i64 n, i64 grain, captures..)`, which calls it for chunks of `grain` of `n` iterations. Here the latter is
//! defined. It calls the body directly if there is a single chunk, and LLVM removes the arguments that the body does not use,
//! such as extents. If there are several chunks, it stores the captures in a structure and passes that to the runtime's
//! `minoan_parallel`, together with a function that loads them again.

use crate::error::llvm_error;
use inkwell::builder::BuilderError;
use inkwell::llvm_sys::debuginfo::LLVMSetSubprogram;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum};
use inkwell::values::{AsValueRef, BasicMetadataValueEnum, BasicValueEnum, FunctionValue};
use inkwell::{AddressSpace, IntPredicate};
use minoan_diag::Diagnostic;

/// The suffix of the declared functions.
const SUFFIX: &str = ".parallel";

/// Defines each declared `f.parallel` whose body `f` the module defines.
///
/// # Errors
/// The types of the two functions do not fit.
pub fn define_parallel(module: &Module<'_>) -> Result<(), Diagnostic> {
    let declared: Vec<(FunctionValue<'_>, FunctionValue<'_>)> = module
        .get_functions()
        .filter(|function| function.count_basic_blocks() == 0)
        .filter_map(|function| {
            let name = function.get_name().to_str().ok()?.strip_suffix(SUFFIX)?;
            let body = module.get_function(name).filter(|body| body.count_basic_blocks() > 0)?;
            Some((function, body))
        })
        .collect();
    for (function, body) in declared {
        if function.get_type() != body.get_type() || function.get_type().count_param_types() < 2 {
            let name = body.get_name().to_string_lossy();
            return Err(Diagnostic::error(format!(
                "'{name}{SUFFIX}' and the body '{name}' of the parallel loop have different types"
            )));
        }
        define(module, function, body).map_err(|error| llvm_error("cannot call a parallel loop", error))?;
    }
    Ok(())
}

fn define<'ctx>(
    module: &Module<'ctx>,
    function: FunctionValue<'ctx>,
    body: FunctionValue<'ctx>,
) -> Result<(), BuilderError> {
    let context = module.get_context();
    let (pointer, i64) = (context.ptr_type(AddressSpace::default()), context.i64_type());
    let captures: Vec<BasicTypeEnum<'ctx>> = body.get_type().get_param_types()[2..]
        .iter()
        .filter_map(|&ty: &BasicMetadataTypeEnum<'ctx>| BasicTypeEnum::try_from(ty).ok())
        .collect();
    let record = context.struct_type(&captures, false);

    let name = format!("{}.chunk", body.get_name().to_string_lossy());
    let chunk_type = context.void_type().fn_type(&[i64.into(), i64.into(), pointer.into()], false);
    let chunk = module.add_function(&name, chunk_type, Some(Linkage::Internal));
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(chunk, ""));
    let params = chunk.get_params();
    let mut arguments: Vec<BasicMetadataValueEnum<'ctx>> = vec![params[0].into(), params[1].into()];
    for (at, &ty) in captures.iter().enumerate() {
        let field = builder.build_struct_gep(record, params[2].into_pointer_value(), at as u32, "field")?;
        arguments.push(builder.build_load(ty, field, "capture")?.into());
    }
    builder.build_call(body, &arguments, "")?;
    builder.build_return(None)?;

    drop_subprogram(function);
    let params: Vec<BasicValueEnum<'ctx>> = function.get_params();
    let (n, grain) = (params[0].into_int_value(), params[1].into_int_value());
    let [entry, single, run, several, end] =
        ["", "single", "run", "several", "end"].map(|name| context.append_basic_block(function, name));
    builder.position_at_end(entry);
    let stored = builder.build_alloca(record, "captures")?;
    let is_single = builder.build_int_compare(IntPredicate::SLE, n, grain, "")?;
    builder.build_conditional_branch(is_single, single, several)?;
    builder.position_at_end(single);
    let is_any = builder.build_int_compare(IntPredicate::SGT, n, i64.const_zero(), "")?;
    builder.build_conditional_branch(is_any, run, end)?;
    builder.position_at_end(run);
    let mut arguments: Vec<BasicMetadataValueEnum<'ctx>> = vec![i64.const_zero().into(), n.into()];
    arguments.extend(params[2..].iter().map(|&capture| BasicMetadataValueEnum::from(capture)));
    builder.build_call(body, &arguments, "")?;
    builder.build_unconditional_branch(end)?;

    builder.position_at_end(several);
    for (at, &capture) in params[2..].iter().enumerate() {
        let field = builder.build_struct_gep(record, stored, at as u32, "field")?;
        builder.build_store(field, capture)?;
    }
    let runtime_type =
        context.void_type().fn_type(&[pointer.into(), pointer.into(), i64.into(), i64.into()], false);
    let runtime = module
        .get_function("minoan_parallel")
        .unwrap_or_else(|| module.add_function("minoan_parallel", runtime_type, None));
    let called = chunk.as_global_value().as_pointer_value();
    builder.build_call(runtime, &[called.into(), stored.into(), n.into(), grain.into()], "")?;
    builder.build_unconditional_branch(end)?;
    builder.position_at_end(end);
    builder.build_return(None)?;
    function.set_linkage(Linkage::Internal);
    Ok(())
}

/// Removes the debug information of a declaration: the subprogram of a definition would have to be distinct, and no place in
/// the source belongs to this one.
fn drop_subprogram(function: FunctionValue<'_>) {
    // SAFETY: the function is alive, and a null subprogram removes the attachment.
    unsafe { LLVMSetSubprogram(function.as_value_ref(), std::ptr::null_mut()) };
}
