import Testing

@testable import APIKitTools

/// A parameter that nearly all paths begin with, which belongs to the base.
@Suite struct SharedParameterTests {
    private let place = Place(file: "api.yaml")

    private func api(_ paths: [String], isText: Bool = true, baseURL: String? = "https://desk.example.com") -> API {
        var api = API(title: "Desk")
        api.baseURL = baseURL
        for path in paths {
            var endpoint = Endpoint(method: "GET", path: path, place: place)
            for name in Endpoint.names(in: path) {
                let kind: Schema.Kind = isText ? .string : .number
                endpoint.parameters.append(
                    Parameter(
                        name: name, location: .path, isRequired: true, schema: Schema(kind, place: place), place: place)
                )
            }
            api.endpoints.append(endpoint)
        }
        return api
    }

    @Test(
        arguments: [
            (["/{id}/a", "/{id}/b", "/{id}/c/{c}"], ["/a", "/b", "/c/{c}"]),
            (["/v1/{id}/a", "/v1/{id}/b", "/v1/{id}/c"], ["/v1/a", "/v1/b", "/v1/c"]),
            // Too few, of different names, at the end of paths, or before the version.
            (["/{id}/a", "/{id}/b"], ["/{id}/a", "/{id}/b"]),
            (["/{id}/a", "/{key}/b", "/{id}/c"], ["/{id}/a", "/{key}/b", "/{id}/c"]),
            (["/{id}", "/{id}/b", "/{id}/c"], ["/{id}", "/{id}/b", "/{id}/c"]),
            (["/{id}/v1/a", "/{id}/v1/b", "/{id}/v1/c"], ["/{id}/v1/a", "/{id}/v1/b", "/{id}/v1/c"]),
            (["/x/{id}/a", "/x/{id}/b", "/x/{id}/c"], ["/x/{id}/a", "/x/{id}/b", "/x/{id}/c"]),
        ] as [([String], [String])])
    func parameterAtTheBeginningIsMoved(paths: [String], expected: [String]) {
        let moved = SharedParameter.moved(in: api(paths))
        #expect(moved.endpoints.map(\.path) == expected)
        let isMoved = paths != expected
        #expect(moved.sharedParameter?.name == (isMoved ? "id" : nil))
        #expect(moved.endpoints.contains { $0.parameters.contains { $0.name == "id" } } == !isMoved)
    }

    @Test func onlyTextsAndIntegersAreMoved() {
        #expect(
            SharedParameter.moved(in: api(["/{id}/a", "/{id}/b", "/{id}/c"], isText: false)).sharedParameter == nil)
    }

    @Test(arguments: ["https://desk.example.com", nil])
    func otherEndpointsHaveTheBaseWithoutIt(baseURL: String?) throws {
        let paths = ["/status"] + (1...9).map { "/{id}/a\($0)" }
        let plan = Plan(api(paths, baseURL: baseURL), options: Plan.Options(name: "Desk"))
        let url = baseURL ?? "https://api.example.com"
        #expect(plan.servers.bases.map(\.url) == ["\(url)/{id}", url])
        #expect(plan.servers.bases.map(\.name) == ["desk", "deskRoot"])
        let code = BaseWriter(plan: plan).lines().joined(separator: "\n")
        #expect(code.contains(#"static func desk(id: String) -> APIBase { desk.setting("id", to: id) }"#))
    }

    @Test func clientReplacesOnlyTheBaseOfTheAPI() {
        let plan = Plan(api(["/{id}/a", "/{id}/b", "/{id}/c"]), options: Plan.Options(name: "Desk"))
        #expect(plan.servers.bases.count == 1)
        #expect(plan.servers.variable?.call == ".based(at: .desk(id: id), insteadOf: .desk)")
    }

    @Test func parameterOfThePathsDoesNotHaveTheNameOfTheClients() {
        let plan = Plan(api(["/{client}/a", "/{client}/b", "/{client}/c"]), options: Plan.Options(name: "Desk"))
        #expect(plan.servers.variable?.call == ".based(at: .desk(clientValue: clientValue), insteadOf: .desk)")
        let code = BaseWriter(plan: plan).lines().joined(separator: "\n")
        #expect(code.contains("static func desk(clientValue: String) -> APIBase"))
    }

    @Test func pathsOfTheDescriptionSelectEndpoints() {
        let endpoints = SharedParameter.moved(in: api(["/{id}/a", "/{id}/a/b", "/{id}/c"])).endpoints
        #expect(endpoints.filter(Filter(["/{id}/a"]).matches).count == 2)
        #expect(endpoints.filter(Filter(["GET /{id}/c"]).matches).count == 1)
    }
}
