//! The temporaries of a compiled function are in memory that the runtime keeps for the next call.
#![cfg(feature = "mlir")]

use minoan::interface::ElementType;
use minoan::llvm::ArrayView;
use minoan::{Argument, Float, Session};

const PROGRAM: &str = "#[version = \"0.0.5\"]
def @main(%x: Tensor[(32, 256), float32], %a: Tensor[(512, 256), float32], %b: Tensor[(512, 512), float32]) {
  %0 = nn.relu(nn.dense(%x, %a, units=512));
  %1 = nn.relu(nn.dense(%0, %b, units=512));
  nn.dense(%1, %b, units=512)
}
";

#[test]
fn calls_after_the_first_allocate_nothing_but_results() {
    let session = Session::new();
    let program = session.read_text("frame.relay", PROGRAM).expect("it is valid");
    let entry = session.entry(&program, "main", Float::F32).expect("it is lowered");
    let (plain, into) = (session.load(&entry).expect("it compiles"), session.load_into(&entry));
    let into = into.expect("it compiles");
    let (x, a, b) = (vec![0.125; 32 * 256], vec![0.25; 512 * 256], vec![1.0; 512 * 512]);
    let args = || {
        let of = |shape: &[usize], data| ArrayView::from_slice::<f32>(shape, data).expect("the shape fits");
        let views = [of(&[32, 256], &x), of(&[512, 256], &a), of(&[512, 512], &b)];
        views.into_iter().map(|view| Argument::Array(ElementType::F32, view)).collect::<Vec<_>>()
    };
    // The tests of this process share a cache of large blocks, so a call may allocate what another test has taken.
    let fewest = |call: &mut dyn FnMut()| {
        let count = |_| {
            let before = minoan_runtime::fresh_blocks();
            call();
            minoan_runtime::fresh_blocks() - before
        };
        (0..20).map(count).min()
    };
    let mut kept = Vec::new();
    let fresh = fewest(&mut || kept.push(plain.call_arrays("main", args()).expect("it runs")));
    assert!(fresh <= Some(1), "{fresh:?} blocks are allocated besides the result");
    assert_eq!(kept.len(), 20);
    let mut out = vec![0.0; 32 * 512];
    let fresh = fewest(&mut || {
        let view = ArrayView::from_slice_mut::<f32>(&[32, 512], &mut out).expect("the shape fits");
        let results = into.call_into(args(), &mut [view]).expect("it runs");
        assert!(matches!(results[..], [None]), "the result is in the memory of the caller");
    });
    assert_eq!(fresh, Some(0));
    assert_eq!(out, vec![2_097_152.0; 32 * 512]);
}
