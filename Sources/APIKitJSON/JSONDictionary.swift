/// A dictionary whose keys are the names in the text. As with `JSONDecoder`, key strategies do not convert them.
protocol JSONDictionary {
    static func decoded(from document: JSONDocument, _ cell: JSONCell) throws -> Self
}

extension Dictionary: JSONDictionary where Key == String, Value: Decodable {
    static func decoded(from document: JSONDocument, _ cell: JSONCell) throws -> Self {
        document.addDictionary(cell)
        let members = JSONMembers<Value>(document, cell)
        // Names with different bytes can be equal as strings, since a character has several spellings in Unicode. The
        // first of them counts.
        let result = Self(members) { first, _ in first }
        if let error = members.error { throw error }
        return result
    }
}

/// Decodes the members of an object as a sequence, which ends at the first member that cannot be decoded.
///
/// Creating a dictionary from a sequence is faster than adding members one by one: each call of a generic type's method
/// looks up the type.
private final class JSONMembers<Value: Decodable>: Sequence, IteratorProtocol {
    private let document: JSONDocument
    private let object: JSONCell
    /// The cell of the next name.
    private var nextName: JSONCell
    /// The cell after the last member.
    private let end: JSONCell
    /// The names so far; collected only if the object may have repeated names.
    private var names: Set<String> = []
    /// The error that has ended the sequence.
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
            let isRepeated = noteRepetition(of: name)
            // As with `JSONDecoder`, a repeated value is skipped only with default keys; with a key strategy it is
            // decoded, which may fail, and then dropped by the dictionary.
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

    /// Records a name, and returns whether it occurred before.
    private func noteRepetition(of name: String) -> Bool {
        guard document.mayRepeatNames(object) else { return false }
        return !names.insert(name).inserted
    }
}
