//! The processors and features that LLVM knows for a target.

use inkwell::targets::TargetMachine;
use minoan_diag::{Diagnostic, nearest};
use std::ffi::{CStr, CString, c_char, c_void};

unsafe extern "C" {
    fn minoan_subtarget_names(
        triple: *const c_char,
        visit: extern "C" fn(*mut c_void, bool, *const c_char),
        context: *mut c_void,
    );
    fn minoan_subtarget_features(
        triple: *const c_char,
        cpu: *const c_char,
        features: *const c_char,
        visit: extern "C" fn(*mut c_void, bool, *const c_char),
        context: *mut c_void,
    );
    fn minoan_subtarget_runs(triple: *const c_char, cpu: *const c_char) -> bool;
    fn minoan_is_library_function(triple: *const c_char, name: *const c_char) -> bool;
}

/// The prefix of the symbols of functions that are not defined under their own names.
const RENAMED: &str = "minoan_fn_";

/// The symbol under which a function of a program is defined: its name, unless that is the name of a function of the C
/// library, which other code would then call by mistake, of the runtime, or of a C program's `main`.
///
/// ```
/// assert_eq!(minoan_llvm::symbol_of("dot"), "dot");
/// assert_eq!(minoan_llvm::symbol_of("expm1"), "minoan_fn_expm1");
/// ```
pub fn symbol_of(name: &str) -> String {
    let is_reserved = name == "main"
        || ["minoan_", "_mlir_", "__"].iter().any(|prefix| name.starts_with(prefix))
        || is_library_function(name);
    if is_reserved { format!("{RENAMED}{name}") } else { name.to_owned() }
}

fn is_library_function(name: &str) -> bool {
    let (triple, Ok(name)) = (TargetMachine::get_default_triple(), CString::new(name)) else { return false };
    // SAFETY: both are C strings.
    unsafe { minoan_is_library_function(triple.as_str().as_ptr(), name.as_ptr()) }
}

/// Adds a name to a [`Subtarget`].
extern "C" fn visit(context: *mut c_void, is_cpu: bool, name: *const c_char) {
    // SAFETY: the callers in this file pass a `Subtarget`, and the name is a C string of LLVM's tables.
    let (names, name) = unsafe { (&mut *context.cast::<Subtarget>(), CStr::from_ptr(name)) };
    let list = if is_cpu { &mut names.cpus } else { &mut names.features };
    list.push(name.to_string_lossy().into_owned());
}

/// Names of processors and features, in LLVM's order.
#[derive(Default)]
pub(crate) struct Subtarget {
    pub cpus: Vec<String>,
    pub features: Vec<String>,
}

impl Subtarget {
    /// The names for a triple whose code generator is initialized.
    pub fn of(triple: &CStr) -> Self {
        let mut names = Subtarget::default();
        // SAFETY: the triple is a C string, and `visit` is called with the context that it expects, during the call.
        unsafe { minoan_subtarget_names(triple.as_ptr(), visit, (&raw mut names).cast()) };
        names
    }

    /// The features of a processor with changes such as `+avx2,-fma`.
    pub fn features_of(triple: &CStr, cpu: &str, changes: &str) -> Vec<String> {
        let (Ok(cpu), Ok(changes)) = (CString::new(cpu), CString::new(changes)) else { return Vec::new() };
        let mut names = Subtarget::default();
        let context = (&raw mut names).cast();
        // SAFETY: these are C strings, and `visit` is called with the context that it expects, during the call.
        unsafe {
            minoan_subtarget_features(triple.as_ptr(), cpu.as_ptr(), changes.as_ptr(), visit, context);
        }
        names.features
    }

    /// Checks a processor and a list of features such as `+avx2,-fma`.
    ///
    /// # Errors
    /// LLVM does not know a name, or a feature has no sign.
    pub fn check(&self, triple: &CStr, cpu: Option<&str>, features: &str) -> Result<(), Diagnostic> {
        let name = triple.to_string_lossy();
        if let Some(cpu) = cpu {
            self.check_cpu(triple, cpu)?;
        }
        self.check_features(&name, features)
    }

    fn check_cpu(&self, triple: &CStr, cpu: &str) -> Result<(), Diagnostic> {
        let name = triple.to_string_lossy();
        if !self.cpus.is_empty() && !self.cpus.iter().any(|known| known == cpu) {
            let error = Diagnostic::error(format!("LLVM has no processor '{cpu}' for {name}"));
            let near = nearest(cpu, self.cpus.iter().map(String::as_str));
            return Err(match near {
                Some(_) => error.did_you_mean(near),
                None => error.help("'native' is the processor of this machine"),
            });
        }
        let text = CString::new(cpu).unwrap_or_default();
        // SAFETY: both are C strings, and LLVM knows the processor.
        if unsafe { minoan_subtarget_runs(triple.as_ptr(), text.as_ptr()) } {
            return Ok(());
        }
        Err(Diagnostic::error(format!("the processor '{cpu}' cannot run code for {name}")))
    }

    fn check_features(&self, triple: &str, features: &str) -> Result<(), Diagnostic> {
        for feature in features.split(',').filter(|feature| !feature.is_empty()) {
            let Some(name) = feature.strip_prefix(['+', '-']) else {
                let error = format!("expected '+' or '-' before the target feature '{feature}'");
                let help = format!("write '+{feature}' to use it, '-{feature}' to do without");
                return Err(Diagnostic::error(error).help(help));
            };
            if !self.features.is_empty() && !self.features.iter().any(|known| known == name) {
                let error = Diagnostic::error(format!("LLVM has no target feature '{name}' for {triple}"));
                return Err(error.did_you_mean(nearest(name, self.features.iter().map(String::as_str))));
            }
        }
        Ok(())
    }
}

/// Checks a processor of this kind of machine by LLVM's name; `native` is always one.
///
/// # Errors
/// LLVM has no such processor: the nearest name.
pub fn check_cpu(cpu: &str) -> Result<(), Diagnostic> {
    if cpu == "native" {
        return Ok(());
    }
    crate::target::initialize()?;
    let triple = inkwell::targets::TargetMachine::get_default_triple();
    let triple: CString = triple.as_str().to_owned();
    Subtarget::of(&triple).check(&triple, Some(cpu), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_processor_is_refused_with_the_nearest_name() {
        assert_eq!(check_cpu("native"), Ok(()));
        assert_eq!(check_cpu("generic"), Ok(()));
        let error = check_cpu("generik").expect_err("there is none");
        assert!(error.message.starts_with("LLVM has no processor 'generik' for "), "{error:?}");
        assert_eq!(error.help, ["did you mean 'generic'?"]);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_processor_of_32_bits_is_refused() {
        let error = check_cpu("pentium").expect_err("it has no 64-bit mode");
        assert!(error.message.starts_with("the processor 'pentium' cannot run code for x86_64"), "{error:?}");
        assert_eq!(check_cpu("x86-64-v3"), Ok(()));
    }

    #[test]
    fn an_unknown_feature_is_refused() {
        let names = Subtarget { cpus: Vec::new(), features: vec!["avx2".to_owned()] };
        assert_eq!(names.check(c"t", None, "+avx2,-avx2"), Ok(()));
        let error = names.check(c"t", None, "+avx3").expect_err("there is none");
        assert_eq!(error.message, "LLVM has no target feature 'avx3' for t");
        assert_eq!(error.help, ["did you mean 'avx2'?"]);
        assert!(names.check(c"t", None, "avx2").is_err());
    }
}
