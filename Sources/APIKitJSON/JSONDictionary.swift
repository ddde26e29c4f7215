/// A dictionary whose keys are the names in the text. As with `JSONDecoder`, key strategies do not convert them.
protocol JSONDictionary {
    /// Decodes a dictionary from an object of a document.
    static func decoded(from document: JSONDocument, _ object: JSONCell) throws -> Self
}

extension Dictionary: JSONDictionary where Key == String, Value: Decodable {
    /// Decodes a dictionary from an object of a document. If a name occurs twice, its first value counts.
    static func decoded(from document: JSONDocument, _ object: JSONCell) throws -> Self {
        // Key strategies do not convert the names of a dictionary. The document records that the object is one, so that
        // the coding paths of errors do not convert its names either.
        document.recordDictionary(object)
        let members = JSONMembers<Value>(document, object)
        // Names with different bytes can be equal as strings, since a character has several spellings in Unicode.
        let dictionary = Self(members) { first, _ in first }
        // A sequence cannot throw. It ends at the first error, and keeps it.
        if let error = members.error { throw error }
        return dictionary
    }
}

/// Decodes the members of an object as a sequence, which ends at the first member that cannot be decoded.
///
/// Creating a dictionary from a sequence is faster than adding members one by one: each call of a generic type's method
/// looks up the type.
private final class JSONMembers<Value: Decodable>: Sequence, IteratorProtocol {
    private let document: JSONDocument
    private let object: JSONCell
    /// The next member's name.
    private var nextName: JSONCell
    /// The cell after the last member.
    private let end: JSONCell
    /// Whether the object may have repeated names. The scanner has excluded it for most objects.
    private let mayRepeatNames: Bool
    /// The names so far; collected only if the object may have repeated names.
    private var seenNames: Set<String> = []
    /// The error that has ended the sequence.
    private(set) var error: (any Error)?

    /// Begins a sequence at the first member of an object.
    init(_ document: JSONDocument, _ object: JSONCell) {
        self.document = document
        self.object = object
        mayRepeatNames = document.mayRepeatNames(object)
        let contents = document.contents(of: object)
        nextName = contents.lowerBound
        end = contents.upperBound
    }

    var underestimatedCount: Int { document.countNames(of: object) }

    /// Decodes the next member. Returns nil after the last one, and also if a member cannot be decoded: the error is
    /// then in ``error``. A member whose name occurred before is skipped.
    func next() -> (String, Value)? {
        while nextName < end {
            let name = document.string(nextName)
            // The cell of a member's value follows that of its name.
            let value = nextName + 1
            nextName = document.cell(after: value)
            var isRepeated = false
            if mayRepeatNames { isRepeated = !seenNames.insert(name).inserted }
            // With a key strategy, `JSONDecoder` decodes the value of a repeated name, too, and fails if it is invalid.
            if isRepeated, document.usesDefaultKeys { continue }
            do {
                return (name, try document.value(Value.self, JSONPlace(value, in: object)))
            } catch {
                self.error = error
                return nil
            }
        }
        return nil
    }
}
