//! TVM's passes on Relay, by the names under which TVM's users know them.

use minoan_pass::{PassRegistry, PipelineAlias};

/// A pass of TVM: its name there, the name here, which is a flag of `kopt`, a description, and the pipeline that does the same.
struct TvmPass(&'static str, &'static str, &'static str, &'static str);

/// All of them. The names here are `relay-` and TVM's in lower case, which a test checks.
const PASSES: &[TvmPass] = &[
    TvmPass(
        "FoldConstant",
        "relay-fold-constant",
        "FoldConstant: evaluate operators on constants",
        "apply-patterns{sets=relay-fold-constant}",
    ),
    TvmPass(
        "DynamicToStatic",
        "relay-dynamic-to-static",
        "DynamicToStatic: replace dynamic operators with constant shapes",
        "apply-patterns{sets=relay-dynamic-to-static}",
    ),
    TvmPass(
        "SimplifyInference",
        "relay-simplify-inference",
        "SimplifyInference: replace normalization by known statistics",
        "apply-patterns{sets=relay-simplify-inference}",
    ),
    TvmPass(
        "CanonicalizeOps",
        "relay-canonicalize-ops",
        "CanonicalizeOps: replace nn.bias_add by add",
        "apply-patterns{sets=relay-canonicalize-ops}",
    ),
    TvmPass(
        "SimplifyExpr",
        "relay-simplify-expr",
        "SimplifyExpr: simplify chains of operators",
        "apply-patterns{sets=relay-simplify-expr}",
    ),
    TvmPass(
        "FoldScaleAxis",
        "relay-fold-scale-axis",
        "FoldScaleAxis: move constant scales to weights",
        "apply-patterns{sets=relay-fold-scale-axis}",
    ),
    TvmPass(
        "CombineParallelDense",
        "relay-combine-parallel-dense",
        "CombineParallelDense: one product for several of the same data",
        "apply-patterns{sets=relay-combine-parallel}",
    ),
    TvmPass(
        "CombineParallelBatchMatmul",
        "relay-combine-parallel-batch-matmul",
        "CombineParallelBatchMatmul: one product for several of the same data",
        "apply-patterns{sets=relay-combine-parallel}",
    ),
    TvmPass(
        "CombineParallelConv2D",
        "relay-combine-parallel-conv2d",
        "CombineParallelConv2D: one convolution for several of the same data",
        "apply-patterns{sets=relay-combine-parallel}",
    ),
    TvmPass(
        "ConvertLayout",
        "relay-convert-layout",
        "ConvertLayout: keep channels last in convolutions",
        "apply-patterns{sets=relay-convert-layout}",
    ),
    TvmPass(
        "AlterOpLayout",
        "relay-alter-op-layout",
        "AlterOpLayout: the layout that the target prefers: channels last, transformed once",
        "apply-patterns{sets={relay-convert-layout,relay-fold-constant}}",
    ),
    TvmPass(
        "FastMath",
        "relay-fast-math",
        "FastMath: use approximations of functions",
        "apply-patterns{sets=relay-fast-math}",
    ),
    TvmPass(
        "FakeQuantizationToInteger",
        "relay-fake-quantization-to-integer",
        "FakeQuantizationToInteger: compute with integers between dequantization and quantization",
        "apply-patterns{sets=relay-to-integer}",
    ),
    TvmPass(
        "ToMixedPrecision",
        "relay-to-mixed-precision",
        "ToMixedPrecision: compute convolutions and products with float16",
        "apply-patterns{sets=relay-to-mixed-precision}",
    ),
    TvmPass(
        "EliminateCommonSubexpr",
        "relay-eliminate-common-subexpr",
        "EliminateCommonSubexpr: the pass cse",
        "cse",
    ),
    TvmPass("DeadCodeElimination", "relay-dead-code-elimination", "DeadCodeElimination: the pass dce", "dce"),
    TvmPass(
        "RemoveUnusedFunctions",
        "relay-remove-unused-functions",
        "RemoveUnusedFunctions: the pass symbol-dce",
        "symbol-dce",
    ),
    TvmPass(
        "ToANormalForm",
        "relay-to-a-normal-form",
        "ToANormalForm: operations name each value already; the pass cse shares equal ones",
        "cse",
    ),
    TvmPass(
        "ToGraphNormalForm",
        "relay-to-graph-normal-form",
        "ToGraphNormalForm: values are shared already; the pass dce removes unused ones",
        "dce",
    ),
    TvmPass(
        "Inline",
        "relay-inline",
        "Inline: the pass inline replaces calls of functions by their bodies",
        "inline",
    ),
    TvmPass(
        "PartialEvaluate",
        "relay-partial-evaluate",
        "PartialEvaluate: evaluate what depends on constants, through calls and recursion",
        "specialize,inline,canonicalize,symbol-dce",
    ),
    TvmPass(
        "LambdaLift",
        "relay-lambda-lift",
        "LambdaLift: functions are lifted already; known closures become calls",
        "canonicalize,symbol-dce",
    ),
    TvmPass(
        "Defunctionalization",
        "relay-defunctionalization",
        "Defunctionalization: the pass defunctionalize makes closures data types",
        "canonicalize,defunctionalize,symbol-dce",
    ),
    TvmPass(
        "EtaExpand",
        "relay-eta-expand",
        "EtaExpand: constructors, operators and functions that are values are closures of functions already",
        "",
    ),
    TvmPass(
        "MergeComposite",
        "relay-merge-composite",
        "MergeComposite: the pass merge-composite with the chains of Relay",
        "merge-composite",
    ),
    TvmPass(
        "PartitionGraph",
        "relay-partition-graph",
        "PartitionGraph: composite functions, and functions of regions of their calls",
        "merge-composite,partition-graph",
    ),
    TvmPass(
        "qnn.Legalize",
        "relay-qnn-legalize",
        "qnn.Legalize: the pass lower expands quantized operators",
        "lower",
    ),
    TvmPass(
        "FuseOps",
        "relay-fuse-ops",
        "FuseOps: lower, simplify and form kernels",
        "lower,inline,cse,canonicalize,form-kernels",
    ),
];

/// Registers the passes as pipelines.
pub(crate) fn register(registry: &mut PassRegistry) {
    for &TvmPass(tvm, name, description, text) in PASSES {
        registry.add_pipeline(PipelineAlias { name, description, text });
        registry.add_spelling(tvm, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `FoldConstant` is `relay-fold-constant`, `ToANormalForm` is `relay-to-a-normal-form`.
    fn flag(tvm: &str) -> String {
        let mut name = String::from("relay-");
        let chars: Vec<char> = tvm.chars().collect();
        for (at, &c) in chars.iter().enumerate() {
            let starts = c.is_uppercase() && at > 0 && chars[at - 1] != '.';
            let follows = chars.get(at + 1).is_some_and(|next| next.is_lowercase())
                || !chars[at.max(1) - 1].is_ascii_digit() && !chars[at.max(1) - 1].is_uppercase();
            if starts && follows {
                name.push('-');
            }
            name.push(if c == '.' { '-' } else { c.to_ascii_lowercase() });
        }
        name
    }

    #[test]
    fn flags_are_tvms_names_in_lower_case() {
        for &TvmPass(tvm, name, description, _) in PASSES {
            assert_eq!(flag(tvm), name);
            assert!(description.starts_with(&format!("{tvm}: ")), "{description}");
        }
    }

    /// Each pass has a file that shows what it does.
    #[test]
    fn each_pass_has_a_lit_test() {
        let files = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/Dialect/Relay");
        for &TvmPass(_, name, ..) in PASSES {
            let stem = name.strip_prefix("relay-").unwrap_or(name);
            let exists = ["mlir", "relay"].iter().any(|end| files.join(format!("{stem}.{end}")).exists());
            assert!(exists, "test/Dialect/Relay/{stem}.mlir is missing");
        }
    }
}
