extension Parameters {
    /// Makes parameters of an Encodable value with named members, in the order in which it encodes them; nil members
    /// are left out, dates follow the ``APIRequest/parameterStyle``.
    ///
    /// ```swift
    /// var parameters: Parameters { Parameters(encoding: filter) }
    /// ```
    ///
    /// Lists and objects may stand 100 deep inside one another. What cannot be encoded surfaces
    /// as a ``RequestError`` from ``APIRequest/httpRequest()``.
    public init(encoding value: some Encodable) {
        do {
            switch try ParameterEncoder.node(of: value).content {
            case .object(let members): self = members
            case .invalid(let problem): throw RequestError(.parameters, problem)
            default: throw RequestError(.parameters, "\(type(of: value)) is not encoded as members with names")
            }
            omitsNil = true  // also without members this is an object, as JSONEncoder writes it
        } catch {
            let problem = "\(type(of: value)) could not be encoded: \(ErrorText.of(error))"
            self = ["parameters": ParameterNode(.invalid(problem))]
        }
    }
}
