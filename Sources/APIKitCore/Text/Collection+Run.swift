extension Collection where Element: Equatable {
    /// The index where some elements first occur one after another.
    func firstIndex(of run: some Collection<Element>) -> Index? {
        indices.first { self[$0...].starts(with: run) }
    }
}
