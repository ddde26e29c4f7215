import Testing

@testable import APIKitTools

/// The API's client with a method for each endpoint.
@Suite struct MethodTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func plan(
        _ operations: [(String, String, String)], tag: String? = "todos", tags: [String] = [], isPaged: Bool = false
    ) throws -> Plan {
        let place = Place(file: "api.yaml")
        var api = API(title: "Shop")
        for (index, (method, path, name)) in operations.enumerated() {
            var endpoint = Endpoint(name: name, method: method, path: path, place: place)
            endpoint.tags = tags.isEmpty ? tag.map { [$0] } ?? [] : [tags[index]]
            if isPaged { endpoint.behavior.paging = DescribedPaging(way: .header, name: "x-pagination", place: place) }
            let list = Schema(.list(Schema(.string, place: place)), place: place)
            let isList = method == "GET" && path.last != "}"
            let content = (mediaType: "application/json", schema: isList ? list : Schema(.string, place: place))
            endpoint.responses = [Response(statuses: 200...200, contents: [content], place: place)]
            api.endpoints.append(endpoint)
        }
        // With several tags, endpoints are grouped by them.
        var other = Endpoint(name: "ping", method: "POST", path: "/ping", place: place)
        other.tags = ["health"]
        if tag != nil { api.endpoints.append(other) }
        return Plan(api, options: Plan.Options(name: "Shop", isPublic: true, hasMethods: true))
    }

    @Test(
        arguments: [
            ("GET", "/todos", "listTodos", "list"), ("GET", "/todos/{id}", "getTodo", "get"),
            ("POST", "/todos", "createTodo", "create"), ("POST", "/todos/{id}/complete", "completeTodo", "complete"),
            ("GET", "/todos/{id}/comments", "listTodoComments", "listComments"),
            ("GET", "/todos/assigned", "listAssignedTodos", "listAssigned"),
            ("GET", "/my/todos", "listMyTodos", "list"),
            ("GET", "/projects/{id}/todos", "listProjectTodos", "listProjectTodos"),
            ("GET", "/todos/search", "searchTodos", "search"), ("PUT", "/todos/import", "importTodos", "import"),
            ("POST", "/lists", "createList", "createList"),
        ] as [(String, String, String, String)])
    func namesLeaveOutTheNounOfTheGroup(method: String, path: String, name: String, expected: String) throws {
        let plan = try plan([(method, path, name)])
        let shape = try #require(plan.methods.first { $0.group.propertyName == "todos" })
        #expect(shape.name == expected)
        #expect(shape.group.typeName == "Todos")
    }

    @Test func fullNamesTellMethodsApart() throws {
        let plan = try plan([("GET", "/todos", "listTodos"), ("GET", "/my/todos", "listMyTodos")])
        #expect(Set(plan.methods.map(\.name)) == ["list", "listMyTodos", "ping"])
    }

    @Test func itemsOfOneThingAreListedByItsName() throws {
        let plan = try plan([("GET", "/todos", "listTodos"), ("GET", "/todos/{id}.json", "listTodo")])
        #expect(Set(plan.methods.map(\.name)) == ["list", "listTodo", "ping"])
    }

    @Test func noTwoMethodsOfAGroupHaveTheSameName() throws {
        let operations = [("GET", "/todos", "listTodos"), ("POST", "/todos/all", "allTodos")]
        let plan = try plan(operations, isPaged: true)
        #expect(Set(plan.methods.map(\.name)) == ["list", "all", "ping"])
        #expect(plan.methods.first { $0.name == "list" }?.nameOfAll == "allTodos")
    }

    @Test func verbWithoutNounIsForOneThing() throws {
        let plan = try plan([("PUT", "/todos", "updateTodos"), ("PUT", "/todos/{id}", "updateTodo")])
        #expect(plan.methods.map(\.name) == ["ping", "updateTodos", "update"])
    }

    @Test func valueOfThePathTellsMethodsApart() throws {
        let operations = [("GET", "/todos", "listTodos"), ("GET", "/{owner_type}/{id}/todos", "listTodos")]
        let plan = try plan(operations, isPaged: true)
        #expect(plan.methods.map(\.name) == ["ping", "list", "listByOwnerType"])
        #expect(plan.methods.map(\.nameOfAll).suffix(2) == ["all", "allByOwnerType"])
    }

    @Test func onlyMethodsForFilesReportProgress() throws {
        let file = ##"{"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}"##
        let response = ##"{"200": {"content": \##(file)}}"##
        let form = ##"{"properties": {"photo": {"type": "string", "format": "binary"}}}"##
        let body = ##"{"content": {"multipart/form-data": {"schema": \##(form)}}}"##
        let name = ##"{"name": "progress", "in": "query", "schema": {"type": "integer"}}"##
        let paths = ##"""
            {"/a": {"get": {"responses": \##(response)}, "put": {"requestBody": {"content": \##(file)}},
            "post": {"requestBody": \##(body)}, "delete": {}},
            "/b": {"get": {"parameters": [\##(name)], "responses": \##(response)}}}
            """##
        let description = try folder.write(ErrorTests.head + ##""paths": \##(paths)}"##, to: "api.json")
        let options = Plan.Options(name: "Shop", isPublic: true, hasMethods: true)
        let plan = try Generation.plan(description, options: options)
        let files = try SourceWriter(plan: plan, filter: Filter([])).files()
        let reporting = files.filter { $0.text.contains("progress: TransferProgress.Handler? = nil") }
        let expected = ["ARequest.swift", "ReplaceARequest.swift", "UpdateARequest.swift"]
        #expect(reporting.map { $0.path.split(separator: "/").last.map(String.init) ?? "" } == expected)
        #expect(reporting.allSatisfy { $0.text.contains(", options: options, progress: progress)") })
    }

    @Test(
        arguments: [
            ("Data", "DataMethods", "data"), ("sendable", "SendableMethods", "sendable"),
            ("API client", "APIClientMethods", "apiClient"), ("item list", "ItemListMethods", "itemList"),
            ("Orders", "Orders", "orders"), ("订单", "订单Methods", "订单"),
        ] as [(String, String, String)])
    func groupsDoNotHideTypesOfTheLibrary(tag: String, type: String, property: String) throws {
        let plan = try plan([("GET", "/todos", "listTodos")], tag: tag)
        let group = try #require(plan.methods.first { $0.name != "ping" }?.group)
        #expect(group == MethodGroup(typeName: type, propertyName: property))
    }

    @Test func tagsThatDifferOnlyInTheirCapitalsAreOneGroup() throws {
        let operations = [("GET", "/a", "listA"), ("GET", "/b", "listB")]
        let plan = try plan(operations, tags: ["to-do", "Todo"])
        #expect(Set(plan.methods.filter { $0.name != "ping" }.map(\.group)).count == 1)
    }

    @Test func pathsGroupEndpointsWithoutTags() throws {
        let operations = [("GET", "/", "root"), ("GET", "/orders", "listOrders"), ("GET", "/v1/type/{id}", "getType")]
        let plan = try plan(operations, tag: nil)
        #expect(plan.methods.map(\.group.propertyName) == ["root", "orders", "type"])
        #expect(plan.methods.map(\.group.typeName) == ["Root", "Orders", "TypeMethods"])
    }

    @Test func somePathsGiveSomeOfTheSameFiles() throws {
        let options = Plan.Options(name: "Desk", isPublic: true, hasMethods: true)
        let all = try GoldenTests.files(of: "desk.yaml", options)
        let some = try GoldenTests.files(of: "desk.yaml", options, only: ["Boards"])
        #expect(some.allSatisfy(all.contains))
        #expect(some.map(\.path).contains("Client/DeskClient+Boards.swift"))
        #expect(!some.map(\.path).contains("Client/DeskClient+Tickets.swift"))
    }

    @Test(
        arguments: [
            (#", "more": {"type": "string"}"#, "reply.model.items?.isEmpty != false ? 0 : 1"),
            (
                #", "more": {"type": "boolean"}"#,
                "reply.model.items?.isEmpty != false || reply.model.more == false ? 0 : 1"
            ),
            (
                #", "meta": {"required": ["has_more"], "properties": {"has_more": {"type": "boolean"}}}"#,
                "reply.model.items?.isEmpty != false || reply.model.meta?.hasMore == false ? 0 : 1"
            ),
        ] as [(String, String)])
    func booleanEndsPagesWithNumbers(member: String, increment: String) throws {
        let code = try codeOfPages(member: member, parameters: ["page"])
        #expect(code.contains("next(advancing: \\.page, by: \(increment))"), "\(code)")
    }

    @Test func limitOfAListCountsItems() throws {
        let code = try codeOfPages(member: #", "more": {"type": "boolean"}"#, parameters: ["offset", "limit"])
        #expect(code.contains("reply.model.more != false ? (reply.model.items?.count ?? 0) : 0"), "\(code)")
        #expect(code.contains(/pageSize: Int\? = nil,\s+limit: Int\? = nil,\s+options: RequestOptions/))
        #expect(code.contains("try await all(pageSize: pageSize, options: options).list(limit: limit)"))
        #expect(code.contains("OrdersRequest(limit: pageSize)"))
    }

    /// Returns the code for a list of orders with a member besides its items, and with parameters that are integers.
    private func codeOfPages(member: String, parameters: [String]) throws -> String {
        let object = ##"{"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}"##
        let page = ##"{"type": "object", "properties": {"items": {"type": "array", "items": \##(object)}\##(member)}}"##
        let content = ##"{"200": {"content": {"application/json": {"schema": \##(page)}}}}"##
        let query = parameters.map { ##"{"name": "\##($0)", "in": "query", "schema": {"type": "integer"}}"## }
        let operation =
            ##"{"operationId": "listOrders", "parameters": [\##(query.joined(separator: ", "))], "responses": \##(content)}"##
        let file = try folder.write(
            ErrorTests.head + ##""paths": {"/orders": {"get": \##(operation)}}}"##, to: "api.json")
        let options = Plan.Options(name: "Shop", isPublic: true, hasMethods: true)
        let files = try SourceWriter(plan: try Generation.plan(file, options: options), filter: Filter([])).files()
        return try #require(files.first { $0.path.hasSuffix("OrdersRequest.swift") }).text
    }

    @Test(arguments: [("meta", true), ("owner", false)] as [(String, Bool)])
    func onlyPagesWithoutOtherContentAreLists(member: String, isList: Bool) throws {
        let object = ##"{"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}"##
        let list = ##"{"type": "array", "items": \##(object)}"##
        let page = ##"{"type": "object", "properties": {"items": \##(list), "\##(member)": \##(object)}}"##
        let content = ##"{"200": {"content": {"application/json": {"schema": \##(page)}}}}"##
        let parameter = ##"{"name": "page", "in": "query", "schema": {"type": "integer"}}"##
        let operation = ##"{"operationId": "listOrders", "parameters": [\##(parameter)], "responses": \##(content)}"##
        let file = try folder.write(
            ErrorTests.head + ##""paths": {"/orders": {"get": \##(operation)}}}"##, to: "api.json")
        let options = Plan.Options(name: "Shop", isPublic: true, hasMethods: true)
        let files = try SourceWriter(plan: try Generation.plan(file, options: options), filter: Filter([])).files()
        let code = try #require(files.first { $0.path.hasSuffix("OrdersRequest.swift") }).text
        #expect(code.contains("public func all("))
        // The type of the items is not nested in that of the page.
        let item = try #require(code.firstMatch(of: /PagedItems<(\w+),/)).1
        #expect(code.contains("\npublic struct \(item):"))
        #expect(code.contains("-> ItemList<") == isList)
        #expect(code.contains("page: Int = 1") != isList)
    }
}
