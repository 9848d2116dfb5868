pub trait Itertools: Iterator + Sized {
    fn sorted_unstable(self) -> std::vec::IntoIter<Self::Item>
    where
        Self::Item: Ord,
    {
        let mut items: Vec<_> = self.collect();
        items.sort_unstable();
        items.into_iter()
    }

    fn dedup(self) -> std::vec::IntoIter<Self::Item>
    where
        Self::Item: PartialEq,
    {
        let mut items: Vec<_> = self.collect();
        items.dedup();
        items.into_iter()
    }
}

impl<I: Iterator> Itertools for I {}
