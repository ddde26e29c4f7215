extension API {
    /// Turns the parameters for a header that all operations have with the same value, such as the version of the API,
    /// into a header of every request.
    ///
    /// A header that is or may be a credential stays a parameter: otherwise, each request would have the value of the
    /// description instead of the user's. So does an idempotency key, which differs in each request.
    mutating func moveCommonHeaders() {
        // A single operation does not show what all requests of an API have in common.
        guard endpoints.count > 1 else { return }
        var common = endpoints[0].onlyValuesOfHeaders
        for endpoint in endpoints.dropFirst() {
            let own = endpoint.onlyValuesOfHeaders
            common = common.filter { name, header in own[name]?.value == header.value }
        }
        let headersOfSchemes = Set(securitySchemes.compactMap(\.kind.header))
        common = common.filter { name, _ in !headersOfSchemes.contains(name) && !Secrets.isSecretName(name) }
        for header in common.values { headers[header.name] = header.value }
        for index in endpoints.indices {
            endpoints[index].parameters.removeAll { parameter in
                parameter.location == .header && common[parameter.name.lowercased()] != nil
            }
        }
    }
}

extension Endpoint {
    /// The headers that have the same value in all requests, by their names in lower case.
    fileprivate var onlyValuesOfHeaders: [String: (name: String, value: String)] {
        var headers: [String: (name: String, value: String)] = [:]
        for parameter in parameters where parameter.location == .header && !parameter.isIdempotencyKey {
            if let value = parameter.onlyValue { headers[parameter.name.lowercased()] = (parameter.name, value) }
        }
        return headers
    }
}
