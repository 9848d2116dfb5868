//! Machines that take intervals in order of their ends.

use super::Time;

/// Machines, counted by the time since when they are free.
pub struct Machines {
    slots: Vec<Slot>,
    horizon: Time,
}

/// The machines that are free since the same time.
struct Slot {
    free: u32,
    /// On the way to the latest time, not after this one, that has free machines, or else to 0;
    /// this time itself at the end of the way.
    earlier: Time,
}

impl Machines {
    /// `count` machines, free since time 0. `times` is how many times there will be.
    pub fn new(count: u32, times: usize) -> Self {
        let mut slots = Vec::with_capacity(times);
        slots.push(Slot { free: count, earlier: 0 });
        Machines { slots, horizon: 0 }
    }

    /// The time since when the machine that is free longest is free, or the present if there is
    /// none. Intervals that start before it have no chance any more. O(1).
    pub fn horizon(&self) -> Time {
        self.horizon
    }

    /// A number that depends on the machines free since `time`, wanted for its load only.
    pub fn peek(&self, time: Time) -> u32 {
        self.slots[time as usize].free
    }

    /// Gives as many as possible of `count` intervals that start at `start` and end now to
    /// machines, and tells how many. O(log n) amortised.
    pub fn schedule(&mut self, start: Time, count: u32) -> u32 {
        let mut open = count;
        let mut time = self.latest(start);
        loop {
            let slot = &mut self.slots[time as usize];
            let taken = open.min(slot.free);
            slot.free -= taken;
            open -= taken;
            if open == 0 || time == 0 {
                return count - open;
            }
            slot.earlier = time - 1;
            time = self.latest(time - 1);
        }
    }

    /// Ends the present time: `freed` intervals ended at it. Nothing becomes free earlier any
    /// more. O(1) amortised.
    pub fn advance(&mut self, freed: u32) {
        let now = self.slots.len() as Time;
        let earlier = match self.slots.last() {
            Some(before) if freed == 0 => before.earlier,
            _ => now,
        };
        self.slots.push(Slot { free: freed, earlier });
        while self.horizon < now && self.slots[self.horizon as usize].free == 0 {
            self.horizon += 1;
        }
    }

    /// The latest time not after `time` that has not been used up, or else 0.
    fn latest(&mut self, mut time: Time) -> Time {
        loop {
            let up = self.slots[time as usize].earlier;
            if up == time {
                return time;
            }
            self.slots[time as usize].earlier = self.slots[up as usize].earlier;
            time = up;
        }
    }
}
