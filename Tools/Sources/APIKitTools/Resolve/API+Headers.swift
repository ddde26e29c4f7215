extension API {
    /// Moves headers that all operations have with the same value, such as the version of the API, from the parameters
    /// of the endpoints to ``headers``, which every request sends.
    ///
    /// A header that is or may be a credential stays a parameter, since its value comes from the user. An idempotency
    /// key stays one too, since it differs in each request, and so does a header that belongs to the connection or to
    /// one message, such as `Host`.
    mutating func moveCommonHeaders() {
        // A single operation does not show what all requests of an API have in common.
        guard endpoints.count > 1 else { return }
        var commonHeaders = endpoints[0].constantHeaders
        for endpoint in endpoints.dropFirst() {
            let ownHeaders = endpoint.constantHeaders
            commonHeaders = commonHeaders.filter { key, header in ownHeaders[key]?.value == header.value }
        }
        let headersOfSchemes = Set(securitySchemes.compactMap(\.kind.header))
        commonHeaders = commonHeaders.filter { key, _ in
            let mayBeCredential = headersOfSchemes.contains(key) || Secrets.isSecretName(key)
            let belongsToMessage = Self.headersOfMessages.contains(key)
            return !mayBeCredential && !belongsToMessage
        }
        for header in commonHeaders.values { headers[header.name] = header.value }
        for index in endpoints.indices {
            endpoints[index].parameters.removeAll { parameter in
                parameter.location == .header && commonHeaders[parameter.name.lowercased()] != nil
            }
        }
    }

    /// The headers that the client's engine sets, in lower case.
    private static let headersOfMessages: Set = [
        "connection", "content-encoding", "content-length", "expect", "host", "keep-alive", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]
}

/// A header with the only value that a description gives for it.
private struct ConstantHeader {
    /// The name as it is sent.
    let name: String
    let value: String
}

extension Endpoint {
    /// The headers that have the same value in all requests of the endpoint, by their names in lower case.
    fileprivate var constantHeaders: [String: ConstantHeader] {
        var headers: [String: ConstantHeader] = [:]
        for parameter in parameters where parameter.location == .header && !parameter.isIdempotencyKey {
            guard let value = parameter.onlyValue else { continue }
            headers[parameter.name.lowercased()] = ConstantHeader(name: parameter.name, value: value)
        }
        return headers
    }
}
