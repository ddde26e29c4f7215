/// Computes the coding paths of a document's values.
///
/// Decoding keeps no paths, since most are never needed. But a model that tries several types for each value throws an
/// error with a path for each attempt, so the last path is kept: the next one is mostly for the same value or for
/// another one in the same container.
struct JSONPaths {
    /// An array or object of the document, and where it is.
    private struct Container {
        let cell: UInt32
        /// The position in `containers` of the array or object around this one; for the top-level container, its own.
        let parent: UInt32
        /// The index of this container in its parent, which counts if that is an array.
        let indexInParent: UInt32

        init(_ cell: JSONCell, parent: Int, indexInParent: Int) {
            self.cell = UInt32(truncatingIfNeeded: cell)
            self.parent = UInt32(truncatingIfNeeded: parent)
            self.indexInParent = UInt32(truncatingIfNeeded: indexInParent)
        }
    }

    /// The document's arrays and objects in the order of their cells; empty until the first path is needed.
    private var containers: [Container] = []
    /// The value whose path was computed last.
    private var lastPlace = JSONPlace.top
    /// The path of `lastPlace`. It is changed in place, so its memory is reused unless a caller still holds the path.
    private var lastPath: [any CodingKey] = []

    /// The position in `containers` of the top-level one, which is the first.
    private static let topContainer = 0

    /// Returns the coding path of the value at a place: its cell, the array or object around it, and its index there.
    ///
    /// The path is kept until the next call. The paths of two values in the same array or object differ only in their
    /// last key, so then only that key is replaced.
    mutating func path(to place: JSONPlace, in document: JSONDocument) -> [any CodingKey] {
        if place == lastPlace { return lastPath }
        // The top-level value has no key.
        guard let container = place.container else { return [] }
        let isInSameContainer = container == lastPlace.container
        if isInSameContainer {
            lastPath.removeLast()
        } else {
            let containerPosition = position(ofContainer: container, in: document)
            lastPath = path(toContainerAt: containerPosition, in: document)
        }
        lastPath.append(key(of: place, pathToContainer: lastPath, in: document))
        lastPlace = place
        return lastPath
    }

    /// Returns the place of an array or an object: its cell, with the container around it and its index there.
    mutating func place(ofContainer cell: JSONCell, in document: JSONDocument) -> JSONPlace {
        // Found first, since the search may create the list of containers that the place is read from.
        let containerPosition = position(ofContainer: cell, in: document)
        return place(ofContainerAt: containerPosition)
    }

    /// Returns the coding path of an array or object: the path to the container around it, and its own key.
    ///
    /// - Parameters:
    ///   - position: The position of the array or object in `containers`.
    ///   - document: The document.
    /// - Returns: The path. It is empty for the top-level array or object, which has no key.
    private func path(toContainerAt position: Int, in document: JSONDocument) -> [any CodingKey] {
        if position == Self.topContainer { return [] }
        let parent = Int(containers[position].parent)
        var keys = path(toContainerAt: parent, in: document)
        let ownKey = key(of: place(ofContainerAt: position), pathToContainer: keys, in: document)
        keys.append(ownKey)
        return keys
    }

    /// Returns the last key of a value's path: the index of an element, or the name of a member, converted by the key
    /// strategy. A custom strategy gets the path to the container as well.
    private func key(
        of place: JSONPlace, pathToContainer path: [any CodingKey], in document: JSONDocument
    ) -> JSONKey {
        guard let container = place.container, document.isObject(container) else { return .index(place.index) }
        // A member's name has the cell before its value.
        let name = document.string(place.cell - 1)
        // The names of a dictionary are data, which a key strategy does not convert.
        if document.isDictionary(container) { return .name(name) }
        return .name(document.reader.keys.converted(name, path))
    }

    // MARK: - Containers

    /// Returns the place of the array or object at a position in `containers`.
    private func place(ofContainerAt position: Int) -> JSONPlace {
        guard position != Self.topContainer else { return .top }
        let container = containers[position]
        let parent = containers[Int(container.parent)]
        return JSONPlace(Int(container.cell), in: Int(parent.cell), index: Int(container.indexInParent))
    }

    /// Returns the position of an array or object in `containers`, by a binary search for its cell. The first call
    /// creates the list, which has all arrays and objects of the document.
    private mutating func position(ofContainer cell: JSONCell, in document: JSONDocument) -> Int {
        if containers.isEmpty { containers = Self.containers(of: document) }
        var range = 0..<containers.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            if containers[middle].cell > cell {
                range = range.lowerBound..<middle
            } else {
                range = middle..<range.upperBound
            }
        }
        return range.lowerBound
    }

    /// An array or object that surrounds the current value of a walk through the document.
    private struct OpenContainer {
        /// Its position in `containers`.
        let position: Int
        let isObject: Bool
        /// The cell after the container's contents.
        let end: JSONCell
        /// How many of the container's values the walk has reached: the index of the next one.
        var valueCount = 0
    }

    /// Lists all arrays and objects of a document, in the order of the text, by a walk from each value to the next one.
    ///
    /// An array or object has two cells, which those of its contents follow. Any other value has one cell, and so has
    /// the name of a member. In `{"a": [5]}`, the values have the cells 0 (the object), 3 (the array) and 5 (the
    /// number), and the name has cell 2.
    private static func containers(of document: JSONDocument) -> [Container] {
        var containers: [Container] = []
        // The arrays and objects around the current value; the innermost is the last one.
        var open: [OpenContainer] = []
        var cell = 0
        while cell < document.cells.count {
            closeContainers(endingBefore: cell, in: &open)
            // From the name of a member to its value.
            if let innermost = open.last, innermost.isObject { cell += 1 }
            let parent = open.last?.position ?? topContainer
            let indexInParent = takeNextIndex(in: &open)
            let isObject = document.isObject(cell)
            let isContainer = isObject || document.isArray(cell)
            if isContainer {
                let end = document.contents(of: cell).upperBound
                open.append(OpenContainer(position: containers.count, isObject: isObject, end: end))
                containers.append(Container(cell, parent: parent, indexInParent: indexInParent))
                // To the contents, which the next steps visit.
                cell += 2
            } else {
                cell += 1
            }
        }
        return containers
    }

    /// Removes the containers whose contents end before a cell from those that are open.
    private static func closeContainers(endingBefore cell: JSONCell, in open: inout [OpenContainer]) {
        while let innermost = open.last, innermost.end <= cell { open.removeLast() }
    }

    /// Counts one more value in the innermost open array or object, and returns the value's index there; 0 for the
    /// top-level value, which is in none.
    private static func takeNextIndex(in open: inout [OpenContainer]) -> Int {
        guard let innermost = open.indices.last else { return 0 }
        let index = open[innermost].valueCount
        open[innermost].valueCount += 1
        return index
    }
}

/// A member's name, or an element's index, in a coding path.
///
/// A key has two words and a byte. An `any CodingKey` stores that inline, without an allocation.
enum JSONKey: CodingKey {
    case name(String)
    case index(Int)

    init(stringValue: String) { self = .name(stringValue) }

    init(intValue: Int) { self = .index(intValue) }

    var stringValue: String {
        switch self {
        case .name(let name): name
        case .index(let index): "Index \(index)"
        }
    }

    var intValue: Int? {
        if case .index(let index) = self { index } else { nil }
    }
}
