//! Functions whose calls may nest without bound.

use crate::loops::successors;
use inkwell::basic_block::BasicBlock;
use inkwell::module::Module;
use inkwell::values::{BasicValueEnum, FunctionValue, InstructionOpcode, InstructionValue};
use std::collections::{HashMap, HashSet};

/// The names of the defined functions from which calls lead to a cycle of calls, or through a pointer. Takes linear time.
pub fn recursive(module: &Module<'_>) -> HashSet<String> {
    let defined: Vec<FunctionValue<'_>> =
        module.get_functions().filter(|function| function.count_basic_blocks() > 0).collect();
    let numbers: HashMap<FunctionValue<'_>, usize> = defined.iter().copied().zip(0..).collect();
    let by_name: HashMap<String, usize> =
        defined.iter().zip(0..).map(|(function, number)| (name_of(*function), number)).collect();
    // Functions that cannot reach a cycle are removed, those without calls first; the others are left.
    let mut callers = vec![Vec::new(); defined.len()];
    let mut callees = vec![0usize; defined.len()];
    for function in &defined {
        let number = numbers[function];
        let instructions = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
        for call in instructions.filter(|it| it.get_opcode() == InstructionOpcode::Call) {
            match callee(call) {
                Some(name) => {
                    if let Some(&callee) = by_name.get(&name) {
                        callers[callee].push(number);
                        callees[number] += 1;
                    }
                }
                // An indirect call may reach any function, so its caller always counts as recursive.
                None => callees[number] += 1,
            }
        }
    }
    let mut ready: Vec<usize> = (0..defined.len()).filter(|&number| callees[number] == 0).collect();
    let mut removed = vec![false; defined.len()];
    while let Some(number) = ready.pop() {
        removed[number] = true;
        for &caller in &callers[number] {
            callees[caller] -= 1;
            if callees[caller] == 0 {
                ready.push(caller);
            }
        }
    }
    defined.into_iter().zip(removed).filter(|(_, removed)| !removed).map(|(it, _)| name_of(it)).collect()
}

/// The functions among the `recursive` ones that can return without a call of one: their tail calls can become jumps. Any other
/// recursion is endless, and must exhaust the stack instead of becoming an infinite loop. Takes linear time.
pub(crate) fn with_base_case<'ctx>(
    module: &Module<'ctx>,
    recursive: &HashSet<String>,
) -> Vec<FunctionValue<'ctx>> {
    let defined = module.get_functions().filter(|it| recursive.contains(&name_of(*it)));
    defined.filter(|function| returns_directly(*function, recursive)).collect()
}

/// Whether a path through a function reaches a return without a call of a recursive function.
fn returns_directly(function: FunctionValue<'_>, recursive: &HashSet<String>) -> bool {
    let recurs = |it: InstructionValue<'_>| {
        it.get_opcode() == InstructionOpcode::Call && callee(it).is_none_or(|name| recursive.contains(&name))
    };
    let mut pending: Vec<BasicBlock<'_>> = function.get_first_basic_block().into_iter().collect();
    let mut seen: HashSet<BasicBlock<'_>> = pending.iter().copied().collect();
    while let Some(block) = pending.pop() {
        if block.get_instructions().any(recurs) {
            continue;
        }
        let Some(end) = block.get_terminator() else { continue };
        if end.get_opcode() == InstructionOpcode::Return {
            return true;
        }
        pending.extend(successors(end).filter(|&successor| seen.insert(successor)));
    }
    false
}

/// The bytes of a line of the instruction cache.
const CACHE_LINE: u32 = 64;

/// Lets functions that call themselves start at a cache line. If a small one crosses a line, each of its calls fetches two: at an
/// offset of 16 bytes, Ackermann's function takes 1.2 times as long on Zen 4.
pub(crate) fn align_recursive(module: &Module<'_>) {
    for function in module.get_functions() {
        let own = name_of(function);
        let mut instructions = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
        if instructions.any(|it| {
            it.get_opcode() == InstructionOpcode::Call && callee(it).is_some_and(|name| name == own)
        }) {
            function.as_global_value().set_alignment(CACHE_LINE);
        }
    }
}

pub(crate) fn name_of(function: FunctionValue<'_>) -> String {
    function.get_name().to_string_lossy().into_owned()
}

/// The name of the called function, or of the body of a parallel loop, which the runtime calls; `None` for a call through a
/// pointer. Inline assembly has an empty name.
pub(crate) fn callee(call: InstructionValue<'_>) -> Option<String> {
    let last = call.get_num_operands().checked_sub(1)?;
    let callee = call.get_operand(last)?.value()?;
    let BasicValueEnum::PointerValue(mut pointer) = callee else { return None };
    if pointer.get_name().to_bytes() == b"minoan_parallel"
        && let BasicValueEnum::PointerValue(body) = call.get_operand(0)?.value()?
    {
        pointer = body;
    }
    let name = pointer.get_name().to_string_lossy().into_owned();
    pointer.is_const().then_some(name)
}
