/// The text of a `$ref`, split into the file and the way to a value in that file.
///
/// `models.yaml#/paths/~1users/get` has the file `models.yaml` and the keys `paths`, `/users` and `get`.
public struct Reference: Hashable, Sendable {
    /// The path of the file, relative to the file that contains the reference; empty if both are the same file.
    public let file: String
    /// The keys that lead from the root of the file to the value, one for each level: names of members, or indexes of
    /// elements. Empty for the root.
    public let keys: [String]

    /// Splits a reference: the part after `#` is a JSON pointer in a URI fragment (RFC 6901, section 6).
    ///
    /// Empty keys are dropped: some descriptions write `#/` for the root.
    public init(_ text: String) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        file = String(parts[0])
        let pointer = parts.count > 1 ? parts[1] : ""
        keys = pointer.split(separator: "/").map { Self.unescaped($0.percentDecoded) }
    }

    /// The path of the file that a reference in another file names: `../shared.yaml` in `paths/users.yaml` names
    /// `shared.yaml`. A reference without a file leads to the file that contains it.
    public func file(relativeTo base: String) -> String {
        if file.isEmpty { return base }
        var parts = base.split(separator: "/").dropLast()
        for part in file.split(separator: "/") where part != "." {
            // `..` leaves the folder before it. Without a folder, it stays in the path.
            if part == "..", let folder = parts.last, folder != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    /// The JSON pointer to a member or an element of the value at a pointer (RFC 6901, section 3).
    ///
    /// The key `/users` below `#/paths` has the pointer `#/paths/~1users`.
    public static func pointer(_ parent: String, _ key: String) -> String {
        "\(parent)/\(escaped(key))"
    }

    /// The key as a part of a pointer, in which `/` separates keys: `~` becomes `~0`, and `/` becomes `~1`.
    private static func escaped(_ key: String) -> String {
        // Almost no key contains these characters, and searching for them is faster than replacing them.
        let needsEscape = key.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "~") }
        guard needsEscape else { return key }
        return key.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// The key that a part of a pointer stands for: `~1users` stands for `/users`.
    public static func unescaped(_ part: some StringProtocol) -> String {
        String(part).replacing("~1", with: "/").replacing("~0", with: "~")
    }
}
