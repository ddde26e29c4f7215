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
    /// In the second cell of an object: it needs an index of its names, since one may be there twice or has escapes.
    static let indexedFlag: UInt32 = 1 << 31

    let text: JSONText
    let reader: JSONReader
    /// Whether names are keys as they are.
    let usesDefaultKeys: Bool
    /// Whether names are keys in camel case.
    let convertsSnakeCase: Bool
    let cells: JSONCells
    /// The element counts of arrays by their cells, filled on demand.
    private var counts: [Int: Int] = [:]
    @exclusivity(unchecked) private var paths = JSONPaths()
    /// The paths of values that do not exist.
    private var missing: [[any CodingKey]] = []
    /// The number that did not fit a type last.
    @exclusivity(unchecked) var unfitting: (place: JSONPlace, type: Any.Type)?
    /// With a key strategy, the objects that were read as dictionaries, whose names it does not change.
    private var dictionaries: Set<Int> = []

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
        convertsSnakeCase = if case .convertFromSnakeCase = reader.keys { true } else { false }
    }

    // MARK: - Cells

    /// The index of a value's first byte.
    @inline(__always)
    func start(of cell: Int) -> Int { Int(cells[cell] & ~Self.escapedFlag) }

    /// The first byte of a value, which says what it is.
    @inline(__always)
    package func kind(of cell: Int) -> UInt8 { text[start(of: cell)] }

    /// The first byte of a value: that of `null` for one that does not exist.
    @inline(__always)
    func kind(of place: JSONPlace) -> UInt8 { place.isMissing ? UInt8(ascii: "n") : kind(of: place.cell) }

    /// The cell after a value and all that it holds.
    @inline(__always)
    package func cell(after cell: Int) -> Int { text.cell(after: cell, in: cells) }

    /// The cells within an array or an object.
    @inline(__always)
    package func contents(of cell: Int) -> Range<Int> { cell + 2..<Int(cells[cell + 1] & ~Self.indexedFlag) }

    /// How many values an array has, which are counted once.
    func count(of array: Int) -> Int {
        if let count = counts[array] { return count }
        let count = countedValues(of: array)
        counts[array] = count
        return count
    }

    /// How many values an array has.
    func countedValues(of array: Int) -> Int {
        let contents = contents(of: array)
        var (count, cell) = (0, contents.lowerBound)
        while cell < contents.upperBound { (count, cell) = (count + 1, self.cell(after: cell)) }
        return count
    }

    func isObject(_ cell: Int) -> Bool { kind(of: cell) == UInt8(ascii: "{") }

    func isArray(_ cell: Int) -> Bool { kind(of: cell) == UInt8(ascii: "[") }

    func isNull(_ place: JSONPlace) -> Bool { kind(of: place) == UInt8(ascii: "n") }

    func isEscaped(_ cell: Int) -> Bool { cells[cell] & Self.escapedFlag != 0 }

    // MARK: - Paths

    /// The coding path of a value.
    func path(to place: JSONPlace) -> [any CodingKey] {
        place.isMissing ? missing[place.index] : paths.path(to: place, in: self)
    }

    /// The coding path of an array or an object.
    func path(toContainer cell: Int) -> [any CodingKey] {
        paths.path(to: paths.place(ofContainer: cell, in: self), in: self)
    }

    /// A value that does not exist, and counts as null.
    func missingPlace(at path: [any CodingKey]) -> JSONPlace {
        missing.append(path)
        return .missing(missing.count - 1)
    }

    /// Notes that an object is read as a dictionary.
    func addDictionary(_ object: Int) {
        if !usesDefaultKeys { dictionaries.insert(object) }
    }

    /// Whether an object was read as a dictionary, if that matters.
    func isDictionary(_ object: Int) -> Bool { !dictionaries.isEmpty && dictionaries.contains(object) }

    // MARK: - Values

    /// The text of a string's cell.
    package func string(_ cell: Int) -> String {
        let first = start(of: cell) + 1
        return isEscaped(cell) ? unescaped(from: first) : text.string(first..<text.indexOfQuote(from: first))
    }

    /// The text up to the next quote, with its escapes replaced. The scanner has checked them.
    private func unescaped(from first: Int) -> String {
        var (result, index): ([UInt8], Int) = ([], first)
        while true {
            let start = index
            while text[index] != UInt8(ascii: "\""), text[index] != UInt8(ascii: "\\") { index += 1 }
            text.append(start..<index, to: &result)
            if text[index] == UInt8(ascii: "\"") { return String(decoding: result, as: UTF8.self) }
            index += 2
            switch text[index - 1] {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = UInt32(unit(at: index))
                index += 4
                if 0xD800..<0xDC00 ~= scalar {
                    scalar = 0x10000 + (scalar - 0xD800) << 10 + UInt32(unit(at: index + 2)) - 0xDC00
                    index += 6
                }
                result += String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8
            case let sign: result.append(sign)
            }
        }
    }

    /// The four hexadecimal digits at an index, which the scanner has checked.
    private func unit(at index: Int) -> UInt16 {
        (index..<index + 4).reduce(0) { $0 << 4 | (text[$1].hexDigit ?? 0) }
    }

    /// The bytes of a number.
    package func number(_ cell: Int) -> String {
        let first = start(of: cell)
        var end = first
        while text[end].isDigit || text[end].isNumberSign { end += 1 }
        return text.string(first..<end)
    }
}

extension UInt8 {
    /// Whether the byte is `+`, `-`, `.`, `e` or `E`.
    fileprivate var isNumberSign: Bool {
        switch self {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): true
        default: false
        }
    }
}

extension JSONText {
    /// The cell after a value and all that it holds.
    @inline(__always)
    func cell(after cell: Int, in cells: JSONCells) -> Int {
        switch self[Int(cells[cell] & ~JSONDocument.escapedFlag)] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): Int(cells[cell + 1] & ~JSONDocument.indexedFlag)
        default: cell + 1
        }
    }
}
