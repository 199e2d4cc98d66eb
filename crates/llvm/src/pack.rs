//! Wrappers with the uniform signature `void (void **slots)`, through which any function can be called.

mod into;
mod vector;

use crate::error::llvm_error;
use crate::{AbiType, Function, Scalar, Signature};
use inkwell::AddressSpace;
use inkwell::builder::{Builder, BuilderError};
use inkwell::module::{Linkage, Module};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue, BasicValueEnum, FunctionValue, InstructionValue, PointerValue,
};
use minoan_diag::Diagnostic;

pub use into::{add_into, add_into_call};

/// Adds `void minoan_packed_<name>(void **slots)`, which calls `function` with arguments loaded from the first slots
/// and stores its results through the following slots.
///
/// # Errors
/// The module has no such function, or it has another signature.
pub fn add_packed(module: &Module<'_>, function: &Function) -> Result<(), Diagnostic> {
    let callee = module.get_function(&function.symbol()).ok_or_else(|| {
        Diagnostic::error(format!("there is no function '{}' in the module", function.name))
    })?;
    check_signature(callee, function)?;
    let context = module.get_context();
    let pointer = context.ptr_type(AddressSpace::default());
    let wrapper_type = context.void_type().fn_type(&[pointer.into()], false);
    let wrapper = module.add_function(&function.packed_name(), wrapper_type, None);
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(wrapper, ""));
    build_call(&builder, callee, function, wrapper).map_err(failed)
}

/// Adds `void minoan_entry_<name>(void **slots)`: like the packed wrapper, but on the large stack, with output
/// flushed at the end, and with faults that end the process; for external callers. The packed wrapper must exist.
/// Returns the symbol.
///
/// # Errors
/// The packed wrapper is missing.
pub fn add_entry(module: &Module<'_>, function: &Function) -> Result<String, Diagnostic> {
    let name = format!("minoan_entry_{}", function.name);
    let context = module.get_context();
    let pointer = context.ptr_type(AddressSpace::default());
    let wrapper_type = context.void_type().fn_type(&[pointer.into()], false);
    let wrapper = module.add_function(&name, wrapper_type, None);
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(wrapper, ""));
    let slots = wrapper.get_nth_param(0).expect("the wrapper has a parameter").into();
    call_runtime(module, &builder, function, slots)?;
    builder.build_return(None).map_err(failed)?;
    Ok(name)
}

/// Replaces the symbol of `function` by a wrapper of the same signature that runs it on the large stack, so that endless
/// recursion is reported instead of overflowing the stack of an external caller. Calls inside the module are not
/// redirected. The packed wrapper must exist.
///
/// # Errors
/// The module has no such function, it has another signature, or the packed wrapper is missing.
pub fn add_guard(module: &Module<'_>, function: &Function) -> Result<(), Diagnostic> {
    let symbol = function.symbol();
    let callee = module.get_function(&symbol).ok_or_else(|| {
        Diagnostic::error(format!("there is no function '{}' in the module", function.name))
    })?;
    check_signature(callee, function)?;
    callee.as_global_value().set_name(&format!("{symbol}.unguarded"));
    let guard = module.add_function(&symbol, callee.get_type(), None);
    let builder = module.get_context().create_builder();
    builder.position_at_end(module.get_context().append_basic_block(guard, ""));
    build_guard(module, &builder, function, guard)?;
    Ok(())
}

/// The minimum number of parameters of a function that is [split](split_wide).
const WIDE: u32 = 64;

/// Replaces the symbol of a `function` with many parameters by a wrapper of the same signature that calls it. A memref of rank 2
/// has seven parameters, and a function uses only one of them if the extents are static; LLVM removes the others from functions
/// that are not exported. Its instruction selection takes 15 s for a call with 1,400 arguments.
///
/// # Errors
/// The module has no such function.
pub fn split_wide(module: &Module<'_>, function: &Function) -> Result<(), Diagnostic> {
    let symbol = function.symbol();
    let callee = module.get_function(&symbol).ok_or_else(|| {
        Diagnostic::error(format!("there is no function '{}' in the module", function.name))
    })?;
    if callee.count_params() < WIDE {
        return Ok(());
    }
    let narrow = format!("{symbol}.narrow");
    callee.as_global_value().set_name(&narrow);
    add_alias(module, symbol, narrow)?;
    Ok(())
}

/// Adds `int32_t minoan_try_<name>(void **slots, char *message, int64_t size)`, which calls the packed wrapper by the runtime's
/// `minoan_try`: arguments are checked, a fault is returned as a code with its message, and array results belong to the
/// caller. The packed wrapper must exist. Returns the symbol.
///
/// # Errors
/// The packed wrapper is missing.
pub fn add_try(module: &Module<'_>, function: &Function) -> Result<String, Diagnostic> {
    let name = format!("minoan_try_{}", function.name);
    let context = module.get_context();
    let (pointer, i32, i64) =
        (context.ptr_type(AddressSpace::default()), context.i32_type(), context.i64_type());
    let layout = layout_of(module, function, &name);
    let wrapper_type = i32.fn_type(&[pointer.into(), pointer.into(), i64.into()], false);
    let wrapper = module.add_function(&name, wrapper_type, None);
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(wrapper, ""));
    let packed = packed_wrapper(module, function)?;
    let runtime = module.get_function("minoan_try").unwrap_or_else(|| {
        let parameters = [pointer.into(), pointer.into(), pointer.into(), pointer.into(), i64.into()];
        module.add_function("minoan_try", i32.fn_type(&parameters, false), None)
    });
    let mut arguments: Vec<BasicMetadataValueEnum<'_>> = vec![packed.into()];
    let mut parameters = wrapper.get_param_iter();
    arguments.extend(parameters.next().map(BasicMetadataValueEnum::from));
    arguments.push(layout.into());
    arguments.extend(parameters.map(BasicMetadataValueEnum::from));
    let code = builder.build_call(runtime, &arguments, "code").map_err(failed)?;
    builder.build_return(code.try_as_basic_value().basic().as_ref().map(|code| code as _)).map_err(failed)?;
    Ok(name)
}

/// Adds `minoan_call_<prefix><name>`, the same function as `minoan_try_<name>`, which must exist: the name that callers are
/// linked with, so that functions of several libraries may have one name. Returns the symbol. [`add_into_call`] does so for a
/// function with destinations.
///
/// # Errors
/// The function is missing.
pub fn add_call(module: &Module<'_>, function: &Function, prefix: &str) -> Result<String, Diagnostic> {
    let name = &function.name;
    add_alias(module, format!("minoan_call_{prefix}{name}"), format!("minoan_try_{name}"))
}

/// Adds a function `name` that calls another function of the same type.
fn add_alias(module: &Module<'_>, name: String, target: String) -> Result<String, Diagnostic> {
    let target = module
        .get_function(&target)
        .ok_or_else(|| Diagnostic::error(format!("there is no function '{target}' in the module")))?;
    let wrapper = module.add_function(&name, target.get_type(), None);
    let builder = module.get_context().create_builder();
    builder.position_at_end(module.get_context().append_basic_block(wrapper, ""));
    let arguments: Vec<BasicMetadataValueEnum<'_>> =
        wrapper.get_param_iter().map(BasicMetadataValueEnum::from).collect();
    let code = builder.build_call(target, &arguments, "code").map_err(failed)?;
    builder.build_return(code.try_as_basic_value().basic().as_ref().map(|code| code as _)).map_err(failed)?;
    Ok(name)
}

/// A constant with the [`layout`] of a function, for the wrapper `name`.
fn layout_of<'ctx>(module: &Module<'ctx>, function: &Function, name: &str) -> PointerValue<'ctx> {
    let i64 = module.get_context().i64_type();
    let layout: Vec<_> = layout(function).into_iter().map(|word| i64.const_int(word as u64, true)).collect();
    let layout = i64.const_array(&layout);
    let global = module.add_global(layout.get_type(), None, &format!("{name}.layout"));
    global.set_initializer(&layout);
    global.set_constant(true);
    global.set_linkage(Linkage::Private);
    global.as_pointer_value()
}

/// The types of the slots of a function for the runtime: the numbers of arguments and results, and for each the size of a
/// scalar or element in bytes, the rank (-1 for a scalar, -2 for an object), and the extents (-1 if dynamic).
fn layout(function: &Function) -> Vec<i64> {
    let Signature { arguments, results } = &function.signature;
    let mut layout = vec![arguments.len() as i64, results.len() as i64];
    for ty in arguments.iter().chain(results) {
        match ty {
            AbiType::Scalar(scalar) => layout.extend([scalar.size() as i64, -1]),
            AbiType::Vector { .. } => layout.extend([ty.slot_size() as i64, -1]),
            AbiType::Object => layout.extend([8, -2]),
            AbiType::MemRef { element, shape } => {
                layout.extend([element.size() as i64, shape.len() as i64]);
                layout.extend(shape.iter().map(|extent| extent.map_or(-1, |extent| extent as i64)));
            }
        }
    }
    layout
}

/// Adds constant bytes under an external symbol, which must be passed to [`keep_only`].
pub fn add_data(module: &Module<'_>, name: &str, bytes: &[u8]) {
    let context = module.get_context();
    let contents = context.const_string(bytes, false);
    let global = module.add_global(contents.get_type(), None, name);
    global.set_initializer(&contents);
    global.set_constant(true);
    global.set_alignment(8);
}

/// Adds a C `main` that calls `function`, which must have no arguments, and ignores its results.
///
/// # Errors
/// The packed wrapper is missing, the module already has a `main`, or the function takes arguments.
pub fn add_main(module: &Module<'_>, function: &Function) -> Result<(), Diagnostic> {
    if !function.signature.arguments.is_empty() {
        return Err(Diagnostic::error(format!("the entry '{}' takes arguments", function.name))
            .help("a program starts at a function without parameters"));
    }
    if module.get_function("main").is_some() {
        return Err(Diagnostic::error("the module has a symbol 'main' already"));
    }
    let context = module.get_context();
    let pointer = context.ptr_type(AddressSpace::default());
    let main = module.add_function("main", context.i32_type().fn_type(&[], false), None);
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(main, ""));
    let results = &function.signature.results;
    let slots_type = pointer.array_type(results.len().max(1) as u32);
    let slots = builder.build_alloca(slots_type, "slots").map_err(failed)?;
    for (index, result) in results.iter().enumerate() {
        let storage = context.i64_type().array_type(result.slot_size().div_ceil(8) as u32);
        let storage = builder.build_alloca(storage, "result").map_err(failed)?;
        let slot = slot(&builder, slots, index).map_err(failed)?;
        builder.build_store(slot, storage).map_err(failed)?;
    }
    call_runtime(module, &builder, function, slots.into())?;
    builder.build_return(Some(&context.i32_type().const_zero())).map_err(failed)?;
    Ok(())
}

/// Internalizes all definitions of the module except `exports`, so that the optimizer may inline them, change their
/// signatures and remove them.
pub fn keep_only(module: &Module<'_>, exports: &[String]) {
    let kept = |name: &std::ffi::CStr| exports.iter().any(|export| export.as_bytes() == name.to_bytes());
    for function in module.get_functions() {
        if function.count_basic_blocks() > 0 && !kept(function.get_name()) {
            function.set_linkage(Linkage::Internal);
        }
    }
    for global in module.get_globals() {
        if global.get_initializer().is_some() && !kept(global.get_name()) {
            global.set_linkage(Linkage::Internal);
        }
    }
}

/// Calls the runtime's `minoan_call(packed wrapper, slots)`.
fn call_runtime<'ctx>(
    module: &Module<'ctx>,
    builder: &Builder<'ctx>,
    function: &Function,
    slots: BasicMetadataValueEnum<'ctx>,
) -> Result<(), Diagnostic> {
    let packed = packed_wrapper(module, function)?;
    let context = module.get_context();
    let pointer = context.ptr_type(AddressSpace::default());
    let runtime_type = context.void_type().fn_type(&[pointer.into(), pointer.into()], false);
    let runtime = module
        .get_function("minoan_call")
        .unwrap_or_else(|| module.add_function("minoan_call", runtime_type, None));
    builder.build_call(runtime, &[packed.into(), slots], "").map_err(failed)?;
    Ok(())
}

/// The error of a wrapper that cannot be built.
fn failed(error: BuilderError) -> Diagnostic {
    llvm_error("cannot build a wrapper", error)
}

/// The address of the packed wrapper of a function.
fn packed_wrapper<'ctx>(
    module: &Module<'ctx>,
    function: &Function,
) -> Result<PointerValue<'ctx>, Diagnostic> {
    let packed = module.get_function(&function.packed_name()).ok_or_else(|| {
        Diagnostic::error(format!("there is no packed wrapper of '{}' in the module", function.name))
    })?;
    Ok(packed.as_global_value().as_pointer_value())
}

fn build_call<'ctx>(
    builder: &Builder<'ctx>,
    callee: FunctionValue<'ctx>,
    function: &Function,
    wrapper: FunctionValue<'ctx>,
) -> Result<(), BuilderError> {
    let Function { signature, .. } = function;
    let parameters = callee.get_type().get_param_types();
    let slots = wrapper.get_nth_param(0).expect("the wrapper has a parameter").into_pointer_value();
    let context = callee.get_type().get_context();
    let pointer = context.ptr_type(AddressSpace::default());
    let mut types = parameters.into_iter().filter_map(|ty| BasicTypeEnum::try_from(ty).ok());
    let mut next_type = || types.next().expect("the function has the parameters of its signature");
    let mut arguments: Vec<BasicMetadataValueEnum<'ctx>> = Vec::new();

    for (index, argument) in signature.arguments.iter().enumerate() {
        let slot = slot(builder, slots, index)?;
        let place = builder.build_load(pointer, slot, "place")?.into_pointer_value();
        match argument {
            AbiType::Scalar(scalar) => {
                arguments.push(load(builder, next_type(), place, *scalar)?.into());
            }
            AbiType::Vector { element, .. } => {
                arguments.push(vector::load(builder, next_type(), place, *element)?.into());
            }
            AbiType::Object => {
                arguments.push(builder.build_load(next_type(), place, "argument")?.into());
            }
            AbiType::MemRef { .. } => {
                for field in 0..argument.parameters() {
                    let place = word(builder, place, field)?;
                    arguments.push(builder.build_load(next_type(), place, "field")?.into());
                }
            }
        }
    }

    let call = builder.build_call(callee, &arguments, "")?;
    if let Some(value) = call.try_as_basic_value().basic() {
        for (index, result) in signature.results.iter().enumerate() {
            let slot = slot(builder, slots, signature.arguments.len() + index)?;
            let place = builder.build_load(pointer, slot, "place")?.into_pointer_value();
            let part = match (signature.results.len(), value) {
                (1, value) => value,
                (_, BasicValueEnum::StructValue(several)) => {
                    builder.build_extract_value(several, index as u32, "part")?
                }
                (_, value) => value,
            };
            store(builder, part, place, result)?;
        }
    }
    builder.build_return(None)?;
    Ok(())
}

/// The body of a guard: stores its parameters, calls the packed wrapper on the large stack, and loads the results.
fn build_guard<'ctx>(
    module: &Module<'ctx>,
    builder: &Builder<'ctx>,
    function: &Function,
    guard: FunctionValue<'ctx>,
) -> Result<(), Diagnostic> {
    let Function { signature, .. } = function;
    let context = module.get_context();
    let pointer = context.ptr_type(AddressSpace::default());
    let count = signature.arguments.len() + signature.results.len();
    let slots_type = pointer.array_type(count.max(1) as u32);
    let slots = builder.build_alloca(slots_type, "slots").map_err(failed)?;
    let mut places = Vec::with_capacity(count);
    for (index, ty) in signature.arguments.iter().chain(&signature.results).enumerate() {
        let words = context.i64_type().array_type(ty.slot_size().div_ceil(8) as u32);
        let place = builder.build_alloca(words, "place").map_err(failed)?;
        let slot = slot(builder, slots, index).map_err(failed)?;
        builder.build_store(slot, place).map_err(failed)?;
        places.push(place);
    }
    let mut parameters = guard.get_param_iter();
    for (argument, &place) in signature.arguments.iter().zip(&places) {
        for (field, value) in parameters.by_ref().take(argument.parameters()).enumerate() {
            let place = word(builder, place, field).map_err(failed)?;
            store(builder, value, place, argument).map_err(failed)?;
        }
    }
    call_runtime(module, builder, function, slots.into())?;
    let places = &places[signature.arguments.len()..];
    let result = |ty, result: &AbiType, place| match result {
        AbiType::Scalar(scalar) => load(builder, ty, place, *scalar),
        AbiType::Vector { element, .. } => vector::load(builder, ty, place, *element),
        AbiType::Object | AbiType::MemRef { .. } => builder.build_load(ty, place, "result"),
    };
    match (guard.get_type().get_return_type(), &signature.results[..]) {
        (None, _) | (_, []) => builder.build_return(None).map_err(failed)?,
        (Some(ty), [only]) => {
            let value = result(ty, only, places[0]).map_err(failed)?;
            builder.build_return(Some(&value)).map_err(failed)?
        }
        (Some(ty), several) => {
            let ty = ty.into_struct_type();
            let mut all = ty.get_undef();
            for (index, (only, &place)) in several.iter().zip(places).enumerate() {
                let field = ty.get_field_type_at_index(index as u32).expect("a field for each result");
                let value = result(field, only, place).map_err(failed)?;
                let with = builder.build_insert_value(all, value, index as u32, "all").map_err(failed)?;
                all = with.into_struct_value();
            }
            builder.build_return(Some(&all)).map_err(failed)?
        }
    };
    Ok(())
}

fn slot<'ctx>(
    builder: &Builder<'ctx>,
    slots: PointerValue<'ctx>,
    index: usize,
) -> Result<PointerValue<'ctx>, BuilderError> {
    word(builder, slots, index)
}

/// The address of the `index`th 64-bit word at `base`.
fn word<'ctx>(
    builder: &Builder<'ctx>,
    base: PointerValue<'ctx>,
    index: usize,
) -> Result<PointerValue<'ctx>, BuilderError> {
    let i64 = base.get_type().get_context().i64_type();
    // SAFETY: the index is in bounds, since callers of the wrapper pass as many slots and fields as the signature
    // has.
    unsafe { builder.build_in_bounds_gep(i64, base, &[i64.const_int(index as u64, false)], "word") }
}

fn load<'ctx>(
    builder: &Builder<'ctx>,
    ty: BasicTypeEnum<'ctx>,
    place: PointerValue<'ctx>,
    scalar: Scalar,
) -> Result<BasicValueEnum<'ctx>, BuilderError> {
    if scalar != Scalar::I1 {
        let value = builder.build_load(ty, place, "argument")?;
        align(value.as_instruction_value(), scalar);
        return Ok(value);
    }
    let context = place.get_type().get_context();
    let byte = builder.build_load(context.i8_type(), place, "byte")?.into_int_value();
    Ok(builder.build_int_truncate(byte, context.bool_type(), "bit")?.into())
}

fn store<'ctx>(
    builder: &Builder<'ctx>,
    value: BasicValueEnum<'ctx>,
    place: PointerValue<'ctx>,
    ty: &AbiType,
) -> Result<(), BuilderError> {
    match ty {
        AbiType::Scalar(scalar) => store_scalar(builder, value, place, *scalar),
        AbiType::Vector { element, .. } => vector::store(builder, value, place, *element),
        AbiType::Object | AbiType::MemRef { .. } => builder.build_store(place, value).map(drop),
    }
}

fn store_scalar<'ctx>(
    builder: &Builder<'ctx>,
    value: BasicValueEnum<'ctx>,
    place: PointerValue<'ctx>,
    scalar: Scalar,
) -> Result<(), BuilderError> {
    let value = match (scalar, value) {
        (Scalar::I1, BasicValueEnum::IntValue(bit)) => {
            let byte = place.get_type().get_context().i8_type();
            builder.build_int_z_extend(bit, byte, "byte")?.into()
        }
        (_, value) => value,
    };
    align(Some(builder.build_store(place, value)?), scalar);
    Ok(())
}

/// Sets the alignment of an access to a slot: slots consist of 64-bit words.
fn align(access: Option<InstructionValue<'_>>, scalar: Scalar) {
    let size = scalar.size().min(8) as u32;
    if let Some(access) = access.filter(|_| matches!(scalar, Scalar::Int(_))) {
        access.set_alignment(size).expect("a power of two");
    }
}

/// Whether the type of the LLVM function matches the signature, in MLIR's calling convention.
fn check_signature(callee: FunctionValue<'_>, function: &Function) -> Result<(), Diagnostic> {
    let Function { name, signature, read_only: _ } = function;
    let expected: usize = signature.arguments.iter().map(AbiType::parameters).sum();
    let ty = callee.get_type();
    let found = ty.count_param_types() as usize;
    let results = match ty.get_return_type() {
        None => 0,
        Some(BasicTypeEnum::StructType(several)) if signature.results.len() > 1 => {
            several.count_fields() as usize
        }
        Some(_) => 1,
    };
    if found == expected && results == signature.results.len() && !ty.is_var_arg() {
        return Ok(());
    }
    Err(Diagnostic::error(format!(
        "function '{name}' has {found} machine arguments and {results} results, but its signature asks for \
         {expected} and {}",
        signature.results.len()
    )))
}
