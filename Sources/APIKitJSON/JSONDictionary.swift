/// A dictionary whose keys are names as they are, which no key strategy changes.
protocol JSONDictionary {
    static func decoded(from document: JSONDocument, _ cell: JSONCell) throws -> Self
}

extension Dictionary: JSONDictionary where Key == String, Value: Decodable {
    static func decoded(from document: JSONDocument, _ cell: JSONCell) throws -> Self {
        document.addDictionary(cell)
        let members = JSONMembers<Value>(document, cell)
        // Of two spellings of one character, the first one counts.
        let result = Self(members) { first, _ in first }
        if let error = members.error { throw error }
        return result
    }
}

/// The members of an object, up to one that cannot be decoded.
///
/// A dictionary that takes them from a sequence is faster than one to which they are added one by one: each call of a
/// generic type's method looks up the type.
private final class JSONMembers<Value: Decodable>: Sequence, IteratorProtocol {
    private let document: JSONDocument
    private let object: JSONCell
    /// The cell of the next name.
    private var nextName: JSONCell
    /// The cell after the last member.
    private let end: JSONCell
    /// The names so far, if one may be there twice.
    private var names: Set<String> = []
    private(set) var error: (any Error)?

    init(_ document: JSONDocument, _ object: JSONCell) {
        self.document = document
        self.object = object
        let contents = document.contents(of: object)
        nextName = contents.lowerBound
        end = contents.upperBound
    }

    var underestimatedCount: Int { document.countedNames(of: object) }

    func next() -> (String, Value)? {
        while nextName < end {
            let name = document.string(nextName)
            let value = nextName + 1
            nextName = document.cell(after: value)
            if isIgnored(name) { continue }
            do {
                return (name, try document.value(Value.self, JSONPlace(value, in: object)))
            } catch {
                self.error = error
                return nil
            }
        }
        return nil
    }

    /// Whether the value of a name is not even read, since the name was there before. As with `JSONDecoder`, it is read
    /// with a key strategy, and may then fail.
    private func isIgnored(_ name: String) -> Bool {
        guard document.mayRepeatNames(object) else { return false }
        let isRepeated = !names.insert(name).inserted
        return isRepeated && document.usesDefaultKeys
    }
}
