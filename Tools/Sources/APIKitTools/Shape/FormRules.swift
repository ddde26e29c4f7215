/// Decides the form of each endpoint in Swift: what it sends, and what it returns.
struct FormRules {
    let replies: ReplyRules
    private let failures: FailureRules
    private let payloads: PayloadRules
    private let paging: PagingRules

    /// Creates the rules for the endpoints of an API with some models.
    init(_ api: API, _ models: Models) {
        replies = ReplyRules(api.endpoints, models)
        failures = FailureRules(models: models)
        payloads = PayloadRules(api, models)
        paging = PagingRules(models: models)
    }

    /// Decides the form of an endpoint.
    func form(of endpoint: Endpoint) -> EndpointForm {
        let successes = endpoint.successes
        let reply = replies.reply(of: successes)
        let body = payloads.body(of: endpoint)
        return EndpointForm(
            endpoint: endpoint, reply: reply, payload: body.payload, bodyMember: body.member,
            failure: failures.ownFailure(of: endpoint), paging: paging.paging(of: endpoint, reply),
            accept: successes.lazy.compactMap(replies.acceptedType).first,
            contentType: endpoint.body.flatMap { Self.ownContentType($0.mediaType) })
    }

    /// The notes on contents of responses that the form of an endpoint leaves out.
    func notes(on endpoint: Endpoint) -> [Note] {
        endpoint.successes.flatMap(replies.notesOnOtherContents) + failures.notes(on: endpoint)
    }

    /// The media type of a body, if its Swift type does not imply it: `application/vnd.api+json` or `application/zip`,
    /// but not `application/json`. A range such as `image/*` cannot be sent, and is nil.
    private static func ownContentType(_ type: String) -> String? {
        let isRange = type.contains("*")
        if isRange { return nil }
        let isSpecial = type.hasSuffix("+json") || MediaType.isFile(type)
        return isSpecial ? type : nil
    }
}
