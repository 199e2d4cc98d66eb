//! Parses, checks and prints arbitrary bytes as Relay modules, and parses the result again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| minoan_fuzz::relay(bytes));
