/// The coding paths of a document's values, which decoding itself does not keep.
///
/// A model may try several types for each value, so paths are asked for often, mostly for the same or the next value.
struct JSONPaths {
    /// An array or object, and where it is.
    private struct Container {
        let cell: UInt32
        /// The position of the one around it; that of itself at the top.
        let parent: UInt32
        let index: UInt32
    }

    /// The arrays and objects in the order of their cells: noted when the first path is asked for.
    private var containers: [Container] = []
    /// The last path, whose memory the next one takes over if nothing else holds it.
    private var last: (place: JSONPlace, path: [any CodingKey]) = (.top, [])

    mutating func path(to place: JSONPlace, in document: JSONDocument) -> [any CodingKey] {
        if place == last.place { return last.path }
        guard let container = place.container else { return [] }
        if container == last.place.container {
            last.path.removeLast()
        } else {
            last.path = path(toContainer: container, in: document)
        }
        last.path.append(key(of: place, after: last.path, in: document))
        last.place = place
        return last.path
    }

    /// Where an array or an object is.
    mutating func place(ofContainer cell: Int, in document: JSONDocument) -> JSONPlace {
        let position = position(of: cell, in: document)
        return place(position)
    }

    private mutating func path(toContainer cell: Int, in document: JSONDocument) -> [any CodingKey] {
        var (places, position): ([JSONPlace], Int) = ([], self.position(of: cell, in: document))
        while position > 0 {
            places.append(place(position))
            position = Int(containers[position].parent)
        }
        return places.reversed().reduce(into: []) { $0.append(key(of: $1, after: $0, in: document)) }
    }

    private func place(_ position: Int) -> JSONPlace {
        guard position > 0 else { return .top }
        let container = containers[position]
        let parent = Int(containers[Int(container.parent)].cell)
        return JSONPlace(Int(container.cell), in: parent, index: Int(container.index))
    }

    private func key(of place: JSONPlace, after path: [any CodingKey], in document: JSONDocument) -> JSONKey {
        guard let container = place.container, document.isObject(container) else { return .index(place.index) }
        let name = document.string(place.cell - 1)
        return .name(document.isDictionary(container) ? name : document.reader.keys.converted(name, path))
    }

    /// The position of an array or an object in the list.
    private mutating func position(of cell: Int, in document: JSONDocument) -> Int {
        if containers.isEmpty { containers = Self.containers(of: document) }
        var range = 0..<containers.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range = containers[middle].cell > cell ? range.lowerBound..<middle : middle..<range.upperBound
        }
        return range.lowerBound
    }

    private static func containers(of document: JSONDocument) -> [Container] {
        var containers: [Container] = []
        /// The containers around the current cell, and how many values of each came before.
        var open: [(position: Int, isObject: Bool, end: Int, count: Int)] = []
        var cell = 0
        while cell < document.cells.count {
            while let inner = open.last, cell >= inner.end { open.removeLast() }
            var (parent, index) = (0, 0)
            if let outer = open.last {
                (parent, index) = (outer.position, outer.count)
                open[open.count - 1].count += 1
                if outer.isObject { cell += 1 }
            }
            let isObject = document.isObject(cell)
            guard isObject || document.isArray(cell) else {
                cell += 1
                continue
            }
            open.append((containers.count, isObject, document.contents(of: cell).upperBound, 0))
            containers.append(
                Container(
                    cell: UInt32(truncatingIfNeeded: cell), parent: UInt32(truncatingIfNeeded: parent),
                    index: UInt32(truncatingIfNeeded: index)))
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
