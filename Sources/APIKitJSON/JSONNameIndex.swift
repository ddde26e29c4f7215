/// Finds the members of an object by the keys that their names become.
///
/// With `convertFromSnakeCase`, a key that no name becomes may also be the name itself, or have acronyms in capitals.
final class JSONNameIndex {
    private struct Member {
        let name: JSONCell
        /// Where the key that the name becomes is in `keys`.
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
    private lazy var membersByLetters = HashTable(members.count) { Self.hashOfLetters(key(of: members[$0])) }
    /// How many members have been compared with keys that are spelled in another way.
    private var comparisons = 0

    init(_ document: JSONDocument, _ object: JSONCell) {
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
        membersByKey = HashTable(members.count) { keys[members[$0].key].withUnsafeBytes(Self.hash) }
    }

    private func key(of member: Member) -> ArraySlice<UInt8> { keys[member.key] }

    /// The keys in the order of the text, each once.
    var distinctKeys: [String] {
        var distinct: [String] = []
        for member in members {
            let key = key(of: member)
            let firstName = key.withUnsafeBufferPointer(nameWithKey)
            if firstName == member.name { distinct.append(String(decoding: key, as: UTF8.self)) }
        }
        return distinct
    }

    // MARK: - Finding a name

    /// The name that a key refers to; nil if there is no such name.
    func name(_ key: Bytes) -> JSONCell? {
        if let name = nameWithKey(key) { return name }
        guard document.convertsSnakeCase else { return nil }
        if key.hasUnderscoreWithin { return nameEqual(to: key) }
        if key.hasAcronym { return nameWithAcronym(key) }
        return nil
    }

    /// The first name that becomes a key.
    private func nameWithKey(_ key: Bytes) -> JSONCell? {
        var next = membersByKey.first(Self.hash(UnsafeRawBufferPointer(key)))
        while let position = next {
            let member = members[position]
            let isEqual = member.key.count == key.count && self.key(of: member).elementsEqual(key)
            if isEqual { return member.name }
            next = membersByKey.next(after: position)
        }
        return nil
    }

    /// The first name that is the key itself. Both become the same key once they are converted.
    private func nameEqual(to key: Bytes) -> JSONCell? {
        var converted: [UInt8] = []
        converted.appendCamelCase(key)
        var next = membersByKey.first(converted.withUnsafeBytes(Self.hash))
        while let position = next, mayCompare {
            comparisons += 1
            let name = members[position].name
            if document.string(name).utf8.elementsEqual(key) { return name }
            next = membersByKey.next(after: position)
        }
        return nil
    }

    /// The first name whose key differs from this one only in the spelling of acronyms.
    private func nameWithAcronym(_ key: Bytes) -> JSONCell? {
        var next = membersByLetters.first(Self.hashOfLetters(key))
        while let position = next, mayCompare {
            comparisons += 1
            let member = members[position]
            if key.isEqualExceptForAcronyms(to: self.key(of: member)) { return member.name }
            next = membersByLetters.next(after: position)
        }
        return nil
    }

    /// Whether a member may be compared with a key that is spelled in another way.
    ///
    /// A text can have many names of the same letters, for which keys that also come from the text would take quadratic
    /// time. The keys of a model do not reach the limit, since each of them is compared with other members.
    private var mayCompare: Bool { comparisons / 64 < members.count }

    // MARK: - Hashes

    // `Hasher` has another seed in each process, so that no text can be made of names with one hash.

    private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: key)
        return hasher.finalize()
    }

    private static func hashOfLetters(_ key: some Sequence<UInt8>) -> Int {
        key.map(\.lowercased).withUnsafeBytes(hash)
    }
}

extension JSONDocument {
    /// Appends what a name becomes as a coding key.
    fileprivate func appendKey(_ name: JSONCell, in object: JSONCell, to keys: inout [UInt8]) {
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

extension Bytes {
    /// Whether there is an underscore between other characters.
    fileprivate var hasUnderscoreWithin: Bool {
        guard let words = rangeWithoutOuterUnderscores else { return false }
        return self[words].contains(.underscore)
    }

    /// Whether a capital follows another one.
    fileprivate var hasAcronym: Bool {
        zip(self, dropFirst()).contains { $0.isCapital && $1.isCapital }
    }

    /// Whether a key equals another one, in which capitals that follow capitals may be small letters.
    fileprivate func isEqualExceptForAcronyms(to key: ArraySlice<UInt8>) -> Bool {
        guard count == key.count else { return false }
        var previous: UInt8 = 0
        for (byte, other) in zip(self, key) {
            let isWithinAcronym = previous.isCapital && byte.isCapital
            let isSpelledSmall = isWithinAcronym && byte.lowercased == other
            guard byte == other || isSpelledSmall else { return false }
            previous = byte
        }
        return true
    }
}
