/// An endpoint as it is written: its form in Swift, with the names that it has in the API's code.
struct EndpointShape {
    /// The word at the end of the names of all endpoints' types.
    static let suffix = "Request"

    /// What the request type sends and returns.
    let form: EndpointForm
    /// The type's name, such as `CreateIssueRequest`.
    let name: String
    /// The name of its base; nil if it is the API's main base.
    let base: String?
    /// The name of the enum with a case for each status, if the statuses have different contents.
    let statusEnum: String

    /// The endpoint as the source describes it.
    var endpoint: Endpoint { form.endpoint }
    /// What it returns.
    var reply: EndpointForm.Reply { form.reply }
    /// What it sends in its body.
    var payload: EndpointForm.Payload { form.payload }
    /// How its next page is requested; nil if it has no pages.
    var paging: Paging? { form.paging }
    /// The model of the whole response; nil if the response is something else or may be null.
    var responseModel: ModelID? { form.responseModel }

    /// The type's name without its suffix: `CreateIssue` for `CreateIssueRequest`.
    var nameWithoutSuffix: String { String(name.dropLast(Self.suffix.count)) }

    /// The thing that the endpoint is about: `Issue` for `CreateIssueRequest`.
    var noun: Words { EndpointName.noun(of: nameWithoutSuffix, isGet: endpoint.method == "GET") }
}
