import Foundation

/// Measurements as `Scripts/plots` reads them.
package enum TabSeparated {
    /// Prints one line: the row, the series, the median, and the lower and the upper quartile of some numbers.
    package static func print(_ row: String, _ series: String, _ numbers: [Double]) {
        let sorted = numbers.sorted()
        guard let median = sorted.median else { return }
        let quartiles = [sorted[sorted.count / 4], sorted[sorted.count * 3 / 4]]
        let columns = ([median] + quartiles).map { String(format: "%.3f", $0) }
        Swift.print(([row, series] + columns).joined(separator: "\t"))
    }
}
