import APIKitCore
import APIKitSupport

/// Builds the description of a value with secrets: `RegisteredClient(id: app, secret: ***)`. Nil is left out.
struct MaskedDescription {
    private let type: String
    private var members: [String] = []

    var text: String { "\(type)(\(members.joined(separator: ", ")))" }

    init(_ type: String) {
        self.type = type
    }

    /// Adds a member that may be shown.
    func value(_ name: String, _ value: (some Sendable)?) -> MaskedDescription {
        guard let value else { return self }
        return adding("\(name): \(value)")
    }

    /// Adds a member that is masked.
    func secret(_ name: String, _ value: String?) -> MaskedDescription {
        guard value != nil else { return self }
        return adding("\(name): \(Masking.mask)")
    }

    private func adding(_ member: String) -> MaskedDescription {
        var description = self
        description.members.append(member)
        return description
    }
}
