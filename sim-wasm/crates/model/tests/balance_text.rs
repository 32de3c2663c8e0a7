//! The slow twin of Linux balancing by itself: cases worked out by hand from the kernel's text.
mod balance_twin;
