extension UInt64 {
    /// The low half of the product; `&*` is resolved to a declaration that needs macOS 15.
    @inline(__always)
    package func times(_ other: UInt64) -> UInt64 { multipliedReportingOverflow(by: other).partialValue }
}
