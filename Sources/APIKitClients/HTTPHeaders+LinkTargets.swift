import APIKitCore

extension HTTPHeaders {
    /// The headers with other targets in their `Link` fields; nil keeps a target.
    func replacingLinkTargets(with replacement: (String) -> String?) -> HTTPHeaders {
        HTTPHeaders(
            map { field in
                guard field.name == .link else { return field }
                return Field(
                    name: field.name, value: LinkHeaderReader.replacingTargets(of: field.value, with: replacement))
            })
    }
}
