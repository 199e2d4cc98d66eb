//! Convolutions and poolings.

use super::Program;
use super::text::{ADD, MAX, PRODUCTS, SUM, Text, Value};

/// The programs on images: `[h, w, o]` are the height, the width and the number of channels of the result.
pub const PROGRAMS: &[(&str, Program)] = &[
    ("convolution", convolution),
    ("convolution of a padded constant", convolution_of_a_padded_constant),
    ("depthwise convolution with strides", depthwise_convolution_with_strides),
    ("pooling", pooling),
    ("pooling with channels last", pooling_with_channels_last),
    ("convolution with channels last", convolution_with_channels_last),
    (
        "convolution with channels last by weights with channels first",
        convolution_with_channels_last_by_weights_with_channels_first,
    ),
    ("depthwise convolution with channels last", depthwise_convolution_with_channels_last),
    ("convolution by windows of one element", convolution_by_windows_of_one_element),
    (
        "convolution by one window that does not cover the image",
        convolution_by_one_window_that_does_not_cover_the_image,
    ),
    ("sums of images", sums_of_images),
];

fn convolution(t: &mut Text, [h, w, o]: [usize; 3]) -> Vec<Value> {
    let (x, weights, bias) = (t.arg(&[3, h, w]), t.arg(&[o, 3, 3, 3]), t.arg(&[o]));
    let padded = t.pad(&x, &[(0, 0), (1, 1), (1, 1)], "0.0");
    let sums = t.compute(
        "o, y, x, c, p, q",
        &[(&padded, "c, y + p, x + q"), (&weights, "o, c, p, q")],
        (&[o, h, w], "o, y, x"),
        Some("0.0"),
        PRODUCTS,
    );
    let result =
        t.compute("o, y, x", &[(&sums, "o, y, x"), (&bias, "o")], (&[o, h, w], "o, y, x"), None, ADD);
    vec![result]
}

fn convolution_of_a_padded_constant(t: &mut Text, [h, w, o]: [usize; 3]) -> Vec<Value> {
    let weights = t.arg(&[o, 3, 3, 3]);
    let ones = t.filled(&[3, h, w], "1.0");
    let padded = t.pad(&ones, &[(0, 0), (1, 1), (1, 1)], "0.0");
    let sums = t.compute(
        "o, y, x, c, p, q",
        &[(&padded, "c, y + p, x + q"), (&weights, "o, c, p, q")],
        (&[o, h, w], "o, y, x"),
        Some("0.0"),
        PRODUCTS,
    );
    vec![sums]
}

fn depthwise_convolution_with_strides(t: &mut Text, [h, w, _]: [usize; 3]) -> Vec<Value> {
    let (x, weights) = (t.arg(&[5, 2 * h, 2 * w]), t.arg(&[5, 3, 3]));
    let padded = t.pad(&x, &[(0, 0), (0, 1), (1, 0)], "2.0");
    let sums = t.compute(
        "c, y, x, p, q",
        &[(&padded, "c, y * 2 + p, x * 2 + q"), (&weights, "c, p, q")],
        (&[5, h, w], "c, y, x"),
        Some("0.0"),
        PRODUCTS,
    );
    vec![sums]
}

fn pooling(t: &mut Text, [h, w, _]: [usize; 3]) -> Vec<Value> {
    let (x, window) = (t.arg(&[3, 2 * h, 2 * w]), t.arg(&[3, 3]));
    let padded = t.pad(&x, &[(0, 0), (1, 0), (1, 0)], "0xFF800000");
    let max = t.compute(
        "c, y, x, p, q",
        &[(&padded, "c, y * 2 + p, x * 2 + q"), (&window, "p, q")],
        (&[3, h, w], "c, y, x"),
        Some("0xFF800000"),
        MAX,
    );
    vec![max]
}

fn pooling_with_channels_last(t: &mut Text, [h, w, o]: [usize; 3]) -> Vec<Value> {
    let (x, window, bias) = (t.arg(&[h, w, o]), t.arg(&[5, 4]), t.arg(&[o]));
    let padded = t.pad(&x, &[(2, 2), (1, 2), (0, 0)], "0.0");
    let sums = t.compute(
        "y, x, c, p, q",
        &[(&padded, "y + p, x + q, c"), (&window, "p, q")],
        (&[h, w, o], "y, x, c"),
        Some("0.0"),
        SUM,
    );
    let result =
        t.compute("y, x, c", &[(&sums, "y, x, c"), (&bias, "c")], (&[h, w, o], "y, x, c"), None, ADD);
    vec![result]
}

fn convolution_with_channels_last(t: &mut Text, [h, w, o]: [usize; 3]) -> Vec<Value> {
    let (x, weights) = (t.arg(&[h, w, 3]), t.arg(&[3, 3, 3, o]));
    let padded = t.pad(&x, &[(1, 1), (1, 1), (0, 0)], "0.0");
    let sums = t.compute(
        "y, x, o, p, q, c",
        &[(&padded, "y + p, x + q, c"), (&weights, "p, q, c, o")],
        (&[h, w, o], "y, x, o"),
        Some("0.0"),
        PRODUCTS,
    );
    vec![sums]
}

fn convolution_with_channels_last_by_weights_with_channels_first(
    t: &mut Text,
    [h, w, o]: [usize; 3],
) -> Vec<Value> {
    let (x, weights) = (t.arg(&[h, w, 3]), t.arg(&[o, 3, 3, 3]));
    let padded = t.pad(&x, &[(1, 1), (1, 1), (0, 0)], "0.0");
    let sums = t.compute(
        "y, x, o, c, p, q",
        &[(&padded, "y + p, x + q, c"), (&weights, "o, c, p, q")],
        (&[h, w, o], "y, x, o"),
        Some("0.0"),
        PRODUCTS,
    );
    vec![sums]
}

fn depthwise_convolution_with_channels_last(t: &mut Text, [h, w, o]: [usize; 3]) -> Vec<Value> {
    let (x, weights) = (t.arg(&[2 * h, w, 2 * o]), t.arg(&[3, 3, 1, 2 * o]));
    let padded = t.pad(&x, &[(1, 0), (1, 1), (0, 0)], "2.0");
    let sums = t.compute(
        "y, x, c, m, p, q",
        &[(&padded, "y * 2 + p, x + q, c + m"), (&weights, "p, q, m, c")],
        (&[h, w, 2 * o], "y, x, c"),
        Some("0.0"),
        PRODUCTS,
    );
    vec![sums]
}

fn convolution_by_windows_of_one_element(t: &mut Text, [h, w, o]: [usize; 3]) -> Vec<Value> {
    let (x, weights, bias) = (t.arg(&[h, w, 17]), t.arg(&[o, 17, 1, 1]), t.arg(&[o]));
    let sums = t.compute(
        "y, x, o, c, p, q",
        &[(&x, "y + p, x + q, c"), (&weights, "o, c, p, q")],
        (&[h, w, o], "y, x, o"),
        Some("0.0"),
        PRODUCTS,
    );
    let result =
        t.compute("y, x, o", &[(&sums, "y, x, o"), (&bias, "o")], (&[h, w, o], "y, x, o"), None, ADD);
    vec![result]
}

fn convolution_by_one_window_that_does_not_cover_the_image(
    t: &mut Text,
    [_, w, o]: [usize; 3],
) -> Vec<Value> {
    let (x, weights) = (t.arg(&[4, w, 3]), t.arg(&[3, 1, 3, o]));
    let sums = t.compute(
        "y, x, o, p, q, c",
        &[(&x, "y * 2 + p, x + q, c"), (&weights, "p, q, c, o")],
        (&[1, w, o], "y, x, o"),
        Some("0.0"),
        PRODUCTS,
    );
    vec![sums]
}

fn sums_of_images(t: &mut Text, [h, w, o]: [usize; 3]) -> Vec<Value> {
    let (x, y) = (t.arg(&[o, h, w]), t.arg(&[o]));
    let sum = t.compute("c, y, x", &[(&x, "c, y, x"), (&y, "c")], (&[o, h, w], "c, y, x"), None, ADD);
    let total = t.compute("c, y, x", &[(&sum, "c, y, x")], (&[o], "c"), Some("0.0"), SUM);
    vec![total, sum]
}
