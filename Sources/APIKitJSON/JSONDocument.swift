/// A JSON text that has been checked, with the places of its values.
///
/// Its cells stand in the order of the text. A string, number or literal takes one cell, the index of its first byte. An
/// array or an object takes two, the second of which is the cell behind all that it holds; its values follow, and in an
/// object a cell for the name before each of them.
package final class JSONDocument {
    /// A cell has 31 bits for an index.
    static let maximumSize = Int(Int32.max)
    /// In the cell of a string: it has escapes.
    static let escapedFlag: UInt32 = 1 << 31

    let text: JSONText
    let reader: JSONReader
    let cells: [UInt32]
    /// On each level of the last coding path, the value or the name that the search ended at, and its index.
    private var way: [(container: Int, child: Int, index: Int)] = []
    /// How many values the arrays have that were asked for it.
    private var counts: [Int: Int] = [:]
    /// The paths of values that do not exist, which have negative cells.
    private var missing: [[any CodingKey]] = []
    /// The objects that were read as dictionaries, whose names no key strategy changes.
    var dictionaries: Set<Int> = []
    /// The object in which a member was found last, and the cell of its name, where the next search begins.
    @exclusivity(unchecked) var lastFound = (object: -1, name: 0)

    init(_ bytes: UnsafeRawBufferPointer, reader: JSONReader) throws {
        let text = JSONText(bytes)
        do throws(JSONSyntaxError) {
            cells = try JSONScanner.cells(of: text)
        } catch {
            throw error.decodingError(in: text)
        }
        self.text = text
        self.reader = reader
    }

    // MARK: - Cells

    /// The index of a value's first byte.
    @inline(__always)
    func start(of cell: Int) -> Int { Int(cells[cell] & ~Self.escapedFlag) }

    /// The first byte of a value, which says what it is: that of `null` for one that does not exist.
    @inline(__always)
    package func kind(of cell: Int) -> UInt8 { cell < 0 ? UInt8(ascii: "n") : text[start(of: cell)] }

    /// The cell after a value and all that it holds.
    @inline(__always)
    package func cell(after cell: Int) -> Int {
        let kind = text[start(of: cell)]
        return kind == UInt8(ascii: "{") || kind == UInt8(ascii: "[") ? Int(cells[cell + 1]) : cell + 1
    }

    /// The cells within an array or an object.
    @inline(__always)
    package func contents(of cell: Int) -> Range<Int> { cell + 2..<Int(cells[cell + 1]) }

    /// How many values an array has, which are counted once.
    func count(of array: Int) -> Int {
        if let count = counts[array] { return count }
        let contents = contents(of: array)
        var (count, cell) = (0, contents.lowerBound)
        while cell < contents.upperBound { (count, cell) = (count + 1, self.cell(after: cell)) }
        counts[array] = count
        return count
    }

    func isNull(_ cell: Int) -> Bool { kind(of: cell) == UInt8(ascii: "n") }

    func isEscaped(_ cell: Int) -> Bool { cells[cell] & Self.escapedFlag != 0 }

    /// A cell for a value that does not exist, and counts as null.
    func missingCell(at path: [any CodingKey]) -> Int {
        missing.append(path)
        return -missing.count
    }

    // MARK: - Paths

    /// The coding path of a value, which is found from the top: it is only needed if something fails.
    ///
    /// A model may try several types for each value, so that much fails, mostly in the order of the text: on each level the
    /// search goes on where the last one ended.
    func path(to cell: Int) -> [any CodingKey] {
        if cell < 0 { return missing[-cell - 1] }
        var (path, current): ([any CodingKey], Int) = ([], 0)
        while current != cell {
            let isObject = kind(of: current) == UInt8(ascii: "{")
            var (index, child) = (0, contents(of: current).lowerBound)
            let level = path.count
            if level < way.count, way[level].container == current, way[level].child <= cell {
                (index, child) = (way[level].index, way[level].child)
            }
            var name = child
            while true {
                name = child
                if isObject { child += 1 }
                let next = self.cell(after: child)
                if cell < next { break }
                (index, child) = (index + 1, next)
            }
            if level == way.count { way.append((current, name, index)) }
            way[level] = (current, name, index)
            if isObject {
                let isKey = !dictionaries.contains(current)
                path.append(JSONKey(isKey ? reader.keys.converted(string(name), path) : string(name)))
            } else {
                path.append(JSONKey(index))
            }
            current = max(child, current + 1)
            if cell < child { return path }
        }
        return path
    }

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
        while text[end].isDigit || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(text[end]) { end += 1 }
        return text.string(first..<end)
    }
}

/// A member's name, or an index, in a coding path.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init(stringValue: String) { self.init(stringValue) }

    init(intValue: Int) { self.init(intValue) }
}
