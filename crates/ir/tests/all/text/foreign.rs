//! Attributes and types of dialects that are not loaded, and what is known of such dialects.

use super::dialect::context;
use super::{OPEN, print, read};
use expect_test::{Expect, expect};
use minoan_ir::{Context, ForeignDialect, Registry};

fn check(ctx: &Context, text: &str, expected: &Expect) {
    let module = read(ctx, text, &OPEN).expect("the text is right");
    let printed = print(&module, true, false);
    expected.assert_eq(&printed);
    let again = read(ctx, &printed, &OPEN).expect("what is printed can be read");
    assert_eq!(printed, print(&again, true, false));
}

/// The definition of an alias does not outlive the parser: what names it must not be kept as text.
#[test]
fn aliases_in_foreign_text_keep_their_meaning() {
    check(
        &context(),
        r##"
#map = affine_map<(d0) -> (d0)>
#four = 4 : i32
#outer = #foo.bar<[#four], "#four">
!word = i32
"foo.op"() {a = #outer, b = #foo.bar<#late>, c = #foo.bar<!foo.t<!word, #map>>, d = #foo.bar<x = #map, y = #none>} : () -> !foo.t<#four>
#late = "late"
"##,
        &expect![[r##"
            #map = affine_map<(d0) -> (d0)>
            "builtin.module"() ({
              %0 = "foo.op"() {a = #foo.bar<[4 : i32], "#four">, b = #foo.bar<"late">, c = #foo.bar<!foo.t<i32, #map>>, d = #foo.bar<x = #map, y = #none>} : () -> !foo.t<4 : i32>
            }) : () -> ()
        "##]],
    );
}

#[test]
fn aliases_that_refer_to_each_other_end() {
    check(
        &context(),
        "#a = #foo.bar<#b>\n#b = #foo.bar<#a>\n\"foo.op\"() {a = #a} : () -> ()",
        &expect![[r#"
            "builtin.module"() ({
              "foo.op"() {a = #foo.bar<#foo.bar<#a>>} : () -> ()
            }) : () -> ()
        "#]],
    );
}

static KNOWN: &[ForeignDialect] = &[ForeignDialect {
    name: "far",
    symbol_tables: &["far.module"],
    allocation_scopes: &["far.func"],
    affine_scopes: &[],
    aliases: &[("unroll", "unroll"), ("loop", "loop_info")],
}];

/// An attribute that its dialect prints by an alias is printed so, wherever it stands and however it was written.
#[test]
fn attributes_of_known_dialects_are_printed_by_their_aliases() {
    let mut registry = Registry::new();
    registry.add_foreign(KNOWN);
    let ctx = Context::new(registry).expect("no dialect is declared twice");
    check(
        &ctx,
        r##"
#u = #far.unroll<disable = true>
"foo.op"() {a = #far.loop<unroll = #u>, b = #far.loop<unroll = #far.unroll<disable = true>>, c = #far.other<#u>} : () -> ()
"foo.op"() : () -> memref<4xf32, #far.space<1>>
"##,
        &expect![[r##"
            #unroll = #far.unroll<disable = true>
            #loop_info = #far.loop<unroll = #unroll>
            "builtin.module"() ({
              "foo.op"() {a = #loop_info, b = #loop_info, c = #far.other<#unroll>} : () -> ()
              %0 = "foo.op"() : () -> memref<4xf32, #far.space<1>>
            }) : () -> ()
        "##]],
    );
    let error = read(&ctx, "\"foo.op\"() : () -> memref<4xf32, #foo.space<1>>", &OPEN).err();
    assert!(error.is_some_and(|error| error.contains("unsupported memory space Attribute")));
}
