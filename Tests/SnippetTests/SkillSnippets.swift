import APIKit
import APIKitTesting
import Testing

// The code of the guide for coding assistants, skills/apikit/SKILL.md, unchanged.

nonisolated extension APIBase {
    static let garden = APIBase(
        "https://garden.example.com/v1", headers: ["X-Api-Version": "2026-11"])
}

struct GardenError: JSONResponse, Error {
    let message: String
}
nonisolated protocol GardenRequest: APIRequest {
    associatedtype Failure = GardenError
}
nonisolated extension GardenRequest {
    var base: APIBase { .garden }
}

struct Plant: JSONResponse, JSONBody, Equatable {
    let id: Int
    var name: String
    var planted: Date?
}
struct NewPlant: JSONBody { var name: String }

nonisolated protocol PondModel: JSONResponse, JSONBody {}
nonisolated extension PondModel {
    static var decoder: JSONReader {
        JSONReader(keys: .convertFromSnakeCase, dates: .secondsSince1970)
    }
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder.api  // sorted keys, slashes as they are
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        return encoder
    }
}

struct PondEnvelope<Content: Decodable & Sendable>: JSONEnvelope {
    let data: Content
    var content: Content { data }
}

nonisolated struct Carp: Codable, Sendable { let length: Int }
enum Fish: TaggedUnion {
    case carp(Carp)  // {"type": "carp", "length": 40}
    case unknown(JSONValue)
    static var tagName: String { "type" }
    static var unknownCase: String? { "unknown" }
}
struct FishRequest: GardenRequest {
    typealias Response = PondEnvelope<[Tagged<Fish>]>
    var path: URLPath { "fish" }
}

struct PlantRequest: GardenRequest {
    var id: Int
    typealias Response = Plant
    var path: URLPath { "plants/\(id)" }
}

struct PlantsRequest: GardenRequest {
    var kind: String?
    var tags: [String] = []
    typealias Response = [Plant]
    var path: URLPath { "plants" }
    var parameters: Parameters { ["kind": kind, "tag": tags] }
}

struct AddPlantRequest: GardenRequest {
    var plant: NewPlant
    typealias Response = Plant
    var method: HTTPMethod { .post }
    var path: URLPath { "plants" }
    var body: RequestBody? { .json(plant) }
}

struct UpdatePlantRequest: GardenRequest, JSONRequest {
    var id: Int
    var name: String?
    var planted: Patch<Date> = .keep
    typealias Response = Plant
    var method: HTTPMethod { .patch }
    var path: URLPath { "plants/\(id)" }
    var parameters: Parameters { ["name": name, "planted": planted] }
}

struct DeletePlantRequest: GardenRequest {
    var id: Int
    typealias Response = NoContent
    var method: HTTPMethod { .delete }
    var path: URLPath { "plants/\(id)" }
}

func rename(_ id: Int, on client: any APIClient) async -> String {
    do {
        let plant = try await client.send(PlantRequest(id: id))
        let request = UpdatePlantRequest(id: id, name: plant.name.uppercased())
        return try await client.send(request).name
    } catch APIError<GardenError>.rejected(let failure, let response) {
        return failure?.message ?? "status \(response.head.status)"
    } catch {
        return error.localizedDescription
    }
}

@MainActor final class PlantModel {
    let client: any APIClient
    var name = ""
    var message: String?
    init(client: any APIClient) { self.client = client }

    func load(_ id: Int) -> Task<Void, Never> {
        Task {
            do throws(APIError<GardenError>) {
                name = try await client.send(PlantRequest(id: id)).name
            } catch {
                switch error {
                case .cancelled: break
                case .transport(let error) where error.code != .other:
                    message = "There is no connection to the garden."
                case .rejected(let failure?, _): message = failure.message
                default: message = "That did not work."
                }
            }
        }
    }
}

func makeGardenClient(token: String) -> any APIClient {
    URLSession.api
        .logged { print($0) }
        .limited(concurrent: 8)
        .authorized(by: .bearer(token), for: "https://garden.example.com/v1")
        .retrying(.backoff(attempts: 3))
}

actor GardenSession: CredentialSource {
    var token: String
    let client: any APIClient
    init(token: String, client: any APIClient) {
        self.token = token
        self.client = client
    }
    func credential() -> Credential? { .bearer(token) }
    func replacement(for refused: Credential) async throws -> Credential? {
        token = try await client.send(RefreshTokenRequest(token: token)).token
        return credential()
    }
}

struct PlantPage: JSONResponse {
    let plants: [Plant]
    let nextCursor: String?
}
struct PlantPagesRequest: GardenRequest, PagedRequest {
    var cursor: String?
    typealias Response = PlantPage
    var path: URLPath { "plants/pages" }
    var parameters: Parameters { ["cursor": cursor] }
    func next(after reply: APIReply<PlantPage>) -> Self? {
        next(setting: \.cursor, to: reply.model.nextCursor)
    }
}

func useGarden1(on client: any APIClient) async throws {
    for try await plant in client.items(of: PlantPagesRequest(), in: \.plants) {
        print(plant.name)
    }
}

nonisolated struct Moisture: Codable, EventModel { let percent: Double }
struct MoistureRequest: GardenRequest {
    typealias Response = JSONEvents<Moisture>
    var path: URLPath { "moisture" }
}

nonisolated enum GardenEvent: EventModel {
    case moisture(Moisture)
    case finished
    static var rules: EventRules<GardenEvent> {
        EventRules(
            ["moisture": .decoded { .moisture($0) }, "done": .constant(.finished)],
            end: .type("done"), failure: .type("error"))
    }
}

func useGarden2(on client: any APIClient) async throws {
    for try await moisture in try await client.send(MoistureRequest()) {
        print(moisture.percent)
    }
}

struct UploadPhotoRequest: GardenRequest {
    var id: Int
    var photo: URL
    typealias Response = Plant
    var method: HTTPMethod { .post }
    var path: URLPath { "plants/\(id)/photo" }
    var parameters: Parameters { ["photo": FilePart(photo)] }
}
struct GuideRequest: GardenRequest {
    typealias Response = DownloadedFile
    var path: URLPath { "guide.pdf" }
}

struct TimeLapseRequest: GardenRequest, ResumableRequest {
    var place: URL
    var path: URLPath { "timelapse.mp4" }
    var download: ResumableDownload { ResumableDownload(to: place) }
}

func useGarden3(to place: URL, on client: any APIClient) async throws {
    let file = try await client.send(
        GuideRequest(), progress: .anywhere { print($0.fractionReceived ?? 0) })
    try file.move(to: place)
}

struct RefreshTokenRequest: GardenRequest {
    struct Response: JSONResponse { let token: String }
    let token: String
    var path: URLPath { "token" }
}

@Suite struct SkillSnippets {
    @Test func renamesAPlant() async throws {
        let stub = StubClient()
            .answering(PlantRequest.self, with: .json(#"{"id": 7, "name": "Fern"}"#))
            .answering(UpdatePlantRequest.self, with: .model(Plant(id: 7, name: "FERN")))
        #expect(await rename(7, on: stub) == "FERN")
        #expect(stub.requests(of: UpdatePlantRequest.self).map(\.name) == ["FERN"])

        let url = try PlantsRequest(kind: "fern").httpRequest().url
        #expect(url.absoluteString == "https://garden.example.com/v1/plants?kind=fern")
        #expect(UpdatePlantRequest(id: 7).likelyMistakes() == [])
    }
    @Test func waitsBeforeTheSecondAttempt() async throws {
        let clock = ManualClock()
        let stub = StubClient(clock: clock)
            .answering(
                PlantsRequest.self,
                once: .status(503, headers: ["Retry-After": "5"]), .json("[]"))
        async let plants = stub.retrying(.backoff(attempts: 2)).send(PlantsRequest())
        await clock.waitForSleepers()
        #expect(stub.requests.count == 1)
        clock.advance(by: .seconds(5))
        #expect(try await plants.isEmpty)
    }

    // What the guide says in sentences.

    @Test(.timeLimit(.minutes(10))) @MainActor func aModelShowsTheFailure() async throws {
        let model = PlantModel(
            client: StubClient().answering(
                PlantRequest.self, with: .json(#"{"message": "The fern is asleep."}"#, status: 409)))
        await model.load(7).value
        #expect(model.message == "The fern is asleep.")
    }

    @Test func aDictionaryHasItsNamesInBrackets() throws {
        struct TagRequest: GardenRequest {
            typealias Response = NoContent
            var method: HTTPMethod { .post }
            var path: URLPath { "tags" }
            var parameters: Parameters { ["tag": ["plan": "pro plus"]] }
        }
        let body = try #require(try TagRequest().httpRequest().body?.data)
        #expect(String(decoding: body, as: UTF8.self) == "tag%5Bplan%5D=pro+plus")
    }

    @Test func aSourceIsAskedOnceAndItsClientCanBeAStub() async throws {
        let stub = StubClient()
            .answering(RefreshTokenRequest.self, with: .json(#"{"token": "new"}"#))
            .answering(PlantRequest.self) { request in Plant(id: request.id, name: "Fern") }
        let session = GardenSession(token: "old", client: stub)
        let client =
            stub
            .intercepted { request, _, next in
                let isOld = request.headers["Authorization"] == "Bearer old"
                return isOld ? .status(401) : try await next(request)
            }
            .authorized(by: session, for: .garden)
        #expect(try await client.send(PlantRequest(id: 7)).name == "Fern")
        #expect(stub.requests(of: RefreshTokenRequest.self).count == 1)
        #expect(stub.requests.last?.headers["Authorization"] == "Bearer new")
    }

    @Test func aWrappedUnionIsRead() async throws {
        let json = #"{"data": [{"type": "carp", "length": 40}, {"type": "pike"}]}"#
        let stub = StubClient().answering(FishRequest.self, with: .json(json))
        let fish = try await stub.send(FishRequest()).map(\.value)
        guard case .carp(let carp) = try #require(fish.first), case .unknown = try #require(fish.last) else {
            Issue.record("read as \(fish)")
            return
        }
        #expect(carp.length == 40)
    }

    @Test func aModelWithConventionsOfItsOwnIsReadAndWritten() throws {
        struct Pump: PondModel, Equatable { var lastRun: Date }
        struct PumpRequest: GardenRequest, Equatable {
            var pump: Pump
            typealias Response = Pump
            var method: HTTPMethod { .put }
            var path: URLPath { "pump" }
            var body: RequestBody? { .json(pump) }
        }
        let pump = Pump(lastRun: Date(timeIntervalSince1970: 7))
        let request = try PumpRequest(pump: pump).httpRequest()
        #expect(request.headers["X-Api-Version"] == "2026-11")
        let json = try #require(request.body?.data)
        #expect(String(decoding: json, as: UTF8.self) == #"{"last_run":7}"#)
        #expect(try Pump.process(data: json) == pump)
    }

    @Test func eventsHaveTypesOfTheirOwn() async throws {
        struct EventsRequest: GardenRequest {
            typealias Response = JSONEvents<GardenEvent>
            var path: URLPath { "events" }
        }
        let events = """
            event: moisture
            data: {"percent": 12.5}

            event: ping
            data: {}

            event: done
            data: {}


            """
        let stub = StubClient().answering(EventsRequest.self, with: .stream(events))
        var percents: [Double] = []
        var isFinished = false
        for try await event in try await stub.send(EventsRequest()) {
            switch event {
            case .moisture(let moisture): percents.append(moisture.percent)
            case .finished: isFinished = true
            }
        }
        #expect(percents == [12.5])
        #expect(isFinished)
    }

    @Test func theLastRuleOfAStubIsAskedFirst() async throws {
        let stub = StubClient()
            .answering(PlantsRequest.self, with: .json("[]"))
            .answering(PlantsRequest.self, once: .status(503))
        await #expect(throws: APIError<GardenError>.self) { try await stub.send(PlantsRequest()) }
        #expect(try await stub.send(PlantsRequest()).isEmpty)
        #expect(try await stub.send(PlantsRequest()).isEmpty)
    }

    @Test func partsAreFilesDataOrModels() throws {
        struct PartsRequest: GardenRequest {
            typealias Response = NoContent
            var method: HTTPMethod { .post }
            var path: URLPath { "parts" }
            var parameters: Parameters {
                [
                    "photo": FilePart(Data([1]), filename: "a.jpg"),
                    "plant": FilePart(.json(NewPlant(name: "Fern")), filename: nil),
                ]
            }
        }
        let body = try #require(try PartsRequest().httpRequest().body?.data)
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains("image/jpeg"))
        #expect(text.contains(#"{"name":"Fern"}"#))
    }
}
