/// Writes the client of an API, whose methods are in the files of the endpoints.
struct ClientWriter {
    let plan: Plan
    /// The API's title as in a sentence, such as `the Shop API`.
    let title: String

    private var name: String { "\(plan.options.name)Client" }

    /// The path of the client's file.
    var path: String { "\(name).swift" }

    /// Writes the struct:
    ///
    ///     /// A client for the Shop API.
    ///     ///
    ///     /// ```swift
    ///     /// let client = URLSession.api.authorized(by: .shop(token: token), for: .shop)
    ///     /// let shop = ShopClient(client: client)
    ///     /// ```
    ///     public nonisolated struct ShopClient: Sendable {
    ///         let client: any APIClient
    ///
    ///         public init(client: any APIClient) {
    ///             self.client = client
    ///         }
    ///     }
    func lines() -> [String] {
        let constant = SwiftName.code(SwiftName.member(plan.options.name))
        let credentials = CredentialWriter(plan: plan)
        let bases = credentials.basesOfUsualCredentials
        let client = credentials.client(for: bases, setsVariable: false) ?? CredentialWriter.client([])
        let variable = plan.servers.variable
        let argument = variable.map { "\($0.name): \($0.name), " } ?? ""
        let snippet = CredentialWriter.snippet(client + ["let \(constant) = \(name)(\(argument)client: client)"])
        let parameter = variable.map { "\($0.name): \(plan.typeName($0.parameter.schema)), " } ?? ""
        return Lines.comment([["A client for \(title)."], snippet]) + [
            "\(plan.access)nonisolated struct \(name): Sendable {",
            "    let client: any APIClient",
            "",
            "    /// Creates a client that sends its requests with another one, which adds credentials.",
            "    \(plan.access)init(\(parameter)client: any APIClient) {",
            "        self.client = client\(variable?.call ?? "")",
            "    }",
            "}",
        ]
    }

    // MARK: - Groups

    /// The path of a group's file.
    func path(of group: MethodGroup) -> String { "Client/\(name)+\(group.typeName).swift" }

    /// Writes a group of methods:
    ///
    ///     nonisolated extension ShopClient {
    ///         public var orders: Orders { Orders(client: client) }
    ///
    ///         public nonisolated struct Orders: Sendable {
    ///             let client: any APIClient
    ///         }
    ///     }
    func lines(of group: MethodGroup) -> [String] {
        let property = SwiftName.code(group.propertyName)
        return [
            "nonisolated extension \(name) {",
            "    \(plan.access)var \(property): \(group.typeName) { \(group.typeName)(client: client) }",
            "",
            "    \(plan.access)nonisolated struct \(group.typeName): Sendable {",
            "        let client: any APIClient",
            "    }",
            "}",
        ]
    }
}
