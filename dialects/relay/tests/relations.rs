//! Tests type relations and their error messages.

use expect_test::{Expect, expect};
use minoan_relay_dialect::attrs::{AttrValue, Attrs, complete};
use minoan_relay_dialect::operators::{all, find};
use minoan_relay_dialect::relation::{Answer, relate};
use minoan_relay_dialect::{DType, Dim, Type};

/// Parses a type: `f32[2,?,_]`, `(a; b)` or `_`.
fn ty(text: &str) -> Type {
    let text = text.trim();
    if text == "_" {
        return Type::Hole(0);
    }
    if let Some(inside) = text.strip_prefix('(') {
        let inside = inside.trim_end_matches(')');
        return Type::Tuple(inside.split(';').filter(|part| !part.trim().is_empty()).map(ty).collect());
    }
    let (dtype, shape) = text.split_once('[').unwrap_or((text, "]"));
    let (kind, bits) = dtype.split_at(1);
    let bits = bits.parse().unwrap_or(1);
    let dtype = match kind {
        "f" => DType::Float(bits),
        "i" => DType::Int(bits),
        "u" => DType::UInt(bits),
        _ => DType::Bool,
    };
    let dims = shape.trim_end_matches(']').split(',').filter(|dim| !dim.is_empty());
    let dim = |(at, dim): (usize, &str)| match dim {
        "?" => Dim::Any,
        "_" => Dim::Hole(at as u32 + 1),
        known => Dim::Known(known.parse().expect("a number")),
    };
    Type::tensor(dims.enumerate().map(dim), dtype)
}

fn value(text: &str) -> AttrValue {
    match text {
        "True" | "False" => AttrValue::Bool(text == "True"),
        "None" => AttrValue::None,
        _ if text.starts_with('[') => {
            let inside = &text[1..text.len() - 1];
            let items: Vec<&str> = if inside.contains('[') {
                inside.split("],").map(|item| item.trim()).collect()
            } else {
                inside.split(',').filter(|item| !item.is_empty()).collect()
            };
            let closed = |item: &str| {
                if item.starts_with('[') && !item.ends_with(']') {
                    format!("{item}]")
                } else {
                    item.to_owned()
                }
            };
            AttrValue::List(items.into_iter().map(|item| value(&closed(item.trim()))).collect())
        }
        _ => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(int), _) => AttrValue::Int(int),
            (_, Ok(float)) => AttrValue::Float(float),
            _ => AttrValue::from(text),
        },
    }
}

/// Prints `args -> result`, where refined arguments are shown too, or the error.
fn say(op: &str, args: &[&str], attrs: &[(&'static str, &str)]) -> String {
    let op = find(op).expect("an operator");
    let written: Attrs = attrs.iter().map(|(name, text)| (*name, value(text))).collect();
    let attrs = match complete(op, &written) {
        Ok(attrs) => attrs,
        Err(errors) => return errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    };
    let args: Vec<Type> = args.iter().map(|arg| ty(arg)).collect();
    match relate(op, &args, &attrs) {
        Ok(Answer::Stuck) => "stuck".to_owned(),
        Ok(Answer::Solved { args: refined, result }) if refined == args => result.to_string(),
        Ok(Answer::Solved { args: refined, result }) => {
            let refined: Vec<String> = refined.iter().map(ToString::to_string).collect();
            format!("{} -> {result}", refined.join(", "))
        }
        Err(error) => format!("{} [{:?}]", error.message, error.arg),
    }
}

/// An operator, the types of its arguments, and its attributes.
type Case<'a> = (&'a str, &'a [&'a str], &'a [(&'static str, &'a str)]);

fn check(cases: &[Case<'_>], expected: Expect) {
    let said: Vec<String> = cases.iter().map(|(op, args, attrs)| say(op, args, attrs)).collect();
    expected.assert_eq(&said.join("\n"));
}

#[test]
fn pointwise() {
    check(
        &[
            ("add", &["f32[2,4]", "f32[4]"], &[]),
            ("add", &["f32[2,1]", "f32[4]"], &[]),
            ("add", &["f32[?,4]", "f32[3,1]"], &[]),
            ("add", &["f32[_]", "f32[3]"], &[]),
            ("add", &["f32[_]", "f32[1]"], &[]),
            ("add", &["f32[_]", "f32[?]"], &[]),
            ("add", &["_", "f32[3]"], &[]),
            ("add", &["f32[2,4]", "f32[3]"], &[]),
            ("add", &["f32[2]", "i32[2]"], &[]),
            ("add", &["f32[2]"], &[]),
            ("add", &["(f32[2])", "f32[2]"], &[]),
            ("less", &["i32[2]", "i32[]"], &[]),
            ("isnan", &["f32[2]"], &[]),
            ("where", &["b[2,1]", "f32[3]", "f32[1]"], &[]),
            ("where", &["b[4]", "f32[3]", "f32[1]"], &[]),
            ("cast", &["f32[2]"], &[("dtype", "int8")]),
            ("cast", &["f32[2]"], &[("dtype", "int08")]),
            ("cast", &["f32[2]"], &[("dtpe", "int8")]),
            ("reinterpret", &["f32[2]"], &[("dtype", "int8")]),
            ("broadcast_to", &["f32[3]"], &[("shape", "[2,4]")]),
            ("broadcast_to_like", &["f32[3]", "f32[2,3]"], &[]),
            ("full", &["f32[1]"], &[("shape", "[2]")]),
            ("full", &["f32"], &[("shape", "[-2]")]),
            ("dyn.full", &["f32", "i64[2]"], &[("shape", "None")]),
            ("dyn.full", &["f32", "i64[?]"], &[("shape", "None")]),
            ("nn.leaky_relu", &["f32[2]"], &[("alpha", "-0.5")]),
        ],
        expect![[r#"
            Tensor[(2, 4), float32]
            Tensor[(2, 4), float32]
            Tensor[(3, 4), float32]
            Tensor[(3), float32]
            Tensor[(_), float32]
            stuck
            stuck
            add cannot broadcast Tensor[(2, 4), float32] and Tensor[(3), float32]: 4 is neither 3 nor 1 [Some(1)]
            add needs argument 'lhs' and argument 'rhs' of one type of elements, but they are Tensor[(2), float32] and Tensor[(2), int32] [Some(1)]
            add takes 2 arguments (lhs, rhs), but is given 1 [None]
            add needs a tensor as argument 'lhs', but it is of type (Tensor[(2), float32],) [Some(0)]
            Tensor[(2), bool]
            Tensor[(2), bool]
            Tensor[(2, 3), float32]
            where cannot broadcast Tensor[(4), bool] to Tensor[(3), float32]: 4 is neither 3 nor 1 [Some(0)]
            Tensor[(2), int8]
            attribute 'dtype' of cast must be the name of a type of elements, as "float32", but is "int08"
            cast has no attribute 'dtpe'; did you mean 'dtype'?
            cast needs the attribute 'dtype': the name of a type of elements, as "float32"
            reinterpret cannot read the bits of float32 as int8 [Some(0)]
            broadcast_to cannot broadcast Tensor[(3), float32] to Tensor[(2, 4), float32] [Some(0)]
            Tensor[(2, 3), float32]
            full needs a number to fill with, but is given Tensor[(1), float32] [Some(0)]
            full has the negative extent -2 in 'shape' [None]
            Tensor[(?, ?), float32]
            dyn.full needs a known number of elements in argument 'shape', on which the rank of the result depends [Some(1)]
            attribute 'alpha' of nn.leaky_relu must be a number of at least 0, but is -0.5"#]],
    );
}

#[test]
fn shapes() {
    check(
        &[
            ("reshape", &["f32[2,3,4]"], &[("newshape", "[0,-1]")]),
            ("reshape", &["f32[2,3,4]"], &[("newshape", "[-3,-2]")]),
            ("reshape", &["f32[2,3,4]"], &[("newshape", "[-4,1,-1,-2]")]),
            ("reshape", &["f32[?,3,4]"], &[("newshape", "[0,-1]")]),
            ("reshape", &["f32[?,3,4]"], &[("newshape", "[-1,4]")]),
            ("reshape", &["f32[0,3]"], &[("newshape", "[-1]")]),
            ("reshape", &["f32[2,3,4]"], &[("newshape", "[5,5]")]),
            ("reshape", &["f32[2,3,4]"], &[("newshape", "[-1,-1]")]),
            ("reshape", &["f32[2]"], &[("newshape", "[0,0]")]),
            ("reshape", &["f32[6]"], &[("newshape", "[-4,4,-1]")]),
            ("contrib_reverse_reshape", &["f32[10,5,4]"], &[("newshape", "[-1,0]")]),
            ("reshape_like", &["f32[2,3]", "f32[4]"], &[]),
            ("expand_dims", &["f32[2,3]"], &[("axis", "-1"), ("num_newaxis", "2")]),
            ("expand_dims", &["f32[2,3]"], &[("axis", "3")]),
            ("squeeze", &["f32[1,3,1]"], &[]),
            ("squeeze", &["f32[1,3,1]"], &[("axis", "[1]")]),
            ("squeeze", &["f32[?,3]"], &[]),
            ("transpose", &["f32[2,3,4]"], &[("axes", "[2,0,1]")]),
            ("transpose", &["f32[2,3,4]"], &[("axes", "[1,0]")]),
            ("transpose", &["f32[2,3]"], &[("axes", "[1,1]")]),
            ("concatenate", &["(f32[2,3]; f32[2,1])"], &[("axis", "-1")]),
            ("concatenate", &["(f32[2,?]; f32[?,1])"], &[("axis", "1")]),
            ("concatenate", &["(f32[2,3]; f32[3,3])"], &[("axis", "1")]),
            ("concatenate", &["(f32[2]; i32[2])"], &[]),
            ("concatenate", &["()"], &[]),
            ("concatenate", &["f32[2]"], &[]),
            ("stack", &["(f32[2]; f32[2])"], &[("axis", "-1")]),
            ("split", &["f32[4,6]"], &[("indices_or_sections", "[2,5]"), ("axis", "1")]),
            ("split", &["f32[4,6]"], &[("indices_or_sections", "4"), ("axis", "1")]),
            ("split", &["f32[4,6]"], &[("indices_or_sections", "[4]")]),
            (
                "strided_slice",
                &["f32[4,6]"],
                &[("begin", "[-1]"), ("end", "[-9]"), ("strides", "[-2]"), ("axes", "[1]")],
            ),
            ("strided_slice", &["f32[4,6]"], &[("begin", "[0]"), ("end", "[1]")]),
            (
                "strided_slice",
                &["f32[4]"],
                &[("begin", "[0]"), ("end", "[4]"), ("strides", "[0]"), ("axes", "None")],
            ),
            ("tile", &["f32[2,3]"], &[("reps", "[2,1,2]")]),
            ("tile", &["f32[2]"], &[("reps", "[0]")]),
            (
                "sliding_window",
                &["f32[10,8]"],
                &[("axis", "0"), ("window_shape", "[3,2]"), ("strides", "[2,2]")],
            ),
        ],
        expect![[r#"
            Tensor[(2, 12), float32]
            Tensor[(6, 4), float32]
            Tensor[(1, 2, 3, 4), float32]
            Tensor[(?, 12), float32]
            Tensor[(?, 4), float32]
            Tensor[(0), float32]
            reshape cannot give the shape (2, 3, 4) of 24 elements the shape (5, 5) of 25 elements [Some(0)]
            reshape has -1 twice in 'newshape' [None]
            reshape takes more extents from the shape (2) than there are [Some(0)]
            reshape cannot split the extent 6 into 4 and 1 [Some(0)]
            Tensor[(50, 4), float32]
            reshape_like cannot give 6 elements of Tensor[(2, 3), float32] the shape of 4 elements of Tensor[(4), float32] [Some(1)]
            Tensor[(2, 3, 1, 1), float32]
            expand_dims has axis 3, which is not in [-3, 3) [None]
            Tensor[(3), float32]
            squeeze cannot drop axis 1 of Tensor[(1, 3, 1), float32], whose extent is 3, not 1 [Some(0)]
            squeeze needs the attribute 'axis' for Tensor[(?, 3), float32] [Some(0)]
            Tensor[(4, 2, 3), float32]
            transpose has 2 axes in 'axes', but Tensor[(2, 3, 4), float32] has 3 [None]
            transpose has axis 1 twice [None]
            Tensor[(2, 4), float32]
            Tensor[(2, ?), float32]
            concatenate needs tensors of one extent along axis 0, but 0 is Tensor[(2, 3), float32] and 1 is Tensor[(3, 3), float32] [Some(0)]
            concatenate needs tensors of one rank and one type of elements, but 0 is Tensor[(2), float32] and 1 is Tensor[(2), int32] [Some(0)]
            concatenate needs at least one tensor [Some(0)]
            concatenate needs a tuple of tensors as argument 'data', but it is Tensor[(2), float32] [Some(0)]
            Tensor[(2, 2), float32]
            (Tensor[(4, 2), float32], Tensor[(4, 3), float32], Tensor[(4, 1), float32])
            split cannot make 4 equal parts of the 6 elements along axis 1 of Tensor[(4, 6), float32] [Some(0)]
            split cannot split Tensor[(4, 6), float32] at 4 along axis 0: the indices must grow, and lie inside [Some(0)]
            Tensor[(4, 3), float32]
            strided_slice needs the attribute 'strides': a list of integers
            strided_slice needs the attribute 'axes': a list of integers
            strided_slice cannot have the stride 0 [None]
            Tensor[(2, 2, 6), float32]
            tile needs counts of at least 1 in 'reps', but one is 0 [None]
            Tensor[(4, 4, 3, 2), float32]"#]],
    );
}

#[test]
fn reductions_and_indices() {
    check(
        &[
            ("sum", &["f32[2,3,4]"], &[("axis", "1")]),
            ("sum", &["f32[2,3,4]"], &[("axis", "[1]"), ("exclude", "True"), ("keepdims", "1")]),
            ("sum", &["f32[2,3]"], &[("axis", "[0,-2]")]),
            ("sum", &["f32[2,3]"], &[("axis", "[2]")]),
            ("argmax", &["f32"], &[]),
            ("variance", &["f32[2,3]", "f32[3]"], &[("axis", "[1]")]),
            ("variance", &["f32[2,3]", "f32[2]"], &[("axis", "[1]")]),
            ("cumsum", &["i8[2,3]"], &[("dtype", "int32")]),
            ("topk", &["f32[2,6]"], &[("k", "3"), ("dtype", "int64")]),
            ("topk", &["f32[2,6]"], &[("k", "7")]),
            ("topk", &["f32[2]"], &[("k", "1"), ("ret_type", "all")]),
            ("take", &["f32[3,4]", "i32[2,2]"], &[("axis", "1")]),
            ("take", &["f32[3,4]", "f32[2]"], &[("axis", "1")]),
            ("gather", &["f32[3,4]", "i32[1,2]"], &[("axis", "0")]),
            ("gather_nd", &["f32[2,3,4]", "i32[2,5]"], &[]),
            ("gather_nd", &["f32[2,3]", "i32[3,5]"], &[]),
            ("scatter_nd", &["f32[2,3]", "i64[2,3]", "f32[2]"], &[]),
            ("scatter_elements", &["f32[3]", "i64[2]", "f32[2]"], &[("reduction", "sum")]),
            ("one_hot", &["i32[2]", "f32", "f32"], &[("depth", "3"), ("axis", "0"), ("dtype", "int8")]),
            (
                "arange",
                &["i32", "i32", "i32"],
                &[("start", "0"), ("stop", "7"), ("step", "2"), ("dtype", "int32")],
            ),
            ("meshgrid", &["(f32[2]; f32[3])"], &[("indexing", "xy")]),
            ("einsum", &["(f32[2,3]; f32[3,4])"], &[("equation", "ij,jk->ik")]),
            ("einsum", &["(f32[2,3]; f32[4,4])"], &[("equation", "ij,jk")]),
            ("unique", &["i32[5]"], &[("return_counts", "True")]),
            ("layout_transform", &["f32[1,16,5,6]"], &[("src_layout", "NCHW"), ("dst_layout", "NCHW8c")]),
        ],
        expect![[r#"
            Tensor[(2, 4), float32]
            Tensor[(1, 3, 1), float32]
            sum has axis 0 twice [None]
            sum has axis 2, which is not in [-2, 2) [None]
            argmax needs a tensor with an axis, but is given float32 [Some(0)]
            Tensor[(2), float32]
            variance needs a mean that broadcasts to Tensor[(2, 3), float32], but is given Tensor[(2), float32] [Some(1)]
            Tensor[(6), int32]
            (Tensor[(2, 3), float32], Tensor[(2, 3), int64])
            topk cannot take 7 of the 6 elements along axis 1 of Tensor[(2, 6), float32] [None]
            topk needs the ret_type "both", "values" or "indices", but it is "all" [None]
            Tensor[(3, 2, 2), float32]
            take needs integers as argument 'indices', but it is Tensor[(2), float32] [Some(1)]
            gather needs Tensor[(3, 4), float32] and Tensor[(1, 2), int32] of one extent along axis 1 [Some(1)]
            Tensor[(5, 4), float32]
            gather_nd has indices of 3 numbers for Tensor[(2, 3), float32]: Tensor[(3, 5), int32] [Some(1)]
            scatter_nd needs updates of the shape (3), but is given Tensor[(2), float32] [Some(2)]
            scatter_elements needs one of "update", "add", "mul", "min", "max", "mean" as 'reduction', but it is "sum" [None]
            Tensor[(3, 2), int8]
            Tensor[(4), int32]
            (Tensor[(3, 2), float32], Tensor[(3, 2), float32])
            Tensor[(2, 4), float32]
            einsum has the extents 3 and 4 for 'j' in "ij,jk" [Some(0)]
            (Tensor[(?), int32], Tensor[(?), int32], Tensor[(5), int32], Tensor[(1), int32], Tensor[(?), int32])
            Tensor[(1, 2, 5, 6, 8), float32]"#]],
    );
}

#[test]
fn products_and_windows() {
    check(
        &[
            ("nn.dense", &["f32[2,3]", "_"], &[("units", "4")]),
            ("nn.dense", &["f32[2,?]", "f32[4,3]"], &[("units", "4")]),
            ("nn.dense", &["f32[2,_]", "f32[4,3]"], &[("units", "4")]),
            ("nn.dense", &["f32[2,5]", "f32[4,3]"], &[("units", "4")]),
            ("nn.dense", &["f32[2,3]", "f32[5,3]"], &[("units", "4")]),
            ("nn.dense", &["f32[2,3]", "f32[4,3]"], &[]),
            ("nn.dense", &["f32[2,3]", "_"], &[("units", "-4")]),
            ("nn.matmul", &["f32[3,2]", "f32[3,4]"], &[("units", "None"), ("transpose_a", "True")]),
            ("nn.batch_matmul", &["f32[1,2,3]", "f32[5,4,3]"], &[("transpose_b", "True")]),
            ("nn.batch_matmul", &["f32[2,2,2]", "f32[3,2,2]"], &[]),
            (
                "nn.conv2d",
                &["f32[1,3,8,8]", "_"],
                &[("channels", "16"), ("kernel_size", "[3,3]"), ("padding", "[1,1]")],
            ),
            (
                "nn.conv2d",
                &["f32[1,8,8,4]", "_"],
                &[
                    ("channels", "4"),
                    ("groups", "4"),
                    ("kernel_size", "[3,3]"),
                    ("data_layout", "NHWC"),
                    ("kernel_layout", "HWOI"),
                ],
            ),
            (
                "nn.conv2d",
                &["f32[1,2,8,8,8]", "f32[2,2,3,3,8,8]"],
                &[("data_layout", "NCHW8c"), ("kernel_layout", "OIHW8i8o"), ("strides", "[2,2]")],
            ),
            ("nn.conv2d", &["f32[1,2,5,6]", "f32[3,4,3,3]"], &[]),
            (
                "nn.conv2d",
                &["f32[1,2,5,6]", "f32[3,2,3,3]"],
                &[("groups", "3"), ("channels", "3"), ("kernel_size", "[3,3]")],
            ),
            ("nn.conv2d", &["f32[1,2,5,6]", "f32[3,2,3,3]"], &[("padding", "[1,2,3]")]),
            ("nn.conv2d", &["f32[1,2,5,6]", "f32[3,2,3,3]"], &[("data_layout", "NCW")]),
            ("nn.conv1d", &["f32[1,2,?]", "f32[3,2,3]"], &[]),
            (
                "nn.conv2d_transpose",
                &["f32[1,2,3,3]", "f32[2,3,3,3]"],
                &[("strides", "[2,2]"), ("output_padding", "[1,1]")],
            ),
            (
                "nn.max_pool2d",
                &["f32[1,1,5,5]"],
                &[("pool_size", "[2,2]"), ("strides", "[2,2]"), ("ceil_mode", "True")],
            ),
            (
                "nn.avg_pool2d",
                &["f32[1,5,5,2]"],
                &[("pool_size", "[3,3]"), ("layout", "NHWC"), ("padding", "[0,1,2,3]")],
            ),
            ("nn.adaptive_avg_pool2d", &["f32[1,2,8,8]"], &[("output_size", "[3]")]),
            ("nn.batch_norm", &["f32[1,3,2,2]", "_", "_", "_", "_"], &[]),
            ("nn.bias_add", &["f32[2,3,2,2]", "f32[2]"], &[]),
            ("nn.pad", &["f32[2,3]", "f32"], &[("pad_width", "[[1,1],[0,-1]]")]),
            ("nn.pad", &["f32[2,3]", "f32"], &[("pad_width", "[[1,1]]")]),
            ("nn.softmax", &["f32[2,3]"], &[("axis", "2")]),
            ("nn.upsampling", &["f32[1,1,3,5]"], &[("scale_h", "2.5"), ("scale_w", "1.5")]),
            ("image.resize2d", &["f32[1,1,3,4]"], &[("size", "[6,8]")]),
        ],
        expect![[r#"
            Tensor[(2, 3), float32], Tensor[(4, 3), float32] -> Tensor[(2, 4), float32]
            Tensor[(2, 4), float32]
            Tensor[(2, 3), float32], Tensor[(4, 3), float32] -> Tensor[(2, 4), float32]
            nn.dense cannot multiply Tensor[(2, 5), float32] and Tensor[(4, 3), float32]: it sums over 5 elements of one and 3 of the other [Some(1)]
            nn.dense has units=4, but Tensor[(5, 3), float32] gives 5 [Some(1)]
            nn.dense needs the attribute 'units': an integer
            nn.dense cannot give Tensor[(2, -4), float32], whose extent -4 is negative [None]
            Tensor[(2, 4), float32]
            Tensor[(5, 2, 4), float32]
            nn.batch_matmul cannot multiply Tensor[(2, 2, 2), float32] and Tensor[(3, 2, 2), float32]: the batches 2 and 3 differ [Some(1)]
            Tensor[(1, 3, 8, 8), float32], Tensor[(16, 3, 3, 3), float32] -> Tensor[(1, 16, 8, 8), float32]
            Tensor[(1, 8, 8, 4), float32], Tensor[(3, 3, 4, 1), float32] -> Tensor[(1, 6, 6, 4), float32]
            Tensor[(1, 2, 3, 3, 8), float32]
            nn.conv2d cannot apply the kernel Tensor[(3, 4, 3, 3), float32] to Tensor[(1, 2, 5, 6), float32] in 1 groups: it takes 4 channels in each, not 2 [Some(1)]
            nn.conv2d needs a kernel Tensor[(2, 1, 3, 3), float32], but is given Tensor[(3, 2, 3, 3), float32] [Some(1)]
            nn.conv2d needs 1, 2 or 4 numbers in 'padding', but there are 3 [None]
            nn.conv2d needs a layout of the axes NCHW as 'data_layout', but it is "NCW" [None]
            Tensor[(1, 3, ?), float32]
            Tensor[(1, 3, 8, 8), float32]
            Tensor[(1, 1, 3, 3), float32]
            Tensor[(1, 5, 7, 2), float32]
            Tensor[(1, 2, 3, 3), float32]
            Tensor[(1, 3, 2, 2), float32], Tensor[(3), float32], Tensor[(3), float32], Tensor[(3), float32], Tensor[(3), float32] -> (Tensor[(1, 3, 2, 2), float32], Tensor[(3), float32], Tensor[(3), float32])
            nn.bias_add needs Tensor[(3), float32] as argument 'bias', one element for each along axis 1 of Tensor[(2, 3, 2, 2), float32], but is given Tensor[(2), float32] [Some(1)]
            Tensor[(4, 2), float32]
            nn.pad needs 2 pairs in 'pad_width', but there are 1 [None]
            nn.softmax has axis 2, which is not in [-2, 2) [None]
            Tensor[(1, 1, 8, 8), float32]
            Tensor[(1, 1, 6, 8), float32]"#]],
    );
}

#[test]
fn quantized() {
    check(
        &[
            ("qnn.quantize", &["f32[2,3]", "f32[3]", "i32[3]"], &[("out_dtype", "int8"), ("axis", "1")]),
            ("qnn.quantize", &["f32[2]", "f32", "f32"], &[("out_dtype", "int8")]),
            ("qnn.quantize", &["f16[2]", "f32", "i32"], &[("out_dtype", "int8")]),
            ("qnn.requantize", &["i32[2]", "f32", "i32", "f32", "i32"], &[]),
            (
                "qnn.dense",
                &["u8[2,4]", "i8[3,4]", "i32", "i32", "f32", "f32[3]"],
                &[("units", "3"), ("out_dtype", "int32")],
            ),
            (
                "qnn.dense",
                &["u8[2,4]", "i8[3,4]", "f32", "i32", "f32", "f32"],
                &[("units", "3"), ("out_dtype", "int32")],
            ),
            ("qnn.add", &["u8[2,3]", "u8[3]", "f32", "i32", "f32", "i32", "f32", "i32"], &[]),
        ],
        expect![[r#"
            Tensor[(2, 3), int8]
            qnn.quantize needs a number of type int32, or 2 of them as the zero point, but is given float32 [Some(2)]
            qnn.quantize needs argument 'data' of type float32, but is given Tensor[(2), float16] [Some(0)]
            qnn.requantize needs one of int8, uint8, int16, int32 as 'out_dtype', but it is void [None]
            Tensor[(2, 3), int32]
            qnn.dense needs a number of type int32 as the zero point, but is given float32 [Some(2)]
            Tensor[(2, 3), uint8]"#]],
    );
}

/// No operator panics for any types: unknown types, scalars, and tensors of several ranks.
#[test]
fn relations_accept_any_input() {
    let shapes = [
        "_",
        "f32",
        "i32[2]",
        "f32[3,3]",
        "f32[_,?,3]",
        "f32[1,2,5,6]",
        "i64[0,9223372036854775807]",
        "(f32[2]; f32[2])",
        "()",
        "u8[1,2,3,4,5]",
    ];
    let numbers = [i64::MIN, -3, -1, 0, 1, 2, 9_223_372_036_854_775_807];
    let mut answers = 0;
    for op in all() {
        for shape in shapes {
            for number in numbers {
                let written: Attrs = op
                    .fields
                    .iter()
                    .filter_map(|field| Some((field.name, sample(field.kind, number)?)))
                    .collect();
                let Ok(attrs) = complete(op, &written) else { continue };
                let args = vec![ty(shape); op.args.len()];
                answers += usize::from(relate(op, &args, &attrs).is_ok());
                if let Some(last) = args.len().checked_sub(1) {
                    assert!(relate(op, &args[..last], &attrs).is_err() || op.variadic, "{}", op.name);
                }
            }
        }
    }
    assert!(answers > 1000);
}

fn sample(kind: minoan_relay_dialect::operators::FieldKind, number: i64) -> Option<AttrValue> {
    use minoan_relay_dialect::operators::FieldKind;
    Some(match kind {
        FieldKind::Int | FieldKind::IntOrInts | FieldKind::Scalar => AttrValue::Int(number),
        FieldKind::Float => AttrValue::Float(number as f64),
        FieldKind::Ints => AttrValue::ints(&[number, number]),
        FieldKind::Floats => AttrValue::List(vec![AttrValue::Float(number as f64)]),
        FieldKind::IntLists => AttrValue::List(vec![AttrValue::ints(&[number, number]); 2]),
        _ => return None,
    })
}
