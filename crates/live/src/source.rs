//! Facts from source trees and installed packages.
