//! Target specifications: `#dlti.target_system_spec<"CPU" = #dlti.target_device_spec<..>>`.
//!
//! Upstream defines `max_vector_op_width`, in bits, and `L1_cache_size_in_bytes`; the other entries are Minoan's, with
//! throughputs per cycle as floats. An entry that is missing has the value of the default [`MachineModel`]; but a processor
//! whose vectors have more than 128 bits has fused multiply-add unless `has_fma` denies it.

use crate::{Key, Kind, entries, lookup};
use minoan_ir::text::parse_attr;
use minoan_ir::{Attr, Context};
use minoan_services::{CacheLevel, MachineModel, MachineSpec};
use std::fmt::Write as _;

pub(crate) struct Specification;

impl MachineSpec for Specification {
    fn machine(&self, ctx: &Context, attr: Attr) -> Option<MachineModel> {
        if Kind::of(ctx, attr) != Some(Kind::System) {
            return None;
        }
        let device = lookup(ctx, attr, "CPU".into())?;
        let mut machine = MachineModel::default();
        let (mut caches, mut says_fma) = ([None; 3], false);
        for (key, value) in entries(ctx, device)? {
            let Key::Name(name) = key else { continue };
            if let Some((level, field)) = cache_entry(&name) {
                let Some(number) = number(ctx, value) else { continue };
                let cache =
                    caches[level].get_or_insert(machine.caches.get(level).copied().unwrap_or(CacheLevel {
                        bytes: 0,
                        line: 64,
                        per_cycle: 8.0,
                    }));
                match field {
                    "size_in_bytes" => cache.bytes = number as u64,
                    "line_in_bytes" => cache.line = number as u64,
                    _ => cache.per_cycle = number,
                }
                continue;
            }
            says_fma |= name == "has_fma";
            set(ctx, &mut machine, &name, value);
        }
        machine.has_fma |= !says_fma && machine.vector_bytes > 16;
        if caches.iter().any(Option::is_some) {
            let given = caches.into_iter().enumerate();
            machine.caches =
                given.filter_map(|(level, cache)| cache.or(machine.caches.get(level).copied())).collect();
        }
        Some(machine)
    }

    fn describe(&self, ctx: &Context, machine: &MachineModel) -> Option<(&'static str, Attr)> {
        let MachineModel {
            cpu,
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
            caches,
            memory_per_cycle,
            cores,
            prefetch_rows,
        } = machine;
        // The name is from a table or from the command line.
        let cpu: String = cpu.chars().filter(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\')).collect();
        let bits = vector_bytes.saturating_mul(8);
        let mut text = format!(
            "#dlti.target_system_spec<\"CPU\" = #dlti.target_device_spec<\"cpu\" = \"{cpu}\", \
             \"max_vector_op_width\" = {bits} : i64, \"vector_registers\" = {registers} : i64, \
             \"has_fma\" = {has_fma}, \"fma_per_cycle\" = {fma:?} : f64, \"loads_per_cycle\" = {loads:?} : f64, \
             \"stores_per_cycle\" = {stores:?} : f64, \"fma_latency\" = {latency} : i64, \
             \"masked_access\" = {masks}, \"dot4\" = {dot4}, \"ldexp\" = {ldexp}"
        );
        for (at, CacheLevel { bytes, line, per_cycle }) in caches.iter().enumerate().take(3) {
            let level = at + 1;
            let _ = write!(
                text,
                ", \"L{level}_cache_size_in_bytes\" = {bytes} : i64, \
                 \"L{level}_cache_line_in_bytes\" = {line} : i64, \
                 \"L{level}_cache_bytes_per_cycle\" = {per_cycle:?} : f64"
            );
        }
        let _ = write!(
            text,
            ", \"memory_bytes_per_cycle\" = {memory_per_cycle:?} : f64, \"cores\" = {cores} : i64, \
             \"prefetch_rows\" = {prefetch_rows}>>"
        );
        Some(("dlti.target_system_spec", parse_attr(ctx, &text).ok()?))
    }
}

/// The level, from 0, and the field of an entry such as `L1_cache_size_in_bytes`.
fn cache_entry(name: &str) -> Option<(usize, &str)> {
    let (level, field) = name.strip_prefix('L')?.split_once("_cache_")?;
    let level = level.parse::<usize>().ok()?.checked_sub(1).filter(|&level| level < 3)?;
    Some((level, field))
}

/// A positive number.
fn number(ctx: &Context, attr: Attr) -> Option<f64> {
    let number = attr.as_f64(ctx).or_else(|| attr.as_i64(ctx).map(|number| number as f64))?;
    (number.is_finite() && number > 0.0).then_some(number)
}

/// Sets a field by its entry; unknown entries and entries of another type are ignored.
fn set(ctx: &Context, machine: &mut MachineModel, name: &str, value: Attr) {
    if name == "cpu" {
        machine.cpu = value.as_str(ctx).map_or_else(|| machine.cpu.clone(), str::to_owned);
        return;
    }
    if let Some(flag) = value.as_bool(ctx) {
        match name {
            "has_fma" => machine.has_fma = flag,
            "masked_access" => machine.masks = flag,
            "dot4" => machine.dot4 = flag,
            "ldexp" => machine.ldexp = flag,
            "prefetch_rows" => machine.prefetch_rows = flag,
            _ => {}
        }
        return;
    }
    let Some(number) = number(ctx, value) else { return };
    // Vectors of at least 8 bytes, and few enough that lane counts fit.
    let whole = number.min(f64::from(1 << 20)) as u32;
    match name {
        "max_vector_op_width" => machine.vector_bytes = (whole / 8).max(8).next_power_of_two(),
        "vector_registers" => machine.registers = whole.max(4),
        "fma_per_cycle" => machine.fma = number,
        "loads_per_cycle" => machine.loads = number,
        "stores_per_cycle" => machine.stores = number,
        "fma_latency" => machine.latency = whole.max(1),
        "memory_bytes_per_cycle" => machine.memory_per_cycle = number,
        "cores" => machine.cores = whole.max(1),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use minoan_ir::Registry;

    fn context() -> Context {
        let mut registry = Registry::new();
        registry.add(crate::DltiDialect);
        Context::new(registry).expect("one dialect")
    }

    #[test]
    fn wide_vectors_imply_fused_multiply_add() {
        let ctx = context();
        let read = |entries: &str| {
            let text = format!("#dlti.target_system_spec<\"CPU\" = #dlti.target_device_spec<{entries}>>");
            let attr = parse_attr(&ctx, &text).expect("the text is valid");
            Specification.machine(&ctx, attr).expect("it describes a processor").has_fma
        };
        assert!(read("\"max_vector_op_width\" = 256 : i64"));
        assert!(!read("\"max_vector_op_width\" = 128 : i64"));
        assert!(!read("\"max_vector_op_width\" = 256 : i64, \"has_fma\" = false"));
    }

    #[test]
    fn description_is_read_back() {
        let ctx = context();
        let machine = MachineModel {
            cpu: "znver4".to_owned(),
            vector_bytes: 64,
            registers: 32,
            has_fma: true,
            fma: 1.0,
            loads: 1.5,
            stores: 0.5,
            latency: 4,
            masks: true,
            dot4: true,
            ldexp: true,
            caches: vec![CacheLevel { bytes: 48 << 10, line: 64, per_cycle: 128.0 }; 3],
            memory_per_cycle: 7.25,
            cores: 12,
            prefetch_rows: false,
        };
        let (name, attr) = Specification.describe(&ctx, &machine).expect("it has a form");
        let attrs = Attr::dictionary(&ctx, &[(ctx.name(name), attr)]);
        assert_eq!(MachineModel::of(&ctx, attrs), Some(machine));
    }

    #[test]
    fn upstream_entries_are_read_and_odd_ones_ignored() {
        let ctx = context();
        let text = "#dlti.target_system_spec<\"CPU\" = #dlti.target_device_spec<\"max_vector_op_width\" = 256 : i64, \
                    \"L1_cache_size_in_bytes\" = 65536 : i32, \"L9_cache_size_in_bytes\" = 1 : i32, \
                    \"cores\" = -3 : i64, \"fma_latency\" = \"x\">>";
        let attr = parse_attr(&ctx, text).expect("it is well formed");
        let machine = Specification.machine(&ctx, attr).expect("it describes a CPU");
        assert_eq!((machine.vector_bytes, machine.cache_bytes(1), machine.cores), (32, 65536, 1));
        assert_eq!(machine.cache_bytes(2), MachineModel::default().cache_bytes(2));
        assert_eq!(machine.lanes(32), 8);
    }

    #[test]
    fn other_devices_describe_no_cpu() {
        let ctx = context();
        let text = "#dlti.target_system_spec<\"GPU\" = #dlti.target_device_spec<\"cores\" = 3 : i64>>";
        let attr = parse_attr(&ctx, text).expect("it is well formed");
        assert_eq!(Specification.machine(&ctx, attr), None);
    }
}
