//! Tests the repository's examples.

use crate::common::emitted::emitted_text;
use crate::common::good;
use std::fs;
use std::path::Path;

fn example(name: &str) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    fs::read_to_string(directory.join(name)).unwrap_or_default()
}

#[test]
fn perceptron() {
    let front = good(&example("mlp.relay"));
    let main = front.typed.find_entry("main").ok().and_then(|main| front.typed.signature(main));
    let signature = main.into_iter().flat_map(|main| {
        let text = |ty| front.typed.types.text(ty);
        main.params.into_iter().map(|(name, ty)| format!("{name}: {}", text(ty))).collect::<Vec<_>>()
    });
    assert_eq!(
        signature.collect::<Vec<_>>(),
        [
            "x: Tensor[(1, 784), float32]",
            "fc1/weight: Tensor[(128, 784), float32]",
            "fc1/bias: Tensor[(128), float32]",
            "fc2/weight: Tensor[(10, 128), float32]",
            "fc2/bias: Tensor[(10), float32]",
        ]
    );
    let module = emitted_text(&example("mlp.relay"), &["main"]);
    assert!(module.contains("nn.dense"), "{module}");
}

#[test]
fn residual_network() {
    let text = example("resnet_block.relay");
    assert!(good(&text).ty("main").ends_with("-> Tensor[(1, 5), float32]"));
    let module = emitted_text(&text, &["main"]);
    // Once for the stem, once for both blocks.
    assert_eq!(module.matches("relay.func private @conv_bn").count(), 2, "{module}");
    assert_eq!(module.matches("relay.func private @block").count(), 1, "{module}");
}
