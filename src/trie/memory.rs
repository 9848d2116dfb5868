//! Memory that is used twice.

use std::mem::ManuallyDrop;

/// An empty vector in the memory of `used`, if that is a whole number of the new elements and aligned as
/// they are, or else without memory. O(1), and O(elements) if those of `used` must be dropped.
///
/// The system hands out new memory page by page, each at its first use, which takes longer than to fill
/// the page: where much is built once and read a few times, that is a large part of the time.
pub(super) fn recycled<T, U>(mut used: Vec<T>) -> Vec<U> {
    used.clear();
    let bytes = used.capacity() * size_of::<T>();
    let capacity = bytes.checked_div(size_of::<U>()).unwrap_or(0);
    if align_of::<T>() != align_of::<U>() || capacity * size_of::<U>() != bytes || bytes == 0 {
        return Vec::new();
    }
    let mut used = ManuallyDrop::new(used);
    // SAFETY: the memory comes from a vector, which gives it up, and holds no elements. It is `capacity`
    // elements of the new type in alignment and to the byte: it must be freed as it was allocated.
    unsafe { Vec::from_raw_parts(used.as_mut_ptr().cast(), 0, capacity) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_where_it_fits_to_the_byte() {
        let used = vec![1u32; 12];
        let place = used.as_ptr() as usize;
        let mut again: Vec<[u32; 3]> = recycled(used);
        assert_eq!((again.as_ptr() as usize, again.len(), again.capacity()), (place, 0, 4));
        again.extend([[1, 2, 3]; 5]);
        assert_eq!(again, [[1, 2, 3]; 5]);

        assert_eq!(recycled::<u32, [u32; 5]>(vec![1; 12]).capacity(), 0, "a remainder");
        assert_eq!(recycled::<u32, u64>(vec![1; 12]).capacity(), 0, "another alignment");
        assert_eq!(recycled::<u32, [u32; 3]>(Vec::new()).capacity(), 0, "nothing there");
        assert_eq!(recycled::<[u32; 0], u32>(vec![[]; 3]).capacity(), 0, "elements of no size");
        assert!(recycled::<u32, [u32; 0]>(vec![1; 3]).is_empty(), "elements of no size");
    }

    #[test]
    fn what_was_in_the_memory_is_dropped_once() {
        let counted = std::rc::Rc::new(());
        let again: Vec<usize> = recycled(vec![counted.clone(); 5]);
        assert_eq!(std::rc::Rc::strong_count(&counted), 1);
        assert_eq!(again.capacity(), 5);
    }
}
