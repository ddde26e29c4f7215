/// A dictionary whose keys are names as they are, which no key strategy changes.
protocol JSONDictionary {
    static func decoded(from document: JSONDocument, _ cell: Int) throws -> Self
}

extension Dictionary: JSONDictionary where Key == String, Value: Decodable {
    static func decoded(from document: JSONDocument, _ cell: Int) throws -> Self {
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
    private let object: Int
    /// The cell of the next name.
    private var name: Int
    /// The names so far, if one may be there twice.
    private var names: Set<String> = []
    private(set) var error: (any Error)?

    init(_ document: JSONDocument, _ object: Int) {
        (self.document, self.object) = (document, object)
        name = document.contents(of: object).lowerBound
    }

    var underestimatedCount: Int { document.countedNames(of: object) }

    func next() -> (String, Value)? {
        while name < document.contents(of: object).upperBound {
            let (key, value) = (document.string(name), name + 1)
            name = document.cell(after: value)
            // As `JSONDecoder`, which reads the value of a repeated name only with a key strategy.
            if document.mayRepeatNames(object), !names.insert(key).inserted, document.usesDefaultKeys { continue }
            do {
                return (key, try document.value(Value.self, JSONPlace(value, in: object)))
            } catch {
                self.error = error
                return nil
            }
        }
        return nil
    }
}
