/// Where a value is in a document: its cell, the array or object that contains it, and its index in an array.
///
/// The cell is enough to decode the value; the rest leads to its coding path, for errors.
///
/// The numbers are stored with 32 bits each, so that a place is copied fast.
struct JSONPlace: Equatable {
    /// Stands in place of a cell that does not exist.
    private static let none = UInt32.max

    private let cellNumber: UInt32
    private let containerNumber: UInt32
    private let indexNumber: UInt32

    /// The top-level value of a text, which has no container.
    static let top = JSONPlace(cellNumber: 0, containerNumber: none, indexNumber: 0)

    private init(cellNumber: UInt32, containerNumber: UInt32, indexNumber: UInt32) {
        self.cellNumber = cellNumber
        self.containerNumber = containerNumber
        self.indexNumber = indexNumber
    }

    /// Creates the place of an element or of a member's value.
    ///
    /// - Parameters:
    ///   - cell: The cell of the value. In an object, the cell before it is that of the name.
    ///   - container: The cell of the array or object.
    ///   - index: The index of an element; 0 in an object.
    @inline(__always)
    init(_ cell: JSONCell, in container: JSONCell, index: Int = 0) {
        cellNumber = UInt32(truncatingIfNeeded: cell)
        containerNumber = UInt32(truncatingIfNeeded: container)
        indexNumber = UInt32(truncatingIfNeeded: index)
    }

    /// Returns the place of a value that does not exist and is treated as null. The number identifies its path: see
    /// ``JSONDocument/missingPlace(at:)``.
    static func missing(_ number: Int) -> JSONPlace {
        JSONPlace(cellNumber: none, containerNumber: none, indexNumber: UInt32(truncatingIfNeeded: number))
    }

    @inline(__always)
    var isMissing: Bool { cellNumber == Self.none }
    @inline(__always)
    var cell: JSONCell { Int(cellNumber) }
    /// The cell of the array or object that contains the value; nil for the top-level value.
    var container: JSONCell? { containerNumber == Self.none ? nil : Int(containerNumber) }
    /// The index in an array. For a value that does not exist, its number.
    var index: Int { Int(indexNumber) }
}
