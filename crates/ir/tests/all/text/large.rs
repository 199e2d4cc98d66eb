//! Deeply nested and long texts.

use super::dialect::context;
use super::{OPEN, print, read};
use minoan_ir::Context;
use minoan_ir::text::{parse_attr, parse_type, print_attr, print_type};

#[test]
fn deep_nesting_does_not_overflow() {
    let ctx = Context::bare();
    for depth in [50_000, 200_000] {
        let nest = |open: &str, middle: &str, close: &str| {
            [&open.repeat(depth), middle, &close.repeat(depth)].concat()
        };
        let regions = nest("\"a.b\"() ({\n", "", "}) : () -> ()\n");
        let read = read(&ctx, &regions, &OPEN);
        assert_eq!(read.is_ok(), depth < 100_000);
        let types = parse_type(&ctx, &nest("tuple<", "i32", ">"));
        assert_eq!(types.is_ok(), depth < 100_000);
        let attrs = parse_attr(&ctx, &nest("[", "1", "]"));
        assert_eq!(attrs.is_ok(), depth < 100_000);
        let locs = parse_attr(&ctx, &format!("loc({})", nest("\"a\"(", "unknown", ")")));
        assert_eq!(locs.is_ok(), depth < 100_000);
        let _ = parse_attr(&ctx, &format!("affine_map<(d0) -> ({})>", nest("(", "d0", ")")));
        let _ = parse_attr(&ctx, &format!("affine_map<(d0) -> ({})>", nest("", "d0", " + d0 * 2 mod 3")));
        if let (Ok(ty), Ok(attr), Ok(loc)) = (types, attrs, locs) {
            assert_eq!(print_type(&ctx, ty), nest("tuple<", "i32", ">"));
            assert_eq!(print_attr(&ctx, attr), nest("[", "1", "]"));
            assert!(print_attr(&ctx, loc).len() > depth);
        }
        if let Ok(module) = read {
            assert!(print(&module, true, false).len() > depth);
        }
    }
}

/// Searching the rest of the line from each operation would take hours.
#[test]
fn one_line_with_many_operations_takes_linear_time() {
    let ctx = context();
    let calls = "t.call @f() : () -> () ".repeat(200_000);
    let module = read(&ctx, &calls, &OPEN).expect("a right text");
    assert_eq!(module.body().block(module.block()).len(), 200_000);
}
