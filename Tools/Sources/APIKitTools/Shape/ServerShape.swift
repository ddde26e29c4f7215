/// A server of the API in generated code: a constant for its URL with default values, and a function for other values
/// of its variables.
struct ServerShape {
    /// A parameter of the function.
    struct Parameter {
        /// The name.
        let name: String
        /// The variable in the URL.
        let variable: Server.Variable
        /// The position of the enum of its values in ``Servers/enums``; nil for a text.
        let enumIndex: Int?
        /// The signs that a text may have besides letters and digits.
        let signs: String
    }

    /// The name of the constant and of the function, such as `shopSandbox`.
    let name: String
    /// The server. Its URL ends in the version that all paths of the API begin with.
    let server: Server
    /// Whether a constant has to be declared; false if a base, or another server, has the same URL.
    let needsConstant: Bool
    /// The parameters by the positions of their variables in the URL; empty if no function is needed.
    let parameters: [Int: Parameter]
}

/// An enum of the values of a server's variable.
struct ServerEnum {
    let name: String
    let values: [String]
}
