/// The first stage of a plan: what endpoints and webhooks send and return.
///
/// It is made from the API alone. It divides operations into endpoints, merges the objects of error responses into one
/// failure, and takes the objects out of the envelopes around them, which adds models.
struct Contents {
    /// The API with the endpoints and models of this stage, and with its notes.
    let api: API
    /// The forms of the endpoints, in the order of those of the API.
    let endpoints: [EndpointForm]
    /// The webhooks and callbacks, each once.
    let webhooks: [Webhook]
    /// What the API reports for most rejected requests.
    let failure: Schema?
    /// The member of the API's envelope that holds the content of a response; nil if the API has no envelope.
    let envelopeMember: String?
    /// The models that are variants of a union and cannot be distinguished from its other variants by a tag.
    let untaggedVariants: Set<ModelID>
    /// The objects that are whole bodies of updates, or variants of such bodies.
    let objectsOfUpdates: Set<ModelID>

    /// Decides what the endpoints and webhooks of an API send and return.
    init(_ described: API, _ options: Plan.Options) {
        let operations = SharedParameter.moved(in: described).separatingEndpoints()
        let failures = FailureMerger.merged(operations, apiName: options.name)
        let rules = FormRules(operations, failures.models)
        let ownEnvelopes = OwnEnvelopes(
            of: operations.endpoints.map(rules.form), webhooks: operations.webhooks, failures.models,
            isCodable: options.isCodable)

        var api = operations
        api.models = ownEnvelopes.models.namingVariants()
        api.notes += failures.notes + operations.endpoints.flatMap(rules.notes)
        api.notes += ownEnvelopes.endpoints.compactMap(Self.noteOnUnusedPaging)
        api.notes += ownEnvelopes.endpoints.flatMap(Self.notesOnTotals)
        self.api = api
        endpoints = ownEnvelopes.endpoints
        webhooks = Self.distinct(api.webhooks)
        failure = failures.schema
        envelopeMember = rules.replies.envelopeMember
        // A union of merged errors has at most one object, which no tag has to distinguish from others. So the unions
        // of the description are enough.
        untaggedVariants = Set(described.models.values.flatMap(\.untaggedVariants))
        objectsOfUpdates = Self.objectsOfUpdates(endpoints, api.models)
    }

    /// A note on an extension about an endpoint's pages that the endpoint does not follow; nil if it does, or has none.
    private static func noteOnUnusedPaging(_ form: EndpointForm) -> Note? {
        let isFollowed = form.paging?.isDescribed == true
        guard let described = form.endpoint.behavior.paging, !isFollowed else { return nil }
        return Note(.unused, NoteText(described.name), at: described.place)
    }

    /// The notes on headers with the number of all items that the endpoint does not read.
    private static func notesOnTotals(_ form: EndpointForm) -> [Note] {
        if case .header? = form.paging?.total { return [] }
        return form.endpoint.responses.flatMap { response in
            response.headers.intersection(PagingRules.totalHeaders.keys).sorted().map { name in
                Note(.skipped, "response header \(name): read it from the reply", at: response.place)
            }
        }
    }

    /// Finds the objects that are whole bodies of updates, or variants of such bodies. In an update, null removes a
    /// value, so these objects must be able to send it.
    private static func objectsOfUpdates(_ endpoints: [EndpointForm], _ models: Models) -> Set<ModelID> {
        var work: [ModelID] = []
        for form in endpoints where form.isUpdate {
            if case .value(let schema, _) = form.payload, let id = schema.modelID { work.append(id) }
        }
        var known: Set<ModelID> = []
        while let id = work.popLast() {
            guard known.insert(id).inserted else { continue }
            work += models[id]?.variants.compactMap(\.schema.modelID) ?? []
        }
        return known
    }

    /// The webhooks and callbacks, sorted. Callbacks of the same name and the same payload are one.
    private static func distinct(_ webhooks: [Webhook]) -> [Webhook] {
        struct Key: Hashable {
            let name: String
            let schema: Schema
        }
        var known: Set<Key> = []
        var distinct: [Webhook] = []
        let sorted = webhooks.sorted { ($0.name, $0.place.path) < ($1.name, $1.place.path) }
        for webhook in sorted {
            let isNew = known.insert(Key(name: webhook.name, schema: webhook.schema)).inserted
            if isNew { distinct.append(webhook) }
        }
        return distinct
    }
}

extension API {
    /// The API with its endpoints sorted, and with two endpoints for an operation that returns JSON or events, or that
    /// sends JSON or a form with files.
    fileprivate func separatingEndpoints() -> API {
        var api = self
        api.endpoints.sort { ($0.path, $0.method) < ($1.path, $1.method) }
        api.endpoints = api.endpoints.flatMap { $0.separatingEvents() }
        api.endpoints = api.endpoints.flatMap { $0.separatingUploads() }
        return api
    }
}

extension Endpoint {
    /// Splits an operation that sends either JSON or a form with files into two endpoints, the second one for the form.
    /// Other operations are returned unchanged.
    fileprivate func separatingUploads() -> [Endpoint] {
        guard let upload else { return [self] }
        var form = self
        form.isUpload = true
        form.body = upload
        return [self, form]
    }

    /// Splits an operation that returns either JSON or events, depending on its body, into two endpoints: one that
    /// returns the JSON, and one that returns the stream of events. Other operations are returned unchanged.
    fileprivate func separatingEvents() -> [Endpoint] {
        func isEvents(_ content: Response.Content) -> Bool { MediaType(content.mediaType) == .events }
        let returnsEither = responses.contains { response in
            let hasEvents = response.contents.contains { isEvents($0) }
            let hasOthers = response.contents.contains { !isEvents($0) }
            return hasEvents && hasOthers
        }
        guard returnsEither else { return [self] }
        var whole = self
        var stream = self
        stream.isStream = true
        // A response with both is divided. A response without events, such as an error, is one of both endpoints.
        for index in responses.indices where responses[index].contents.contains(where: isEvents) {
            whole.responses[index].contents.removeAll(where: isEvents)
            stream.responses[index].contents.removeAll { !isEvents($0) }
        }
        return [whole, stream]
    }
}
