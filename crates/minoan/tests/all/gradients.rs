//! Gradients of programs in Relay and of i-expressions, and of a program in three languages: reverse mode agrees with
//! forward mode and with central differences.

use minoan::gradient::{Wrt, difference_gradient, floats, forward_gradient};
use minoan::interface::ValueType;
use minoan::{Backend, Datum, Entry, Float, Session};
use serde_json::{Value, json};

/// Deterministic numbers between -1 and 1, not close to each other.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
    }

    fn tensor(&mut self, shape: &[usize], is_float: bool) -> Value {
        match shape.split_first() {
            None if is_float => json!(self.next()),
            None => json!(u8::from(self.next() > 0.0)),
            Some((&extent, rest)) => (0..extent).map(|_| self.tensor(rest, is_float)).collect(),
        }
    }

    /// A value of a type; dynamic extents are 3.
    fn value(&mut self, ty: &ValueType) -> Value {
        match ty {
            ValueType::Tensor { shape, element } => {
                let shape: Vec<usize> = shape.iter().map(|extent| extent.unwrap_or(3)).collect();
                self.tensor(&shape, element.float_kind().is_some())
            }
            ValueType::Scalar(element) => self.tensor(&[], element.float_kind().is_some()),
            ValueType::Tuple(parts) => {
                json!({"tuple": parts.iter().map(|part| self.value(part)).collect::<Vec<_>>()})
            }
            other => panic!("no value of {}", other.describe()),
        }
    }
}

fn arguments(entry: &Entry) -> Vec<Datum> {
    let mut numbers = Numbers(7);
    let values: Vec<Value> = entry.interface.params.iter().map(|ty| numbers.value(ty)).collect();
    entry.interface.parse_args(&json!(values)).expect("the arguments fit")
}

fn compare(what: &str, xs: &[Datum], ys: &[Datum], tolerance: f64) {
    assert_eq!(xs.len(), ys.len(), "{what}");
    for (x, y) in xs.iter().zip(ys) {
        let (x, y) = (floats(x).expect("floats"), floats(y).expect("floats"));
        for (x, y) in x.iter().zip(&y) {
            let scale = 1.0_f64.max(x.abs()).max(y.abs());
            assert!((x - y).abs() <= tolerance * scale, "{what}: {x} and {y}");
        }
    }
}

fn check(session: &Session, what: &str, entry: &Entry) {
    let args = arguments(entry);
    let backend = Backend::Interpret;
    let gradient = session.grad(entry, Wrt::All).expect("it has parameters of floats");
    let reverse = session.run(&gradient, &args, backend).unwrap_or_else(|error| panic!("{what}: {error:?}"));
    let forward = forward_gradient(session, entry, Wrt::All, &args, backend).expect("forward mode");
    compare(&format!("{what}, forward mode"), &reverse, &forward, 1e-9);
    let differences =
        difference_gradient(session, entry, Wrt::All, &args, backend).expect("differences").gradient;
    compare(&format!("{what}, differences"), &reverse, &differences, 1e-5);
}

/// Parameters and body of functions in Relay; `Fn` stands for tensors of `float64`.
const RELAY: &[(&str, &str, &str)] = &[
    ("dense", "%x: F[(2, 3)], %w: F[(4, 3)]", "nn.relu(nn.dense(%x, %w, units=4))"),
    ("bias", "%x: F[(1, 2, 3, 3)], %y: F[(2)]", "nn.prelu(nn.bias_add(%x, %y), %y)"),
    ("matmul", "%x: F[(4, 3)], %y: F[(3, 5)]", "nn.matmul(%x, %y, units=5)"),
    ("batch_matmul", "%x: F[(2, 4, 3)], %y: F[(2, 5, 3)]", "nn.batch_matmul(%x, %y, transpose_b=True)"),
    ("einsum", "%x: F[(4, 3)], %y: F[(3, 5)]", "einsum((%x, %y), equation=\"ij,jk->ik\")"),
    ("softmax", "%x: F[(2, 3)], %y: F[(2, 3)]", "multiply(nn.softmax(%x, axis=1), %y)"),
    ("log_softmax", "%x: F[(2, 3)], %y: F[(2, 3)]", "multiply(nn.log_softmax(%x, axis=1), %y)"),
    (
        "conv2d",
        "%x: F[(1, 2, 5, 5)], %w: F[(3, 2, 3, 3)]",
        "nn.conv2d(%x, %w, padding=[1, 1, 1, 1], kernel_size=[3, 3], channels=3)",
    ),
    (
        "conv2d_strided_groups",
        "%x: F[(1, 4, 4, 4)], %w: F[(4, 1, 3, 3)]",
        "nn.conv2d(%x, %w, groups=4, channels=4, kernel_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])",
    ),
    (
        "conv2d_dilated",
        "%x: F[(1, 2, 5, 5)], %w: F[(3, 2, 2, 2)]",
        "nn.conv2d(%x, %w, padding=[0, 0, 0, 0], kernel_size=[2, 2], channels=3, dilation=[2, 2])",
    ),
    (
        "conv1d",
        "%x: F[(1, 2, 6)], %w: F[(3, 2, 3)]",
        "nn.conv1d(%x, %w, padding=[1, 1], kernel_size=[3], channels=3)",
    ),
    (
        "conv2d_transpose",
        "%x: F[(1, 2, 3, 3)], %w: F[(2, 3, 3, 3)]",
        "nn.conv2d_transpose(%x, %w, channels=3, kernel_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])",
    ),
    ("max_pool2d", "%x: F[(1, 2, 4, 4)]", "nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2])"),
    (
        "max_pool2d_padded",
        "%x: F[(1, 1, 4, 4)]",
        "nn.max_pool2d(%x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])",
    ),
    (
        "avg_pool2d",
        "%x: F[(1, 2, 5, 5)]",
        "exp(nn.avg_pool2d(%x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1]))",
    ),
    ("global_avg_pool2d", "%x: F[(1, 2, 3, 3)]", "exp(nn.global_avg_pool2d(%x))"),
    (
        "reductions",
        "%x: F[(2, 3)]",
        "(exp(sum(%x, axis=[1])), max(%x, axis=[0]), prod(%x, axis=[1]), mean(%x), min(%x))",
    ),
    ("variance", "%x: F[(4, 3)]", "variance(%x, mean(%x, axis=[1], keepdims=True), axis=[1])"),
    ("cumsum", "%x: F[(4)]", "exp(cumsum(%x, axis=0))"),
    ("take", "%x: F[(4, 3)], %i: Tensor[(5), int32]", "exp(take(%x, %i, axis=0))"),
    ("gather_nd", "%x: F[(4, 3)], %i: Tensor[(2, 5), int32]", "exp(gather_nd(%x, %i))"),
    (
        "scatter_elements",
        "%x: F[(4)], %i: Tensor[(1), int64], %u: F[(1)]",
        "exp(scatter_elements(%x, %i, %u, axis=0))",
    ),
    (
        "strided_slice",
        "%x: F[(4, 3)]",
        "exp(strided_slice(%x, begin=[1, 0], end=[4, 3], strides=[2, 1], axes=[0, 1]))",
    ),
    ("split", "%x: F[(4, 3)]", "%0 = split(%x, indices_or_sections=2, axis=0);\n  multiply(%0.0, %0.1)"),
    ("concatenate", "%x: F[(4, 3)], %y: F[(4, 2)]", "%0 = (%x, %y);\n  exp(concatenate(%0, axis=1))"),
    ("stack", "%x: F[(4)], %y: F[(4)]", "%0 = (%x, %y);\n  exp(stack(%0, axis=0))"),
    ("reshape", "%x: F[(4, 3)]", "exp(reshape(transpose(%x, axes=[1, 0]), newshape=[2, 6]))"),
    ("squeeze", "%x: F[(4, 1, 3)]", "exp(expand_dims(squeeze(%x, axis=[1]), axis=0))"),
    ("pad", "%x: F[(4, 3)]", "exp(nn.pad(%x, 0f, pad_width=[[1, 1], [0, 2]]))"),
    ("tile_and_repeat", "%x: F[(2, 3)]", "exp(repeat(tile(%x, reps=[2, 2]), repeats=2, axis=0))"),
    ("reverse", "%x: F[(4, 3)]", "exp(reverse(%x, axis=0))"),
    ("broadcast_to", "%x: F[(1, 3)]", "exp(broadcast_to(%x, shape=[4, 3]))"),
    ("broadcast", "%x: F[(4, 1)], %y: F[(3)]", "exp(multiply(%x, %y))"),
    ("where", "%x: F[(4, 3)], %y: F[(4, 3)]", "where(greater(%x, %y), exp(%x), sin(%y))"),
    ("clip", "%x: F[(4)]", "clip(%x, a_min=-0.5f, a_max=0.5f)"),
    ("power", "%x: F[(4)], %y: F[(4)]", "power(exp(%x), %y)"),
    ("activations", "%x: F[(4, 3)]", "sigmoid(%x) + tanh(%x) + rsqrt(exp(%x)) + log(exp(%x)) + erf(%x)"),
    ("conditional", "%x: F[()]", "if (greater(%x, 0f64)) { exp(%x) } else { sin(%x) }"),
    ("layer_norm", "%x: F[(4, 3)], %g: F[(3)], %b: F[(3)]", "nn.layer_norm(%x, %g, %b)"),
    ("sort", "%x: F[(4)], %y: F[(4)]", "multiply(sort(%x), %y)"),
    (
        "upsampling",
        "%x: F[(1, 2, 3, 3)]",
        "exp(nn.upsampling(%x, scale_h=2f, scale_w=2f, method=\"bilinear\"))",
    ),
    ("depth_to_space", "%x: F[(1, 4, 2, 2)]", "exp(nn.depth_to_space(%x, block_size=2))"),
];

fn relay() -> String {
    let mut text = "#[version = \"0.0.5\"]\n".to_owned();
    for (name, params, body) in RELAY {
        let params = params.replace("F[(", "Tensor[(").replace(")]", "), float64]");
        text += &format!("def @{name}({params}) {{\n  {body}\n}}\n");
    }
    text
}

#[test]
fn operators_of_relay() {
    let session = Session::new();
    let program = session.read_text("operators.relay", &relay()).expect("the program is valid");
    for (name, ..) in RELAY {
        let entry = session.entry(&program, name, Float::F64).expect("it can be lowered");
        check(&session, name, &entry);
    }
}

#[test]
fn components_of_i_expressions() {
    let session = Session::new();
    let text = "row_sum = i(\"+ij~i\")
row_div = i(\"ij/i~ij\")
id = i(\"ij~ij\")
row_normalize = (id & row_sum) >> row_div
mm = i(\"ik*kj~ijk\") >> i(\"+ijk~ij\")
row_max = i(\">ij~i\")
";
    let program = session.read_text("net.iexpr", text).expect("the program is valid");
    for name in ["row_normalize", "mm", "row_max"] {
        let entry = session.entry(&program, name, Float::F64).expect("it can be lowered");
        check(&session, name, &entry);
    }
}

/// The program of `examples/mixed`: Knossos calls Relay and an i-expression, and the derivative is one module.
#[test]
fn three_languages() {
    let session = Session::new();
    let read = |name: &str| {
        let path = format!("{}/../../examples/mixed/{name}", env!("CARGO_MANIFEST_DIR"));
        session.read(&path).expect("the example is valid")
    };
    let (main, model, normalize) = (read("main.ks"), read("model.relay"), read("normalize.iexpr"));
    let mut entry = session.entry(&main, "confidence", Float::F32).expect("it can be lowered");
    session.link(&mut entry.module, &[model, normalize], Float::F32).expect("the programs go together");
    // Rows of positive numbers, which the program divides by their sums.
    let args = json!([[[1.0, 2.0, 3.0], [2.0, 0.5, 1.0]], [[0.5, -0.25, 1.0], [0.75, 1.5, -1.0]]]);
    let args = entry.interface.parse_args(&args).expect("the arguments fit");
    let gradient = session.grad(&entry, Wrt::All).expect("parameters of floats");
    let reverse = session.run(&gradient, &args, Backend::Interpret).expect("reverse mode");
    let forward =
        forward_gradient(&session, &entry, Wrt::All, &args, Backend::Interpret).expect("forward mode");
    compare("forward mode", &reverse, &forward, 1e-5);
    let differences = difference_gradient(&session, &entry, Wrt::All, &args, Backend::Interpret)
        .expect("differences")
        .gradient;
    compare("differences", &reverse, &differences, 1e-2);
    assert!(reverse.iter().filter_map(floats).flatten().any(|number| number.abs() > 1e-3));
}
