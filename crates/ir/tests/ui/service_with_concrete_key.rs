//! An implementation is registered under its trait, never under itself.
use minoan_ir::{Registry, service};
use std::sync::Arc;

trait Speak: Send + Sync {}
service!(dyn Speak, "Speak", Optional);

struct Loud;
impl Speak for Loud {}

fn main() {
    let mut registry = Registry::new();
    registry.extend_dialect("a", Arc::new(Loud));
}
