extension Parameters {
    /// Creates parameters from an Encodable value with named members, in the order it encodes them. Nil members are
    /// left out; dates follow the ``APIBase/parameterStyle``.
    ///
    /// ```swift
    /// var parameters: Parameters { Parameters(encoding: filter) }
    /// ```
    ///
    /// Lists and objects may be nested 100 deep. A value that cannot be encoded causes a ``RequestError`` from
    /// ``APIRequest/httpRequest()``.
    public init(encoding value: some Encodable) {
        do {
            switch try ParameterEncoder.node(of: value).content {
            case .object(let members): self = members
            case .invalid(let problem): throw RequestError(.parameters, problem)
            default: throw RequestError(.parameters, "\(type(of: value)) is not encoded as named members")
            }
            omitsNil = true  // as JSONEncoder, which writes `{}` for a value whose members are all nil
        } catch {
            let problem = "\(type(of: value)) could not be encoded: \(ErrorText.of(error))"
            self = ["parameters": Node(.invalid(problem))]
        }
    }
    /// Not available: the value's own encoder would not be asked. Send the value with ``RequestBody/json(_:)``.
    @available(*, unavailable, message: "send a JSONBody with .json(_:), which asks its encoder")
    public init(encoding value: some JSONBody) {
        self.init()
    }
}
