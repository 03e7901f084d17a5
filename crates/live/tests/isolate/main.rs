//! Isolation and process care, tried on real processes.
#![cfg(target_os = "linux")]

#[cfg(test)]
mod bench;
#[cfg(test)]
mod fence;
#[cfg(test)]
mod shadow;
#[cfg(test)]
mod streams;
#[cfg(test)]
mod tree;
