/// The names that are not free, since other declarations have them. Names are compared in lower case, as they are also
/// names of files, and many file systems ignore case.
struct TakenNames {
    private var keys: Set<String> = []

    /// Creates a list of taken names.
    init(_ names: some Sequence<String> = []) { insert(names) }

    mutating func insert(_ names: some Sequence<String>) { keys.formUnion(names.map { $0.lowercased() }) }

    mutating func remove(_ name: String) { keys.remove(name.lowercased()) }

    func contains(_ name: String) -> Bool { keys.contains(name.lowercased()) }

    /// The names of both lists.
    func union(_ others: TakenNames) -> TakenNames {
        var all = self
        all.keys.formUnion(others.keys)
        return all
    }

    /// The first candidate that is free; nil if none is.
    func firstFree(of candidates: [String]) -> String? { candidates.first { !contains($0) } }

    /// Takes a name. If it is not free, it gets a number: the second `Status` is `Status2`.
    ///
    /// - Returns: The name that was taken.
    mutating func take(_ name: String) -> String { SwiftName.unique(name, in: &keys) }
}
