//! The table of processors.

use minoan_services::{CacheLevel, MachineModel};

/// A row of the table. Sizes of caches are in KiB; throughputs are full vectors, bandwidths bytes, per cycle.
struct Row {
    names: &'static [&'static str],
    vector_bytes: u32,
    registers: u32,
    has_fma: bool,
    fma: f64,
    loads: f64,
    stores: f64,
    latency: u32,
    masks: bool,
    dot4: bool,
    ldexp: bool,
    kibibytes: [u64; 3],
    per_cycle: [f64; 3],
    memory: f64,
    prefetch_rows: bool,
}

/// AVX2 with two multiply-add ports.
const AVX2: Row = Row {
    names: &["x86-64-v3", "haswell", "broadwell"],
    vector_bytes: 32,
    registers: 16,
    has_fma: true,
    fma: 2.0,
    loads: 2.0,
    stores: 1.0,
    latency: 5,
    masks: false,
    dot4: false,
    ldexp: false,
    kibibytes: [32, 256, 8 << 10],
    per_cycle: [64.0, 25.0, 14.0],
    memory: 5.0,
    prefetch_rows: true,
};

/// AVX-512 with two multiply-add ports.
const AVX512: Row = Row {
    names: &["x86-64-v4", "skylake-avx512"],
    vector_bytes: 64,
    registers: 32,
    latency: 4,
    masks: true,
    ldexp: true,
    kibibytes: [32, 1 << 10, 16 << 10],
    per_cycle: [128.0, 48.0, 10.0],
    ..AVX2
};

/// AArch64 with two vector pipes of 16 bytes.
const NEON: Row = Row {
    names: &["neoverse-n1", "cortex-a76", "generic-aarch64"],
    vector_bytes: 16,
    registers: 32,
    latency: 4,
    dot4: true,
    kibibytes: [64, 1 << 10, 8 << 10],
    per_cycle: [32.0, 24.0, 12.0],
    ..AVX2
};

const TABLE: &[Row] = &[
    Row {
        names: &["x86-64", "x86-64-v2", "generic"],
        vector_bytes: 16,
        has_fma: false,
        fma: 1.0,
        latency: 8,
        per_cycle: [32.0, 16.0, 8.0],
        memory: 4.0,
        ..AVX2
    },
    AVX2,
    Row { names: &["skylake"], latency: 4, per_cycle: [64.0, 32.0, 16.0], ..AVX2 },
    Row {
        names: &["alderlake", "raptorlake"],
        latency: 4,
        loads: 3.0,
        stores: 2.0,
        dot4: true,
        kibibytes: [48, 1280, 24 << 10],
        per_cycle: [96.0, 48.0, 16.0],
        ..AVX2
    },
    Row { names: &["znver2"], kibibytes: [32, 512, 16 << 10], per_cycle: [64.0, 32.0, 20.0], ..AVX2 },
    Row {
        names: &["znver3"],
        latency: 4,
        kibibytes: [32, 512, 32 << 10],
        per_cycle: [64.0, 32.0, 20.0],
        ..AVX2
    },
    AVX512,
    Row { names: &["cascadelake"], dot4: true, ..AVX512 },
    Row {
        names: &["icelake-server"],
        dot4: true,
        kibibytes: [48, 1280, 24 << 10],
        per_cycle: [128.0, 48.0, 12.0],
        ..AVX512
    },
    Row {
        names: &["sapphirerapids", "emeraldrapids", "graniterapids"],
        dot4: true,
        kibibytes: [48, 2 << 10, 30 << 10],
        per_cycle: [128.0, 48.0, 12.0],
        ..AVX512
    },
    // Operations on 64 bytes take both halves of a port of 32.
    Row {
        names: &["znver4"],
        fma: 1.0,
        loads: 1.0,
        stores: 0.5,
        dot4: true,
        kibibytes: [32, 1 << 10, 32 << 10],
        per_cycle: [64.0, 32.0, 20.0],
        memory: 7.0,
        prefetch_rows: false,
        ..AVX512
    },
    Row {
        names: &["znver5"],
        dot4: true,
        kibibytes: [48, 1 << 10, 32 << 10],
        per_cycle: [128.0, 64.0, 20.0],
        memory: 10.0,
        ..AVX512
    },
    NEON,
    Row {
        names: &["neoverse-v1", "neoverse-v2", "neoverse-512tvb"],
        fma: 4.0,
        loads: 3.0,
        stores: 2.0,
        kibibytes: [64, 1 << 10, 32 << 10],
        per_cycle: [48.0, 32.0, 16.0],
        memory: 8.0,
        ..NEON
    },
    Row {
        names: &["apple-m1", "apple-m2", "apple-m3"],
        fma: 4.0,
        loads: 3.0,
        stores: 2.0,
        kibibytes: [128, 12 << 10, 12 << 10],
        per_cycle: [48.0, 32.0, 32.0],
        memory: 16.0,
        ..NEON
    },
];

impl Row {
    fn model(&self, name: &str) -> MachineModel {
        let Row {
            names: _,
            vector_bytes,
            registers,
            has_fma,
            fma,
            loads,
            stores,
            latency,
            masks,
            dot4,
            ldexp,
            kibibytes,
            per_cycle,
            memory,
            prefetch_rows,
        } = *self;
        let levels = kibibytes.into_iter().zip(per_cycle);
        MachineModel {
            cpu: name.to_owned(),
            vector_bytes,
            registers,
            has_fma,
            fma,
            loads,
            stores,
            latency,
            masks,
            dot4,
            ldexp,
            caches: levels
                .map(|(size, per_cycle)| CacheLevel { bytes: size << 10, line: 64, per_cycle })
                .collect(),
            memory_per_cycle: memory,
            cores: 1,
            prefetch_rows,
        }
    }
}

/// The model of a processor by its name, with one core.
pub fn by_name(name: &str) -> Option<MachineModel> {
    TABLE.iter().find(|row| row.names.contains(&name)).map(|row| row.model(name))
}

/// The names of the table.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|row| row.names).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_occurs_once_and_has_a_plausible_model() {
        let mut seen = std::collections::HashSet::new();
        for name in names() {
            assert!(seen.insert(name), "{name} occurs twice");
            let model = by_name(name).expect("it is in the table");
            assert!(model.vector_bytes.is_power_of_two() && model.registers >= 16, "{name}");
            assert!(model.caches.is_sorted_by_key(|cache| cache.bytes), "{name}");
            assert!(model.fma >= 1.0 && model.latency >= 2, "{name}");
        }
        assert!(TABLE.len() >= 12);
        assert_eq!(by_name("i486"), None);
    }
}
