//! Wrappers of functions that write array results to memory of the caller.

use super::{add_alias, failed, layout_of, packed_wrapper, slot};
use crate::{AbiType, Function};
use inkwell::AddressSpace;
use inkwell::builder::BuilderError;
use inkwell::module::Module;
use inkwell::types::BasicType;
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum};
use minoan_diag::Diagnostic;

/// Adds `int32_t minoan_into_<name>(void **slots, char *message, int64_t size)`. The slots are those of the arguments and of
/// the results of the function `name`, as for `minoan_try_<name>`, but the slot of an array result has the descriptor of its
/// destination. `copy` is the copy of the function whose last arguments are destinations, and its packed wrapper must exist.
/// Returns the symbol.
///
/// # Errors
/// The packed wrapper is missing.
pub fn add_into(module: &Module<'_>, copy: &Function, name: &str) -> Result<String, Diagnostic> {
    let symbol = format!("minoan_into_{name}");
    let packed = packed_wrapper(module, copy)?;
    let layout = layout_of(module, copy, &symbol);
    let build = || -> Result<(), BuilderError> {
        let context = module.get_context();
        let (pointer, i32, i64) =
            (context.ptr_type(AddressSpace::default()), context.i32_type(), context.i64_type());
        let wrapper_type = i32.fn_type(&[pointer.into(), pointer.into(), i64.into()], false);
        let wrapper = module.add_function(&symbol, wrapper_type, None);
        let builder = context.create_builder();
        builder.position_at_end(context.append_basic_block(wrapper, ""));
        let mut parameters = wrapper.get_param_iter();
        let Some(BasicValueEnum::PointerValue(outer)) = parameters.next() else { return Ok(()) };

        let (arguments, results) = (&copy.signature.arguments, &copy.signature.results);
        let is_array = |ty: &AbiType| matches!(ty, AbiType::MemRef { .. });
        let first = arguments.len() - results.iter().filter(|ty| is_array(ty)).count();
        let count = arguments.len() + results.len();
        let words = |words: usize, name: &str| {
            builder.build_alloca(i64.array_type(words as u32).as_basic_type_enum(), name)
        };
        let inner = words(count, "slots")?;
        let work = words(2 * count, "work")?;
        let given = |at: usize| builder.build_load(pointer, slot(&builder, outer, at)?, "place");
        for at in 0..first {
            builder.build_store(slot(&builder, inner, at)?, given(at)?)?;
        }
        let mut destination = first;
        for (at, result) in results.iter().enumerate() {
            let place = given(first + at)?;
            let mut storage = place;
            if is_array(result) {
                builder.build_store(slot(&builder, inner, destination)?, place)?;
                destination += 1;
                storage = words(result.slot_size().div_ceil(8), "result")?.into();
            }
            builder.build_store(slot(&builder, inner, arguments.len() + at)?, storage)?;
        }

        let runtime = module.get_function("minoan_try_into").unwrap_or_else(|| {
            let parameters = [pointer.into(); 5].into_iter().chain([i64.into()]).collect::<Vec<_>>();
            module.add_function("minoan_try_into", i32.fn_type(&parameters, false), None)
        });
        let mut passed: Vec<BasicMetadataValueEnum<'_>> =
            vec![packed.into(), inner.into(), layout.into(), work.into()];
        passed.extend(parameters.map(BasicMetadataValueEnum::from));
        let code = builder.build_call(runtime, &passed, "code")?;
        builder.build_return(code.try_as_basic_value().basic().as_ref().map(|code| code as _))?;
        Ok(())
    };
    build().map_err(failed)?;
    Ok(symbol)
}

/// Adds `minoan_call_into_<prefix><name>`, the same function as `minoan_into_<name>`, which must exist. Returns the symbol.
///
/// # Errors
/// The function is missing.
pub fn add_into_call(module: &Module<'_>, name: &str, prefix: &str) -> Result<String, Diagnostic> {
    add_alias(module, format!("minoan_call_into_{prefix}{name}"), format!("minoan_into_{name}"))
}
