//! The processor that executes the compiler.

use crate::by_name;
use minoan_services::MachineModel;
use std::fs;
use std::path::Path;

/// The model of the host: its processor's, if that is in the table, otherwise that of its instruction set; with the
/// caches and the number of cores that the operating system reports.
pub fn host() -> MachineModel {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let features = features();
    let known = processor(&info).filter(|name| {
        // A hypervisor may hide instructions that the processor has.
        by_name(name).is_some_and(|model| model.vector_bytes <= features.vector_bytes)
    });
    let name = known.unwrap_or(features.baseline);
    let mut model = by_name(name).unwrap_or_default();
    model.dot4 &= features.dot4;
    for (level, cache) in model.caches.iter_mut().enumerate() {
        if let Some((bytes, line)) = cache_of(Path::new("/sys/devices/system/cpu/cpu0/cache"), level + 1) {
            (cache.bytes, cache.line) = (bytes, line);
        }
    }
    model.cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    model
}

/// The instruction set of the host.
struct Features {
    baseline: &'static str,
    vector_bytes: u32,
    dot4: bool,
}

#[cfg(target_arch = "x86_64")]
fn features() -> Features {
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    let (baseline, vector_bytes) = match (avx512, avx2) {
        (true, _) => ("x86-64-v4", 64),
        (_, true) => ("x86-64-v3", 32),
        _ => ("x86-64", 16),
    };
    let dot4 = is_x86_feature_detected!("avx512vnni") || is_x86_feature_detected!("avxvnni");
    Features { baseline, vector_bytes, dot4 }
}

#[cfg(target_arch = "aarch64")]
fn features() -> Features {
    let dot4 = std::arch::is_aarch64_feature_detected!("dotprod");
    Features { baseline: "generic-aarch64", vector_bytes: 16, dot4 }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Features {
    Features { baseline: "generic", vector_bytes: 16, dot4: false }
}

/// The name of the processor that `/proc/cpuinfo` describes, by vendor, family and model.
fn processor(info: &str) -> Option<&'static str> {
    let field = |name: &str| {
        let mut lines = info.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
    };
    let family: u32 = field("cpu family")?.parse().ok()?;
    let model: u32 = field("model")?.parse().ok()?;
    match (field("vendor_id")?, family, model) {
        ("AuthenticAMD", 23, 0x30..) => Some("znver2"),
        ("AuthenticAMD", 25, 0x10..=0x1f | 0x60..=0x7f | 0xa0..=0xaf) => Some("znver4"),
        ("AuthenticAMD", 25, _) => Some("znver3"),
        ("AuthenticAMD", 26, _) => Some("znver5"),
        ("GenuineIntel", 6, 60 | 63 | 69 | 70) => Some("haswell"),
        ("GenuineIntel", 6, 61 | 71 | 79 | 86) => Some("broadwell"),
        ("GenuineIntel", 6, 78 | 94 | 142 | 158) => Some("skylake"),
        ("GenuineIntel", 6, 85) => match field("stepping")?.parse::<u32>().ok()? {
            ..5 => Some("skylake-avx512"),
            _ => Some("cascadelake"),
        },
        ("GenuineIntel", 6, 106 | 108) => Some("icelake-server"),
        ("GenuineIntel", 6, 143) => Some("sapphirerapids"),
        ("GenuineIntel", 6, 207) => Some("emeraldrapids"),
        ("GenuineIntel", 6, 173 | 174) => Some("graniterapids"),
        ("GenuineIntel", 6, 151 | 154) => Some("alderlake"),
        ("GenuineIntel", 6, 183 | 186 | 191) => Some("raptorlake"),
        _ => None,
    }
}

/// The size and the line of the data cache of a level, counted from 1, from a directory as `/sys` has it.
fn cache_of(directory: &Path, level: usize) -> Option<(u64, u64)> {
    for index in 0..8 {
        let read = |name: &str| {
            let text = fs::read_to_string(directory.join(format!("index{index}")).join(name)).ok()?;
            Some(text.trim().to_owned())
        };
        let (Some(this), Some(kind)) = (read("level"), read("type")) else { continue };
        if this != level.to_string() || kind == "Instruction" {
            continue;
        }
        let size = read("size")?;
        let (digits, unit) = size.split_at(size.find(|c: char| !c.is_ascii_digit()).unwrap_or(size.len()));
        let scale = match unit {
            "" => 1,
            "K" => 1 << 10,
            "M" => 1 << 20,
            _ => return None,
        };
        let bytes = digits.parse::<u64>().ok()?.checked_mul(scale).filter(|&bytes| bytes > 0)?;
        let line = read("coherency_line_size")?.parse().ok().filter(|&line: &u64| line.is_power_of_two())?;
        return Some((bytes, line));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_by_family_and_model() {
        let info = |vendor, family, model| {
            format!("vendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\nstepping\t: 7\n")
        };
        assert_eq!(processor(&info("AuthenticAMD", 25, 0x11)), Some("znver4"));
        assert_eq!(processor(&info("AuthenticAMD", 25, 0x21)), Some("znver3"));
        assert_eq!(processor(&info("GenuineIntel", 6, 85)), Some("cascadelake"));
        assert_eq!(processor(&info("GenuineIntel", 6, 1)), None);
        assert_eq!(processor(""), None);
    }

    #[test]
    fn every_processor_is_in_the_table() {
        for family in [6, 23, 25, 26] {
            for model in 0..256 {
                for vendor in ["AuthenticAMD", "GenuineIntel"] {
                    let text =
                        format!("vendor_id : {vendor}\ncpu family : {family}\nmodel : {model}\nstepping : 1");
                    assert!(processor(&text).is_none_or(|name| by_name(name).is_some()), "{text}");
                }
            }
        }
    }

    #[test]
    fn host_is_plausible() {
        let host = host();
        assert!(host.cores >= 1 && host.vector_bytes >= 8, "{host:?}");
        assert!(host.caches.iter().all(|cache| cache.bytes >= 4096), "{host:?}");
    }
}
