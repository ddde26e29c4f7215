/// Writes a public memberwise initializer. The compiler only generates an internal one.
struct Initializer {
    private let properties: [Property]

    /// Creates a writer of the initializer for some stored properties.
    init(_ properties: [Property]) { self.properties = properties }

    /// Writes the initializer:
    ///
    ///     public init(name: String, note: String? = nil) {
    ///         self.name = name
    ///         self.note = note
    ///     }
    ///
    /// The depth is the number of declarations around it.
    func lines(depth: Int) -> [String] {
        if properties.isEmpty { return ["public init() {}"] }
        let assignments = properties.map { "    self.\($0.code) = \($0.code)" }
        return Lines.list("public init(", parameters, ") {", depth: depth) + assignments + ["}"]
    }

    /// The parameters for the properties.
    var parameters: [String] { properties.map { parameter(for: $0) } }

    /// The parameter for a property, with a default value if the caller need not choose one: `note: String? = nil`.
    private func parameter(for property: Property) -> String {
        let parameter = "\(property.code): \(property.type)"
        if let value = property.initialValue { return "\(parameter) = \(value)" }
        return property.isOptional ? "\(parameter) = nil" : parameter
    }
}
