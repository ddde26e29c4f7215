/// An endpoint whose parameters become a JSON body, for the methods that put parameters into the body.
///
/// Parameters that are all nil are an empty object, `{}`; a request without any sends no body.
///
/// A file among the parameters is a ``RequestError``. It gives ``APIRequest/body`` alone: the `Accept` header comes
/// from the response type and the `Content-Type` from the body, so nothing that an endpoint overrides is lost.
public protocol JSONAPIRequest: APIRequest {}

extension JSONAPIRequest {
    /// The parameters as a JSON object, where the method puts them into the body.
    public var body: RequestBody? {
        guard !method.sendsParametersInQuery else { return nil }
        let parameters = parameters
        return parameters.isEmpty && !parameters.omitsNil ? nil : .json(parameters, style: parameterStyle)
    }
}
