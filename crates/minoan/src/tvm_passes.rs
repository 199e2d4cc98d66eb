//! TVM's passes on Relay, by the names under which TVM's users know them.

use crate::relay_bindings::RelayBindings;
use crate::relay_layouts::RelayConvertLayout;
use minoan_pass::{PassRegistry, PipelineAlias};

/// A pass of TVM.
struct TvmPass {
    /// The name in TVM.
    tvm: &'static str,
    /// The pipeline that does the same. Its name, which is a flag of `kopt`, is `relay-` and TVM's name in lower case, with
    /// hyphens between the words; its description begins with TVM's name.
    alias: PipelineAlias,
}

const PASSES: &[TvmPass] = &[
    TvmPass {
        tvm: "FoldConstant",
        alias: PipelineAlias {
            name: "relay-fold-constant",
            description: "FoldConstant: evaluate operators on constants",
            text: "apply-patterns{sets=relay-fold-constant}",
        },
    },
    TvmPass {
        tvm: "DynamicToStatic",
        alias: PipelineAlias {
            name: "relay-dynamic-to-static",
            description: "DynamicToStatic: replace dynamic operators with constant arguments",
            text: "apply-patterns{sets=relay-dynamic-to-static}",
        },
    },
    TvmPass {
        tvm: "SimplifyInference",
        alias: PipelineAlias {
            name: "relay-simplify-inference",
            description: "SimplifyInference: replace normalization by arithmetic",
            text: "apply-patterns{sets={relay-simplify-inference,relay-simplify-normalization}}",
        },
    },
    TvmPass {
        tvm: "CanonicalizeOps",
        alias: PipelineAlias {
            name: "relay-canonicalize-ops",
            description: "CanonicalizeOps: replace nn.bias_add by add",
            text: "apply-patterns{sets=relay-canonicalize-ops}",
        },
    },
    TvmPass {
        tvm: "SimplifyExpr",
        alias: PipelineAlias {
            name: "relay-simplify-expr",
            description: "SimplifyExpr: simplify chains of operators",
            text: "apply-patterns{sets=relay-simplify-expr}",
        },
    },
    TvmPass {
        tvm: "FoldScaleAxis",
        alias: PipelineAlias {
            name: "relay-fold-scale-axis",
            description: "FoldScaleAxis: move scales of channels to weights",
            text: "apply-patterns{sets={relay-fold-scale-axis,relay-scale-axis,relay-fold-constant}}",
        },
    },
    TvmPass {
        tvm: "CombineParallelDense",
        alias: PipelineAlias {
            name: "relay-combine-parallel-dense",
            description: "CombineParallelDense: one product for several of the same data",
            text: "apply-patterns{sets=relay-combine-parallel}",
        },
    },
    TvmPass {
        tvm: "CombineParallelBatchMatmul",
        alias: PipelineAlias {
            name: "relay-combine-parallel-batch-matmul",
            description: "CombineParallelBatchMatmul: one product for several of the same data",
            text: "apply-patterns{sets=relay-combine-parallel}",
        },
    },
    TvmPass {
        tvm: "CombineParallelConv2D",
        alias: PipelineAlias {
            name: "relay-combine-parallel-conv2d",
            description: "CombineParallelConv2D: one convolution for several of the same data",
            text: "apply-patterns{sets=relay-combine-parallel}",
        },
    },
    TvmPass {
        tvm: "AlterOpLayout",
        alias: PipelineAlias {
            name: "relay-alter-op-layout",
            description: "AlterOpLayout: the layout that the target prefers: channels last, transformed once",
            text: "apply-patterns{sets={relay-convert-layout,relay-fold-constant}}",
        },
    },
    TvmPass {
        tvm: "FastMath",
        alias: PipelineAlias {
            name: "relay-fast-math",
            description: "FastMath: use approximations of functions",
            text: "apply-patterns{sets=relay-fast-math}",
        },
    },
    TvmPass {
        tvm: "FakeQuantizationToInteger",
        alias: PipelineAlias {
            name: "relay-fake-quantization-to-integer",
            description: "FakeQuantizationToInteger: compute with integers between dequantization and quantization",
            text: "apply-patterns{sets=relay-to-integer}",
        },
    },
    TvmPass {
        tvm: "ToMixedPrecision",
        alias: PipelineAlias {
            name: "relay-to-mixed-precision",
            description: "ToMixedPrecision: compute convolutions and products with float16",
            text: "apply-patterns{sets=relay-to-mixed-precision}",
        },
    },
    TvmPass {
        tvm: "EliminateCommonSubexpr",
        alias: PipelineAlias {
            name: "relay-eliminate-common-subexpr",
            description: "EliminateCommonSubexpr: the pass cse",
            text: "cse",
        },
    },
    TvmPass {
        tvm: "DeadCodeElimination",
        alias: PipelineAlias {
            name: "relay-dead-code-elimination",
            description: "DeadCodeElimination: the pass dce",
            text: "dce",
        },
    },
    TvmPass {
        tvm: "RemoveUnusedFunctions",
        alias: PipelineAlias {
            name: "relay-remove-unused-functions",
            description: "RemoveUnusedFunctions: the pass symbol-dce",
            text: "symbol-dce",
        },
    },
    TvmPass {
        tvm: "ToANormalForm",
        alias: PipelineAlias {
            name: "relay-to-a-normal-form",
            description: "ToANormalForm: bind each value by let; the pass cse shares equal ones",
            text: "cse,relay-let-bindings",
        },
    },
    TvmPass {
        tvm: "ToGraphNormalForm",
        alias: PipelineAlias {
            name: "relay-to-graph-normal-form",
            description: "ToGraphNormalForm: bind values by graph variables; the pass dce removes unused ones",
            text: "dce,relay-graph-bindings",
        },
    },
    TvmPass {
        tvm: "Inline",
        alias: PipelineAlias {
            name: "relay-inline",
            description: "Inline: the pass inline replaces calls of functions by their bodies",
            text: "inline",
        },
    },
    TvmPass {
        tvm: "PartialEvaluate",
        alias: PipelineAlias {
            name: "relay-partial-evaluate",
            description: "PartialEvaluate: evaluate operations on known values, through calls, recursion, matches and references",
            text: "partial-evaluate,symbol-dce",
        },
    },
    TvmPass {
        tvm: "LambdaLift",
        alias: PipelineAlias {
            name: "relay-lambda-lift",
            description: "LambdaLift: functions are lifted already; known closures become calls",
            text: "canonicalize,symbol-dce",
        },
    },
    TvmPass {
        tvm: "Defunctionalization",
        alias: PipelineAlias {
            name: "relay-defunctionalization",
            description: "Defunctionalization: the pass defunctionalize makes closures data types",
            text: "canonicalize,defunctionalize,symbol-dce",
        },
    },
    TvmPass {
        tvm: "EtaExpand",
        alias: PipelineAlias {
            name: "relay-eta-expand",
            description: "EtaExpand: nothing to do, since constructors, operators and functions used as values are closures already",
            text: "",
        },
    },
    TvmPass {
        tvm: "MergeComposite",
        alias: PipelineAlias {
            name: "relay-merge-composite",
            description: "MergeComposite: the pass merge-composite with the chains of Relay",
            text: "merge-composite",
        },
    },
    TvmPass {
        tvm: "MergeCompilerRegions",
        alias: PipelineAlias {
            name: "relay-merge-compiler-regions",
            description: "MergeCompilerRegions: the pass merge-marked-regions",
            text: "merge-marked-regions",
        },
    },
    TvmPass {
        tvm: "PartitionGraph",
        alias: PipelineAlias {
            name: "relay-partition-graph",
            description: "PartitionGraph: composite functions, and functions of regions of their calls",
            text: "merge-composite,partition-graph",
        },
    },
    TvmPass {
        tvm: "qnn.Legalize",
        alias: PipelineAlias {
            name: "relay-qnn-legalize",
            description: "qnn.Legalize: replace quantized operators by operators on integers",
            text: "apply-patterns{sets=relay-qnn-legalize}",
        },
    },
    TvmPass {
        tvm: "FuseOps",
        alias: PipelineAlias {
            name: "relay-fuse-ops",
            description: "FuseOps: the pass group-operators makes functions of operators that one kernel computes",
            text: "group-operators",
        },
    },
];

/// Registers the passes as pipelines.
pub(crate) fn register(registry: &mut PassRegistry) {
    registry.add(|| Box::new(RelayBindings { lets: false })).add(|| Box::new(RelayBindings { lets: true }));
    registry.add(|| Box::new(RelayConvertLayout::default()));
    registry.add_spelling("ConvertLayout", "relay-convert-layout");
    for &TvmPass { tvm, alias } in PASSES {
        registry.add_pipeline(alias);
        registry.add_spelling(tvm, alias.name);
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
        for &TvmPass { tvm, alias: PipelineAlias { name, description, .. } } in PASSES {
            assert_eq!(flag(tvm), name);
            assert!(description.starts_with(&format!("{tvm}: ")), "{description}");
        }
    }

    /// Each pass has a file that shows what it does.
    #[test]
    fn each_pass_has_a_lit_test() {
        let files = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/Dialect/Relay");
        for TvmPass { alias, .. } in PASSES {
            let stem = alias.name.strip_prefix("relay-").unwrap_or(alias.name);
            let exists = ["mlir", "relay"].iter().any(|end| files.join(format!("{stem}.{end}")).exists());
            assert!(exists, "test/Dialect/Relay/{stem}.mlir is missing");
        }
    }
}
