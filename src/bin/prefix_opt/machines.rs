//! Machines that take intervals in order of their ends.

use super::Time;

/// Machines, counted by the time since when they are free.
///
/// A slot is the number of machines that are free since its time; once there are none, [`LINK`]
/// and an earlier time, on the way to the latest one that has some, or else to time 0.
pub struct Machines {
    slots: Vec<u32>,
    horizon: Time,
}

/// The bit of a slot that tells a time from a number of machines.
const LINK: u32 = 1 << 31;

impl Machines {
    /// The most machines that there can be; also the latest time.
    pub const MAX: u32 = LINK - 1;

    /// `count` machines, free since time 0. `slots` is memory to use, whatever it holds.
    ///
    /// # Panics
    /// If `count` is greater than [`MAX`](Self::MAX).
    pub fn new(count: u32, mut slots: Vec<u32>) -> Self {
        assert!(count <= Self::MAX, "{count} machines");
        slots.clear();
        slots.push(count);
        Machines { slots, horizon: 0 }
    }

    /// The time since when the machine that is free longest is free, or the present if there is
    /// none. Intervals that start before it have no chance any more. O(1).
    pub fn horizon(&self) -> Time {
        self.horizon
    }

    /// A number that depends on the machines free since `time`, wanted for its load only.
    pub fn peek(&self, time: Time) -> u32 {
        self.slots[time as usize]
    }

    /// Gives as many as possible of `count` intervals that start at `start`, at least one, and end
    /// now to machines, and tells how many. O(log n) amortised.
    pub fn schedule(&mut self, start: Time, count: u32) -> u32 {
        let mut open = count;
        let mut time = start;
        loop {
            time = self.latest(time);
            let free = self.slots[time as usize];
            if free > open {
                self.slots[time as usize] = free - open;
                return count;
            }
            open -= free;
            if time == 0 {
                self.slots[0] = 0;
                return count - open;
            }
            self.slots[time as usize] = LINK | (time - 1);
            if open == 0 {
                return count;
            }
        }
    }

    /// Ends the present time: `freed` intervals ended at it. Nothing becomes free earlier any
    /// more. O(1) amortised.
    pub fn advance(&mut self, freed: u32) {
        let now = self.slots.len() as Time;
        self.slots.push(if freed > 0 { freed } else { LINK | (now - 1) });
        while self.horizon < now && matches!(self.slots[self.horizon as usize], 0 | LINK..) {
            self.horizon += 1;
        }
    }

    /// The latest time not after `time` that has not been used up, or else 0.
    fn latest(&mut self, mut time: Time) -> Time {
        loop {
            let slot = self.slots[time as usize];
            if slot < LINK {
                return time;
            }
            let up = slot - LINK;
            let further = self.slots[up as usize];
            if further < LINK {
                return up;
            }
            self.slots[time as usize] = further;
            time = up;
        }
    }
}
