//! Only tests: see tests/.
