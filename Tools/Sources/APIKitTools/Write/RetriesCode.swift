extension Behavior.Retries {
    /// Whether nothing is stated.
    var isEmpty: Bool { self == Behavior.Retries() }

    /// The code for the library's options: `.never`, or `.init(attempts: 3, statuses: [429, 503])`.
    var code: String {
        if attempts == 1, statuses == nil { return ".never" }
        var arguments: [String] = []
        if let attempts { arguments.append("attempts: \(Lines.number("\(attempts)"))") }
        if let statuses { arguments.append("statuses: \(Self.code(of: statuses))") }
        return ".init(\(arguments.joined(separator: ", ")))"
    }

    /// The code for a set of statuses, in which all statuses with the same first digit are a range:
    /// `Set(500...599).union([408, 429])`.
    private static func code(of statuses: Set<Int>) -> String {
        var single = statuses
        var ranges: [ClosedRange<Int>] = []
        for first in stride(from: 100, through: 500, by: 100) {
            let range = first...first + 99
            guard statuses.isSuperset(of: range) else { continue }
            ranges.append(range)
            single.subtract(range)
        }
        let list = "[\(single.sorted().map(String.init).joined(separator: ", "))]"
        guard let firstRange = ranges.first else { return list }
        var code = "Set(\(firstRange.lowerBound)...\(firstRange.upperBound))"
        for range in ranges.dropFirst() { code += ".union(\(range.lowerBound)...\(range.upperBound))" }
        return single.isEmpty ? code : "\(code).union(\(list))"
    }
}
