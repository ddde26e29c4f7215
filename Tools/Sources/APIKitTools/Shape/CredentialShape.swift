/// A credential for which a function is generated, such as `.shop(apiKey:)`.
struct CredentialShape {
    /// How it is sent.
    let kind: SecurityScheme.Kind
    /// The security schemes of this kind. Those of OAuth 2.0 and of HTTP's bearer tokens are of one kind.
    let schemes: [SecurityScheme]
    /// The function's parameters, which are all texts.
    let parameters: [String]
    /// The variables of an example that are passed to the function.
    let arguments: [String]
}
