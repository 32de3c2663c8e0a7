//! Things by number, in small code: what is not there ends the run as an index out of range does, but at one place for
//! all who ask, without telling each where it asked (tests are told).
use std::ops::{Deref, DerefMut, Index, IndexMut};
use std::slice::SliceIndex;

/// Things by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena<T>(Vec<T>);

#[cold]
#[inline(never)]
#[cfg_attr(debug_assertions, track_caller)]
fn missing() -> ! {
    panic!("there is nothing of this number")
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena(Vec::new())
    }
}

impl<T> From<Vec<T>> for Arena<T> {
    fn from(things: Vec<T>) -> Self {
        Arena(things)
    }
}

impl<T> FromIterator<T> for Arena<T> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        Arena(things.into_iter().collect())
    }
}

impl<T> Deref for Arena<T> {
    type Target = Vec<T>;
    #[inline(always)]
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Arena<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T, I: SliceIndex<[T]>> Index<I> for Arena<T> {
    type Output = I::Output;
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn index(&self, number: I) -> &I::Output {
        match self.0.get(number) {
            Some(thing) => thing,
            None => missing(),
        }
    }
}

impl<T, I: SliceIndex<[T]>> IndexMut<I> for Arena<T> {
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn index_mut(&mut self, number: I) -> &mut I::Output {
        match self.0.get_mut(number) {
            Some(thing) => thing,
            None => missing(),
        }
    }
}

impl<'a, T> IntoIterator for &'a Arena<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Arena<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_list_that_is_looked_up_by_number_and_by_range() {
        let mut arena: Arena<u32> = (0..5).collect();
        arena.push(7);
        arena[2] = 9;
        arena[3..5].fill(1);
        assert_eq!((arena[2], &arena[1..4], arena.len()), (9, &[1, 9, 1][..], 6));
        (&mut arena).into_iter().for_each(|thing| *thing += 1);
        assert!((&arena).into_iter().copied().eq([1, 2, 10, 2, 2, 8]));
        assert!(Arena::<u32>::default().is_empty() && arena.get(6).is_none());
    }

    #[test]
    #[should_panic(expected = "there is nothing of this number")]
    fn what_is_not_there_ends_the_run() {
        let arena = Arena::from(vec![1, 2]);
        let _ = arena[2];
    }

    #[test]
    #[should_panic(expected = "there is nothing of this number")]
    fn nothing_is_written_beyond_the_end() {
        Arena::from(vec![1, 2])[2] = 3;
    }
}
