/// Computes the coding paths of a document's values.
///
/// Decoding keeps no paths, since most are never needed. But a model that tries several types for each value throws an
/// error with a path for each attempt, so the last path is kept: the next one is mostly for the same value or for
/// another one in the same container.
struct JSONPaths {
    /// An array or object, with its position in the document.
    private struct Entry {
        let cell: UInt32
        /// The entry of the surrounding container; for the top-level container, its own.
        let parentEntry: UInt32
        /// The container's index, if it is an element of an array.
        let indexInParent: UInt32
    }

    /// The document's arrays and objects in the order of their cells; empty until the first path is needed.
    private var entries: [Entry] = []
    /// The value whose path was computed last.
    private var lastPlace = JSONPlace.top
    /// The path of `lastPlace`. It is changed in place, so its memory is reused unless a caller still holds the path.
    private var lastPath: [any CodingKey] = []

    /// The entry of the top-level container, which has the first cell.
    private static let topEntry = 0

    /// The coding path of a value.
    mutating func path(to place: JSONPlace, in document: JSONDocument) -> [any CodingKey] {
        if place == lastPlace { return lastPath }
        guard let container = place.container else { return [] }
        let isInSameContainer = container == lastPlace.container
        if isInSameContainer {
            lastPath.removeLast()
        } else {
            lastPath = path(toContainer: container, in: document)
        }
        lastPath.append(key(of: place, pathToContainer: lastPath, in: document))
        lastPlace = place
        return lastPath
    }

    /// The place of an array or an object.
    mutating func place(ofContainer cell: JSONCell, in document: JSONDocument) -> JSONPlace {
        let index = entry(ofContainer: cell, in: document)
        return place(ofEntry: index)
    }

    private mutating func path(toContainer cell: JSONCell, in document: JSONDocument) -> [any CodingKey] {
        // From the container outwards. The top-level container is left out, since it has no key.
        var ancestors: [JSONPlace] = []
        var current = entry(ofContainer: cell, in: document)
        while current != Self.topEntry {
            ancestors.append(place(ofEntry: current))
            current = Int(entries[current].parentEntry)
        }
        var path: [any CodingKey] = []
        for ancestor in ancestors.reversed() {
            // At this point, `path` leads to the container of the ancestor.
            path.append(key(of: ancestor, pathToContainer: path, in: document))
        }
        return path
    }

    /// The last key of a value's path. A custom key strategy gets the path to the container as well.
    private func key(
        of place: JSONPlace, pathToContainer path: [any CodingKey], in document: JSONDocument
    ) -> JSONKey {
        guard let container = place.container, document.isObject(container) else { return .index(place.index) }
        // A member's name has the cell before its value.
        let name = document.string(place.cell - 1)
        if document.isDictionary(container) { return .name(name) }
        return .name(document.reader.keys.converted(name, path))
    }

    // MARK: - Containers

    private func place(ofEntry index: Int) -> JSONPlace {
        guard index != Self.topEntry else { return .top }
        let entry = entries[index]
        let parent = entries[Int(entry.parentEntry)]
        return JSONPlace(Int(entry.cell), in: Int(parent.cell), index: Int(entry.indexInParent))
    }

    /// Finds the entry of an array or an object by a binary search, and creates the entries before the first one.
    private mutating func entry(ofContainer cell: JSONCell, in document: JSONDocument) -> Int {
        if entries.isEmpty { entries = Self.entries(of: document) }
        var range = 0..<entries.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            if entries[middle].cell > cell {
                range = range.lowerBound..<middle
            } else {
                range = middle..<range.upperBound
            }
        }
        return range.lowerBound
    }

    /// An array or object that surrounds the current cell of a walk through the document.
    private struct OpenContainer {
        let entry: Int
        let isObject: Bool
        /// The cell after the container's contents.
        let end: JSONCell
        /// How many of the container's values the walk has reached.
        var valueCount = 0
    }

    private static func entries(of document: JSONDocument) -> [Entry] {
        var entries: [Entry] = []
        // The innermost container is the last one.
        var open: [OpenContainer] = []
        var cell = 0
        while cell < document.cells.count {
            while let inner = open.last, cell >= inner.end { open.removeLast() }
            // The copy is made before the count is increased, so its count is the index of the current value.
            let parent = open.last
            if let parent {
                open[open.count - 1].valueCount += 1
                // In an object, the current cell is a member's name; the value has the next cell.
                if parent.isObject { cell += 1 }
            }
            let isObject = document.isObject(cell)
            guard isObject || document.isArray(cell) else {
                cell += 1
                continue
            }
            let end = document.contents(of: cell).upperBound
            open.append(OpenContainer(entry: entries.count, isObject: isObject, end: end))
            entries.append(
                Entry(
                    cell: UInt32(truncatingIfNeeded: cell),
                    parentEntry: UInt32(truncatingIfNeeded: parent?.entry ?? topEntry),
                    indexInParent: UInt32(truncatingIfNeeded: parent?.valueCount ?? 0)))
            // A container has two cells, which its contents follow.
            cell += 2
        }
        return entries
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
