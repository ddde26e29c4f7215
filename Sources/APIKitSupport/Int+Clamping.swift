extension Int {
    /// Adds a number of bytes or lines, and stops at `Int.max`: on 32-bit platforms a stream may have more than the 2
    /// billion bytes that an `Int` can count.
    @inlinable package mutating func addClamping(_ other: Int) {
        let (sum, isAboveMax) = addingReportingOverflow(other)
        self = isAboveMax ? .max : sum
    }
}
