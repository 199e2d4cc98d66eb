//! Tensors of the metadata section, and their binary encoding.

/// The element type of a stored tensor, as defined by DLPack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ElementType {
    /// 0 for signed and 1 for unsigned integers, 2 for floats, 4 for `bfloat16`.
    pub code: u8,
    /// Bits per element.
    pub bits: u8,
    /// Elements per vector; 1 except for vector types.
    pub lanes: u16,
}

impl ElementType {
    /// The name, such as `float32`; `None` for an unknown code.
    pub fn text(self) -> Option<String> {
        let lanes = if self.lanes == 1 { String::new() } else { format!("x{}", self.lanes) };
        let name = match self.code {
            1 if self.bits == 1 => return Some(format!("bool{lanes}")),
            0 => "int",
            1 => "uint",
            2 => "float",
            4 => "bfloat",
            _ => return None,
        };
        Some(format!("{name}{}{lanes}", self.bits))
    }

    /// Bytes per element.
    pub fn bytes(self) -> usize {
        (usize::from(self.bits) * usize::from(self.lanes)).div_ceil(8)
    }
}

/// A tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NdArray {
    /// The element type.
    pub element: ElementType,
    /// The extents.
    pub shape: Vec<i64>,
    /// The elements in row-major order, little endian.
    pub data: Vec<u8>,
}

const MAGIC: u64 = 0xDD5E_40F0_96B4_A13F;
/// The device of the encoding: the first CPU.
const CPU: (i32, i32) = (1, 0);

impl NdArray {
    /// The size of a tensor in bytes; `None` on overflow or a negative extent.
    fn size(element: ElementType, shape: &[i64]) -> Option<usize> {
        let extents = shape.iter().map(|&extent| usize::try_from(extent).ok());
        extents.into_iter().try_fold(element.bytes(), |size, extent| size.checked_mul(extent?))
    }

    /// Decodes a tensor.
    ///
    /// # Errors
    /// A message for malformed bytes.
    pub fn from_blob(blob: &[u8]) -> Result<Self, String> {
        let mut reader = Reader(blob);
        let magic = u64::from_le_bytes(reader.take()?);
        if magic != MAGIC {
            return Err(format!("a tensor starts with {MAGIC:#x}, not {magic:#x}"));
        }
        reader.take::<8>()?;
        reader.take::<8>()?;
        let rank = i32::from_le_bytes(reader.take()?);
        let [code, bits, low, high] = reader.take()?;
        let element = ElementType { code, bits, lanes: u16::from_le_bytes([low, high]) };
        if !(0..=64).contains(&rank) {
            return Err(format!("a tensor of rank {rank}"));
        }
        let shape = (0..rank).map(|_| Ok(i64::from_le_bytes(reader.take()?)));
        let shape = shape.collect::<Result<Vec<i64>, String>>()?;
        let length = i64::from_le_bytes(reader.take()?);
        let data = reader.0.to_vec();
        if usize::try_from(length) != Ok(data.len()) {
            return Err(format!("a tensor of {length} bytes with {} bytes of data", data.len()));
        }
        if Self::size(element, &shape) != Some(data.len()) {
            return Err(format!("a tensor of shape {shape:?} with {length} bytes of data"));
        }
        Ok(Self { element, shape, data })
    }

    /// Encodes a tensor.
    pub fn to_blob(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.data.len() + 64);
        out.extend(MAGIC.to_le_bytes());
        out.extend(0u64.to_le_bytes());
        out.extend(CPU.0.to_le_bytes());
        out.extend(CPU.1.to_le_bytes());
        out.extend((self.shape.len() as i32).to_le_bytes());
        out.extend([self.element.code, self.element.bits]);
        out.extend(self.element.lanes.to_le_bytes());
        for extent in &self.shape {
            out.extend(extent.to_le_bytes());
        }
        out.extend((self.data.len() as i64).to_le_bytes());
        out.extend(&self.data);
        out
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or_else(|| "a truncated tensor".to_owned())?;
        self.0 = rest;
        Ok(*taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> NdArray {
        let element = ElementType { code: 2, bits: 32, lanes: 1 };
        let data = [1f32, -2.5, f32::NAN, 0.1].iter().flat_map(|it| it.to_le_bytes()).collect();
        NdArray { element, shape: vec![2, 2], data }
    }

    #[test]
    fn blob_layout() {
        let blob = sample().to_blob();
        assert_eq!(blob.len(), 8 + 8 + 8 + 4 + 4 + 16 + 8 + 16);
        assert_eq!(blob[..8], [0x3f, 0xa1, 0xb4, 0x96, 0xf0, 0x40, 0x5e, 0xdd]);
        assert_eq!(blob[16..32], [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 32, 1, 0]);
        assert_eq!(NdArray::from_blob(&blob), Ok(sample()));
    }

    #[test]
    fn invalid_blobs_are_rejected() {
        let blob = sample().to_blob();
        for end in 0..blob.len() {
            assert!(NdArray::from_blob(&blob[..end]).is_err());
        }
        for at in (0..8).chain(24..blob.len() - 16) {
            let mut bad = blob.clone();
            bad[at] ^= 0x81;
            // Another element type of the same width is still a valid tensor.
            if NdArray::from_blob(&bad).is_ok() {
                assert_eq!(at, 28);
            }
        }
        let mut huge = sample().to_blob();
        huge[32..40].copy_from_slice(&i64::MAX.to_le_bytes());
        assert!(NdArray::from_blob(&huge).is_err());
    }
}
