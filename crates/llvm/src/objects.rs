//! Small objects without calls.
//!
//! The runtime keeps freed objects in lists by size. Compiled code takes the first object of a list, and returns objects to it;
//! it calls the runtime only if the list is empty. The lists belong to a thread: a function queries them once, for any number of
//! objects that it creates.

use crate::error::llvm_error;
use crate::recursion::{callee, name_of};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::ContextRef;
use inkwell::module::{Linkage, Module};
use inkwell::types::IntType;
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue, BasicValueEnum, FunctionValue, InstructionOpcode, InstructionValue,
    IntValue, PointerValue,
};
use inkwell::{AddressSpace, IntPredicate};
use minoan_diag::Diagnostic;
use minoan_runtime::{FREED_HEADER, HEADER_POINTERS, HEADER_SLOTS, HEADER_TAG, HEAP_ALIVE, MAX_SMALL_WORDS};

/// The bytes of a word: of a header, and of the link to the next freed object after it.
const WORD: u64 = 8;

/// The most calls in one function that are inlined: thousands of branches in one function take LLVM seconds.
const MANY: usize = 64;

/// Replaces the functions of the runtime that create and free small objects by functions of the module, which are inlined, unless
/// one function calls them [many](MANY) times.
///
/// # Errors
/// LLVM refuses to create an instruction.
pub fn inline_objects(module: &Module<'_>) -> Result<(), Diagnostic> {
    let replaced = replace(module, "minoan_object", object)
        .and_then(|()| replace(module, "minoan_object_memory", memory))
        .and_then(|()| replace(module, "minoan_object_free_memory", free_memory));
    replaced.map_err(|error| llvm_error("cannot create objects", error))
}

/// Creates the body of a function from its parameters; the last argument is the declared one.
type Define<'ctx> =
    fn(&Inline<'ctx>, &[BasicValueEnum<'ctx>], FunctionValue<'ctx>) -> Result<(), BuilderError>;

/// Replaces a declared function. `define` creates the body of its replacement, which may call it.
fn replace<'ctx>(module: &Module<'ctx>, name: &str, define: Define<'ctx>) -> Result<(), BuilderError> {
    let declared = module.get_function(name).filter(|function| function.count_basic_blocks() == 0);
    let Some(declared) = declared else { return Ok(()) };
    let context = module.get_context();
    let mut made = Vec::new();
    for (suffix, attribute) in [("inline", "alwaysinline"), ("shared", "noinline")] {
        let function =
            module.add_function(&format!("{name}.{suffix}"), declared.get_type(), Some(Linkage::Internal));
        function.add_attribute(AttributeLoc::Function, attribute_of(&context, attribute));
        made.push(function);
    }
    declared.replace_all_uses_with(made[0]);
    share_many(module, made[0], made[1]);

    let pointer = context.ptr_type(AddressSpace::default());
    let heap = module.get_function("minoan_heap").unwrap_or_else(|| {
        let heap = module.add_function("minoan_heap", pointer.fn_type(&[], false), None);
        // The result is the same throughout a function, so calls of it are moved out of loops and merged.
        for name in ["memory", "nounwind", "speculatable", "willreturn"] {
            heap.add_attribute(AttributeLoc::Function, attribute_of(&context, name));
        }
        heap
    });
    for function in made {
        let builder = context.create_builder();
        builder.position_at_end(context.append_basic_block(function, ""));
        let inline = Inline { builder, i64: context.i64_type(), function, heap };
        define(&inline, &inline.function.get_params(), declared)?;
    }
    Ok(())
}

fn attribute_of(context: &ContextRef<'_>, name: &str) -> Attribute {
    context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0)
}

/// Lets functions with many calls of `inline` call `shared` instead.
fn share_many<'ctx>(module: &Module<'ctx>, inline: FunctionValue<'ctx>, shared: FunctionValue<'ctx>) {
    let name = name_of(inline);
    for function in module.get_functions() {
        let instructions = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
        let is_call = |it: &InstructionValue<'_>| {
            it.get_opcode() == InstructionOpcode::Call && callee(*it).is_some_and(|callee| callee == name)
        };
        let calls: Vec<InstructionValue<'_>> = instructions.filter(is_call).collect();
        if calls.len() > MANY {
            let shared = shared.as_global_value().as_pointer_value();
            for call in calls {
                call.set_operand(call.get_num_operands() - 1, shared);
            }
        }
    }
}

/// The state of the creation of a function.
struct Inline<'ctx> {
    builder: Builder<'ctx>,
    i64: IntType<'ctx>,
    function: FunctionValue<'ctx>,
    /// The function that returns the heap of a thread.
    heap: FunctionValue<'ctx>,
}

impl<'ctx> Inline<'ctx> {
    fn number(&self, number: u64) -> IntValue<'ctx> {
        self.i64.const_int(number, false)
    }

    /// The address `bytes` after `base`.
    fn behind(
        &self,
        base: PointerValue<'ctx>,
        bytes: IntValue<'ctx>,
    ) -> Result<PointerValue<'ctx>, BuilderError> {
        let i8 = self.function.get_type().get_context().i8_type();
        // SAFETY: the heap has this field, and an object a second word.
        unsafe { self.builder.build_in_bounds_gep(i8, base, &[bytes], "") }
    }

    /// The heap, and its list of freed objects of a size in words.
    fn list(&self, words: IntValue<'ctx>) -> Result<(PointerValue<'ctx>, PointerValue<'ctx>), BuilderError> {
        let heap = self.builder.build_call(self.heap, &[], "heap")?.try_as_basic_value().unwrap_basic();
        let heap = heap.into_pointer_value();
        let place = self.builder.build_int_mul(words, self.number(WORD), "")?;
        Ok((heap, self.behind(heap, place)?))
    }

    /// Adds to the number of live objects.
    fn count(&self, heap: PointerValue<'ctx>, change: i64) -> Result<(), BuilderError> {
        let place = self.behind(heap, self.number(HEAP_ALIVE as u64))?;
        let alive = self.builder.build_load(self.i64, place, "alive")?.into_int_value();
        let changed = self.builder.build_int_add(alive, self.number(change.cast_unsigned()), "")?;
        self.builder.build_store(place, changed)?;
        Ok(())
    }

    /// Returns a freed object of a size in words, with a header if given; calls `declared` if the list is empty.
    fn take(
        &self,
        words: IntValue<'ctx>,
        header: Option<IntValue<'ctx>>,
        declared: FunctionValue<'ctx>,
    ) -> Result<(), BuilderError> {
        let builder = &self.builder;
        let context = self.function.get_type().get_context();
        let [small, take, call] =
            ["small", "take", "call"].map(|name| context.append_basic_block(self.function, name));
        let most = self.number(MAX_SMALL_WORDS as u64);
        let is_small = builder.build_int_compare(IntPredicate::ULE, words, most, "")?;
        builder.build_conditional_branch(is_small, small, call)?;

        builder.position_at_end(small);
        let (heap, list) = self.list(words)?;
        let pointer = context.ptr_type(AddressSpace::default());
        let first = builder.build_load(pointer, list, "first")?.into_pointer_value();
        let is_empty = builder.build_is_null(first, "")?;
        builder.build_conditional_branch(is_empty, call, take)?;

        builder.position_at_end(take);
        let link = self.behind(first, self.number(WORD))?;
        let next = builder.build_load(pointer, link, "next")?;
        builder.build_store(list, next)?;
        self.count(heap, 1)?;
        if let Some(header) = header {
            builder.build_store(first, header)?;
        }
        builder.build_return(Some(&first))?;

        builder.position_at_end(call);
        let given: Vec<BasicMetadataValueEnum<'ctx>> =
            self.function.get_params().into_iter().map(Into::into).collect();
        let made = builder.build_call(declared, &given, "")?.try_as_basic_value().unwrap_basic();
        builder.build_return(Some(&made as &dyn BasicValue<'ctx>))?;
        Ok(())
    }
}

/// `minoan_object(slots, pointers, tag)`.
fn object<'ctx>(
    inline: &Inline<'ctx>,
    params: &[BasicValueEnum<'ctx>],
    declared: FunctionValue<'ctx>,
) -> Result<(), BuilderError> {
    let builder = &inline.builder;
    let [slots, pointers, tag] = [0, 1, 2].map(|at| params[at].into_int_value());
    // A header and at least one slot.
    let is_empty = builder.build_int_compare(IntPredicate::EQ, slots, inline.number(0), "")?;
    let is_empty = builder.build_int_z_extend(is_empty, inline.i64, "")?;
    let words = builder.build_int_add(slots, inline.number(1), "")?;
    let words = builder.build_int_add(words, is_empty, "")?;
    let mut header = inline.number(1);
    for (field, at) in [(tag, HEADER_TAG), (pointers, HEADER_POINTERS), (slots, HEADER_SLOTS)] {
        let field = builder.build_left_shift(field, inline.number(at as u64), "")?;
        header = builder.build_or(header, field, "")?;
    }
    inline.take(words, Some(header), declared)
}

/// `minoan_object_memory(words)`.
fn memory<'ctx>(
    inline: &Inline<'ctx>,
    params: &[BasicValueEnum<'ctx>],
    declared: FunctionValue<'ctx>,
) -> Result<(), BuilderError> {
    inline.take(params[0].into_int_value(), None, declared)
}

/// `minoan_object_free_memory(memory, words)`.
fn free_memory<'ctx>(
    inline: &Inline<'ctx>,
    params: &[BasicValueEnum<'ctx>],
    _: FunctionValue<'ctx>,
) -> Result<(), BuilderError> {
    let builder = &inline.builder;
    let (object, words) = (params[0].into_pointer_value(), params[1].into_int_value());
    let (heap, list) = inline.list(words)?;
    inline.count(heap, -1)?;
    // All words but the header.
    let slots = builder.build_int_sub(words, inline.number(1), "")?;
    let slots = builder.build_left_shift(slots, inline.number(HEADER_SLOTS as u64), "")?;
    let header = builder.build_or(slots, inline.number(FREED_HEADER), "")?;
    builder.build_store(object, header)?;
    let pointer = inline.function.get_type().get_context().ptr_type(AddressSpace::default());
    let first = builder.build_load(pointer, list, "first")?;
    let link = inline.behind(object, inline.number(WORD))?;
    builder.build_store(link, first)?;
    builder.build_store(list, object)?;
    builder.build_return(None)?;
    Ok(())
}
