/// An endpoint whose parameters become a JSON body, for methods that send parameters in the body.
///
/// Parameters that are all nil become an empty object, `{}`; a request without parameters has no body. A file among
/// them causes a ``RequestError``.
///
/// This protocol defines only ``APIRequest/body``: the `Accept` header comes from the response type and the
/// `Content-Type` from the body.
public protocol JSONRequest: APIRequest {}

extension JSONRequest {
    /// The parameters as a JSON object if the method sends them in the body.
    public var body: RequestBody? {
        guard !sendsParametersInQuery else { return nil }
        let parameters = parameters
        return parameters.isEmpty && !parameters.omitsNil ? nil : .json(parameters, style: base.parameterStyle)
    }
}
