import Foundation
import Testing

@testable import APIKitTools

@Suite struct NameTests {
    /// A type that is declared beside or inside of one that conforms to a protocol would otherwise mean another one.
    @Test(
        arguments: [
            ("OnCalls", true, "OnCall"), ("OnCallsForTeam", true, "OnCall"), ("CheckRuns", true, "CheckRun"),
            ("CreateIssueForRepo", false, "Issue"), ("Import", false, "Import"), ("MarkAsRead", false, "Mark"),
        ] as [(String, Bool, String)])
    func nounOfANameEndsAtAPreposition(name: String, isGet: Bool, noun: String) {
        #expect(EndpointName.noun(of: name, isGet: isGet).upperCamel == noun)
    }

    /// Types for the methods of a client are not nested in the endpoints.
    @Test func typesOfTheSameNameAreNamedAfterTheirEndpoints() throws {
        func body(_ values: String) -> String {
            let schema = #"{"properties": {"state": {"enum": [\#(values)]}, "name": {"type": "string"}}}"#
            return #""requestBody": {"content": {"application/json": {"schema": \#(schema)}}}"#
        }
        func response(_ member: String) -> String {
            let schema = #"{"properties": {"\#(member)": {"type": "string"}, "id": {"type": "string"}}}"#
            return #""responses": {"200": {"content": {"application/json": {"schema": \#(schema)}}}}"#
        }
        let paths = #"""
            {"/lamps": {"post": {\#(body(#""on""#)), \#(response("first"))}},
            "/lamps/{id}": {"put": {\#(body(#""on", "off""#)), \#(response("second"))},
            "patch": {\#(body(#""off""#)), \#(response("third"))}, "get": {\#(response("fourth"))}}}
            """#
        let folder = try TemporaryFolder()
        let file = try folder.write(ErrorTests.head + #""paths": \#(paths)}"#, to: "api.json")
        let options = Plan.Options(name: "Shop", isPublic: true, hasMethods: true)
        let plan = try Generation.plan(file, options: options)
        #expect(
            Set(plan.types.values.map(\.name)) == [
                "LampState", "UpdateLampState", "ReplaceLampState", "LampResponse", "GetLampResponse",
                "UpdateLampResponse", "ReplaceLampResponse",
            ])
    }

    /// The words in which the name of an endpoint ends are not repeated.
    @Test func nameAfterAnEndpointDoesNotRepeatItsWords() throws {
        func operation(_ value: String) -> String {
            let parameter = #"{"name": "post_type", "in": "query", "schema": {"enum": ["\#(value)", "b"]}}"#
            return #"{"parameters": [\#(parameter)]}"#
        }
        let paths =
            #"{"/status_posts": {"post": \#(operation("a"))}, "/status_posts/{id}": {"put": \#(operation("c"))}}"#
        let folder = try TemporaryFolder()
        let file = try folder.write(ErrorTests.head + #""paths": \#(paths)}"#, to: "api.json")
        let options = Plan.Options(name: "Shop", isPublic: true, hasMethods: true)
        let plan = try Generation.plan(file, options: options)
        #expect(Set(plan.types.values.map(\.name)) == ["StatusPostType", "UpdateStatusPostType"])
    }

    @Test func associatedTypesOfTheLibraryAreReserved() throws {
        let sources = GoldenTests.tests.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        var found: Set<String> = []
        for file in files {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            found.formUnion(text.matches(of: /(?m)^ +(?:primary )?associatedtype (\w+)/).map { String($0.1) })
        }
        #expect(found.isSuperset(of: ["Model", "Content", "ModelDecoder", "BodyEncoder", "Response", "Failure"]))
        #expect(found.subtracting(SwiftName.associatedTypes) == [])
    }

    /// A model of the same name would otherwise be another type there.
    @Test func typesOfTheLibraryThatGeneratedCodeUsesAreReserved() throws {
        let root = GoldenTests.tests.deletingLastPathComponent().deletingLastPathComponent()
        let api = root.appending(path: "API")
        var types: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: api.path) {
            let text = try String(contentsOf: api.appending(path: file), encoding: .utf8)
            let declarations = text.matches(of: /(?m)^(\w+): .*\b(?:struct|enum|class|protocol|actor) (\w+)/)
            types.formUnion(declarations.map { String($0.2) })
        }
        #expect(types.isSuperset(of: ["APIClient", "ItemList", "JSONReader", "OAuth"]))
        let generated = GoldenTests.tests.appending(path: "GeneratedTests")
        var words: Set<String> = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: generated.path) where file.contains("/") {
            guard file.hasSuffix(".swift") else { continue }
            let text = try String(contentsOf: generated.appending(path: file), encoding: .utf8)
            let code = text.split(separator: "\n").filter { !$0.contains("//") }
            for line in code { words.formUnion(line.split { !$0.isLetter && !$0.isNumber }.map(String.init)) }
        }
        let reserved = SwiftName.reservedTypes.union(SwiftName.associatedTypes).union(SwiftName.typesOfOAuth)
        #expect(types.intersection(words).subtracting(reserved) == [])
    }

    @Test(arguments: ["Model", "Content", "Element", "AsyncIterator", "body_encoder"])
    func schemaWithTheNameOfAnAssociatedTypeHasAnotherName(schema: String) throws {
        let components = ##"{"\##(schema)": {"properties": {"a": {}, "b": {}}}}"##
        let list = ##"{"$ref": "#/components/schemas/\##(schema)"}"##
        let text = try TemporaryFolder().files(TemporaryFolder.description(schema: list, components: components))
            .map(\.text).joined()
        #expect(!text.contains("struct \(SwiftName.type(schema)):"))
    }

    @Test(arguments: [("Error", "ErrorValue"), ("Problem", "APIErrorValue")])
    func errorOfAnAPINamedAPIIsNotThatOfTheLibrary(second: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let failures = ["Error", second].map {
            ##"{"content": {"application/json": {"schema": {"$ref": "#/components/schemas/\##($0)"}}}}"##
        }
        let schemas = ##""Error": {"properties": {"text": {}}}, "Problem": {"properties": {"title": {}}}"##
        let description = try folder.write(
            ErrorTests.head + ##""components": {"schemas": {\##(schemas)}}, "paths": {"/a": {"get": {"responses": "##
                + ##"{"200": {}, "400": \##(failures[0]), "500": \##(failures[1])}}}}}"##, to: "api.json")
        let plan = try Generation.plan(description, options: Plan.Options(name: "Api"))
        let text = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        #expect(text.contains("associatedtype Failure = \(expected)\n"))
    }

    @Test(arguments: ["\u{345}a", "\u{1DE7}a", "\u{5B0}a"])
    func nameThatBeginsWithACombiningLetterIsAnIdentifier(name: String) throws {
        // By scalars, since the mark and the underscore are one character.
        #expect(SwiftName.member(name).unicodeScalars.first == "_")
        let type = SwiftName.type(name)
        #expect(SwiftName.isIdentifier(type) || type.unicodeScalars.first == "_")
        let files = try TemporaryFolder().files(
            ErrorTests.head + #""paths": {"/\#(name)": {"get": {"operationId": "\#(name)"}}}}"#)
        let names = files.flatMap { $0.text.matches(of: /struct (\S+)Request:/).map { String($0.1) } }
        #expect(names.count == 1 && names.allSatisfy(SwiftName.isIdentifier))
    }

    @Test(
        arguments: [
            ("html_url", "htmlURL", "HTMLURL"), ("id", "id", "ID"), ("userIDs", "userIDs", "UserIDs"),
            ("Content-Type", "contentType", "ContentType"), ("url", "url", "URL"),
            ("HTTPServer", "httpServer", "HTTPServer"),
            ("GitHub", "gitHub", "GitHub"), ("1-click", "_1Click", "_1Click"), ("+1", "plus1", "Plus1"),
            ("", "empty", "empty"),
            ("simple user's", "simpleUserS", "SimpleUserS"), ("AccountSid", "accountSID", "AccountSID"),
        ] as [(String, String, String)])
    func namesAreThoseOfSwift(name: String, member: String, type: String) {
        #expect(SwiftName.member(name) == member)
        #expect(SwiftName.type(name) == type)
    }

    @Test(
        arguments: [
            ("categories", "Category"), ("addresses", "Address"), ("statuses", "Status"), ("people", "Person"),
            ("news", "News"), ("boxes", "Box"), ("users", "User"), ("uris", "URI"), ("apis", "API"), ("basis", "Basis"),
            ("data", "Data"), ("status", "Status"),
        ] as [(String, String)])
    func elementsAreNamedInTheSingular(name: String, element: String) {
        #expect(SwiftName.element(name) == element)
    }

    @Test(
        arguments: [
            ("threeDS2RequestData", "threeDS2RequestData"), ("threeDSToken", "threeDSToken"),
            ("3ds_secure", "_3dsSecure"),
            ("ip_v4", "ipv4"), ("reservedIPv6", "reservedIPv6"), ("oAuthToken", "oauthToken"), ("o_auth2", "oauth2"),
            ("aes_sha256", "aesSHA256"), ("s3_bucket", "s3Bucket"), ("load_95p", "load95p"), ("USER_ID", "userID"),
            ("paymentBSB", "paymentBSB"),
        ] as [(String, String)])
    func capitalsAreThoseOfTheSource(name: String, member: String) {
        #expect(SwiftName.member(name) == member)
    }

    @Test(
        arguments: [
            ("repos/list-for-user", "GET", "/users/{u}/repos", "Repos", "UserRepos"),
            ("issues/create", "POST", "/issues", nil, "CreateIssue"), ("getPet", "GET", "/pets/{id}", nil, "Pet"),
            ("GetCustomersCustomer", "GET", "/v1/customers/{customer}", nil, "Customer"),
            (nil, "POST", "/invoices/{id}/pay", nil, "PayInvoice"), (nil, "GET", "/users", nil, "Users"),
            (nil, "DELETE", "/users/{id}", nil, "DeleteUser"), (nil, "GET", "/", nil, "Root"),
            ("PostCharges", "POST", "/v1/charges", nil, "CreateCharge"),
            ("apps_list_events", "GET", "/a", nil, "AppEvents"),
            (
                "searchProjectsForWorkspace", "GET", "/workspaces/{id}/projects", "SearchProjects",
                "SearchWorkspaceProjects"
            ),
            ("RemoveMembersForProject", "POST", "/projects/{id}/members", "RemoveMembers", "RemoveProjectMembers"),
            ("ListAlertPolicy", "GET", "/alerts", nil, "AlertPolicies"),
            (nil, "GET", "/orders/search", nil, "SearchOrders"),
            ("search/code", "GET", "/search/code", nil, "SearchCode"),
            ("users/get-authenticated", "GET", "/user", nil, "AuthenticatedUser"),
            ("gists/list-starred", "GET", "/gists/starred", nil, "StarredGists"),
            (nil, "GET", "/user/starred", nil, "Starred"), (nil, "GET", "/invoices/upcoming", nil, "UpcomingInvoice"),
            ("clusters_actions_post", "POST", "/a", nil, "CreateClustersAction"),
            ("saveProjectAsTemplate", "POST", "/projects/{id}/saveAsTemplate", nil, "SaveProjectAsTemplate"),
            ("getAll", "GET", "/things", nil, "Things"), ("gadgets/list-all", "GET", "/gadgets", nil, "Gadgets"),
            ("widgets_list_all", "GET", "/widgets", nil, "Widgets"), ("getById", "GET", "/foo/{id}", nil, "Foo"),
            ("getOne", "GET", "/bar/{id}", nil, "Bar"), ("gizmos/get-by-id", "GET", "/gizmos/{id}", nil, "Gizmo"),
            ("getDeleteStatus", "GET", "/jobs/{id}/delete-status", nil, "GetDeleteStatus"),
            ("getRunReviews", "GET", "/runs/{id}/reviews", nil, "RunReviews"),
            ("getTaskForCustomID", "GET", "/tasks/custom_id/{custom_id}", "Task", "TaskForCustomID"),
        ] as [(String?, String, String, String?, String)])
    func endpointsAreNamedByWhatTheyReturnOrDo(
        name: String?, method: String, path: String, short: String?, expected: String
    ) {
        let endpoint = Endpoint(name: name, method: method, path: path, place: Place(file: ""))
        let candidates = EndpointName.candidates(for: endpoint)
        #expect(candidates.short == short)
        #expect(candidates.names.first == expected)
    }

    @Test(
        arguments: [
            ("get_folders_id", "GET", "/folders/{folder_id}", "Folder"),
            ("get_folders_id_items", "GET", "/folders/{folder_id}/items", "FolderItems"),
            ("post_files_id_copy", "POST", "/files/{file_id}/copy", "CopyFile"),
            (
                "put_integration_mappings_teams_id", "PUT", "/integration_mappings/teams/{id}",
                "UpdateIntegrationMappingTeam"
            ),
            (
                "get_metadata_templates_id_schema", "GET", "/metadata_templates/{scope}/{key}/schema",
                "MetadataTemplateSchema"
            ),
            ("get_files_id_thumbnail_id", "GET", "/files/{file_id}/thumbnail.{extension}", "FileThumbnail"),
            ("put_files_id#add_shared_link", "PUT", "/files/{file_id}", "AddSharedLink"),
            ("complete_post", "POST", "/v1/complete", "Complete"),
            ("beta_messages_post", "POST", "/v1/messages", "CreateBetaMessage"),
            ("beta_messages_count_tokens_post", "POST", "/v1/messages/count_tokens", "CountBetaMessageTokens"),
            ("read_items_items__get", "GET", "/items", "Items"),
            ("postStatusMute", "POST", "/api/v1/statuses/{id}/mute", "MuteStatus"),
            ("createStatusUnbookmark", "POST", "/api/v1/statuses/{id}/unbookmark", "UnbookmarkStatus"),
            ("postAccountPin", "POST", "/api/v1/accounts/{id}/pin", "PinAccount"),
            ("patchAccountsUpdateCredentials", "PATCH", "/accounts/update_credentials", "UpdateAccountCredentials"),
            ("getAccountsVerifyCredentials", "GET", "/accounts/verify_credentials", "VerifyAccountCredentials"),
            ("post_users_terminate_sessions", "POST", "/users/terminate_sessions", "TerminateUserSessions"),
            (
                "postNotificationsRequestsByIdAccept", "POST", "/notifications/requests/{id}/accept",
                "AcceptNotification"
            ),
            ("get_search", "GET", "/search", "Search"), (nil, "POST", "/orders/search", "SearchOrders"),
            (nil, "POST", "/items/levels:append", "AppendLevel"), (nil, "POST", "/jobs/{id}:cancel", "CancelJob"),
            (nil, "GET", "/me.json", "Me"), (nil, "GET", "/chat.completions", "ChatCompletions"),
            (nil, "POST", "/x/ununununmute", "UnunununmuteX"),
            // These names are readable, or say something that the path does not say.
            ("getUserTeams", "GET", "/users/{id}/teams", "UserTeams"),
            ("post_search_issues", "POST", "/issues", "SearchIssues"),
            ("createTeamMember", "POST", "/teams/{id}/member", "CreateTeamMember"),
            ("createUploadSession", "POST", "/files/upload_sessions", "CreateUploadSession"),
        ] as [(String?, String, String, String)])
    func namesThatOnlyRepeatMethodAndPathAreReplaced(name: String?, method: String, path: String, expected: String) {
        let endpoint = Endpoint(name: name, method: method, path: path, place: Place(file: ""))
        #expect(EndpointName.candidates(for: endpoint).names.first == expected)
    }

    /// NestJS and Phoenix name operations after a class and a method.
    @Test(
        arguments: [
            ("CatsController_findAll", "GET", "/cats", "Cats"), ("CatsController_findOne", "GET", "/cats/{id}", "Cat"),
            ("CatsController_create", "POST", "/cats", "CreateCat"),
            ("CatsController_remove", "DELETE", "/cats/{id}", "DeleteCat"),
            ("CatsController_adopt[0]", "POST", "/cats/{id}/adopt", "AdoptCat"),
            ("CatsController_findAll_v2", "GET", "/v2/cats", "Cats"), ("adopt[0]", "POST", "/cats/{id}/adopt", "Adopt"),
            ("AppController_getHello", "GET", "/", "Hello"), ("AppController_find", "GET", "/cats/{id}", "Cat"),
            (
                "AuthorizationOrganizationRolesController_list", "GET", "/authorization/organizations/{id}/roles",
                "OrganizationRoles"
            ),
            ("UserlandUsersController_list[0]", "GET", "/user_management/users", "Users"),
            ("UserlandUserAuthenticationFactorsController_list", "GET", "/users/{id}/auth_factors", "UserAuthFactors"),
            ("AuditLogValidatorsController_list", "GET", "/audit_logs/actions", "AuditLogValidators"),
            (
                "OrganizationsController_getByExternalId", "GET", "/organizations/external/{id}",
                "OrganizationByExternalID"
            ),
            (
                "UserlandMembershipsController_deactivate", "PUT", "/users/memberships/{id}/deactivate",
                "DeactivateMembership"
            ),
            ("ApiKeysController_expire", "POST", "/api_keys/{id}/expire", "ExpireAPIKey"),
            ("RedirectUrisController_create", "POST", "/redirect_uris", "CreateRedirectURI"),
            ("SsoController_token", "POST", "/sso/token", "CreateSSOToken"),
            ("SsoController_jsonWebKeySet", "GET", "/sso/jwks/{id}", "JSONWebKeySet"),
            ("AuditLogExportsController_export", "GET", "/audit_logs/exports/{id}", "AuditLogExport"),
            ("RadarController_assess", "POST", "/radar/attempts", "AssessRadar"),
            ("UsersController_emailVerification", "POST", "/email_verification/confirm", "ConfirmEmailVerification"),
            ("Web.DataVaultController.create", "POST", "/vault/v1/kv", "CreateDataVault"),
            ("Web.DataVaultController.index", "GET", "/vault/v1/kv", "DataVaults"),
            ("Web.DataVaultController.show_by_id", "GET", "/vault/v1/kv/{id}", "DataVault"),
            ("Web.KeyController.rekey", "POST", "/vault/v1/keys/rekey", "RekeyKey"),
            // These are not such names.
            ("Controller_list", "GET", "/a", "Controllers"), ("getController", "GET", "/controller", "Controller"),
            ("x[0", "POST", "/x", "X0"), ("[0]", "GET", "/things", "Things"),
        ] as [(String, String, String, String)])
    func namesOfClassesAndMethodsBecomeThoseOfEndpoints(name: String, method: String, path: String, expected: String) {
        let endpoint = Endpoint(name: name, method: method, path: path, place: Place(file: ""))
        #expect(EndpointName.candidates(for: endpoint).names.first == expected)
    }

    @Test(
        arguments: [
            ("MarkAsRead", "PUT", "/my/unreads.json", "MarkAsRead"), ("mark_read", "PUT", "/messages/{id}", "MarkRead"),
            ("unmarkAsRead", "DELETE", "/messages/{id}/read", "UnmarkAsRead"),
            ("NewEntryForward", "GET", "/entries/{id}/forwards/new.json", "NewEntryForward"),
            ("forwardEntry", "POST", "/entries/{id}/forwards", "ForwardEntry"),
            ("PinMessage", "POST", "/recordings/{id}/pin.json", "PinMessage"),
            ("pinMessageForTeam", "POST", "/teams/{id}/messages/{id}/pin", "PinTeamMessage"),
            ("getPinCodes", "GET", "/pin_codes", "ListPINCodes"),
            ("customers_list", "POST", "/customers.list", "ListCustomers"),
        ] as [(String, String, String, String)])
    func verbIsWhatTheEndpointDoes(name: String, method: String, path: String, expected: String) {
        let endpoint = Endpoint(name: name, method: method, path: path, place: Place(file: ""))
        #expect(EndpointName.candidates(for: endpoint).names.first == expected)
    }

    @Test func listsOfListsAreNamedByTheirElements() {
        let place = Place(file: "")
        let numbers = Schema.Kind.list(Schema(.number, place: place))
        let lists = Schema.Kind.list(Schema(numbers, place: place))
        #expect(numbers.word == "numbers")
        #expect(SwiftName.member(lists.word) == "numberLists")
        #expect(
            Schema.Kind.list(Schema(.dictionary(Schema(.number, place: place)), place: place)).word == "dictionaries")
    }

    @Test func searchesWithTheSamePathHaveDifferentNames() throws {
        let both = #""/orders/search": {"get": {}, "post": {}}"#
        #expect(try names(both) == ["SearchOrdersRequest", "SearchOrdersByBodyRequest"])
        #expect(
            try names(#""/orders/search": {"get": {"operationId": "getHits"}, "post": {}}"#).last
                == "SearchOrdersRequest")
    }

    @Test func requestsOfAnAPIDoNotTakeTheNamesOfOthers() throws {
        let operations = #"{"delete": {}}"#
        let names = try names(#""/files/{id}": \#(operations), "/file_requests/{id}": \#(operations)"#)
        #expect(names.sorted() == ["DeleteFileRequest", "DeleteFileRequestRequest"])
        #expect(try self.names(#""/file_requests/{id}": \#(operations)"#) == ["DeleteFileRequest"])
    }

    private func names(_ operations: String, _ more: String = "") throws -> [String] {
        try TemporaryFolder().plan(ErrorTests.head + more + #""paths": {\#(operations)}}"#).endpoints.map(\.name)
    }

    @Test func shortNameIsThatOfTheOnlyEndpointThatCouldHaveIt() throws {
        let team = #""/teams/{id}/projects": {"get": {"operationId": "getProjectsForTeam"}}"#
        let all = #""/projects": {"get": {"operationId": "getProjects"}}"#
        #expect(try names(team) == ["ProjectsRequest"])
        #expect(try names("\(all), \(team)") == ["ProjectsRequest", "TeamProjectsRequest"])
    }

    @Test func verbStaysWhereTheNameIsThatOfAnotherEndpointOrAModel() throws {
        let account = #""/account": {"get": {"operationId": "getAccount"}}"#
        let other = #""/accounts/{id}": {"get": {"operationId": "getAccount"}}"#
        #expect(try names("\(account), \(other)") == ["AccountRequest", "GetAccountRequest"])
        let bodies = ["post", "put"].map { #""\#($0)": {"requestBody": \#(Self.content("AccountRequest"))}"# }
        let get = #""get": {"operationId": "getAccount", "responses": {"200": \#(Self.content("Account"))}}"#
        let models = ["Account", "AccountRequest"].map { #""\#($0)": {"properties": {"\#($0)": {"type": "string"}}}"# }
        #expect(
            try names(
                #""/accounts/{id}": {\#(([get] + bodies).joined(separator: ", "))}"#,
                #""components": {"schemas": {\#(models.joined(separator: ", "))}}, "#
            ).contains("GetAccountRequest"))
    }

    @Test func modelOfAPullRequestHasTheNameThatItsEndpointCannotHave() throws {
        let get = #""get": {"operationId": "pulls/get", "responses": {"200": \#(Self.content("pull-request"))}}"#
        let schema = #"{"properties": {"number": {"type": "integer"}}}"#
        let plan = try TemporaryFolder().plan(
            ErrorTests.head
                + #""components": {"schemas": {"pull-request": \#(schema)}}, "paths": {"/pulls/{n}": {\#(get)}}}"#
        )
        #expect(plan.endpoints.map(\.name) == ["GetPullRequest"])
        #expect(plan.types.values.map(\.name) == ["PullRequest"])
    }

    private static func content(_ name: String) -> String {
        ##"{"content": {"application/json": {"schema": {"$ref": "#/components/schemas/\##(name)"}}}}"##
    }

    @Test(
        arguments: [
            ("getUrl", "GetURLRequest"), ("getHTTP", "GetHTTPRequest"), ("getResumable", "GetResumableRequest"),
        ] as [(String, String)])
    func endpointDoesNotHaveTheNameOfATypeOfTheLibrary(name: String, expected: String) throws {
        #expect(try names(#""/\#(name.dropFirst(3))": {"get": {"operationId": "\#(name)"}}"#) == [expected])
    }

    @Test func postToWhatCanBeReadUpdatesIt() throws {
        let account = #""/account": {"post": {}, "get": {}}, "/accounts": {"post": {}}"#
        #expect(try names(account).sorted() == ["AccountRequest", "CreateAccountRequest", "UpdateAccountRequest"])
    }

    @Test func updateThatReplacesHasThatVerbBesideAnother() throws {
        let operations = #""put": {"operationId": "vpcs_update"}, "patch": {"operationId": "vpcs_patch"}"#
        #expect(try names(#""/vpcs/{id}": {\#(operations)}"#).sorted() == ["ReplaceVPCRequest", "UpdateVPCRequest"])
    }

    @Test(
        arguments: [
            ("asana", "Asana"), ("GitHub", "GitHub"), ("DigitalOcean-public.v2", "DigitalOceanPublicV2"),
            ("stripe.json", "StripeJSON"), ("IBMCloud", "IBMCloud"), ("my_shop", "MyShop"), ("1password", "_1password"),
        ] as [(String, String)])
    func nameOfAnAPIBecomesThatOfAType(name: String, expected: String) throws {
        #expect(try Generation(name: name).name == expected)
    }

    @Test(arguments: ["", "2024", "..", "-", "API", "json"])
    func nameThatCannotBeginThatOfATypeIsAnError(name: String) {
        let error = #expect(throws: (any Error).self) { try Generation(name: name) }
        #expect("\(error as Any)".contains("\"\(name)\" cannot be the name of an API: choose another one with --name"))
    }
}
