/// Where a credential stands in a request.
package enum CredentialPlace: Sendable, Hashable {
    case header(HTTPHeaders.Name)
    /// The name as ``ArraySlice/queryItemName`` spells it.
    case query(String)

    package var isQuery: Bool {
        if case .query = self { true } else { false }
    }
}
