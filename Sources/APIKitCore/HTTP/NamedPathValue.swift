import APIKitSupport

/// A value that was interpolated with a name into the path of a request, so that a secret can be masked by its name.
struct NamedPathValue: Sendable {
    let name: String
    /// The value as it is sent.
    let text: String
}

extension [NamedPathValue] {
    /// Returns the values whose name belongs to a secret, or is one of the given names.
    func secrets(named names: Set<String>) -> [String] {
        var secrets: [String] = []
        for value in self {
            let isNamed = names.contains { value.name.equalsIgnoringASCIICase($0) }
            if isNamed || SecretNames.contains(value.name) { secrets.append(value.text) }
        }
        return secrets
    }
}
