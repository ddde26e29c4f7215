/// A key of the object `responses`, which says which statuses a response has.
public enum ResponseStatus: Hashable, Sendable {
    /// One status, such as `404`.
    case code(Int)
    /// The statuses with a first digit, such as `4XX` for 400 to 499.
    case hundred(Int)
    /// All statuses that no other key has.
    case `default`

    /// Reads a key; nil if OpenAPI has no such key. Some descriptions write `4XX` in small letters.
    public init?(_ key: String) {
        if key == "default" {
            self = .default
        } else if let code = Int(key) {
            self = .code(code)
        } else if key.dropFirst().lowercased() == "xx", let digit = key.first?.wholeNumberValue, 1...5 ~= digit {
            self = .hundred(digit)
        } else {
            return nil
        }
    }
}
