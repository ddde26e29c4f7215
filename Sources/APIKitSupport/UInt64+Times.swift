extension UInt64 {
    /// The lower 64 bits of a product. The operator `&*` would do the same, but the compiler chooses a declaration of
    /// it that requires macOS 15.
    @inlinable @inline(__always)
    package func times(_ other: UInt64) -> UInt64 { multipliedReportingOverflow(by: other).partialValue }
}
