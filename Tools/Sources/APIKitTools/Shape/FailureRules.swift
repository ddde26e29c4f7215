/// Decides which responses of an endpoint report failures, and which objects these have.
struct FailureRules {
    let models: Models

    /// The JSON schemas of an endpoint's error responses: those of the statuses 4xx and 5xx, and of the `default`
    /// response. Without a response for 2xx, the `default` response describes the success, and is left out.
    func errorSchemas(of endpoint: Endpoint) -> [Schema] {
        let hasSuccess = endpoint.responses.contains { $0.isFor(200...299) }
        let errorResponses = endpoint.responses.filter { response in
            let isDefault = response.statuses == nil
            if isDefault { return hasSuccess }
            return response.isFor(400...599)
        }
        return errorResponses.compactMap(\.json?.schema)
    }

    /// The objects of an error response: the object itself, or the variants of a union if all of them are objects.
    func errorObjects(in schema: Schema) -> [Schema] {
        if models.object(schema) != nil { return [schema] }
        let variants = models.model(schema)?.variants.map(\.schema) ?? []
        let areObjects = variants.allSatisfy { models.object($0) != nil }
        return areObjects ? variants : []
    }

    /// Decides how an endpoint's error responses are read if none of them is an object, but a list of texts, for
    /// example. Only the first schema is read.
    ///
    /// Nil if there are no error responses, or if one is an object. All objects are merged into the API's failure,
    /// which is then read.
    func ownFailure(of endpoint: Endpoint) -> EndpointForm.Reading? {
        schemasOfOwnFailure(of: endpoint).first.map { .json($0) }
    }

    /// A note if an endpoint has several different failures of its own, of which only the first one is read.
    func notes(on endpoint: Endpoint) -> [Note] {
        let schemas = schemasOfOwnFailure(of: endpoint)
        guard let first = schemas.first else { return [] }
        let areEqual = schemas.allSatisfy { $0 == first }
        if areEqual { return [] }
        return [Note(.simplified, "only the first of several failures is read", at: first.place)]
    }

    /// The schemas of an endpoint's error responses; empty if one of them is an object.
    private func schemasOfOwnFailure(of endpoint: Endpoint) -> [Schema] {
        let schemas = errorSchemas(of: endpoint)
        let hasObject = schemas.contains { !errorObjects(in: $0).isEmpty }
        return hasObject ? [] : schemas
    }
}
