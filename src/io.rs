//! Fast input and output.
