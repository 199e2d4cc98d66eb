//! Products, reductions and pointwise computations.

use super::Program;
use super::text::{ADD, MAX, ORDERED, PRODUCTS, SINES_IN_ORDER, SQUARE, SUB, SUM, TWO_RESULTS, Text, Value};

/// The programs over axes of extents `[i, j, k]`.
pub const PROGRAMS: &[(&str, Program)] = &[
    ("product with epilogue", product_with_epilogue),
    ("product with a transposed factor", product_with_a_transposed_factor),
    ("products in a batch", products_in_a_batch),
    ("rows", rows),
    ("contraction of rows", contraction_of_rows),
    ("rows with unit dimensions", rows_with_unit_dimensions),
    ("sums of columns", sums_of_columns),
    ("sums in order", sums_in_order),
    ("sums of sines in order", sums_of_sines_in_order),
    ("two results", two_results),
    ("pointwise", pointwise),
];

fn product_with_epilogue(t: &mut Text, [i, j, k]: [usize; 3]) -> Vec<Value> {
    let (a, b, bias) = (t.arg(&[i, k]), t.arg(&[k, j]), t.arg(&[j]));
    let product =
        t.compute("i, j, k", &[(&a, "i, k"), (&b, "k, j")], (&[i, j], "i, j"), Some("0.0"), PRODUCTS);
    let sum = t.compute("i, j", &[(&product, "i, j"), (&bias, "j")], (&[i, j], "i, j"), None, ADD);
    let relu = t.compute("i, j", &[(&sum, "i, j"), (&sum, "i, j")], (&[i, j], "i, j"), None, ADD);
    vec![relu]
}

fn product_with_a_transposed_factor(t: &mut Text, [i, j, k]: [usize; 3]) -> Vec<Value> {
    let (a, b) = (t.arg(&[i, k]), t.arg(&[j, k]));
    let product =
        t.compute("i, j, k", &[(&a, "i, k"), (&b, "j, k")], (&[i, j], "i, j"), Some("1.0"), PRODUCTS);
    vec![product]
}

fn products_in_a_batch(t: &mut Text, [i, j, k]: [usize; 3]) -> Vec<Value> {
    let (a, b) = (t.arg(&[3, i, k]), t.arg(&[3, k, j]));
    let product = t.compute(
        "b, i, j, k",
        &[(&a, "b, i, k"), (&b, "b, k, j")],
        (&[3, i, j], "b, i, j"),
        Some("0.0"),
        PRODUCTS,
    );
    vec![product]
}

fn rows(t: &mut Text, [i, j, _]: [usize; 3]) -> Vec<Value> {
    let x = t.arg(&[i, j]);
    let max = t.compute("i, j", &[(&x, "i, j")], (&[i], "i"), Some("0xFF800000"), MAX);
    let off = t.compute("i, j", &[(&x, "i, j"), (&max, "i")], (&[i, j], "i, j"), None, SUB);
    let total = t.compute("i, j", &[(&off, "i, j")], (&[i], "i"), Some("0.0"), SUM);
    let doubled = t.compute("i", &[(&total, "i"), (&total, "i")], (&[i], "i"), None, ADD);
    let result = t.compute("i, j", &[(&off, "i, j"), (&doubled, "i")], (&[i, j], "i, j"), None, ADD);
    vec![result]
}

fn contraction_of_rows(t: &mut Text, [i, j, k]: [usize; 3]) -> Vec<Value> {
    let (q, keys, v) = (t.arg(&[3, i, 5]), t.arg(&[3, j, 5]), t.arg(&[3, j, k]));
    let scores = t.compute(
        "h, i, j, d",
        &[(&q, "h, i, d"), (&keys, "h, j, d")],
        (&[3, i, j], "h, i, j"),
        Some("0.0"),
        PRODUCTS,
    );
    let max = t.compute("h, i, j", &[(&scores, "h, i, j")], (&[3, i], "h, i"), Some("0xFF800000"), MAX);
    let off =
        t.compute("h, i, j", &[(&scores, "h, i, j"), (&max, "h, i")], (&[3, i, j], "h, i, j"), None, SUB);
    let result = t.compute(
        "h, i, e, j",
        &[(&off, "h, i, j"), (&v, "h, j, e")],
        (&[3, i, k], "h, i, e"),
        Some("0.0"),
        PRODUCTS,
    );
    vec![result]
}

fn rows_with_unit_dimensions(t: &mut Text, [i, j, _]: [usize; 3]) -> Vec<Value> {
    let x = t.arg(&[i, j]);
    let mean = t.compute("i, j", &[(&x, "i, j")], (&[i, 1], "i, 0"), Some("0.0"), SUM);
    let off = t.compute("i, j", &[(&x, "i, j"), (&mean, "i, 0")], (&[i, j], "i, j"), None, SUB);
    let squares = t.compute("i, j", &[(&off, "i, j")], (&[i, j], "i, j"), None, SQUARE);
    let total = t.compute("i, j", &[(&squares, "i, j")], (&[i, 1], "i, 0"), Some("0.0"), SUM);
    let result = t.compute("i, j", &[(&off, "i, j"), (&total, "i, 0")], (&[i, j], "i, j"), None, ADD);
    vec![result]
}

fn sums_of_columns(t: &mut Text, [i, j, _]: [usize; 3]) -> Vec<Value> {
    let x = t.arg(&[i, j]);
    let sums = t.compute("i, j", &[(&x, "i, j")], (&[j], "j"), Some("2.0"), SUM);
    vec![sums]
}

fn sums_in_order(t: &mut Text, [i, j, _]: [usize; 3]) -> Vec<Value> {
    let x = t.arg(&[i, j]);
    let sums = t.compute("i, j", &[(&x, "i, j")], (&[i], "i"), Some("2.0"), ORDERED);
    vec![sums]
}

fn sums_of_sines_in_order(t: &mut Text, [i, j, _]: [usize; 3]) -> Vec<Value> {
    let x = t.arg(&[i, j]);
    let sums = t.compute("i, j", &[(&x, "i, j")], (&[i], "i"), Some("2.0"), SINES_IN_ORDER);
    let result = t.compute("i, j", &[(&x, "i, j"), (&sums, "i")], (&[i, j], "i, j"), None, ADD);
    vec![result]
}

fn two_results(t: &mut Text, [i, j, _]: [usize; 3]) -> Vec<Value> {
    let (x, y) = (t.arg(&[i, j]), t.arg(&[j]));
    let results = t.two_results("i, j", [(&x, "i, j"), (&y, "j")], &[i, j], TWO_RESULTS);
    results.into()
}

fn pointwise(t: &mut Text, [i, j, _]: [usize; 3]) -> Vec<Value> {
    let (x, y, z) = (t.arg(&[i, j]), t.arg(&[j]), t.arg(&[j, i]));
    let sum = t.compute("i, j", &[(&x, "i, j"), (&y, "j")], (&[i, j], "i, j"), None, ADD);
    let square = t.compute("i, j", &[(&sum, "i, j")], (&[i, j], "i, j"), None, SQUARE);
    let result = t.compute("i, j", &[(&square, "i, j"), (&z, "j, i")], (&[i, j], "i, j"), None, ADD);
    vec![result]
}
