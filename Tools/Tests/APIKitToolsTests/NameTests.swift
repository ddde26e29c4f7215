import Testing

@testable import APIKitTools

@Suite struct NameTests {
    @Test(arguments: [
        ("html_url", "htmlURL", "HTMLURL"), ("id", "id", "ID"), ("userIDs", "userIDs", "UserIDs"),
        ("Content-Type", "contentType", "ContentType"), ("url", "url", "URL"),
        ("HTTPServer", "httpServer", "HTTPServer"),
        ("GitHub", "gitHub", "GitHub"), ("1-click", "_1Click", "_1Click"), ("+1", "plus1", "Plus1"),
        ("", "empty", "empty"),
        ("simple user's", "simpleUserS", "SimpleUserS"), ("AccountSid", "accountSID", "AccountSID"),
    ])
    func namesAreThoseOfSwift(name: String, member: String, type: String) {
        #expect(SwiftName.member(name) == member)
        #expect(SwiftName.type(name) == type)
    }

    @Test(arguments: [
        ("categories", "Category"), ("addresses", "Address"), ("statuses", "Status"), ("people", "Person"),
        ("news", "News"), ("boxes", "Box"), ("users", "User"), ("data", "Data"), ("status", "Status"),
    ])
    func elementsAreNamedInTheSingular(name: String, element: String) {
        #expect(SwiftName.element(name) == element)
    }

    @Test(arguments: [
        ("repos/list-for-user", "GET", "/users/{u}/repos", "ListReposForUser"),
        ("issues/create", "POST", "/issues", "CreateIssue"), ("getPet", "GET", "/pets/{id}", "GetPet"),
        ("GetCustomersCustomer", "GET", "/v1/customers/{customer}", "GetCustomer"),
        (nil, "POST", "/invoices/{id}/pay", "PayInvoice"), (nil, "GET", "/users", "ListUsers"),
        (nil, "DELETE", "/users/{id}", "DeleteUser"), (nil, "GET", "/", "GetRoot"),
        ("PostCharges", "POST", "/v1/charges", "CreateCharge"), ("apps_list_events", "GET", "/a", "ListAppEvents"),
    ])
    func endpointsAreNamedByVerbAndObject(name: String?, method: String, path: String, expected: String) {
        let endpoint = Endpoint(name: name, method: method, path: path, place: Place(file: ""))
        #expect(EndpointName.candidates(for: endpoint).first == expected)
    }

    @Test(arguments: [
        ("asana", "Asana"), ("GitHub", "GitHub"), ("DigitalOcean-public.v2", "DigitalOceanPublicV2"),
        ("stripe.json", "StripeJSON"), ("IBMCloud", "IBMCloud"), ("my_shop", "MyShop"), ("1password", "_1password"),
    ])
    func nameOfAnAPIBecomesThatOfAType(name: String, expected: String) throws {
        #expect(try Generation(name: name).name == expected)
    }

    @Test(arguments: ["", "2024", "..", "-", "API", "json"])
    func nameThatCannotBeginThatOfATypeIsAnError(name: String) {
        let error = #expect(throws: (any Error).self) { try Generation(name: name) }
        #expect("\(error as Any)".contains("\"\(name)\" cannot be the name of an API: choose another one with --name"))
    }
}
