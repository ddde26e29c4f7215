/// An object whose members are decoded by their names.
///
/// Most models ask for members in the order of the text, so the search for a member begins after the last one. An index
/// of all names takes over if several names may be the same key, if a name is not spelled as its key, and in a large
/// object whose order is another one.
final class JSONObject {
    let document: JSONDocument
    private let text: JSONText
    /// The cell of the object.
    let cell: JSONCell
    /// The cells of the names and values.
    private let contents: Range<JSONCell>
    /// The name where the next search begins.
    @exclusivity(unchecked) private var expectedName: JSONCell
    /// How many names were compared without a match.
    @exclusivity(unchecked) private var misses = 0
    @exclusivity(unchecked) private var index: JSONNameIndex?

    init(_ document: JSONDocument, _ cell: JSONCell) {
        self.document = document
        text = document.text
        self.cell = cell
        contents = document.contents(of: cell)
        expectedName = contents.lowerBound
        let areNamesKeys = document.usesDefaultKeys && !document.mayRepeatNames(cell)
        index = areNamesKeys ? nil : JSONNameIndex(document, cell)
    }

    /// The names as coding keys spell them, in the order of the text and each once.
    var keys: [String] {
        if let index { return index.distinctKeys }
        return document.names(of: cell).map(document.string)
    }

    /// The value of a member; nil if there is no such member.
    @inline(__always)
    func member(_ key: String) -> JSONPlace? {
        guard let name = name(key) else { return nil }
        return JSONPlace(name + 1, in: cell)
    }

    /// Decodes the string of a member, after which the next member is expected; nil if there is no such member.
    func text(_ key: consuming String) throws -> String? {
        guard let member = member(key) else { return nil }
        let text = try document.text(member)
        expectMember(after: member)
        return text
    }

    /// Has the next search begin after a member.
    @inline(__always)
    func expectMember(after member: JSONPlace) {
        expectedName = document.cell(after: member.cell)
    }

    // MARK: - Names

    /// The name that becomes a key; nil if there is no such name.
    @inline(never)
    private func name(_ key: consuming String) -> JSONCell? {
        key.withUTF8 { key in
            if let index { return index.name(key) }
            let isExpected = expectedName < contents.upperBound && isName(key, at: expectedName)
            return isExpected ? expectedName : search(key)
        }
    }

    /// Searches all names, from the expected one to the end and then from the beginning.
    @inline(never)
    private func search(_ key: Bytes) -> JSONCell? {
        // An index costs as much as comparing each name with some keys.
        let wouldIndexHelp = misses / 16 > contents.count
        if wouldIndexHelp {
            let index = JSONNameIndex(document, cell)
            self.index = index
            return index.name(key)
        }
        let start = expectedName
        if let name = search(key, in: start..<contents.upperBound) { return name }
        return search(key, in: contents.lowerBound..<start)
    }

    /// Searches the names in some cells, and counts those that do not match.
    private func search(_ key: Bytes, in cells: Range<JSONCell>) -> JSONCell? {
        var name = cells.lowerBound
        while name < cells.upperBound {
            if isName(key, at: name) { return name }
            misses += 1
            name = document.cell(after: name + 1)
        }
        return nil
    }

    /// Whether a key is a name without escapes.
    @inline(__always)
    private func isName(_ key: Bytes, at name: JSONCell) -> Bool {
        let start = document.start(of: name) + 1
        guard text.hasText(key, at: start) else { return false }
        // A key may itself have a quote, and so be the text from one name into the next.
        return text.indexOfQuote(from: start) == start + key.count
    }
}
