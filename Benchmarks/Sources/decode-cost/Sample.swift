import APIKit

/// A model with an object as a server would send it.
protocol Sample: Decodable {
    static var json: String { get }
    /// How both decoders find the names of the JSON.
    static var keys: JSONDecoder.KeyDecodingStrategy { get }
}

extension Sample {
    static var keys: JSONDecoder.KeyDecodingStrategy { .useDefaultKeys }

    /// An object that has a member for each coding key: its value, or else a URL that ends with its name.
    static func object<Key: CodingKey & CaseIterable>(
        _ keys: Key.Type, base: String, _ value: (Key) -> String?
    ) -> String {
        let members = keys.allCases.map { key in
            #""\#(key.stringValue)":\#(value(key) ?? #""\#(base)/\#(key.stringValue)""#)"#
        }
        return "{\(members.joined(separator: ","))}"
    }
}
