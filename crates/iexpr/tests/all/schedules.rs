//! The loops of splits, orders and stages, and deviations of an older implementation from the specification.

use crate::common::reference::Array;
use crate::common::{
    context, counted, emitted, expected, lowered, messages, near, numbers, reads_back, run, run_near,
    run_with, text_of, truths,
};
use expect_test::{Expect, expect};
use minoan_iexpr::emit::EmitOptions;

/// The loops of a text, without function attributes and extent checks.
fn loops(text: &str) -> String {
    let module = lowered(emitted(&context(), text, &EmitOptions::default()).expect("emits"));
    reads_back(&module);
    let mut out = String::new();
    for line in text_of(&module).lines() {
        match line.split_once(" attributes {") {
            Some((head, _)) => out.push_str(&format!("{head} {{\n")),
            None => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&loops(text));
}

#[test]
fn dialect_module() {
    let text = "mm = i(\"ik*kj~ijk\") >> i(\"+ijk~ij\")\nmain = mm >> (I & i(\">>ij~ij|i:4|\"))";
    let module = emitted(&context(), text, &EmitOptions::default()).expect("emits");
    reads_back(&module);
    expect![[r#"
        module {
          func.func @main(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>) -> (tensor<?x?xf32> {minoan.index_path = [0]}, tensor<?x?xi1> {minoan.index_path = [1]}) {
            %0 = iexpr.expr "ik*kj~ijk"(%arg0, %arg1) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
            %1 = iexpr.expr "+ijk~ij"(%0) : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
            %2 = iexpr.expr ">>ij~ij|i:4|"(%1) : (tensor<?x?xf32>) -> tensor<?x?xi1>
            return %1, %2 : tensor<?x?xf32>, tensor<?x?xi1>
          }
        }
    "#]].assert_eq(&text_of(&module));
}

#[test]
fn unscheduled_component_is_one_generic() {
    check(
        "main = i(\"+ij~i\")",
        &expect![[r##"
            #map = affine_map<(d0, d1) -> (d0, d1)>
            #map1 = affine_map<(d0, d1) -> (d0)>
            module {
              func.func @main(%arg0: tensor<?x?xf32>) -> tensor<?xf32> {
                %c0 = arith.constant 0 : index
                %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
                %c1 = arith.constant 1 : index
                %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
                %0 = tensor.empty(%dim) : tensor<?xf32>
                %cst = arith.constant 0.000000e+00 : f32
                %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
                %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x?xf32>) outs(%1 : tensor<?xf32>) {
                ^bb0(%in: f32, %out: f32):
                  %3 = arith.addf %out, %in fastmath<reassoc,contract> : f32
                  linalg.yield %3 : f32
                } -> tensor<?xf32>
                return %2 : tensor<?xf32>
              }
            }
        "##]],
    );
    check(
        "main = i(\"i>=ii~i\")",
        &expect![[r##"
            #map = affine_map<(d0) -> (d0)>
            #map1 = affine_map<(d0) -> (d0, d0)>
            module {
              func.func @main(%arg0: tensor<?xf32>, %arg1: tensor<?x?xf32>) -> tensor<?xi1> {
                %c0 = arith.constant 0 : index
                %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
                %c0_0 = arith.constant 0 : index
                %dim_1 = tensor.dim %arg1, %c0_0 : tensor<?x?xf32>
                %0 = arith.cmpi eq, %dim, %dim_1 : index
                data.assert %0, "`i>=ii~i`: index `i` has different extents in dimension 0 of input 0 and in dimension 0 of input 1: {} and {}"(%dim, %dim_1) : index, index
                %c1 = arith.constant 1 : index
                %dim_2 = tensor.dim %arg1, %c1 : tensor<?x?xf32>
                %1 = arith.cmpi eq, %dim, %dim_2 : index
                data.assert %1, "`i>=ii~i`: index `i` has different extents in dimension 0 of input 0 and in dimension 1 of input 1: {} and {}"(%dim, %dim_2) : index, index
                %2 = tensor.empty(%dim) : tensor<?xi1>
                %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<?xf32>, tensor<?x?xf32>) outs(%2 : tensor<?xi1>) {
                ^bb0(%in: f32, %in_3: f32, %out: i1):
                  %4 = arith.cmpf oge, %in, %in_3 : f32
                  linalg.yield %4 : i1
                } -> tensor<?xi1>
                return %3 : tensor<?xi1>
              }
            }
        "##]],
    );
}

#[test]
fn split_loops_end_with_the_axis() {
    check(
        "main = i(\"-i~i|i:16|\")",
        &expect![[r#"
        module {
          func.func @main(%arg0: tensor<?xf32>) -> tensor<?xf32> {
            %c0 = arith.constant 0 : index
            %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
            %c0_0 = arith.constant 0 : index
            %c1 = arith.constant 1 : index
            %c16 = arith.constant 16 : index
            %0 = tensor.empty(%dim) : tensor<?xf32>
            %1 = arith.ceildivsi %dim, %c16 : index
            %2 = scf.for %arg1 = %c0_0 to %1 step %c1 iter_args(%arg2 = %0) -> (tensor<?xf32>) {
              %3 = arith.muli %arg1, %c16 : index
              %4 = arith.subi %dim, %3 : index
              %5 = arith.minsi %c16, %4 : index
              %6 = scf.for %arg3 = %c0_0 to %5 step %c1 iter_args(%arg4 = %arg2) -> (tensor<?xf32>) {
                %7 = arith.muli %arg1, %c16 : index
                %8 = arith.addi %7, %arg3 : index
                %extracted = tensor.extract %arg0[%8] : tensor<?xf32>
                %9 = arith.negf %extracted : f32
                %inserted = tensor.insert %9 into %arg4[%8] : tensor<?xf32>
                scf.yield %inserted : tensor<?xf32>
              }
              scf.yield %6 : tensor<?xf32>
            }
            return %2 : tensor<?xf32>
          }
        }
    "#]],
    );
}

#[test]
fn fused_matrix_product_keeps_one_scalar() {
    let text = "main = i(\"ik*kj~ijk\") >> i(\"+ijk~ij||ijk0\")";
    check(
        text,
        &expect![[r#"
        module {
          func.func @main(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>) -> tensor<?x?xf32> {
            %c0 = arith.constant 0 : index
            %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
            %c1 = arith.constant 1 : index
            %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
            %c0_1 = arith.constant 0 : index
            %dim_2 = tensor.dim %arg1, %c0_1 : tensor<?x?xf32>
            %0 = arith.cmpi eq, %dim_0, %dim_2 : index
            data.assert %0, "`ik*kj~ijk`: index `k` has different extents in dimension 1 of input 0 and in dimension 0 of input 1: {} and {}"(%dim_0, %dim_2) : index, index
            %c1_3 = arith.constant 1 : index
            %dim_4 = tensor.dim %arg1, %c1_3 : tensor<?x?xf32>
            %c0_5 = arith.constant 0 : index
            %c1_6 = arith.constant 1 : index
            %1 = tensor.empty(%dim, %dim_4) : tensor<?x?xf32>
            %2 = scf.for %arg2 = %c0_5 to %dim step %c1_6 iter_args(%arg3 = %1) -> (tensor<?x?xf32>) {
              %3 = scf.for %arg4 = %c0_5 to %dim_4 step %c1_6 iter_args(%arg5 = %arg3) -> (tensor<?x?xf32>) {
                %cst = arith.constant 0.000000e+00 : f32
                %4 = scf.for %arg6 = %c0_5 to %dim_0 step %c1_6 iter_args(%arg7 = %cst) -> (f32) {
                  %extracted = tensor.extract %arg0[%arg2, %arg6] : tensor<?x?xf32>
                  %extracted_7 = tensor.extract %arg1[%arg6, %arg4] : tensor<?x?xf32>
                  %5 = arith.mulf %extracted, %extracted_7 : f32
                  %6 = arith.addf %arg7, %5 : f32
                  scf.yield %6 : f32
                }
                %inserted = tensor.insert %4 into %arg5[%arg2, %arg4] : tensor<?x?xf32>
                scf.yield %inserted : tensor<?x?xf32>
              }
              scf.yield %3 : tensor<?x?xf32>
            }
            return %2 : tensor<?x?xf32>
          }
        }
    "#]],
    );
    let inputs = [counted(&[3, 4]), counted(&[4, 5])];
    assert_eq!(run(text, &inputs), expected(text, &inputs));
}

#[test]
fn tiled_matrix_product() {
    let text = "main = i(\"ik*kj~ijk|i:16,k:16|ikji'k'\") >> i(\"+ijk~ij|i:16,k:16|ikji'k'0\")";
    for (m, k, n) in [(3, 4, 5), (16, 16, 1), (17, 33, 2), (0, 3, 2), (2, 0, 3), (1, 1, 1)] {
        let inputs = [counted(&[m, k]), counted(&[k, n])];
        assert_eq!(run(text, &inputs), expected(text, &inputs));
    }
}

#[test]
fn staging_between_parts_is_a_tile() {
    let text = "main = i(\"^ij~ij|i:4,j:8|iji'j'\") >> i(\"-ij~ij|i:4,j:8|ij0i'j'\")";
    check(
        text,
        &expect![[r#"
        module {
          func.func @main(%arg0: tensor<?x?xf32>) -> tensor<?x?xf32> {
            %c0 = arith.constant 0 : index
            %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
            %c1 = arith.constant 1 : index
            %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
            %c0_1 = arith.constant 0 : index
            %c1_2 = arith.constant 1 : index
            %c4 = arith.constant 4 : index
            %c8 = arith.constant 8 : index
            %0 = tensor.empty(%dim, %dim_0) : tensor<?x?xf32>
            %1 = arith.ceildivsi %dim, %c4 : index
            %2 = scf.for %arg1 = %c0_1 to %1 step %c1_2 iter_args(%arg2 = %0) -> (tensor<?x?xf32>) {
              %3 = arith.ceildivsi %dim_0, %c8 : index
              %4 = scf.for %arg3 = %c0_1 to %3 step %c1_2 iter_args(%arg4 = %arg2) -> (tensor<?x?xf32>) {
                %5 = tensor.empty() : tensor<4x8xf32>
                %6 = arith.muli %arg1, %c4 : index
                %7 = arith.subi %dim, %6 : index
                %8 = arith.minsi %c4, %7 : index
                %9 = scf.for %arg5 = %c0_1 to %8 step %c1_2 iter_args(%arg6 = %5) -> (tensor<4x8xf32>) {
                  %14 = arith.muli %arg1, %c4 : index
                  %15 = arith.addi %14, %arg5 : index
                  %16 = arith.muli %arg3, %c8 : index
                  %17 = arith.subi %dim_0, %16 : index
                  %18 = arith.minsi %c8, %17 : index
                  %19 = scf.for %arg7 = %c0_1 to %18 step %c1_2 iter_args(%arg8 = %arg6) -> (tensor<4x8xf32>) {
                    %20 = arith.muli %arg3, %c8 : index
                    %21 = arith.addi %20, %arg7 : index
                    %extracted = tensor.extract %arg0[%15, %21] : tensor<?x?xf32>
                    %22 = math.exp %extracted : f32
                    %inserted = tensor.insert %22 into %arg8[%arg5, %arg7] : tensor<4x8xf32>
                    scf.yield %inserted : tensor<4x8xf32>
                  }
                  scf.yield %19 : tensor<4x8xf32>
                }
                %10 = arith.muli %arg1, %c4 : index
                %11 = arith.subi %dim, %10 : index
                %12 = arith.minsi %c4, %11 : index
                %13 = scf.for %arg5 = %c0_1 to %12 step %c1_2 iter_args(%arg6 = %arg4) -> (tensor<?x?xf32>) {
                  %14 = arith.muli %arg1, %c4 : index
                  %15 = arith.addi %14, %arg5 : index
                  %16 = arith.muli %arg3, %c8 : index
                  %17 = arith.subi %dim_0, %16 : index
                  %18 = arith.minsi %c8, %17 : index
                  %19 = scf.for %arg7 = %c0_1 to %18 step %c1_2 iter_args(%arg8 = %arg6) -> (tensor<?x?xf32>) {
                    %20 = arith.muli %arg3, %c8 : index
                    %21 = arith.addi %20, %arg7 : index
                    %extracted = tensor.extract %9[%arg5, %arg7] : tensor<4x8xf32>
                    %22 = arith.negf %extracted : f32
                    %inserted = tensor.insert %22 into %arg8[%15, %21] : tensor<?x?xf32>
                    scf.yield %inserted : tensor<?x?xf32>
                  }
                  scf.yield %19 : tensor<?x?xf32>
                }
                scf.yield %13 : tensor<?x?xf32>
              }
              scf.yield %4 : tensor<?x?xf32>
            }
            return %2 : tensor<?x?xf32>
          }
        }
    "#]],
    );
    let inputs = [counted(&[5, 9])];
    assert!(near(&run(text, &inputs).expect("runs"), &expected(text, &inputs).expect("runs")));
}

#[test]
fn stages_at_the_root_and_of_both_inputs() {
    let x = [counted(&[3, 5])];
    for text in [
        "main = (i(\"-ij~ij\") & i(\"+ij~i\")) >> i(\"ij*i~ij||0i1j\")",
        "main = (i(\"-ij~ij\") & i(\"+ij~i\")) >> i(\"ij*i~ij|i:2|01ii'j\")",
        "main = (i(\"-ij~ij|i:2,j:3|i'ijj'\") & i(\">ij~i|i:2|i'ij\")) >> i(\"ij*i~ij|i:2,j:3|i'0i1jj'\")",
        "main = i(\"-ij~ij\") >> (I & I) >> i(\"ij*ij~ij||ij01\")",
        "main = i(\"-ij~ij\") >> i(\"-ij~ij||ij0\") >> (I & I) >> i(\"ij*ij~ij||01\")",
        // A value staged for one consumer is available to the other.
        "main = i(\"-ij~ij\") >> (i(\"+ij~i||i0j\") & I)",
    ] {
        assert_eq!(run(text, &x), expected(text, &x), "{text}");
    }
}

/// A tile has at most the number of elements of its axis.
#[test]
fn tiles_are_bounded_by_their_axes() {
    let factors = "i:1000000000,j:1000000000";
    let text = format!("main = i(\"-ij~ij|{factors}|iji'j'\") >> i(\"-ij~ij|{factors}|ij0i'j'\")");
    let x = [counted(&[3, 2])];
    assert_eq!(run(&text, &x), expected(&text, &x));
}

#[test]
fn equal_stages_are_computed_once() {
    let text = "main = i(\"-ij~ij\") >> (I & I) >> i(\"ij*ij~ij||ij01\")";
    assert_eq!(loops(text).matches("arith.negf").count(), 1);
    let text = "main = i(\"-ij~ij\") >> (I & I) >> i(\"ij*ij~ij||01ij\")";
    assert_eq!(loops(text).matches("arith.negf").count(), 1);
}

#[test]
fn staged_producer_is_not_stored() {
    let text = "main = i(\"ik*kj~ijk\") >> i(\"+ijk~ij||ijk0\")";
    assert!(!loops(text).contains("?x?x?"));
}

#[test]
fn stage_of_diagonal() {
    let text = "main = i(\"i*j~ij\") >> i(\"ii~i||i0\")";
    let inputs = [counted(&[4]), counted(&[4])];
    assert_eq!(run(text, &inputs), expected(text, &inputs));
    let inputs = [counted(&[4]), counted(&[3])];
    assert!(run(text, &inputs).expect_err("it is no square").contains("index `i` has different extents"));
}

#[test]
fn stage_extents_are_checked_before_loops() {
    let text = "main = i(\"ik*kj~ijk\") >> i(\"+ijk~ij||ijk0\")";
    let error = run(text, &[counted(&[2, 3]), counted(&[4, 2])]).expect_err("3 is not 4");
    assert!(error.contains("`ik*kj~ijk`: index `k`"), "{error}");
}

#[test]
fn fused_attention_agrees_with_naive() {
    let naive = r#"
mm_t = i("ik*jk~ijk") >> i("+ijk~ij")
shift = (I & i(">ij~i")) >> i("ij-i~ij")
exp = i("^ij~ij")
norm = (I & i("+ij~i")) >> i("ij/i~ij")
mm = i("ij*jk~ikj") >> i("+ikj~ik")
main = mm_t >> shift >> exp >> norm >> mm
"#;
    // The same with the parts that need no online reduction computed inside the loops of the last product.
    let staged = r#"
mm_t = i("ik*jk~ijk|i:4|ii'jk") >> i("+ijk~ij|i:4|ii'jk0")
shift = (I & i(">ij~i|i:4|ii'j")) >> i("ij-i~ij|i:4|ii'1j0")
exp = i("^ij~ij|i:4|ii'j0")
norm = (I & i("+ij~i|i:4|ii'j0")) >> i("ij/i~ij|i:4|ii'1j0")
mm = i("ij*jk~ikj|i:4|ii'jk0") >> i("+ikj~ik|i:4|ii'jk0")
main = mm_t >> shift >> exp >> norm >> mm
"#;
    let inputs = [counted(&[5, 3]), counted(&[6, 3]), counted(&[6, 2])];
    let want = expected(naive, &inputs).expect("runs");
    assert!(near(&run(naive, &inputs).expect("runs"), &want));
    assert!(near(&run(staged, &inputs).expect("runs"), &want));
}

/// Attention in one nest of loops, whose outermost one is over the keys: the maximum and the sum of a row are read while they are
/// computed, and the result is rescaled.
const ONLINE_ATTENTION: &str = r#"
mm_t = i("ik*jk~ijk|i:16,j:16|jii'j'k") >> i("+ijk~ij|i:16,j:16|jii'j'k0")
shift = (I & i(">ij~i|i:16,j:16|ji0i'j'")) >> i("ij-i~ij|i:16,j:16|ji01i'j'")
exp = i("^ij~ij|i:16,j:16|ji0i'j'")
norm = (I & i("+ij~i|i:16,j:16|ji0i'j'")) >> i("ij/i~ij|i:16,j:16|ji01i'j'")
mm = i("ij*jk~ikj|i:16,j:16|ji0i'kj'") >> i("+ikj~ik|i:16,j:16|jii'kj'0")
main = mm_t >> shift >> exp >> norm >> mm
"#;

#[test]
fn online_attention_agrees_with_naive() {
    for (queries, keys, width) in [(5, 40, 3), (32, 32, 4), (17, 33, 2), (1, 1, 1), (3, 0, 2), (0, 20, 2)] {
        let wave = |rows: usize, scale: f64| {
            let numbers = (0..rows * width).map(|at| (at as f64 * scale).sin() * 3.0).collect();
            Array::numbers(&[rows, width], numbers)
        };
        let inputs = [wave(queries, 0.7), wave(keys, 1.3), wave(keys, 2.1)];
        let want = expected(ONLINE_ATTENTION, &inputs).expect("runs");
        let have = run_near(ONLINE_ATTENTION, &inputs).expect("runs");
        assert!(near(&have, &want), "{queries} {keys} {width}: {have:?} {want:?}");
    }
}

/// Scores, exponentials and weights are tiles, each computed once.
#[test]
fn online_attention_is_one_nest() {
    let text = loops(ONLINE_ATTENTION);
    assert_eq!(
        text.matches("math.exp").count(),
        5,
        "one of the scores, and those of two corrections by the maximum, in the loop and at its end:\n{text}"
    );
    assert_eq!(text.matches("arith.maximumf").count(), 1, "{text}");
    assert!(!text.contains("tensor.empty(%dim, %dim_2)"), "{text}");
}

#[test]
fn online_reductions_of_each_kind() {
    let wave = |shape: &[usize]| {
        let count = shape.iter().product::<usize>();
        Array::numbers(shape, (0..count).map(|at| (at as f64 * 0.9).cos() + 2.5).collect())
    };
    let x = [wave(&[5, 7])];
    for text in [
        // Products and sums as divisors, before and after an inner loop of the same axis.
        "main = (I & i(\"+ij~i||ij\")) >> i(\"ij/i~ij||ij1\") >> i(\"+ij~i||ij0\")",
        "main = (I & i(\"+ij~i||ji\")) >> i(\"ij/i~ij||ji1\") >> i(\"+ij~i||ji0\")",
        "main = (I & i(\"*ij~i|j:2|jij'\")) >> i(\"ij/i~ij|j:2|ji1j'\") >> i(\"+ij~i|j:2|ji0j'\")",
        "main = (I & i(\"+ij~i|j:3|j'ij\")) >> i(\"ij/i~ij|j:3|j'i1j\") >> i(\"+ij~i|j:3|j'i0j\")",
        // Maxima and minima, which reach sums as factors and other maxima as summands.
        "main = (I & i(\">ij~i||ij\")) >> i(\"ij-i~ij||ij1\") >> i(\">ij~i||ij0\")",
        "main = (I & i(\"<ij~i||ji\")) >> i(\"ij-i~ij||ji1\") >> i(\"-ij~ij||ji0\") >> i(\">ij~i||ji0\")",
        "main = (I & i(\">ij~i||ji\")) >> i(\"ij-i~ij||ji1\") >> i(\"^ij~ij||ji0\") >> i(\"+ij~i||ji0\")",
        // The scalar of the whole input.
        "main = (I & i(\"+ij~.||ij\")) >> i(\"ij/.~ij||ij1\") >> i(\"+ij~.||ij0\")",
    ] {
        let (have, want) = (run_near(text, &x).expect(text), expected(text, &x).expect(text));
        assert!(near(&have, &want), "{text}: {have:?} {want:?}");
    }
}

/// Partial results that are zero or infinite do not reach the consumers.
#[test]
fn online_reductions_through_zero_and_infinity() {
    let infinity = f64::INFINITY;
    let sums = [1.0, -1.0, 2.0, 0.0, 0.0, 5.0, -3.0, 2.0, 2.0];
    let maxima = [-infinity, 1.0, 2.0, -infinity, -infinity, 3.0, -1000.0, -2000.0, -500.0];
    let masked = [-infinity, -infinity, -infinity, infinity, 1.0, 2.0, f64::NAN, 1.0, 2.0];
    for numbers in [sums, maxima, masked] {
        let x = [Array::numbers(&[3, 3], numbers.to_vec())];
        for text in [
            "main = (I & i(\"+ij~i||ji\")) >> i(\"ij/i~ij||ji1\") >> i(\"+ij~i||ji0\")",
            "main = (I & i(\">ij~i||ji\")) >> i(\"ij-i~ij||ji1\") >> i(\">ij~i||ji0\")",
            "main = (I & i(\">ij~i||ji\")) >> i(\"ij-i~ij||ji1\") >> i(\"^ij~ij||ji0\") >> i(\"+ij~i||ji0\")",
        ] {
            let (have, want) = (run_near(text, &x).expect(text), expected(text, &x).expect(text));
            assert!(near(&have, &want), "{text} {numbers:?}: {have:?} {want:?}");
        }
    }
}

/// An older implementation left the output unset if the reduced extent was 0 and its loop was outermost.
#[test]
fn empty_reduction_under_every_schedule() {
    let empty = [Array::numbers(&[2, 3, 0], Vec::new())];
    for schedule in ["", "||ijk", "||ikj", "||kij", "||ijk!", "||ij!k", "|k:4|kijk'", "|i:2,k:2|ki'ijk'!"] {
        let text = format!("main = i(\"+ijk~ij{schedule}\")");
        assert_eq!(run(&text, &empty), Ok(vec![numbers(&[2, 3], &[0.0; 6])]), "{text}");
        let text = format!("main = i(\">ijk~ij{schedule}\")");
        assert_eq!(run(&text, &empty), Ok(vec![numbers(&[2, 3], &[f64::NEG_INFINITY; 6])]), "{text}");
    }
}

/// The older implementation computed the natural logarithm of the left operand for `i$i~i`.
#[test]
fn binary_log_reads_both_operands() {
    let have = run("main = i(\"i$i~i||i\")", &[numbers(&[1], &[3.0]), numbers(&[1], &[81.0])]).expect("runs");
    assert!(near(&have, &[numbers(&[1], &[4.0])]));
}

/// The older implementation ignored NaN in maxima and minima.
#[test]
fn nan_under_every_schedule() {
    let x = [numbers(&[3], &[1.0, f64::NAN, 2.0])];
    for schedule in ["", "||i", "|i:2|i'i"] {
        for operator in [">", "<"] {
            let have = run(&format!("main = i(\"{operator}i~.{schedule}\")"), &x).expect("runs");
            assert!(have[0].data[0].is_nan());
            let have = run(&format!("main = i(\"{operator}i~i{schedule}\")"), &x).expect("runs");
            assert!(have[0].data[1].is_nan());
        }
    }
}

/// The older implementation rejected diagonals late.
#[test]
fn diagonals_under_schedules() {
    let x = [counted(&[3, 3])];
    for text in ["main = i(\"ii~i|i:2|i'i\")", "main = i(\"+ii~.||i\")", "main = i(\"+ii~.|i:2|i'i\")"] {
        assert_eq!(run(text, &x), expected(text, &x), "{text}");
    }
}

/// The older implementation summed for `ij~i`, accepted a factor of 0, and negated +0.0 to +0.0.
#[test]
fn sums_factors_and_zeros() {
    assert!(messages("main = i(\"ij~i\")").contains("must keep all axes"));
    assert!(messages("main = i(\"+ij~i|i:0|\")").contains("must be at least 1"));
    let have = run("main = i(\"-i~i||i\")", &[numbers(&[1], &[0.0])]).expect("runs");
    assert!(have[0].data[0].is_sign_negative());
}

/// The older implementation did not compile programs whose output is an input, and put the unpaired values of `>>`
/// first.
#[test]
fn identities_and_remainders() {
    let x = counted(&[2, 4]);
    let options = EmitOptions { free_ranks: vec![2, 2], ..EmitOptions::default() };
    let both = run_with("main = I | I", &[x.clone(), x.clone()], &options);
    assert_eq!(both, Ok(vec![x.clone(), x.clone()]));
    let text = "main = (i(\"+ij~i\") | i(\"+ij~j\")) >> i(\"-i~i\")";
    let shapes = run(text, &[x.clone(), x]).expect("runs").into_iter().map(|it| it.shape).collect::<Vec<_>>();
    assert_eq!(shapes, [vec![2], vec![4]]);
}

/// The older implementation returned comparisons as floats, and accepted any number as a boolean.
#[test]
fn comparisons_and_logic() {
    let have = run("main = i(\">>i~i||i\")", &[numbers(&[2], &[2.0, -1.0])]).expect("runs");
    assert_eq!(have, [truths(&[2], &[true, false])]);
    assert!(messages("main = i(\"+i~i\") >> i(\"||i~.\")").contains("takes truth values"));
}

#[test]
fn multiple_outputs_are_a_sequence() {
    let module =
        emitted(&context(), "main = i(\"+ij~i\") & i(\"+ij~j\")", &EmitOptions::default()).expect("emits");
    let text = text_of(&module);
    assert!(text.contains("minoan.index_path = [0]") && text.contains("minoan.index_path = [1]"), "{text}");
    let lowered = text_of(&lowered(module));
    assert!(lowered.contains("sip = "), "{lowered}");
    let one = emitted(&context(), "main = i(\"+ij~i\")", &EmitOptions::default()).expect("emits");
    assert!(!text_of(&one).contains("index_path"));
}
