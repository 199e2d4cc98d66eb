//! A service is queried by its trait, never by an implementation.
use minoan_ir::{Context, service};

trait Speak: Send + Sync {}
service!(dyn Speak, "Speak", Optional);

struct Loud;
impl Speak for Loud {}

fn main() {
    let ctx = Context::bare();
    let kind = ctx.op_kind("a.b").unwrap();
    ctx.service::<Loud>(kind);
}
