import APIKit
import APIKitTesting
import Testing

/// The code in `Shop`, as it is generated, against its API as it is now and as it may be later.
@Suite struct ShopTests {
    private static let product =
        #""id": 7, "name": "Lamp", "price": {"amount": 5, "currency": "EUR"}, "state": "sold_out""#

    private func product(_ members: String) throws -> Product { try Product.process(data: Data("{\(members)}".utf8)) }

    private func order(_ payment: String, _ members: String = "") throws -> Order {
        try Order.process(data: Data(#"{"id": "1", "note": null, "payment": \#(payment)\#(members)}"#.utf8))
    }

    private func body(_ request: some APIRequest) throws -> String? {
        try request.httpRequest().body?.data.map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: - Requests

    /// The code of the article *Generating endpoints from OpenAPI*: compiled, not run, since there is no such server.
    func sending(token: String) async throws {
        let shop = URLSession.api.authorized(by: .shop(token: token), for: .shop)
        let label = try await shop.send(ReturnLabelRequest(id: "7"))
        print(label.trackingNumber)
    }

    @Test func queryIsAsDescribed() throws {
        let request = ProductsRequest(
            priceMax: 9.5, filter: .init(name: "a b"), ids: [1, 2], sizes: ["s", "m"], xTrace: "t", sort: .updatedAt)
        let wire = try request.httpRequest()
        #expect(wire.url.path() == "/v2/products")
        let query =
            "price%5Bmax%5D=9.5&filter%5Bname%5D=a%20b&ids=1,2&sizes%5B0%5D=s&sizes%5B1%5D=m&sort=updated_at"
        #expect(wire.url.query(percentEncoded: true) == query)
        #expect(wire.headers["X-Trace"] == "t")
    }

    @Test func pathsHoldSuffixesAndSlashes() throws {
        #expect(
            try FileRequest(filePath: "a/b c.txt").httpRequest().url.path(percentEncoded: true)
                == "/v2/files/a/b%20c.txt")
        let product = try DeleteProductRequest(shopID: 3, id: "x").httpRequest()
        #expect(product.url.absoluteString == "https://eu.shop.example.com/v2/shops/3/products/x.json")
        #expect(product.method == .delete)
        let upload = try ReplaceFileRequest(filePath: "a", data: Data([1])).httpRequest()
        #expect(upload.url.absoluteString == "https://uploads.shop.example.com/files/a")
        #expect(upload.headers[.contentType] == "image/png")
    }

    @Test func bodiesAreAsDescribed() throws {
        let update = UpdateProductRequest(
            shopID: 1, id: "x", productBody: "b", discount: .clear, images: [.init(url: "u")])
        #expect(try body(update) == #"{"body":"b","discount":null,"images":[{"url":"u"}]}"#)
        let order = CreateOrderRequest(products: ["a", "b"], kind: .gift, address: .init(city: "Bonn"))
        #expect(try body(order) == "products=a&products=b&kind=gift&address%5Bcity%5D=Bonn")
        let new = Product(name: "Lamp", state: .available, price: Money(amount: 5, currency: "EUR"))
        #expect(
            try body(CreateProductRequest(product: new))
                == #"{"name":"Lamp","price":{"amount":5,"currency":"EUR"},"state":"available"}"#)
        let photo = UploadPhotoRequest(
            photo: FilePart(Data([1]), filename: "a.png"), caption: "c", place: .init(city: "Bonn"))
        #expect(try photo.httpRequest().headers[.contentType]?.hasPrefix("multipart/form-data") == true)
        #expect(
            try body(photo)?.contains(
                "name=\"place\"\r\nContent-Type: application/json\r\n\r\n{\"city\":\"Bonn\"}\r\n") == true)
    }

    @Test func streamIsAnEndpointOfItsOwn() throws {
        #expect(try body(StreamAnswerRequest(question: "?")) == #"{"question":"?","stream":true}"#)
        #expect(try StreamAnswerRequest(question: "?").httpRequest().headers[.accept]?.contains("event-stream") == true)
    }

    @Test func constantsOfThePathAreParameters() throws {
        let query = try SearchOrdersRequest(q: "x").httpRequest().url.query()
        #expect(query == "type=code&q=x&page=1")
    }

    // MARK: - Responses

    @Test func statusesDecideWhatIsRead() async throws {
        let stub = StubClient()
            .answering(CreateOrderRequest.self, once: .json(#"{"check_url": "u"}"#, status: 202))
            .answering(UpdateProductRequest.self, once: .status(202))
        let placed = try await stub.send(CreateOrderRequest(products: []))
        guard case .accepted(let accepted) = placed else { throw CancellationError() }
        #expect(accepted.checkURL == "u")
        #expect(try await stub.send(UpdateProductRequest(shopID: 1, id: "x")) == nil)
    }

    @Test func contentOfAnObjectIsReturned() async throws {
        let stub = StubClient()
            .answering(
                ReturnLabelRequest.self, once: .json(#"{"return_label": {"tracking_number": "7"}}"#), .json("{}"))
        #expect(try await stub.send(ReturnLabelRequest(id: "1")).trackingNumber == "7")
        do {
            _ = try await stub.send(ReturnLabelRequest(id: "1"))
            Issue.record("not thrown")
        } catch { #expect("\(error)".contains("returnLabel is missing")) }
    }

    @Test func pagesOfAListInAnObjectEndWithoutAList() async throws {
        let event = #"{"type": "sale", "product": {\#(Self.product)}}"#
        let stub = StubClient()
            .answering(EventsRequest.self, once: .json(#"{"sale_events": [\#(event)]}"#), .json("{}"))
        var pages: [Int] = []
        for try await page in stub.pages(of: EventsRequest(id: "1")) { pages.append(page.model?.count ?? 0) }
        #expect(pages == [1, 0])
    }

    @Test func pagesFollowTheCursor() async throws {
        let page = #"{"orders": [{"id": "1", "note": "n", "payment": {"kind": "card", "id": "p", "last4": "1"}}]"#
        let stub = StubClient().answering(
            OrdersRequest.self, once: .json(page + #", "next_cursor": "c"}"#), .json(page + "}"))
        var ids: [String] = []
        for try await order in stub.items(of: OrdersRequest(), in: \.orders) { ids.append(order.id) }
        #expect(ids == ["1", "1"])
        #expect(stub.requests.last?.url.query() == "cursor=c")
    }

    @Test func failuresAreThoseOfTheAPI() async throws {
        let stub = StubClient().answering(
            DeleteProductRequest.self, with: .json(#"{"message": "m", "errors": ["e"]}"#, status: 422))
        do {
            try await stub.send(DeleteProductRequest(shopID: 1, id: "x"))
            Issue.record("not thrown")
        } catch APIError<ShopError>.rejected(let error?, _) {
            #expect(error.message == "m" && error.errors == ["e"])
        }
    }

    @Test func recursiveModelsAreRead() throws {
        let product = try product(
            Self.product + #", "category": {"name": "a", "parent": {"name": "b"}, "children": []}"#)
        #expect(product.category?.parent?.name == "b")
    }

    @Test(arguments: ["street", "shop_id"])
    func variantsWithoutATagAreRecognizedByTheirMembers(name: String) throws {
        let value = name == "street" ? #""Main Street""# : "3"
        let delivery = #", "delivery": {"date": "2026-11-25", "\#(name)": \#(value)}"#
        switch try order(#"{"kind": "card", "id": "p", "last4": "1"}"#, delivery).delivery {
        case .courier(let courier): #expect(name == "street" && courier.street == "Main Street")
        case .pickup(let pickup): #expect(name == "shop_id" && pickup.shopID == 3)
        case .other, nil: Issue.record("not recognized")
        }
    }

    @Test func namesInSnakeCaseAreReadAndThoseThatAreDataAreKept() throws {
        let product = try product(
            Self.product + #", "html_url": "u", "extra": {"a_b": [{"c_url": 1}]}, "labels": {"d_e": "f"}"#)
        #expect(product.htmlURL == "u" && product.labels == ["d_e": "f"])
        #expect(product.extra == ["a_b": [["c_url": 1]]])
    }

    // MARK: - Forward compatibility, as the guide says

    @Test func newMembersAreIgnored() throws {
        #expect(try product(Self.product + #", "colors": ["red"]"#).id == 7)
    }

    @Test func newTextsOfAnEnumAreKept() throws {
        let product = try product(Self.product.replacing("sold_out", with: "hidden"))
        #expect(product.state.rawValue == "hidden" && product.state != .soldOut)
    }

    @Test func newVariantsAreKept() throws {
        guard case .other(.object(let members)) = try order(#"{"kind": "coin", "id": "p"}"#).payment else {
            throw CancellationError()
        }
        #expect(members == ["kind": .string("coin"), "id": .string("p")])
        guard case .card(let card) = try order(#"{"kind": "card", "id": "p", "last4": "1"}"#).payment else {
            throw CancellationError()
        }
        #expect(card.last4 == "1")
    }

    @Test func missingRequiredMembersAreErrorsThatNameThem() throws {
        #expect(throws: DecodingError.self) { try product(#""id": 7, "name": "Lamp""#) }
        #expect(try product(Self.product).htmlURL == nil)
    }

    @Test func nullIsNilWhereAMemberIsOptional() throws {
        #expect(try product(Self.product + #", "html_url": null, "discount": null"#).htmlURL == nil)
        #expect(throws: DecodingError.self) { try product(Self.product.replacing(#""Lamp""#, with: "null")) }
    }
}
