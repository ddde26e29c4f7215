import Foundation

/// The fields of a form or a query, decoded strictly: what a careful server accepts.
struct FormFields: Sendable {
    typealias Field = (name: String, value: String)

    private(set) var fields: [Field] = []

    init(_ fields: [Field] = []) { self.fields = fields }

    /// Reads `name=value&…` with percent-encoding and `+` for a space; nil if the text has any other form.
    init?(encoded text: String) {
        guard !text.isEmpty else { return }
        for item in text.components(separatedBy: "&") {
            let parts = item.components(separatedBy: "=")
            guard parts.count == 2, let name = parts[0].formDecoded, let value = parts[1].formDecoded else {
                return nil
            }
            fields.append((name, value))
        }
    }

    /// The value of the first field with this name. Setting nil removes all of them.
    subscript(name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            fields.removeAll { $0.name == name }
            if let newValue {
                fields.append((name, newValue))
            }
        }
    }

    /// Adds a field, even if there is one of the same name.
    mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

    var names: [String] { fields.map(\.name) }
    var hasRepeatedNames: Bool { Set(names).count < fields.count }

    /// The fields as a query or a form.
    var encoded: String { fields.map { "\($0.name.formEncoded)=\($0.value.formEncoded)" }.joined(separator: "&") }
}

extension String {
    /// The bytes that a form keeps as they are.
    private static let formBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._".utf8)

    /// This text in `application/x-www-form-urlencoded`.
    var formEncoded: String {
        utf8.map { byte in
            if Self.formBytes.contains(byte) {
                String(UnicodeScalar(byte))
            } else if byte == UInt8(ascii: " ") {
                "+"
            } else {
                String(format: "%%%02X", byte)
            }
        }.joined()
    }

    /// The text that this `application/x-www-form-urlencoded` text stands for; nil if it contains a byte that must be
    /// encoded.
    ///
    /// `~` is accepted, since a query may contain it.
    var formDecoded: String? {
        let allowed = Self.formBytes.union("%+~".utf8)
        guard utf8.allSatisfy(allowed.contains) else { return nil }
        return replacingOccurrences(of: "+", with: " ").removingPercentEncoding
    }
}
