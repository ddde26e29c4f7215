import APIKitCore

/// What of a request a stored response must be for (RFC 9111, section 4.1): the values of the headers that `Vary`
/// names, and of those that may identify the user.
///
/// It is a hash of 128 bits with the secret seed of the process. So the store holds no credential, and nobody can
/// construct two requests with the same one.
struct CacheKey: Hashable, Sendable {
    private let high: Int
    private let low: Int

    /// The key of a request, for responses that vary by the headers of these names, in lower case.
    init(_ request: HTTPRequest, varyingBy names: [String]) {
        let names =
            (names + request.options.secretNames).map { $0.lowercased() }
            + request.headers.lazy.map(\.name).filter { !$0.crossesOrigins }.map { $0.rawValue.lowercased() }
        var hashers = (Hasher(), Hasher())
        hashers.1.combine(true)
        hashers.0.combine(request.options.authorization == .never)
        for name in Set(names).sorted() {
            for text in [name, request.headers[HTTPHeaders.Name(rawValue: name)]] {
                // As bytes: as Strings, texts with the same characters in other bytes are equal.
                let bytes = text.map { Array($0.utf8) }
                hashers.0.combine(bytes)
                hashers.1.combine(bytes)
            }
        }
        high = hashers.0.finalize()
        low = hashers.1.finalize()
    }
}
