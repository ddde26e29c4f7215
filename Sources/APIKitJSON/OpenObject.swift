/// A type whose values have all members of an object, whatever their names are. It can also be read from the rest of an
/// object, without members that have another meaning, such as a tag.
protocol OpenObject: Decodable {
    /// Reads a value from all members of an object, except those that one of the given coding keys stands for.
    init(from decoder: any Decoder, besides keys: Set<String>) throws
}

extension Dictionary: OpenObject where Key == String, Value: Decodable {
    /// Reads a dictionary from the members that no given coding key stands for:
    ///
    /// | The decoder | The members are read |
    /// | --- | --- |
    /// | records the keys that a model asks for | by the decoder that it wraps, once all keys are recorded |
    /// | is that of `JSONReader` | one by one, with the names in the text |
    /// | is another one | as a whole, and those of the keys are then left out |
    init(from decoder: any Decoder, besides keys: Set<String>) throws {
        if let recordingDecoder = decoder as? KeyRecordingDecoder {
            recordingDecoder.recordAllKeys()
            self = try Self(from: recordingDecoder.decoder, besides: keys)
            return
        }
        if let decoder = decoder as? JSONValueDecoder {
            // The names are as they are in the text, also in the coding paths of errors.
            decoder.document.recordDictionary(decoder.place.cell)
            self = try decoder.members(besides: keys)
            return
        }
        // Decoded as a whole, since key strategies do not convert the names of a dictionary. The members that are left
        // out may be of another type than the others.
        let members = try decoder.singleValueContainer().decode([String: Attempt<Value>].self)
        let excludedNames = decoder.names(standingFor: keys, among: members.keys)
        let ownMembers = members.filter { !excludedNames.contains($0.key) }
        self = try ownMembers.mapValues { try $0.result.get() }
    }
}

/// A value, or the error of decoding it.
private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) throws {
        result = Result { try decoder.singleValueContainer().decode(Value.self) }
    }
}

extension JSONValue: OpenObject {
    /// Reads any value. If it is an object, the members that one of the given coding keys stands for are left out.
    init(from decoder: any Decoder, besides keys: Set<String>) throws {
        if let recordingDecoder = decoder as? KeyRecordingDecoder {
            recordingDecoder.recordAllKeys()
            self = try Self(from: recordingDecoder.decoder, besides: keys)
            return
        }
        let value = try JSONValue(from: decoder)
        guard case .object(let members) = value, !keys.isEmpty else {
            self = value
            return
        }
        let excludedNames = decoder.names(standingFor: keys, among: members.map(\.name))
        self = .object(Object(members.filter { !excludedNames.contains($0.name) }))
    }
}

extension Decoder {
    /// Returns the names of an object's members that coding keys stand for: for the key `userId`, the name `userId` or
    /// `user_id`. A key without a member is ignored.
    fileprivate func names(standingFor keys: Set<String>, among names: some Collection<String>) -> Set<String> {
        if let decoder = self as? JSONValueDecoder { return decoder.names(standingFor: keys) }
        var found: Set<String> = []
        for key in keys {
            // Other decoders do not show how they convert names, so the usual strategy is assumed.
            if names.contains(key) {
                found.insert(key)
            } else if let name = names.first(where: { JSONDecoder.KeyDecodingStrategy.fromSnakeCase($0) == key }) {
                found.insert(name)
            }
        }
        return found
    }
}

extension JSONValueDecoder {
    /// Decodes all members of the object except those that one of the given coding keys finds. The result has the names
    /// as they are in the text: if names are converted from snake case, the key `userId` excludes the member `user_id`,
    /// and a member `last_login` keeps that name.
    func members<Value: Decodable>(besides keys: Set<String>) throws -> [String: Value] {
        // A model that asks for keys has already failed for a value that is not an object. One without keys has not.
        guard document.kind(of: place) == .openingBrace else { throw document.mismatch([String: Any].self, place) }
        let excludedNames = names(standingFor: keys)
        var members: [String: Value] = [:]
        for nameCell in document.names(of: place.cell) {
            let name = document.string(nameCell)
            // If a name is repeated, its first member counts.
            if excludedNames.contains(name) || members[name] != nil { continue }
            members[name] = try document.value(Value.self, JSONPlace(nameCell + 1, in: place.cell))
        }
        return members
    }

    /// Returns the names in the text of the members that coding keys find. A key without a member is ignored.
    fileprivate func names(standingFor keys: Set<String>) -> Set<String> {
        let object = JSONObject(document, place.cell)
        var names: Set<String> = []
        for key in keys {
            // The cell of a member's value follows that of its name.
            if let value = object.member(key) { names.insert(document.string(value.cell - 1)) }
        }
        return names
    }
}
