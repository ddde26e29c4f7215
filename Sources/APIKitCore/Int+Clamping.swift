extension Int {
    /// Adds a number of bytes or lines; a stream may have more than an `Int` counts, which on some platforms ends at
    /// 2 billion.
    package mutating func addClamping(_ other: Int) {
        let (sum, isAboveMax) = addingReportingOverflow(other)
        self = isAboveMax ? .max : sum
    }
}
