/// An object whose members are decoded by their names.
///
/// Most models decode members in the order of the text, so the search for a member begins after the one decoded last.
/// An index of all names is used instead if a key strategy converts the names, if names may be repeated or have
/// escapes, or if many names were compared in vain, as in a large object whose members have another order.
final class JSONObject {
    let document: JSONDocument
    /// The cell of the object.
    let cell: JSONCell
    /// The cells of the names and values: that of each name is followed by that of its value.
    private let contents: Range<JSONCell>
    /// The name at which the next search begins.
    @exclusivity(unchecked) private var expectedName: JSONCell
    /// The name before it, of the member that was decoded last. Before that, both are the first name.
    @exclusivity(unchecked) private var lastName: JSONCell
    /// How many names were compared with a key and differed from it.
    @exclusivity(unchecked) private var mismatchCount = 0
    /// The index of all names, if searches use it.
    @exclusivity(unchecked) private var index: JSONNameIndex?
    /// How many mismatches there may be for each cell of the object before an index costs less than further searches.
    private static let maximumMismatchesPerCell = 16

    /// Prepares the search for members. An index of their names is only created if comparing names is not enough.
    init(_ document: JSONDocument, _ cell: JSONCell) {
        self.document = document
        self.cell = cell
        contents = document.contents(of: cell)
        expectedName = contents.lowerBound
        lastName = contents.lowerBound
        // Keys are compared with the bytes of the names. That is not enough if a strategy converts names to keys, if
        // names have escapes, or if a name is repeated: the first one counts, which a search that begins in the middle
        // of the object would miss.
        let needsIndex = !document.usesDefaultKeys || document.mayRepeatNames(cell)
        index = needsIndex ? JSONNameIndex(document, cell) : nil
    }

    /// The coding keys that the names become, in the order of the text and without repetitions.
    var keys: [String] {
        if let index { return index.distinctKeys }
        return document.names(of: cell).map(document.string)
    }

    /// Finds the value of a member; nil if there is no such member.
    func member(_ key: consuming String) -> JSONPlace? {
        guard let name = name(for: key) else { return nil }
        let value = name + 1
        return JSONPlace(value, in: cell)
    }

    /// Finds the value of a member that is about to be decoded; nil if there is no such member. The next search begins
    /// after it.
    @inline(__always)
    func nextMember(_ key: consuming String) -> JSONPlace? {
        guard let name = name(for: key) else { return nil }
        let value = name + 1
        lastName = name
        expectedName = document.cell(after: value)
        return JSONPlace(value, in: cell)
    }

    // MARK: - Names

    /// Finds the name whose coding key is the given one; nil if there is no such name.
    ///
    /// Most models decode members in the order of the text. So the name after the member decoded last is compared
    /// first.
    @inline(never)
    private func name(for key: consuming String) -> JSONCell? {
        key.withUTF8 { key in
            if let index { return index.nameCell(for: key) }
            if expectedName < contents.upperBound, document.isName(key, at: expectedName) { return expectedName }
            return searchAllNames(for: key)
        }
    }

    /// Searches all names in this order:
    /// 1. the name of the member decoded last, since a model may try several types for a member;
    /// 2. the names from the expected one to the end;
    /// 3. the names before the expected one.
    ///
    /// If earlier searches have compared many names in vain, creates the index and uses that instead.
    @inline(never)
    private func searchAllNames(for key: Bytes) -> JSONCell? {
        // An index costs less if there were more than 16 mismatches for each cell. They are divided, since a product
        // with the number of cells may overflow an `Int` of 32 bits.
        let wouldIndexHelp = mismatchCount / Self.maximumMismatchesPerCell > contents.count
        if wouldIndexHelp {
            let index = JSONNameIndex(document, cell)
            self.index = index
            return index.nameCell(for: key)
        }
        if lastName < expectedName, document.isName(key, at: lastName) { return lastName }
        if let name = searchNames(in: expectedName..<contents.upperBound, for: key) { return name }
        return searchNames(in: contents.lowerBound..<expectedName, for: key)
    }

    /// Searches the names in a range of cells, and counts those that differ from the key.
    private func searchNames(in cells: Range<JSONCell>, for key: Bytes) -> JSONCell? {
        var name = cells.lowerBound
        while name < cells.upperBound {
            if document.isName(key, at: name) { return name }
            mismatchCount += 1
            let value = name + 1
            name = document.cell(after: value)
        }
        return nil
    }
}
