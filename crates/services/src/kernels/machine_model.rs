//! The machine model: the properties of a processor that scheduling decisions depend on.

use minoan_ir::{Attr, Context, service};

/// A level of the data cache.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CacheLevel {
    /// The size in bytes, as seen by one core.
    pub bytes: u64,
    /// The size of a line in bytes.
    pub line: u64,
    /// The bytes that a core loads per cycle.
    pub per_cycle: f64,
}

/// The properties of a processor that scheduling decisions depend on. Throughputs are operations on full vectors per
/// cycle.
#[derive(Clone, PartialEq, Debug)]
pub struct MachineModel {
    /// The name of the processor as LLVM spells it, such as `znver4`.
    pub cpu: String,
    /// The size of a vector register in bytes.
    pub vector_bytes: u32,
    /// The number of vector registers.
    pub registers: u32,
    /// Whether there is a fused multiply-add.
    pub has_fma: bool,
    /// Multiply-adds per cycle, fused or not.
    pub fma: f64,
    /// Vector loads per cycle.
    pub loads: f64,
    /// Vector stores per cycle.
    pub stores: f64,
    /// The latency of a fused multiply-add in cycles.
    pub latency: u32,
    /// Whether masked loads and stores are as fast as unmasked ones.
    pub masks: bool,
    /// Whether there is a dot product of groups of four bytes.
    pub dot4: bool,
    /// Whether there is an operation that multiplies by powers of two, as `math.ldexp` does.
    pub ldexp: bool,
    /// The data caches, from the first level.
    pub caches: Vec<CacheLevel>,
    /// The bytes that a core reads from memory per cycle.
    pub memory_per_cycle: f64,
    /// The number of cores.
    pub cores: u32,
    /// Whether software prefetches of the next row pay in kernels over rows; measured.
    pub prefetch_rows: bool,
}

impl MachineModel {
    /// The elements of a given size in bits that fill a vector register; at least 1.
    pub fn lanes(&self, bits: u32) -> u32 {
        (self.vector_bytes * 8 / bits.max(1)).max(1)
    }

    /// The size of a cache level, counted from 1, in bytes; that of the last level if there are fewer.
    pub fn cache_bytes(&self, level: usize) -> u64 {
        let at = level.clamp(1, self.caches.len().max(1)) - 1;
        self.caches.get(at).map_or(32 << 10, |cache| cache.bytes)
    }
}

/// The default: a 64-bit x86 processor with SSE2 only.
impl Default for MachineModel {
    fn default() -> Self {
        Self {
            cpu: "x86-64".to_owned(),
            vector_bytes: 16,
            registers: 16,
            has_fma: false,
            fma: 1.0,
            loads: 2.0,
            stores: 1.0,
            latency: 8,
            masks: false,
            dot4: false,
            ldexp: false,
            caches: vec![
                CacheLevel { bytes: 32 << 10, line: 64, per_cycle: 32.0 },
                CacheLevel { bytes: 256 << 10, line: 64, per_cycle: 16.0 },
                CacheLevel { bytes: 8 << 20, line: 64, per_cycle: 8.0 },
            ],
            memory_per_cycle: 4.0,
            cores: 1,
            prefetch_rows: true,
        }
    }
}

/// Target specifications among a dialect's attributes. Queried by scheduling and by `expand-math`. Default: attributes
/// do not describe a target.
pub trait MachineSpec: Send + Sync {
    /// The machine that an attribute describes; `None` for another attribute.
    fn machine(&self, ctx: &Context, attr: Attr) -> Option<MachineModel>;

    /// The named attribute of a module that describes a machine; `None` if the dialect has none.
    fn describe(&self, ctx: &Context, machine: &MachineModel) -> Option<(&'static str, Attr)>;
}
service!(dyn MachineSpec, "MachineSpec", Optional);

impl MachineModel {
    /// The machine that the attributes of a module describe; `None` if no loaded dialect recognizes one of them.
    pub fn of(ctx: &Context, attrs: Attr) -> Option<Self> {
        let services: Vec<&dyn MachineSpec> =
            ctx.dialects_with::<dyn MachineSpec>().filter_map(|dialect| dialect.service()).collect();
        let known = |attr: Attr| services.iter().find_map(|service| service.machine(ctx, attr));
        attrs.as_dictionary(ctx).unwrap_or(&[]).iter().find_map(|&(_, attr)| known(attr))
    }
}
