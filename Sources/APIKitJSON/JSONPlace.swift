/// A value of a document: its cell, and where it stands in the array or object that holds it.
struct JSONPlace: Equatable {
    /// Stands for a cell that does not exist.
    private static let none = UInt32.max

    private let cellNumber: UInt32
    private let containerNumber: UInt32
    private let indexNumber: UInt32

    /// The value of a text that no other one holds.
    static let top = JSONPlace(cellNumber: 0, containerNumber: none, indexNumber: 0)

    private init(cellNumber: UInt32, containerNumber: UInt32, indexNumber: UInt32) {
        self.cellNumber = cellNumber
        self.containerNumber = containerNumber
        self.indexNumber = indexNumber
    }

    /// The value of a cell in an array, which has the index, or in an object, where the name's cell is the one before.
    @inline(__always)
    init(_ cell: JSONCell, in container: JSONCell, index: Int = 0) {
        cellNumber = UInt32(truncatingIfNeeded: cell)
        containerNumber = UInt32(truncatingIfNeeded: container)
        indexNumber = UInt32(truncatingIfNeeded: index)
    }

    /// A value that does not exist, and counts as null.
    static func missing(_ number: Int) -> JSONPlace {
        JSONPlace(cellNumber: none, containerNumber: none, indexNumber: UInt32(truncatingIfNeeded: number))
    }

    @inline(__always)
    var isMissing: Bool { cellNumber == Self.none }
    @inline(__always)
    var cell: JSONCell { Int(cellNumber) }
    /// The cell of the array or object that holds the value; nil at the top.
    var container: JSONCell? { containerNumber == Self.none ? nil : Int(containerNumber) }
    /// The index in an array, or the number of a value that does not exist.
    var index: Int { Int(indexNumber) }
}
