import Testing

@testable import APIKitTools

/// The stages of a plan.
@Suite struct PlanTests {
    private let options = Plan.Options(name: "Shop")
    private let place = Place(file: "api.yaml")

    /// An API with three endpoints, each of which returns a page of a model of its own.
    private var pages: API {
        var api = API(title: "Shop")
        for name in ["order", "product", "user"] {
            let id = Object.Member(name: "id", schema: Schema(.string, place: place), isRequired: true)
            let list = Schema(.list(Schema(.model(name), place: place)), place: place)
            let data = Object.Member(name: "data", schema: list, isRequired: true)
            let next = Object.Member(name: "next", schema: Schema(.string, place: place), isRequired: false)
            api.models[name] = Model(name: name, kind: .object(Object([id])), place: place)
            api.models["\(name)s"] = Model(name: "\(name)List", kind: .object(Object([data, next])), place: place)
            var endpoint = Endpoint(method: "GET", path: "/\(name)s", place: place)
            let content = (mediaType: "application/json", schema: Schema(.model("\(name)s"), place: place))
            endpoint.responses = [Response(statuses: 200...200, contents: [content], place: place)]
            api.endpoints.append(endpoint)
        }
        return api
    }

    @Test func genericPageReplacesSimilarModelsInTheUses() {
        let uses = ModelUses(Contents(pages, options), options)
        #expect(Set(uses.types.keys) == ["order", "product", "user", GenericPage.id, GenericPage.element])
        #expect(uses.pageElements.mapValues(\.modelID) == ["orders": "order", "products": "product", "users": "user"])
    }

    @Test func stagesLeaveThoseBeforeThemUnchanged() {
        let contents = Contents(pages, options)
        let uses = ModelUses(contents, options)
        #expect(contents.api.models[GenericPage.id] == nil)
        #expect(uses.models[GenericPage.id] != nil)
        #expect(Plan(pages, options: options).api.models.keys.sorted() == uses.models.keys.sorted())
    }

    @Test func typeOfOneEndpointIsDeclaredInItsFile() {
        let uses = ModelUses(Contents(pages, options), options)
        let ownership = Ownership(uses, options)
        #expect(ownership.types["order"]?.owner == .endpoint(0))
        #expect(ownership.types[GenericPage.id]?.owner == .api)
        #expect(ownership.nested(in: .endpoint(0)).isEmpty)
    }
}
