/// A stage of a plan: what each model is used for, and by whom. It is made from the contents of the endpoints.
///
/// It replaces the models of pages by a generic one, and gives optional constants an enum with one case. It therefore
/// has its own models and endpoints, which later stages use instead of those of the contents.
struct ModelUses {
    /// The forms of the endpoints, in which optional constants are enums.
    let endpoints: [EndpointForm]
    /// The models, with the generic model of pages, and with the enums of optional constants.
    let models: Models
    /// The uses of the models that endpoints and webhooks need, and of ``GenericPage/element``.
    let types: [ModelID: TypeUses]
    /// The elements of the models that are pages of the API's generic type.
    let pageElements: [ModelID: Schema]

    /// Finds the uses of all models, directly or through other models.
    init(_ contents: Contents, _ options: Plan.Options) {
        let isCodable = options.isCodable
        var finder = UseFinder(contents, replacing: nil, isCodable: isCodable)
        let page = GenericPage(contents.api.models, finder.types, options)
        // The generic model of pages replaces others, so the uses differ with it.
        if let page { finder = UseFinder(contents, replacing: page, isCodable: isCodable) }
        let constants = OptionalConstants(contents.endpoints, finder.models, finder.types)
        for choice in constants.choices { finder.record(choice) }

        endpoints = constants.endpoints
        models = constants.models
        types = finder.types
        pageElements = page?.elements ?? [:]
    }
}
