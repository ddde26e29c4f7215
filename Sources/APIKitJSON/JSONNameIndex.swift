/// Finds the members of an object by the keys that their names become.
///
/// With `convertFromSnakeCase`, a key that no name becomes may also be the name itself, or have acronyms in capitals.
final class JSONNameIndex {
    private struct Member {
        /// The cell of the name.
        let name: Int
        /// Where the key is in `keys`.
        let key: Range<Int>
    }

    private let document: JSONDocument
    /// The members in the order of the text.
    private let members: [Member]
    /// The bytes of all keys, one after another.
    private let keys: [UInt8]
    /// The members by their keys.
    private let membersByKey: HashTable
    /// The members by their keys in small letters, which all spellings of a key have in common.
    private lazy var membersByLetters = HashTable(members.count) { position in
        Self.hashOfLetters(key(of: members[position]))
    }
    /// How many members may still be compared with keys that are spelled in another way.
    ///
    /// A text can have many names of the same letters, for which keys that also come from the text would take quadratic
    /// time. The keys of a model do not reach the limit, since each of them is compared with other members.
    private var remainingComparisons: Int

    init(_ document: JSONDocument, _ object: Int) {
        let names = document.names(of: object)
        var members: [Member] = []
        members.reserveCapacity(names.count)
        var keys: [UInt8] = []
        keys.reserveCapacity(16 * names.count)
        for name in names {
            let start = keys.count
            document.appendKey(name, in: object, to: &keys)
            members.append(Member(name: name, key: start..<keys.count))
        }
        self.document = document
        self.members = members
        self.keys = keys
        membersByKey = HashTable(members.count) { position in
            keys.withUnsafeBufferPointer { Self.hash($0[members[position].key]) }
        }
        remainingComparisons = 64 * members.count
    }

    /// The keys in the order of the text, each once.
    var distinctKeys: [String] {
        members.compactMap { member in
            let key = key(of: member)
            let first = key.withUnsafeBufferPointer { nameThatBecomes($0) }
            return first == member.name ? String(decoding: key, as: UTF8.self) : nil
        }
    }

    /// The cell of the name that a key means; nil if there is none.
    func name(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
        if let name = nameThatBecomes(key) { return name }
        guard document.convertsSnakeCase else { return nil }
        if key.hasUnderscoreWithin { return nameThatEquals(key) }
        if key.hasAcronym { return nameWithAcronym(key) }
        return nil
    }

    /// The first name that becomes a key.
    private func nameThatBecomes(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
        keys.withUnsafeBufferPointer { keys in
            var next = membersByKey.first(Self.hash(key[...]))
            while let position = next {
                let member = members[position]
                if member.key.count == key.count, keys[member.key].elementsEqual(key) { return member.name }
                next = membersByKey.next(after: position)
            }
            return nil
        }
    }

    /// The first name that a key is itself. Both are the same once they are converted.
    private func nameThatEquals(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
        var converted: [UInt8] = []
        converted.appendCamelCase(key)
        var next = membersByKey.first(converted.withUnsafeBufferPointer { Self.hash($0[...]) })
        while let position = next, remainingComparisons > 0 {
            remainingComparisons -= 1
            let name = members[position].name
            if document.string(name).utf8.elementsEqual(key) { return name }
            next = membersByKey.next(after: position)
        }
        return nil
    }

    /// The first name that becomes a key but for its acronyms.
    private func nameWithAcronym(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
        var next = membersByLetters.first(Self.hashOfLetters(key))
        while let position = next, remainingComparisons > 0 {
            remainingComparisons -= 1
            let member = members[position]
            if key.isEqualButForAcronyms(self.key(of: member)) { return member.name }
            next = membersByLetters.next(after: position)
        }
        return nil
    }

    private func key(of member: Member) -> ArraySlice<UInt8> { keys[member.key] }

    // MARK: - Hashes

    // `Hasher` has another seed in each process, so that no text can be made of names with one hash.

    private static func hash(_ key: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: key)))
        return hasher.finalize()
    }

    private static func hashOfLetters(_ key: some Sequence<UInt8>) -> Int {
        key.map(\.lowercased).withUnsafeBufferPointer { hash($0[...]) }
    }
}

extension JSONDocument {
    /// Appends what a name becomes as a coding key.
    fileprivate func appendKey(_ name: Int, in object: Int, to keys: inout [UInt8]) {
        let isConvertedByBytes = usesDefaultKeys || convertsSnakeCase
        guard isConvertedByBytes, !isEscaped(name) else {
            keys += reader.keys.converted(string(name), path(toContainer: object)).utf8
            return
        }
        text.withBytes(bytes(ofString: name)) { name in
            if convertsSnakeCase {
                keys.appendCamelCase(name)
            } else {
                keys.append(contentsOf: name)
            }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether there is an underscore between other characters.
    fileprivate var hasUnderscoreWithin: Bool {
        guard let words = rangeWithoutOuterUnderscores else { return false }
        return self[words].contains(.underscore)
    }

    /// Whether a capital follows another one.
    fileprivate var hasAcronym: Bool {
        zip(self, dropFirst()).contains { $0.isCapital && $1.isCapital }
    }

    /// Whether a key equals another one, which may have small letters in place of capitals that follow capitals.
    fileprivate func isEqualButForAcronyms(_ key: ArraySlice<UInt8>) -> Bool {
        guard count == key.count else { return false }
        return zip(indices, key).allSatisfy { index, other in
            if self[index] == other { return true }
            let isWithinAcronym = index > 0 && self[index - 1].isCapital && self[index].isCapital
            return isWithinAcronym && self[index].lowercased == other
        }
    }
}
