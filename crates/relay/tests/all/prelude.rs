//! Tests the standard prelude.

use crate::common::{good, with_prelude};
use minoan_relay::PRELUDE;

#[test]
fn prelude_is_valid() {
    let front = good(PRELUDE);
    assert_eq!(front.ty("map"), "fn [A, B] (fn (A) -> B, List[A]) -> List[B]");
    assert_eq!(front.ty("sum"), "fn (List[int32]) -> int32");
    assert_eq!(front.ty("unfoldl"), "fn [A, B] (fn (A) -> Option[(A, B)], A) -> List[B]");
    assert_eq!(front.ty("nat_add"), "fn (nat[], nat[]) -> nat[]");
    assert_eq!(front.ty("AddGradCell"), "fn [T] (fn (T, T) -> T, GradCell[T], GradCell[T]) -> GradCell[T]");
}

#[test]
fn prelude_definitions_are_visible() {
    let front = with_prelude(
        "def @main(%n: int32) { @map(fn (%x) { %x + 1 }, Cons(%n, Nil)) }
         def @lens(%xs: List[List[float32]]) { @sum(@map(@length, %xs)) }
         def @pairs(%xs: List[int32]) { @zip(%xs, @rev(@map(fn (%x: int32) { cast(%x, dtype=\"float32\") }, %xs))) }",
    );
    assert_eq!(front.ty("main"), "fn (int32) -> List[int32]");
    assert_eq!(front.ty("lens"), "fn (List[List[float32]]) -> int32");
    assert_eq!(front.ty("pairs"), "fn (List[int32]) -> List[(int32, float32)]");
    assert_eq!(front.typed.entries().count(), 3);
}
