import APIKitSupport

/// A valid JSON text and a list of numbers, called *cells*, that says where its values are.
///
/// The cells are in the order of the text:
/// - A string, number or literal has one cell, which holds the index of its first byte in the text.
/// - An array or object, together called *containers*, has two cells. The first holds the index of its first byte, the
///   second the position of the first cell after its contents. The cells of the contents follow; in an object, the cell
///   of each name precedes those of its value.
///
/// For `{"a": [1]}` with the indexes `0: {`, `1: "a"`, `6: [` and `7: 1`, the cells are `0, 6`, `1`, `6, 6` and `7`. A
/// value is identified by the position of its (first) cell, a ``JSONCell``: that of the number 1 is 5.
package final class JSONDocument {
    /// The greatest size of a text: 31 bits of a cell are an index, and the highest bit is a flag.
    static let maximumSize = Int(Int32.max)
    /// A flag in the cell of a string that has escapes.
    static let escapedFlag: UInt32 = 1 << 31
    /// A flag in the second cell of an object in which a name may be repeated or has escapes: a name with escapes, such
    /// as `"\u0061"`, may equal one without, `"a"`. Comparing the bytes of the names with a key is not enough then.
    static let repeatedNamesFlag: UInt32 = 1 << 31

    let text: JSONText
    let reader: JSONReader
    /// Whether coding keys are the unconverted names.
    let usesDefaultKeys: Bool
    /// Whether names are converted from snake case to camel case.
    let convertsSnakeCase: Bool
    let cells: JSONCells
    /// The element counts that models have asked for, by the cells of the arrays.
    private var counts: [JSONCell: Int] = [:]
    @exclusivity(unchecked) private var paths = JSONPaths()
    /// The paths of values that do not exist, in the order of their numbers.
    private var missing: [[any CodingKey]] = []
    /// The last number that did not fit a type.
    @exclusivity(unchecked) var unfittingNumber: UnfittingNumber?
    /// How many values with a tag or with additional properties are being decoded inside one another.
    var nestedModelCount = 0
    /// The objects that were decoded as dictionaries. A key strategy does not convert their names, which are data; so
    /// coding paths contain them as they are.
    private var dictionaries: Set<JSONCell> = []

    /// A number, and the type that cannot represent it: the underlying error of the error for that number.
    struct UnfittingNumber: Error {
        let place: JSONPlace
        let type: Any.Type
    }

    /// Copies and validates a text, and finds its values.
    ///
    /// - Throws: `DecodingError` with the line and column of the first error in a text that is not JSON.
    init(_ bytes: UnsafeRawBufferPointer, reader: JSONReader) throws {
        var scanner = JSONScanner(JSONText(bytes))
        do throws(JSONSyntaxError) {
            try scanner.scan()
        } catch {
            throw error.decodingError(in: scanner.text)
        }
        text = scanner.text
        cells = scanner.cells
        self.reader = reader
        usesDefaultKeys = reader.keys.isDefault
        convertsSnakeCase = reader.keys.isSnakeCase
    }

    // MARK: - Cells

    /// The index of a value's first byte in the text.
    @inline(__always)
    func start(of cell: JSONCell) -> Int { Int(cells.numbers[cell] & ~Self.escapedFlag) }

    /// The first byte of a value, which shows its type.
    @inline(__always)
    package func kind(of cell: JSONCell) -> UInt8 { text.bytes[start(of: cell)] }

    /// Returns the first byte of a value: that of `null` for one that does not exist.
    @inline(__always)
    func kind(of place: JSONPlace) -> UInt8 {
        place.isMissing ? UInt8(ascii: "n") : kind(of: place.cell)
    }

    func isObject(_ cell: JSONCell) -> Bool { kind(of: cell) == .openingBrace }

    func isArray(_ cell: JSONCell) -> Bool { kind(of: cell) == .openingBracket }

    func isNull(_ place: JSONPlace) -> Bool { kind(of: place) == UInt8(ascii: "n") }

    /// Whether a string has escapes.
    func isEscaped(_ string: JSONCell) -> Bool { cells.numbers[string] & Self.escapedFlag != 0 }

    /// Returns the cell after a value and its contents: that of the next element of an array, or of the next name in an
    /// object.
    @inline(__always)
    package func cell(after cell: JSONCell) -> JSONCell {
        switch kind(of: cell) {
        case .openingBrace, .openingBracket: end(of: cell)
        default: cell + 1
        }
    }

    /// The cells within an array or an object, which follow its own two cells.
    @inline(__always)
    package func contents(of container: JSONCell) -> Range<JSONCell> { container + 2..<end(of: container) }

    /// The cell after the contents of an array or an object.
    @inline(__always)
    private func end(of container: JSONCell) -> JSONCell { Int(cells.numbers[container + 1] & ~Self.repeatedNamesFlag) }

    // MARK: - Elements

    /// Returns the number of elements in an array. The count is kept, since a model may ask for it after each element.
    func count(of array: JSONCell) -> Int {
        if let count = counts[array] { return count }
        let count = countElements(of: array)
        counts[array] = count
        return count
    }

    /// Counts the elements of an array, by a walk from the cell of each element to that of the next one.
    func countElements(of array: JSONCell) -> Int {
        let contents = contents(of: array)
        var count = 0
        var element = contents.lowerBound
        while element < contents.upperBound {
            count += 1
            element = cell(after: element)
        }
        return count
    }

    // MARK: - Members

    /// Returns the cells of an object's names, in the order of the text. The cell of a name is followed by that of its
    /// value.
    func names(of object: JSONCell) -> [JSONCell] {
        let contents = contents(of: object)
        var names: [JSONCell] = []
        names.reserveCapacity(countNames(of: object))
        var name = contents.lowerBound
        while name < contents.upperBound {
            names.append(name)
            let value = name + 1
            name = cell(after: value)
        }
        return names
    }

    /// Counts the members of an object, including those with repeated names. The cell of a name is followed by that of
    /// its value.
    func countNames(of object: JSONCell) -> Int {
        let contents = contents(of: object)
        var count = 0
        var name = contents.lowerBound
        while name < contents.upperBound {
            count += 1
            let value = name + 1
            name = cell(after: value)
        }
        return count
    }

    /// Whether a name may occur twice in an object. That is not known of a name with escapes, so this is true for an
    /// object with such a name.
    @inline(__always)
    func mayRepeatNames(_ object: JSONCell) -> Bool { cells.numbers[object + 1] & Self.repeatedNamesFlag != 0 }

    /// Records that an object is decoded as a dictionary, whose names no key strategy converts. With default keys this
    /// makes no difference, and nothing is recorded.
    func recordDictionary(_ object: JSONCell) {
        if !usesDefaultKeys { dictionaries.insert(object) }
    }

    /// Whether an object was recorded as a dictionary, so that a key strategy does not convert its names.
    func isDictionary(_ object: JSONCell) -> Bool { !dictionaries.isEmpty && dictionaries.contains(object) }

    // MARK: - Paths

    /// Returns the coding path of a value, which may also be one that does not exist: see ``missingPlace(at:)``.
    func path(to place: JSONPlace) -> [any CodingKey] {
        place.isMissing ? missing[place.index] : paths.path(to: place, in: self)
    }

    /// Returns the coding path of an array or an object.
    func path(toContainer cell: JSONCell) -> [any CodingKey] {
        paths.path(to: paths.place(ofContainer: cell, in: self), in: self)
    }

    /// Creates the place of a value that does not exist and is treated as null, and records its path.
    func missingPlace(at path: [any CodingKey]) -> JSONPlace {
        missing.append(path)
        return .missing(missing.count - 1)
    }

    // MARK: - Texts

    /// Returns the text of a string, with its escapes replaced.
    package func string(_ cell: JSONCell) -> String {
        if isEscaped(cell) { return text.unescaped(from: start(of: cell) + 1) }
        return String(decoding: bytes(ofString: cell), as: UTF8.self)
    }

    /// Returns the bytes between the quotes of a string without escapes. They are valid as long as the document exists.
    @inline(__always)
    func bytes(ofString cell: JSONCell) -> Bytes {
        let first = start(of: cell) + 1
        return Bytes(start: text.bytes + first, count: text.indexOfQuote(from: first) - first)
    }

    /// Whether the name with a cell, which has no escapes, equals a key.
    func isName(_ key: Bytes, at name: JSONCell) -> Bool {
        let start = start(of: name) + 1
        let end = start + key.count
        // The quote after the name. A key that contains a quote could match text beyond the name, but between that and
        // its value, there are only spaces and a colon.
        guard end < self.start(of: name + 1), text.bytes[end] == .quote else { return false }
        return text.hasText(key, at: start)
    }

    /// Returns the text of a number.
    package func number(_ cell: JSONCell) -> String {
        let first = start(of: cell)
        var end = first
        while text.bytes[end].isPartOfNumber { end += 1 }
        return text.string(first..<end)
    }
}

extension UInt8 {
    fileprivate var isPartOfNumber: Bool {
        isDigit || isExponentSign || self == .plus || self == .minus || self == .point
    }
}
