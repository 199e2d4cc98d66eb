//! Memory with detection of use after free, double free and leaks.

use minoan_ir::Name;
use minoan_services::{Buffer, Tensor, Trap, View};
use rustc_hash::{FxHashMap, FxHashSet};

/// The buffers of an execution.
#[derive(Default)]
pub(crate) struct Memory {
    next: u64,
    live: FxHashSet<u64>,
    /// Buffers of tensors, which are freed without the program.
    of_tensors: FxHashSet<u64>,
    globals: FxHashMap<Name, Buffer>,
}

impl Memory {
    /// Allocates a buffer that the program must free.
    pub fn alloc(&mut self, contents: Tensor) -> Buffer {
        let buffer = self.fresh(contents);
        self.live.insert(buffer.id);
        buffer
    }

    /// Allocates a buffer that the program may free, but need not.
    pub fn alloc_for_tensor(&mut self, contents: Tensor) -> Buffer {
        let buffer = self.fresh(contents);
        self.of_tensors.insert(buffer.id);
        buffer
    }

    fn fresh(&mut self, contents: Tensor) -> Buffer {
        self.next += 1;
        Buffer::new(self.next, contents)
    }

    /// Frees a buffer. A view of all of its elements in order is equivalent to the buffer: a function may return a reshape of its
    /// allocation, which the caller frees.
    pub fn free(&mut self, buffer: &Buffer) -> Result<(), Trap> {
        let Some(count) = buffer.contents.borrow().as_ref().map(|tensor| tensor.data.len()) else {
            return Err(Trap::new("a buffer is freed twice"));
        };
        let is_part = |view: &View| buffer.encoding.is_some() || !view.is_whole(count);
        if buffer.view.as_deref().is_some_and(is_part) {
            return Err(Trap::new("a view of a buffer is freed"));
        }
        if !self.live.remove(&buffer.id) && !self.of_tensors.remove(&buffer.id) {
            return Err(Trap::new("a buffer is freed that was not allocated"));
        }
        *buffer.contents.borrow_mut() = None;
        Ok(())
    }

    /// The number of live buffers.
    pub fn live(&self) -> usize {
        self.live.len()
    }

    /// The buffer of a global that has been accessed before.
    pub fn global(&self, name: Name) -> Option<Buffer> {
        self.globals.get(&name).cloned()
    }

    /// Creates the buffer of a global, which is never freed.
    pub fn add_global(&mut self, name: Name, contents: Tensor) -> Buffer {
        let buffer = self.fresh(contents);
        self.globals.insert(name, buffer.clone());
        buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use minoan_services::TensorData;

    fn tensor() -> Tensor {
        Tensor { shape: vec![1], data: TensorData::Int(vec![7]) }
    }

    #[test]
    fn invalid_frees_trap() {
        let mut memory = Memory::default();
        let buffer = memory.alloc(tensor());
        assert_eq!(memory.live(), 1);
        assert_eq!(memory.free(&buffer), Ok(()));
        assert_eq!(memory.live(), 0);
        assert_eq!(memory.free(&buffer).expect_err("twice").message, "a buffer is freed twice");
        let trap = buffer.read(|_| Ok(())).expect_err("freed");
        assert_eq!(trap.message, "use of a buffer after it was freed");
        let stranger = Buffer::new(99, tensor());
        assert_eq!(
            memory.free(&stranger).expect_err("not ours").message,
            "a buffer is freed that was not allocated"
        );
    }
}
