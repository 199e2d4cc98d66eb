//! The target machine.

use crate::bfloat;
use crate::branch_weights::expect_calls;
use crate::error::llvm_error;
use crate::faults;
use crate::loops;
use crate::masked_stores;
use crate::recursion::{align_recursive, recursive, with_base_case};
use crate::subtarget::Subtarget;
use inkwell::OptimizationLevel;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::target_machine::LLVMTargetMachineRef;
use inkwell::module::Module;
use inkwell::targets::{CodeModel, RelocMode, TargetMachine};
use inkwell::values::FunctionValue;
use minoan_diag::Diagnostic;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::ffi::{CStr, c_uint};
use std::ptr;
use std::sync::Once;

unsafe extern "C" {
    fn minoan_optimize(
        module: LLVMModuleRef,
        machine: LLVMTargetMachineRef,
        level: c_uint,
        is_huge: bool,
        may_recur: bool,
        vectorizes: bool,
        unrolls: bool,
    );
}

/// The optimization level: the pipeline of LLVM's optimizer, and the level of its code generator.
///
/// Functions whose innermost loops compute on vectors, as those of kernels do, need no further transformation of loops: all levels
/// but [`OptLevel::O0`] run a short pipeline on them (`early-cse`, `licm`, `gvn`, `dse`, `instcombine`), in modules without
/// recursion whose loops do not call functions of the module.
///
/// The time of optimizer and code generator grows with the number of instructions, so large modules are optimized less. Above 20,000
/// instructions, no level unrolls loops. Above 200,000, all levels but [`OptLevel::O0`] run a pipeline that simplifies each
/// function (`sroa`, `early-cse`, `simplifycfg`, `instcombine`) and removes unused globals, without inlining and loop passes,
/// and the code generator at [`OptLevel::O1`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptLevel {
    /// `default<O0>`: only inlines functions that must be inlined; the fast instruction selector and register
    /// allocator.
    O0,
    /// `default<O1>`: passes that take little time, such as simplification, inlining and loop-invariant code motion. Loops are
    /// neither unrolled nor vectorized.
    O1,
    /// `default<O2>`: additionally global value numbering, jump threading, loop unrolling, and vectorization of loops and of
    /// straight-line code.
    O2,
    /// `default<O3>`: additionally argument promotion, and higher limits for inlining, unrolling and unswitching, which may
    /// increase the size of the code.
    #[default]
    O3,
}

impl OptLevel {
    fn codegen(self) -> OptimizationLevel {
        match self {
            OptLevel::O0 => OptimizationLevel::None,
            OptLevel::O1 => OptimizationLevel::Less,
            OptLevel::O2 => OptimizationLevel::Default,
            OptLevel::O3 => OptimizationLevel::Aggressive,
        }
    }
}

/// The target options; the default is the host with all its features, at [`OptLevel::O3`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TargetOptions {
    /// A processor by LLVM's name, such as `x86-64-v3`; `None` or `native` for the host.
    pub cpu: Option<String>,
    /// Additional features, such as `+avx2,-fma`; `None` for those of the processor.
    pub features: Option<String>,
    /// The optimization level.
    pub level: OptLevel,
}

/// Modules with more instructions than this are only cleaned up, function by function, and compiled by a code generator at
/// [`OptLevel::O1`], because the full pipeline takes about 50 microseconds an instruction on code with many loops: more than
/// ten seconds.
const HUGE: usize = 200_000;

/// In modules with more instructions than this, loops are not unrolled: a row of matrix products on 8 x 8 elements takes three
/// times as long if LLVM unrolls them completely.
const MANY: usize = 20_000;

/// The features of x86 whose conversions to `bf16` flush subnormal numbers to zero, which LLVM uses regardless. Without them
/// it converts by integer arithmetic.
const FLUSHING: &str = "-avx512bf16,-avxneconvert";

/// Prefixes of the x86 features whose instructions LLVM selects on its own. Other features only matter to intrinsics, and virtual
/// machines often hide them.
const CHOSEN: [&str; 18] = [
    "avx", "bmi", "ccmp", "cmov", "cx16", "egpr", "f16c", "fma", "gfni", "lzcnt", "movbe", "ndd", "nf",
    "popcnt", "sse", "ssse", "xop", "zu",
];

/// The number of missing features that a message names.
const NAMED: usize = 5;

/// A machine to compile for.
#[derive(Debug)]
pub struct Target {
    machine: TargetMachine,
    /// The same with a code generator that does less work, for huge modules.
    quick: OnceCell<TargetMachine>,
    cpu: String,
    features: String,
    level: OptLevel,
}

impl Target {
    /// Creates a target for the host architecture with the processor of `options`.
    ///
    /// # Errors
    /// If LLVM cannot compile for this machine, has no such processor or feature, or a feature is not written `+name`
    /// or `-name`.
    pub fn host(options: &TargetOptions) -> Result<Self, Diagnostic> {
        initialize()?;
        let TargetOptions { cpu, features, level } = options;
        let (cpu, default_features) = match cpu.as_deref() {
            None | Some("native") => (
                TargetMachine::get_host_cpu_name().to_string(),
                TargetMachine::get_host_cpu_features().to_string(),
            ),
            Some(cpu) => (cpu.to_owned(), String::new()),
        };
        let triple = TargetMachine::get_default_triple();
        let features = features.clone().unwrap_or_else(|| match triple.as_str().to_bytes() {
            [b'x', b'8', b'6', ..] if default_features.is_empty() => FLUSHING.to_owned(),
            [b'x', b'8', b'6', ..] => format!("{default_features},{FLUSHING}"),
            _ => default_features,
        });
        // LLVM aborts for an unknown processor and ignores an unknown feature.
        let named = options.cpu.as_deref().filter(|&cpu| cpu != "native");
        let given = options.features.as_deref().unwrap_or_default();
        Subtarget::of(triple.as_str()).check(triple.as_str(), named, given)?;
        let machine = machine(&cpu, &features, *level)?;
        Ok(Self { machine, quick: OnceCell::new(), cpu, features, level: *level })
    }

    /// The machine for huge modules.
    fn quick(&self) -> &TargetMachine {
        let level = if self.level == OptLevel::O0 { OptLevel::O0 } else { OptLevel::O1 };
        self.quick.get_or_init(|| {
            machine(&self.cpu, &self.features, level).expect("there is a machine for this processor")
        })
    }

    /// The name of the processor.
    pub fn cpu(&self) -> &str {
        &self.cpu
    }

    /// The features, as `+avx2,-fma`.
    pub fn features(&self) -> &str {
        &self.features
    }

    /// Checks that this machine can run the code of this target.
    ///
    /// # Errors
    /// It lacks instructions that LLVM may choose.
    pub fn check_runs_here(&self) -> Result<(), Diagnostic> {
        let triple = self.machine.get_triple();
        let here = TargetMachine::get_host_cpu_features().to_string();
        let absent: Vec<&str> = here.split(',').filter_map(|feature| feature.strip_prefix('-')).collect();
        let is_x86 = triple.as_str().to_bytes().starts_with(b"x86");
        let is_chosen = |feature: &str| !is_x86 || CHOSEN.iter().any(|prefix| feature.starts_with(prefix));
        let mut missing = Subtarget::features_of(triple.as_str(), &self.cpu, &self.features);
        missing.retain(|feature| absent.contains(&feature.as_str()) && is_chosen(feature));
        if missing.is_empty() {
            return Ok(());
        }
        let (named, more) = (missing.len().min(NAMED), missing.len().saturating_sub(NAMED));
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let (cpu, missing) = (&self.cpu, missing[..named].join(", "));
        let message =
            format!("this machine cannot run code for the processor '{cpu}': it lacks {missing}{more}");
        Err(Diagnostic::error(message).help("'native' is the processor of this machine"))
    }

    /// Checks that vectors may be scalable; LLVM aborts otherwise.
    ///
    /// # Errors
    /// The processor has no registers of such a size.
    pub fn check_scalable_vectors(&self) -> Result<(), Diagnostic> {
        let triple = self.triple();
        let arch = triple.split('-').next().unwrap_or_default().replace("x86_64", "x86-64");
        let feature = match arch.as_str() {
            "aarch64" | "arm64" => Some("sve"),
            "riscv32" | "riscv64" => Some("v"),
            _ => None,
        };
        let features = Subtarget::features_of(self.machine.get_triple().as_str(), &self.cpu, &self.features);
        let message = match feature {
            Some(needed) if features.iter().any(|feature| feature == needed) => return Ok(()),
            Some(needed) => {
                format!("scalable vectors cannot be compiled for {arch} without the feature '{needed}'")
            }
            None => format!("scalable vectors cannot be compiled for {arch}"),
        };
        Err(Diagnostic::error(message))
    }

    /// The target triple, such as `x86_64-pc-linux-gnu`.
    pub fn triple(&self) -> String {
        self.machine.get_triple().as_str().to_string_lossy().into_owned()
    }

    /// Verifies the module, adapts it to this target, and optimizes it.
    ///
    /// Every function has the processor and its features as attributes, and stack probes, so that the guard below
    /// the stack is never skipped. Estimates of reciprocals are disabled: those of `rsqrtps` are exact to 12 bits, differ
    /// between processors, and are off by more than 2 ulp after one step of Newton's method. Functions that MLIR's lowering
    /// calls, such as `puts` and `printF32`, are replaced by the runtime's.
    ///
    /// # Errors
    /// The errors of LLVM's verifier.
    pub fn optimize(&self, module: &Module<'_>) -> Result<(), Diagnostic> {
        module.verify().map_err(|error| llvm_error("invalid LLVM IR", error))?;
        self.set_target(module);
        use_runtime(module);
        faults::join_calls(module, &self.machine)?;
        mark_no_return(module);
        annotate_allocators(module);
        self.add_function_attributes(module);
        let recursive = recursive(module);
        disable_tail_calls(module, &recursive);
        bfloat::expand(module);
        loops::limit_unrolling(module);
        let is_huge = has_more_than(module, HUGE) && self.level != OptLevel::O0;
        let machine = if is_huge { self.quick() } else { &self.machine };
        let vectorizes = matches!(self.level, OptLevel::O2 | OptLevel::O3);
        let unrolls = vectorizes && !has_more_than(module, MANY);
        // SAFETY: the module and the machine are alive.
        unsafe {
            minoan_optimize(
                module.as_mut_ptr(),
                machine.as_mut_ptr(),
                self.level as c_uint,
                is_huge,
                !recursive.is_empty(),
                vectorizes,
                unrolls,
            );
        }
        // Loads whose values were arguments of functions that are inlined.
        bfloat::expand(module);
        masked_stores::scalarize(module);
        expect_calls(module);
        align_recursive(module);
        Ok(())
    }

    /// The machine that generates code for a module.
    pub(crate) fn machine_for(&self, module: &Module<'_>) -> &TargetMachine {
        if has_more_than(module, HUGE) { self.quick() } else { &self.machine }
    }

    fn set_target(&self, module: &Module<'_>) {
        module.set_triple(&self.machine.get_triple());
        module.set_data_layout(&self.machine.get_target_data().get_data_layout());
    }

    /// Adds the processor, its features and stack probes to the defined functions.
    fn add_function_attributes(&self, module: &Module<'_>) {
        let context = module.get_context();
        let attributes = [
            context.create_string_attribute("target-cpu", &self.cpu),
            context.create_string_attribute("target-features", &self.features),
            context.create_string_attribute("probe-stack", "inline-asm"),
            context.create_string_attribute("reciprocal-estimates", "none"),
        ];
        for function in module.get_functions().filter(is_defined) {
            for attribute in attributes {
                function.add_attribute(AttributeLoc::Function, attribute);
            }
        }
    }
}

/// LLVM's machine for a processor of the host's architecture.
fn machine(cpu: &str, features: &str, level: OptLevel) -> Result<TargetMachine, Diagnostic> {
    let triple = TargetMachine::get_default_triple();
    let target = inkwell::targets::Target::from_triple(&triple)
        .map_err(|error| llvm_error("no code generator for this machine", error))?;
    let (reloc, model) = (RelocMode::PIC, CodeModel::Default);
    target.create_target_machine(&triple, cpu, features, level.codegen(), reloc, model).ok_or_else(|| {
        let triple = triple.as_str().to_string_lossy();
        Diagnostic::error(format!("LLVM has no processor '{cpu}' for {triple}"))
    })
}

/// The functions that MLIR's lowering of `cf.assert` and `vector.print` calls, and those of the runtime.
const RUNTIME: [(&str, &str); 13] = [
    ("abort", "minoan_abort"),
    ("puts", "minoan_assert_message"),
    ("printBF16", "minoan_print_bf16"),
    ("printClose", "minoan_print_close"),
    ("printComma", "minoan_print_comma"),
    ("printF16", "minoan_print_f16"),
    ("printF32", "minoan_print_f32"),
    ("printF64", "minoan_print_f64"),
    ("printI64", "minoan_print_i64"),
    ("printNewline", "minoan_print_newline"),
    ("printOpen", "minoan_print_open"),
    ("printString", "minoan_print_c_str"),
    ("printU64", "minoan_print_u64"),
];

/// Calls the runtime instead of the functions that MLIR's lowering declares, unless the module defines them.
fn use_runtime(module: &Module<'_>) {
    for (name, ours) in RUNTIME {
        let Some(function) = module.get_function(name).filter(|function| !is_defined(function)) else {
            continue;
        };
        match module.get_function(ours) {
            None => function.as_global_value().set_name(ours),
            Some(declared) => function.replace_all_uses_with(declared),
        }
    }
}

/// Declares that functions of the runtime that report a fault do not return.
fn mark_no_return(module: &Module<'_>) {
    let no_return = enum_attribute(module, "noreturn");
    for name in ["minoan_abort", "minoan_assert_fail", "minoan_assert_fail_values"] {
        if let Some(function) = module.get_function(name).filter(|function| !is_defined(function)) {
            function.add_attribute(AttributeLoc::Function, no_return);
        }
    }
}

/// Declares that new storage does not alias other memory: LLVM knows this about `malloc`, not about the runtime's allocator.
fn annotate_allocators(module: &Module<'_>) {
    let no_alias = enum_attribute(module, "noalias");
    for name in ["_mlir_memref_to_llvm_alloc", "_mlir_memref_to_llvm_aligned_alloc"] {
        if let Some(function) = module.get_function(name) {
            function.add_attribute(AttributeLoc::Return, no_alias);
        }
    }
}

/// Excludes tail calls from functions without recursion that ends: endless recursion must exhaust the stack.
fn disable_tail_calls(module: &Module<'_>, recursive: &HashSet<String>) {
    let tail_calls: HashSet<FunctionValue<'_>> = with_base_case(module, recursive).into_iter().collect();
    let no_tail_calls = module.get_context().create_string_attribute("disable-tail-calls", "true");
    for function in module.get_functions().filter(|function| is_defined(function)) {
        if !tail_calls.contains(&function) {
            function.add_attribute(AttributeLoc::Function, no_tail_calls);
        }
    }
}

fn enum_attribute(module: &Module<'_>, name: &str) -> Attribute {
    module.get_context().create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0)
}

fn is_defined(function: &FunctionValue<'_>) -> bool {
    function.count_basic_blocks() > 0
}

/// Whether a module has more than `most` instructions.
fn has_more_than(module: &Module<'_>, most: usize) -> bool {
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    blocks.flat_map(|block| block.get_instructions()).nth(most).is_some()
}

/// Lets LLVM's schedulers compare no more than this number of accesses to memory with each other. By default they do so for
/// 1,000, and a function with 200 array results, which stores 1,000 words, takes seconds to schedule.
const LARGE_REGIONS: &CStr = c"-dag-maps-huge-region=200";

/// Lets LLVM's selector of instructions simplify no more than this number of chains of memory accesses at once; by default,
/// 2,048.
const FEW_CHAINS: &CStr = c"-combiner-tokenfactor-inline-limit=64";

/// Keeps LLVM from looking for checksums in loops: its search follows both operands of each operation without remembering what
/// it has seen, and does not end for an unrolled chain of 30 comparisons and selections, such as that of an `argmax`.
const NO_CHECKSUMS: &CStr = c"-disable-loop-idiom-hashrecognize";

/// Makes the code generator of this machine known to LLVM, once, and sets its options.
pub(crate) fn initialize() -> Result<(), Diagnostic> {
    static INITIALIZED: Once = Once::new();
    INITIALIZED.call_once(|| {
        // `inkwell::targets::Target` would link the disassembler too, whose tables have 3 MB.
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        // SAFETY: the functions may be called at any time, and `Once` keeps threads from calling them at once.
        unsafe {
            use inkwell::llvm_sys::target::*;
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
            LLVMInitializeX86AsmParser();
            LLVMInitializeX86AsmPrinter();
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: as above.
        unsafe {
            use inkwell::llvm_sys::target::*;
            LLVMInitializeAArch64TargetInfo();
            LLVMInitializeAArch64Target();
            LLVMInitializeAArch64TargetMC();
            LLVMInitializeAArch64AsmParser();
            LLVMInitializeAArch64AsmPrinter();
        }
        let options = [c"minoan", LARGE_REGIONS, FEW_CHAINS, NO_CHECKSUMS].map(CStr::as_ptr);
        // SAFETY: the options are C strings, LLVM copies what it needs of them, and `Once` keeps threads from parsing at once.
        unsafe {
            let count = options.len() as i32;
            inkwell::llvm_sys::support::LLVMParseCommandLineOptions(count, options.as_ptr(), ptr::null());
        }
    });
    if cfg!(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")) {
        Ok(())
    } else {
        Err(Diagnostic::error("no code generator for this machine"))
    }
}

#[cfg(test)]
mod tests;
