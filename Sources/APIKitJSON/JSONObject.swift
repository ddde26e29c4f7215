/// An object whose members are decoded by their names.
///
/// Most models decode members in the order of the text, so the search for a member begins after the one decoded last.
/// An index of all names is used instead if a key strategy converts the names, if names may be repeated or have
/// escapes, or if many names were compared in vain, as in a large object whose members have another order.
final class JSONObject {
    let document: JSONDocument
    private let text: JSONText
    /// The cell of the object.
    let cell: JSONCell
    /// The cells of the names and values: that of each name is followed by that of its value.
    private let contents: Range<JSONCell>
    /// The name at which the next search begins.
    @exclusivity(unchecked) private var expectedName: JSONCell
    /// How many names were compared with a key and differed from it.
    @exclusivity(unchecked) private var mismatchCount = 0
    /// The index of all names, if searches use it.
    @exclusivity(unchecked) private var index: JSONNameIndex?
    /// How many mismatches there may be for each cell of the object before an index costs less than further searches.
    private static let maximumMismatchesPerCell = 16

    /// Prepares the search for members. An index of their names is only created if comparing names is not enough.
    init(_ document: JSONDocument, _ cell: JSONCell) {
        self.document = document
        text = document.text
        self.cell = cell
        contents = document.contents(of: cell)
        expectedName = contents.lowerBound
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
    @inline(__always)
    func member(_ key: String) -> JSONPlace? {
        guard let name = name(for: key) else { return nil }
        let value = name + 1
        return JSONPlace(value, in: cell)
    }

    /// Decodes a member that is a string, and lets the next search begin after it.
    ///
    /// - Returns: The string; nil if there is no such member.
    func text(_ key: consuming String) throws -> String? {
        guard let member = member(key) else { return nil }
        let text = try document.text(member)
        expectMember(after: member)
        return text
    }

    /// Lets the next search begin after a member.
    @inline(__always)
    func expectMember(after member: JSONPlace) {
        expectedName = document.cell(after: member.cell)
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
            let isExpected = expectedName < contents.upperBound && isName(key, at: expectedName)
            return isExpected ? expectedName : searchAllNames(for: key)
        }
    }

    /// Searches all names, from the expected one to the end and then from the beginning. If earlier searches have
    /// compared many names in vain, creates the index and uses that instead.
    @inline(never)
    private func searchAllNames(for key: Bytes) -> JSONCell? {
        // The mismatches are divided, since a product with the number of cells may overflow an `Int` of 32 bits.
        let wouldIndexHelp = mismatchCount / Self.maximumMismatchesPerCell > contents.count
        if wouldIndexHelp {
            let index = JSONNameIndex(document, cell)
            self.index = index
            return index.nameCell(for: key)
        }
        let start = expectedName
        if let name = searchNames(in: start..<contents.upperBound, for: key) { return name }
        return searchNames(in: contents.lowerBound..<start, for: key)
    }

    /// Searches the names in a range of cells, and counts those that differ from the key.
    private func searchNames(in cells: Range<JSONCell>, for key: Bytes) -> JSONCell? {
        var name = cells.lowerBound
        while name < cells.upperBound {
            if isName(key, at: name) { return name }
            mismatchCount += 1
            let value = name + 1
            name = document.cell(after: value)
        }
        return nil
    }

    /// Whether a name, which has no escapes, equals a key.
    @inline(__always)
    private func isName(_ key: Bytes, at name: JSONCell) -> Bool {
        let start = document.start(of: name) + 1
        guard text.hasText(key, at: start) else { return false }
        // The name has to end where the key ends. A key that contains a quote could otherwise match text beyond the
        // name.
        return text.indexOfQuote(from: start) == start + key.count
    }
}
