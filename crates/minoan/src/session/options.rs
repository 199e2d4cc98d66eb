//! Compilation options.

use minoan_services::FloatPolicy;

/// Compilation options.
#[derive(Clone, Debug)]
pub struct Options {
    /// The target CPU by LLVM's name; the host if `None`.
    pub cpu: Option<String>,
    /// Whether Knossos programs check at run time that indices are in bounds, and MLIR programs that the indices and extents of
    /// operations on tensors are valid and integer divisions are defined; the default. Without these checks, such an error is
    /// undefined behavior.
    pub check_bounds: bool,
    /// The floating-point policy: how far operations may deviate from IEEE 754.
    pub float_policy: FloatPolicy,
    /// Whether kernels are formed and scheduled; the default. Otherwise, loops follow the source.
    pub schedule: bool,
    /// Whether reverse mode saves the values of loops at the start of segments only, and executes the segments again: memory
    /// for the square root of the trip count, and one more execution of the loop.
    pub checkpoint: bool,
    /// Whether to run the verifier after each pass; the default.
    pub verify_each: bool,
    /// Whether a compilation longer than a second shows its progress, if standard error is a terminal.
    pub progress: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cpu: None,
            check_bounds: true,
            float_policy: FloatPolicy::default(),
            schedule: true,
            checkpoint: false,
            verify_each: true,
            progress: false,
        }
    }
}
