//! Random modules print with every flag and read back to the same: modules that are built operation by operation,
//! and those of random programs at every stage that is Minoan's own.

#[path = "../programs/generate/mod.rs"]
#[allow(dead_code, reason = "what a program takes is for those that run it")]
mod generate;

use crate::checks;
use minoan::{Float, Session, Stage};
use proptest::prelude::*;

fn cases(few: u32) -> ProptestConfig {
    let cases = std::env::var("MINOAN_RANDOM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(few);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn built_modules_print_and_read_back(bytes in prop::collection::vec(any::<u8>(), 0..1200)) {
        checks::module(&bytes);
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn programs_print_and_read_back_at_every_stage(
        lists in prop::collection::vec(prop::collection::vec(any::<u16>(), 0..300), 1..4)
    ) {
        let session = Session::new();
        let text = generate::program(&lists, None).text;
        let program = session.read_text("random.ks", &text).expect("it is well typed");
        let mut module = session.module(&program, &["entry"], Float::F64).expect("it has a form");
        checks::round_trip(&module);
        for stage in [Stage::Shared, Stage::Buffers] {
            session.advance(&mut module, stage).expect("it is lowered");
            checks::round_trip(&module);
        }
    }
}
