extension JSONDocument {
    /// The cells of an object's names.
    func names(of object: Int) -> [Int] {
        let contents = contents(of: object)
        var (names, name): ([Int], Int) = ([], contents.lowerBound)
        while name < contents.upperBound {
            names.append(name)
            name = cell(after: name + 1)
        }
        return names
    }

    /// How many members an object has.
    func countedNames(of object: Int) -> Int {
        let contents = contents(of: object)
        var (count, name) = (0, contents.lowerBound)
        while name < contents.upperBound { (count, name) = (count + 1, cell(after: name + 1)) }
        return count
    }

    /// Whether a name of an object has escapes or may be there twice.
    @inline(__always)
    func mayRepeatNames(_ object: Int) -> Bool { cells[object + 1] & Self.indexedFlag != 0 }
}
