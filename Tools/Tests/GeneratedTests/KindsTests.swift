import APIKit
import APIKitTesting
import Testing

/// The code in `Kinds`, as it is generated: what generators of code often lose.
@Suite struct KindsTests {
    private func body(_ request: some APIRequest) throws -> String? {
        try request.httpRequest().body?.data.map { String(decoding: $0, as: UTF8.self) }
    }

    private func pets(_ json: String) throws -> [Pet] { try [Pet].process(data: Data(json.utf8)) }

    // MARK: - Inheritance

    @Test func valuesOfABaseAreItsChildren() throws {
        let pets = try pets(
            """
            [{"petType": "cat", "name": "A", "lives": 9, "friend": {"petType": "puppy", "name": "B", "weeks": 3}},
            {"petType": "dog", "name": "C", "tricks": ["sit"]}, {"petType": "pet", "name": "D"}]
            """)
        guard case .cat(let cat) = pets[0], case .puppy(let puppy)? = cat.friend, case .dog(let dog) = pets[1],
            case .base(let base) = pets[2]
        else {
            Issue.record("\(pets)")
            return
        }
        #expect(cat.lives == 9)
        #expect(puppy.weeks == 3)
        #expect(dog.tricks == ["sit"])
        #expect(base.name == "D")
    }

    @Test func unknownChildrenAreKept() throws {
        guard case .other(let value) = try pets(#"[{"petType": "bird", "name": "E"}]"#)[0] else {
            Issue.record("a bird is none of the described pets")
            return
        }
        #expect(value == .object(["petType": .string("bird"), "name": .string("E")]))
    }

    @Test func childrenAreSentWithTheirTag() throws {
        let cat = Cat(name: "A", lives: 9, friend: .puppy(.init(name: "B", weeks: 3)))
        let json = #"{"friend":{"name":"B","petType":"puppy","weeks":3},"lives":9,"name":"A","petType":"cat"}"#
        #expect(try body(CreatePetRequest(pet: .cat(cat))) == json)
        #expect(
            try body(CreateOwnerRequest(name: "O", shape: .circle(.init(radius: 2))))
                == #"{"name":"O","shape":{"kind":"circle","radius":2}}"#)
    }

    @Test func childrenWithoutAMappingHaveTheirNamesAsTags() throws {
        let json = #"[{"kind": "circle", "radius": 1.5}, {"kind": "Square", "side": 2, "color": "red"}]"#
        let shapes = try [Shape].process(data: Data(json.utf8))
        guard case .circle(let circle) = shapes[0], case .square(let square) = shapes[1] else {
            Issue.record("\(shapes)")
            return
        }
        #expect(circle.radius == 1.5)
        #expect(square.color == "red")
    }

    @Test func baseThatListsItsChildrenIsTheirUnion() throws {
        let json = #"[{"type": "car", "wheels": 4, "doors": 2}, {"type": "bike", "wheels": 2, "bell": true}]"#
        let vehicles = try [Vehicle].process(data: Data(json.utf8))
        guard case .car(let car) = vehicles[0], case .bike(let bike) = vehicles[1] else {
            Issue.record("\(vehicles)")
            return
        }
        #expect(car.doors == 2 && car.wheels == 4)
        #expect(bike.bell == true)
    }

    // MARK: - Enums of numbers

    @Test func numbersOfAnEnumAreReadAndKept() throws {
        let json = """
            [{"id": 1, "priority": 3, "level": -1, "factor": 1.5, "mood": 2, "color": "0f0", "sequence": 5000000000},
            {"id": 2, "priority": 9}]
            """
        let tasks = try [KindsTask].process(data: Data(json.utf8))
        #expect(tasks[0].priority == .high)
        #expect(tasks[0].level == .minus1)
        #expect(tasks[0].factor == .value1Point5)
        #expect(tasks[0].mood == .happy)
        #expect(tasks[0].color == .green)
        #expect(tasks[0].sequence == .value5000000000)
        #expect(tasks[1].priority.rawValue == 9)
    }

    @Test func numbersOfAnEnumAreSent() throws {
        let request = TasksRequest(level: .minus1, ratio: .value0Point5, priorities: [.low, .high], xLevel: .value1)
        let wire = try request.httpRequest()
        #expect(
            wire.url.absoluteString
                == "https://kinds.example.com/tasks/-1?version=2&ratio=0.5&priorities=1&priorities=3&limit=10")
        #expect(wire.headers["X-Level"] == "1")
        #expect(wire.headers["X-Version"] == "3")
        let task = KindsTask(id: 1, priority: .normal, factor: .value0Point5)
        #expect(
            try body(ReplaceTasksRequest(level: .value0, content: [task])) == #"[{"factor":0.5,"id":1,"priority":2}]"#)
    }

    @Test func wholeNumbersInPathsAndHeadersHaveNoFraction() throws {
        let request = RatioRequest(
            ratio: 1, factor: .value1, xFactor: .value2, xRatio: 3, xRatios: [1, 2.5, -0.5])
        let wire = try request.httpRequest()
        #expect(wire.url.absoluteString == "https://kinds.example.com/ratios/1/1")
        #expect(wire.headers["X-Ratio"] == "3")
        #expect(wire.headers["X-Factor"] == "2")
        #expect(wire.headers["X-Ratios"] == "1,2.5,-0.5")
        let half = try RatioRequest(ratio: 0.5, factor: .value0Point5, xFactor: .value2Point5).httpRequest()
        #expect(half.url.absoluteString == "https://kinds.example.com/ratios/0.5/0.5")
        #expect(half.headers["X-Ratio"] == nil && half.headers["X-Factor"] == "2.5")
    }

    @Test func numberThatCannotBeSentIsAnError() throws {
        let request = RatioRequest(ratio: .nan, factor: .value1, xFactor: .value2)
        #expect(throws: RequestError.self) { try request.httpRequest() }
        let header = RatioRequest(ratio: 1, factor: .value1, xFactor: .value2, xRatio: .infinity)
        #expect(throws: RequestError.self) { try header.httpRequest() }
    }

    // MARK: - Values that are always the same

    @Test func requiredConstantsAreSentAndOptionalOnesAreChosen() throws {
        #expect(try body(CreateCoverRequest(url: "u")) == #"{"format":"cover","version":2,"final":true,"url":"u"}"#)
        let cover = CreateCoverRequest(
            url: "u", type: .external, block: Block(type: .text, text: "t"), quality: .value80)
        #expect(
            try body(cover) == #"{"format":"cover","version":2,"final":true,"url":"u","type":"external","#
                + #""block":{"object":"block","type":"text","text":"t"},"quality":80}"#)
        #expect(try body(CreateBlockRequest(block: Block(text: "t"))) == #"{"object":"block","text":"t"}"#)
    }

    // MARK: - Large numbers

    @Test func numbersWithoutASignHaveAllTheirBits() async throws {
        let stub = StubClient().answering(
            CountersRequest.self,
            once: .json(#"{"total": 4294967295, "entries": [{"value": 18446744073709551615}]}"#),
            .json(#"{"entries": []}"#))
        var values: [UInt64] = []
        var offsets: [UInt64] = []
        for try await page in stub.pages(of: CountersRequest()) {
            values += page.model.entries.map(\.value)
            offsets.append(page.request.offset)
        }
        #expect(values == [.max])
        #expect(offsets == [0, 1])
    }

    // MARK: - Webhooks

    @Test func payloadsOfWebhooksAreRead() throws {
        let shipped = try ParcelShippedEvent.process(
            data: Data(#"{"parcel": {"id": 7}, "carrier": "post", "sent_at": "2026-11-20T18:30:00Z"}"#.utf8))
        #expect(shipped.parcel.id == 7)
        #expect(shipped.carrier == .post)
        #expect(try ParcelCanceledEvent.process(data: Data(#"{"id": 8}"#.utf8)).id == 8)
        #expect(try ParcelPaidEvent.process(data: Data(#"{"amount": 5}"#.utf8)).amount == 5)
        #expect(try PingsEvent.process(data: Data(#"["a"]"#.utf8)) == ["a"])
        guard case .base(let pet) = try PetEvent.process(data: Data(#"{"petType": "pet", "name": "P"}"#.utf8)) else {
            Issue.record("the pet is the base")
            return
        }
        #expect(pet.name == "P")
    }

    // MARK: - Failures

    @Test(
        arguments: [
            (#"{"type": "error", "message": "m", "code": "missing", "context": {"any": 1}}"#, "error", nil),
            (#"{"type": "conflict", "message": "m", "code": "exists", "context": {"field": "f"}}"#, "conflict", "f"),
        ] as [(String, String, String?)])
    func formsOfAFailureAreOneModel(json: String, type: String, field: String?) throws {
        let failure = try KindsError.process(data: Data(json.utf8))
        #expect(failure.type?.rawValue == type)
        #expect(failure.context?.field == field)
        #expect(failure.code == (type == "error" ? .missing : .exists))
    }
}
