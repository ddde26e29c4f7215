import APIKit
import APIKitTesting
import Testing

/// The code in `Edges`, as it is generated: what real descriptions have, and what once did not compile.
@Suite struct EdgesTests {
    @Test func offsetOf64BitsAdvancesByTheCountOfTheList() async throws {
        let stub = StubClient().answering(
            RowsRequest.self, once: .json(#"{"entries": [{"id": 1}, {"id": 2}]}"#), .json(#"{"entries": []}"#))
        var offsets: [Int64] = []
        for try await page in stub.pages(of: RowsRequest(offset: 5)) { offsets.append(page.request.offset) }
        #expect(offsets == [5, 7])
    }

    @Test func nullsInListsAreReadAndNotSent() throws {
        let json = #"{"numbers": ["a", null], "grid": [[1, null], []], "headers": {"x": "y", "z": null}}"#
        let identity = try Identity.process(data: Data(json.utf8))
        #expect(identity.numbers == ["a", nil])
        let body = try CreateIdentityRequest(identity: identity).httpRequest().body?.data
        let sent = #"{"identity":{"grid":[[1],[]],"headers":{"x":"y"},"numbers":["a"]}}"#
        #expect(body.map { String(decoding: $0, as: UTF8.self) } == sent)
    }

    @Test func schemasWithTheNameOfAnAssociatedTypeAreRead() throws {
        let completion = try Completion.process(data: Data(#"{"text": "t", "model": {"id": "m"}}"#.utf8))
        #expect(completion.model.id == "m")
    }

    @Test func listsAndDictionariesOfThemselvesAreRead() throws {
        guard case .items(let nests) = try Nest.process(data: Data("[[], [[]]]".utf8)) else { return }
        #expect(nests.count == 2)
        guard case .dictionary(let trees) = try Tree.process(data: Data(#"{"a": {"b": {}}}"#.utf8)) else { return }
        #expect(Array(trees.keys) == ["a"])
    }

    @Test(arguments: [(200, "ok"), (206, "ok"), (202, "success"), (299, "success")])
    func exactStatusesHaveTheirBodyAndOthersThatOfTheRange(status: Int, kind: String) async throws {
        let json = kind == "ok" ? #"{"id": "j"}"# : #"{"percent": 5}"#
        let stub = StubClient().answering(JobRequest.self, with: .json(json, status: status))
        switch try await stub.send(JobRequest(id: "j")) {
        case .ok(let job): #expect(kind == "ok" && job.id == "j")
        case .success(let progress): #expect(kind == "success" && progress.percent == 5)
        }
    }

    @Test func timesWithoutAnOffsetAreTexts() throws {
        let json = #"[{"AssociationDateUtc": "2020-12-10T01:22:00.0000000", "UpdatedDateUtc": "2020-12-10T01:22:00Z"}]"#
        let associations = try [Association].process(data: Data(json.utf8))
        #expect(associations[0].associationDateUTC == "2020-12-10T01:22:00.0000000")
        #expect(associations[0].updatedDateUTC == Date(timeIntervalSince1970: 1_607_563_320))
    }

    @Test func listsAndObjectsHaveTheirOwnStyles() throws {
        let request = TileRequest(
            ids: [1, 2], point: .init(x: 3, y: 4), layer: "base", tags: ["a", "b,c"],
            filter: .init(kinds: ["k", "l"]), all: ["p", "q"], states: ["r", "s"], words: ["t", "u"])
        let url = try request.httpRequest().url
        #expect(url.path(percentEncoded: true) == "/maps/1,2/x=3,y=4/tile.base;tags=a;tags=b%2Cc")
        #expect(
            url.query(percentEncoded: true)
                == "filter%5Bkinds%5D%5B0%5D=k&filter%5Bkinds%5D%5B1%5D=l&all=p&all=q&states=r%7Cs&words=t%20u")
    }

    @Test func emptyListsSendNothing() throws {
        let request = TileRequest(ids: [1], point: .init(x: 3, y: 4), layer: "b", tags: ["a"])
        #expect(try request.httpRequest().url.query(percentEncoded: true) == nil)
    }

    @Test func objectInAFormIsSentAsItsMembers() throws {
        let body = try CreateFilterRequest(name: "a", high: 9, low: 1).httpRequest().body?.data
        #expect(body.map { String(decoding: $0, as: UTF8.self) } == "name=a&high=9&low=1")
    }

    @Test func optionsOfRetriesAreThoseOfTheBaseAndTheEndpoint() throws {
        let charge = try CreateChargeRequest().httpRequest().options
        #expect(charge.sendsIdempotencyKey == true)
        #expect(charge.isIdempotent == nil)
        #expect(charge.retries == .init(attempts: 5, statuses: Set(500...599).union([429])))
        let search = try SearchRequest().httpRequest()
        #expect(search.isIdempotent)
        #expect(search.options.retries == .init(attempts: 3, statuses: Set(500...599).union([429])))
    }

    @Test func pagesFollowTheLinksThatAnExtensionTells() async throws {
        let next: HTTPHeaders = ["Link": #"</entries?page=c2>; rel="next""#, "X-Total-Count": "2"]
        let stub = StubClient().answering(
            EntriesRequest.self, once: .json(#"[{"id": 1}]"#, headers: next), .json(#"[{"id": 2}]"#))
        var ids: [Int] = []
        for try await row in stub.items(of: EntriesRequest()) { ids.append(row.id) }
        #expect(ids == [1, 2])
        #expect(stub.requests.last?.url.query() == "page=c2")
        let reply = try await StubClient().answering(EntriesRequest.self, with: .json("[]", headers: next))
            .reply(to: EntriesRequest())
        #expect(EntriesRequest().total(in: reply) == 2)
    }
}
