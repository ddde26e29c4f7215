public import APIKitCore
import APIKitSupport

extension APIClient {
    /// Returns a client that sends identical concurrent requests once, and shares the response.
    ///
    /// ```swift
    /// // Ten views that ask for one avatar cause one transfer.
    /// let client = URLSession.api.coalesced()
    /// ```
    ///
    /// Requests are the same if they come from the same type of endpoint, and their method, URL, headers, options and
    /// bodies are equal. Each caller maps the response by itself. Cancelling one caller does not affect the others;
    /// cancelling the last one cancels the transfer. A request that a client inside sends on behalf of another one,
    /// such as the refresh of a token, is performed alone, and so is one if its method is not safe (RFC 9110, section
    /// 9.2.1), or if it has a body that is not in memory, progress, or a response that is delivered as a stream or a
    /// file.
    ///
    /// Inside ``authorized(by:for:leeway:isRefusal:)``, requests with different credentials are different. Outside,
    /// they may be the same, and a user who has just logged in could get the last one's response.
    public func coalesced() -> some APIClient {
        CoalescedClient(base: self)
    }
}

private struct CoalescedClient: WrappingClient {
    let base: any APIClient
    private let transfers = SharedWork<TransferKey, HTTPResponse>()

    init(base: any APIClient) {
        self.base = base
    }

    /// Joins the transfer of an identical request that is in flight, or starts one that others can join.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        guard canShare(request, in: call) else { return try await base.perform(request, in: call) }
        return try await transfers.value(for: TransferKey(request, in: call)) { [base, transfers] in
            var request = request
            // The shared transfer has no deadline: that of a caller ends only this caller's wait.
            if request.options.deadline != nil { request.options.deadline = nil }
            return try await TaskOwners.adding(transfers) { try await base.perform(request, in: call.shared()) }
        }
    }

    /// Whether identical requests can have the same response: a safe method, a body and a response in memory, and no
    /// progress. A request that is sent on behalf of a shared one would wait for that, and so for itself.
    private func canShare(_ request: HTTPRequest, in call: Call) -> Bool {
        guard request.method.isSafe, request.delivery == .data, !call.reportsProgress else { return false }
        let isBodyInMemory = request.body == nil || request.body?.data != nil
        return isBodyInMemory && !TaskOwners.contains(transfers)
    }

    /// The properties that are equal for all requests that share a transfer.
    private struct TransferKey: Hashable, Sendable {
        let endpoint: ObjectIdentifier?
        let request: HTTPRequest
        let redirection: Redirection?
        /// The bytes of texts that are not ASCII. As Strings, two texts are equal if they write the same characters
        /// with different code points, but a server can tell them apart.
        let nonASCIITexts: [[UInt8]]

        init(_ request: HTTPRequest, in call: Call) {
            endpoint = call.endpoint.map { ObjectIdentifier(type(of: $0)) }
            self.request = request
            redirection = call.redirection
            nonASCIITexts = request.nonASCIITexts
        }

        /// Hashes only the URL, the body and the values of the headers, which is fast. Nearly all different requests
        /// differ in one of them.
        func hash(into hasher: inout Hasher) {
            hasher.combine(request.lazyURL.text)
            hasher.combine(request.body?.data)
            for field in request.headers { hasher.combine(field.value) }
        }
    }
}

extension HTTPRequest {
    /// The bytes of those texts in the headers and the body that are not ASCII; usually none.
    fileprivate var nonASCIITexts: [[UInt8]] {
        var texts: [[UInt8]] = []
        func add(_ text: String) {
            if !text.isASCII { texts.append(Array(text.utf8)) }
        }
        for field in headers { add(field.value) }
        if let type = body?.contentType { add(type.rawValue) }
        for part in body?.form?.parts ?? [] {
            add(part.name)
            add(part.filename ?? "")
            add(part.body.contentType?.rawValue ?? "")
        }
        return texts
    }
}
