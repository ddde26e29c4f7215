/// A JSON text that has been checked, with the places of its values.
///
/// Its cells stand in the order of the text. A string, number or literal takes one cell, the index of its first byte.
/// An array or an object takes two, the second of which is the index of the first cell after its contents; its values
/// follow, and in an object a cell for the name before each of them.
package final class JSONDocument {
    /// A cell has 31 bits for an index.
    static let maximumSize = Int(Int32.max)
    /// In the cell of a string: it has escapes.
    static let escapedFlag: UInt32 = 1 << 31
    /// In the second cell of an object: a name may be there twice, or has escapes and so is not spelled as it is.
    static let repeatedNamesFlag: UInt32 = 1 << 31

    let text: JSONText
    let reader: JSONReader
    /// Whether names are keys as they are.
    let usesDefaultKeys: Bool
    /// Whether names are keys in camel case.
    let convertsSnakeCase: Bool
    let cells: JSONCells
    /// The element counts of arrays by their cells, filled on demand.
    private var counts: [JSONCell: Int] = [:]
    @exclusivity(unchecked) private var paths = JSONPaths()
    /// The paths of values that do not exist.
    private var missing: [[any CodingKey]] = []
    /// The last number that did not fit a type.
    @exclusivity(unchecked) var unfittingNumber: UnfittingNumber?
    /// With a key strategy, the objects that were read as dictionaries, whose names it does not change.
    private var dictionaries: Set<JSONCell> = []

    /// A number that a type does not have.
    struct UnfittingNumber {
        let place: JSONPlace
        let type: Any.Type
    }

    init(_ bytes: UnsafeRawBufferPointer, reader: JSONReader) throws {
        let text = JSONText(bytes)
        do throws(JSONSyntaxError) {
            cells = try JSONScanner.cells(of: text)
        } catch {
            throw error.decodingError(in: text)
        }
        self.text = text
        self.reader = reader
        usesDefaultKeys = reader.keys.isDefault
        convertsSnakeCase = reader.keys.isSnakeCase
    }

    // MARK: - Cells

    /// The index of a value's first byte.
    @inline(__always)
    func start(of cell: JSONCell) -> Int { Int(cells[cell] & ~Self.escapedFlag) }

    /// The first byte of a value, which says what it is.
    @inline(__always)
    package func kind(of cell: JSONCell) -> UInt8 { text[start(of: cell)] }

    /// The first byte of a value: that of `null` for one that does not exist.
    @inline(__always)
    func kind(of place: JSONPlace) -> UInt8 {
        place.isMissing ? UInt8(ascii: "n") : kind(of: place.cell)
    }

    func isObject(_ cell: JSONCell) -> Bool { kind(of: cell) == .openingBrace }

    func isArray(_ cell: JSONCell) -> Bool { kind(of: cell) == .openingBracket }

    func isNull(_ place: JSONPlace) -> Bool { kind(of: place) == UInt8(ascii: "n") }

    /// Whether a string has escapes.
    func isEscaped(_ string: JSONCell) -> Bool { cells[string] & Self.escapedFlag != 0 }

    /// The cell after a value and all that it holds.
    @inline(__always)
    package func cell(after cell: JSONCell) -> JSONCell {
        switch kind(of: cell) {
        case .openingBrace, .openingBracket: end(of: cell)
        default: cell + 1
        }
    }

    /// The cells within an array or an object.
    @inline(__always)
    package func contents(of container: JSONCell) -> Range<JSONCell> { container + 2..<end(of: container) }

    /// The cell after the contents of an array or an object.
    @inline(__always)
    private func end(of container: JSONCell) -> JSONCell { Int(cells[container + 1] & ~Self.repeatedNamesFlag) }

    // MARK: - Elements

    /// How many values an array has. It is counted once: a model may ask after each element.
    func count(of array: JSONCell) -> Int {
        if let count = counts[array] { return count }
        let count = countedValues(of: array)
        counts[array] = count
        return count
    }

    /// How many values an array has, without a note of it.
    func countedValues(of array: JSONCell) -> Int {
        let contents = contents(of: array)
        var count = 0
        var value = contents.lowerBound
        while value < contents.upperBound {
            count += 1
            value = cell(after: value)
        }
        return count
    }

    // MARK: - Members

    /// The cells of an object's names.
    func names(of object: JSONCell) -> [JSONCell] {
        let contents = contents(of: object)
        var names: [JSONCell] = []
        names.reserveCapacity(countedNames(of: object))
        var name = contents.lowerBound
        while name < contents.upperBound {
            names.append(name)
            name = cell(after: name + 1)
        }
        return names
    }

    /// How many members an object has.
    func countedNames(of object: JSONCell) -> Int {
        let contents = contents(of: object)
        var count = 0
        var name = contents.lowerBound
        while name < contents.upperBound {
            count += 1
            name = cell(after: name + 1)
        }
        return count
    }

    /// Whether a name of an object has escapes or may be there twice.
    @inline(__always)
    func mayRepeatNames(_ object: JSONCell) -> Bool { cells[object + 1] & Self.repeatedNamesFlag != 0 }

    /// Notes that an object is read as a dictionary.
    func addDictionary(_ object: JSONCell) {
        if !usesDefaultKeys { dictionaries.insert(object) }
    }

    /// Whether an object was read as a dictionary, if that matters.
    func isDictionary(_ object: JSONCell) -> Bool { !dictionaries.isEmpty && dictionaries.contains(object) }

    // MARK: - Paths

    /// The coding path of a value.
    func path(to place: JSONPlace) -> [any CodingKey] {
        place.isMissing ? missing[place.index] : paths.path(to: place, in: self)
    }

    /// The coding path of an array or an object.
    func path(toContainer cell: JSONCell) -> [any CodingKey] {
        paths.path(to: paths.place(ofContainer: cell, in: self), in: self)
    }

    /// A value that does not exist, and counts as null.
    func missingPlace(at path: [any CodingKey]) -> JSONPlace {
        missing.append(path)
        return .missing(missing.count - 1)
    }

    // MARK: - Texts

    /// The text of a string's cell.
    package func string(_ cell: JSONCell) -> String {
        let bytes = bytes(ofString: cell)
        return isEscaped(cell) ? text.unescaped(from: bytes.lowerBound) : text.string(bytes)
    }

    /// The bytes between the quotes of a string without escapes.
    @inline(__always)
    func bytes(ofString cell: JSONCell) -> Range<Int> {
        let first = start(of: cell) + 1
        return first..<text.indexOfQuote(from: first)
    }

    /// The bytes of a number.
    package func number(_ cell: JSONCell) -> String {
        let first = start(of: cell)
        var end = first
        while text[end].isPartOfNumber { end += 1 }
        return text.string(first..<end)
    }
}

extension UInt8 {
    fileprivate var isPartOfNumber: Bool {
        isDigit || isExponentSign || self == .plus || self == .minus || self == .point
    }
}
