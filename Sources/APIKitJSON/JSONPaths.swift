/// The coding paths of a document's values, which decoding itself does not keep.
///
/// A model may try several types for each value, so paths are asked for often, mostly for the same or the next value.
struct JSONPaths {
    /// An array or object, and where it is.
    private struct Container {
        let cell: UInt32
        /// The position of the one around it; that of itself at the top.
        let parent: UInt32
        /// The index in an array around it.
        let index: UInt32
    }

    /// The arrays and objects in the order of their cells: noted when the first path is asked for.
    private var containers: [Container] = []
    /// The value whose path was asked for last.
    private var lastPlace = JSONPlace.top
    /// Its path, whose memory the next one takes over if nothing else holds it.
    private var lastPath: [any CodingKey] = []

    mutating func path(to place: JSONPlace, in document: JSONDocument) -> [any CodingKey] {
        if place == lastPlace { return lastPath }
        guard let container = place.container else { return [] }
        let isBesideLast = container == lastPlace.container
        if isBesideLast {
            lastPath.removeLast()
        } else {
            lastPath = path(toContainer: container, in: document)
        }
        lastPath.append(key(of: place, after: lastPath, in: document))
        lastPlace = place
        return lastPath
    }

    /// Where an array or an object is.
    mutating func place(ofContainer cell: JSONCell, in document: JSONDocument) -> JSONPlace {
        let position = position(of: cell, in: document)
        return place(position)
    }

    private mutating func path(toContainer cell: JSONCell, in document: JSONDocument) -> [any CodingKey] {
        var places: [JSONPlace] = []
        var position = position(of: cell, in: document)
        while position > 0 {
            places.append(place(position))
            position = Int(containers[position].parent)
        }
        var path: [any CodingKey] = []
        for place in places.reversed() { path.append(key(of: place, after: path, in: document)) }
        return path
    }

    /// The last key of a value's path.
    private func key(of place: JSONPlace, after path: [any CodingKey], in document: JSONDocument) -> JSONKey {
        guard let container = place.container, document.isObject(container) else { return .index(place.index) }
        let name = document.string(place.cell - 1)
        if document.isDictionary(container) { return .name(name) }
        return .name(document.reader.keys.converted(name, path))
    }

    // MARK: - Containers

    /// Where the array or object at a position of the list is.
    private func place(_ position: Int) -> JSONPlace {
        guard position > 0 else { return .top }
        let container = containers[position]
        let parent = containers[Int(container.parent)]
        return JSONPlace(Int(container.cell), in: Int(parent.cell), index: Int(container.index))
    }

    /// The position of an array or an object in the list, by a binary search.
    private mutating func position(of cell: JSONCell, in document: JSONDocument) -> Int {
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

    /// An array or object around the current cell of a walk through the document.
    private struct OpenContainer {
        let position: Int
        let isObject: Bool
        /// The cell after its contents.
        let end: JSONCell
        /// How many of its values came before.
        var count = 0
    }

    private static func containers(of document: JSONDocument) -> [Container] {
        var containers: [Container] = []
        var open: [OpenContainer] = []
        var cell = 0
        while cell < document.cells.count {
            while let inner = open.last, cell >= inner.end { open.removeLast() }
            let outer = open.last
            if let outer {
                open[open.count - 1].count += 1
                // The value of a member is after its name.
                if outer.isObject { cell += 1 }
            }
            let isObject = document.isObject(cell)
            guard isObject || document.isArray(cell) else {
                cell += 1
                continue
            }
            let end = document.contents(of: cell).upperBound
            open.append(OpenContainer(position: containers.count, isObject: isObject, end: end))
            containers.append(
                Container(
                    cell: UInt32(truncatingIfNeeded: cell),
                    parent: UInt32(truncatingIfNeeded: outer?.position ?? 0),
                    index: UInt32(truncatingIfNeeded: outer?.count ?? 0)))
            cell += 2
        }
        return containers
    }
}

/// A member's name, or an index, in a coding path.
///
/// It has two words and a byte, so that it is stored within `any CodingKey`.
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
