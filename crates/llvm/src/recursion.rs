//! Functions whose calls may nest without bound.

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
                // One too many, so that it is never removed.
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

fn name_of(function: FunctionValue<'_>) -> String {
    function.get_name().to_string_lossy().into_owned()
}

/// The name of the called function, or of the body of a parallel loop, which the runtime calls; `None` for a call through a
/// pointer. Inline assembly has an empty name.
fn callee(call: InstructionValue<'_>) -> Option<String> {
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
