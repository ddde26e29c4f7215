extension Parameters {
    /// Creates parameters from an Encodable value with named members, in the order it encodes them. Nil members are
    /// left out; dates follow the ``APIBase/parameterStyle``.
    ///
    /// ```swift
    /// var parameters: Parameters { Parameters(encoding: filter) }
    /// ```
    ///
    /// Lists and objects may be nested 100 deep. A value that cannot be encoded causes a ``RequestError`` from
    /// ``APIRequest/httpRequest()``. So does a ``JSONBody``, since this would not use the value's own encoder.
    public init(encoding value: some Encodable) {
        do {
            // The value would be encoded without its own encoder.
            if value is any JSONBody {
                throw RequestError(.parameters, "\(type(of: value)) is a JSONBody: use .json(_:)")
            }
            switch try ParameterEncoder.node(of: value).content {
            case .object(let members, _): self = members
            case .invalid(let problem): throw RequestError(.parameters, problem)
            default: throw RequestError(.parameters, "\(type(of: value)) is not encoded as named members")
            }
            // JSONEncoder writes `{}` for a value whose members are all nil, and so does a JSON body of parameters.
            omitsNil = true
        } catch {
            let problem = "\(type(of: value)) could not be encoded: \(ErrorText.of(error))"
            self = ["parameters": Node(.invalid(problem))]
        }
    }
}
