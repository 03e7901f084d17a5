//! Probes that several checks share.
