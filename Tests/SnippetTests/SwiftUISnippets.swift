import APIKit
import APIKitTesting
import Observation
import Testing

#if canImport(SwiftUI)
import SwiftUI
#endif

// The code of the article about SwiftUI, unchanged. The views are compiled only on Apple's platforms.

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable final class ItemSearchModel {
    enum Phase: Equatable {
        case idle
        case loading(previous: [Item])
        case found([Item])
        case failed(String)
    }

    var text: String
    private(set) var phase = Phase.idle
    private let client: any APIClient
    private var searchCount = 0

    init(client: any APIClient, text: String = "") {
        self.client = client
        self.text = text
    }

    func search() async {
        searchCount += 1
        let number = searchCount
        guard !text.isEmpty else {
            phase = .idle
            return
        }
        phase = .loading(previous: phase.items)
        // Wait until the user stops typing: the next change cancels this task.
        let pause = Duration.milliseconds(300)
        guard (try? await client.clock.sleep(for: pause)) != nil else { return }
        let result = await result(of: SearchRequest(text: text))
        // Only the last search counts: another one may have begun meanwhile.
        guard number == searchCount, !Task.isCancelled else { return }
        if let result { phase = result }
    }

    private func result(of request: SearchRequest) async -> Phase? {
        do {
            return .found(try await client.send(request))
        } catch .rejected(let error?, _) {
            return .failed(error.reason)
        } catch {
            return alertText(for: error).map { .failed($0) }
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension ItemSearchModel.Phase {
    var items: [Item] {
        switch self {
        case .loading(let items), .found(let items): items
        case .idle, .failed: []
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable final class UploadModel {
    private(set) var fraction: Double?
    private(set) var message: String?
    private(set) var isUploading = false
    private var task: Task<Void, Never>?

    func upload(_ photo: URL, with client: any APIClient) {
        guard !isUploading else { return }
        (fraction, message, isUploading) = (nil, nil, true)
        task = Task {
            do {
                let request = AddPhotoRequest(photo: photo)
                try await client.send(
                    request,
                    progress: .onMainActor { self.fraction = $0.fractionSent })
                message = "Your photo is online."
            } catch {
                message = alertText(for: error)
            }
            isUploading = false
        }
    }

    func cancel() {
        task?.cancel()
    }
}

#if canImport(SwiftUI)
struct LampsView: View {
    @Environment(\.client) private var client
    @State private var lamps: [Item] = []
    @State private var message: String?

    var body: some View {
        List(lamps, id: \.id) { Text($0.name) }
            .overlay { if let message { Text(message) } }
            .task { if lamps.isEmpty { await load() } }
            .refreshable { await load() }
    }

    private func load() async {
        do {
            lamps = try await client.send(LampsRequest(color: "red"))
            message = lamps.isEmpty ? "There are no red lamps." : nil
        } catch {
            // Nil if the request was cancelled, which is no reason for a message.
            message = alertText(for: error)
        }
    }
}

extension EnvironmentValues {
    @Entry var client: any APIClient = URLSession.api
}

struct ShopApp: App {
    private let client: any APIClient = URLSession.api.retrying()

    var body: some Scene {
        WindowGroup {
            LampsView().environment(\.client, client)
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
struct ItemSearchView: View {
    @State private var model: ItemSearchModel

    init(client: any APIClient, text: String = "") {
        _model = State(initialValue: ItemSearchModel(client: client, text: text))
    }

    var body: some View {
        NavigationStack {
            content
                .navigationTitle("Search")
                .searchable(text: $model.text)
                .task(id: model.text) { await model.search() }
        }
    }

    @ViewBuilder private var content: some View {
        switch model.phase {
        case .idle: Text("What are you looking for?")
        case .loading(previous: []): ProgressView()
        case .found([]): ContentUnavailableView.search(text: model.text)
        case .loading(let items), .found(let items):
            List(items, id: \.id) { Text($0.name) }
        case .failed(let message):
            ContentUnavailableView {
                Label(message, systemImage: "exclamationmark.triangle")
            } actions: {
                Button("Try again") { Task { await model.search() } }
            }
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
struct UploadView: View {
    let photo: URL
    let client: any APIClient
    let model: UploadModel

    var body: some View {
        VStack {
            if model.isUploading {
                ProgressView("Uploading", value: model.fraction)
                Button("Cancel", role: .cancel) { model.cancel() }
            } else {
                Button("Upload") { model.upload(photo, with: client) }
            }
            if let message = model.message { Text(message) }
        }
        .padding()
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
struct PhotoApp: App {
    let photo: URL
    let client: any APIClient

    @State private var uploads = UploadModel()

    init() {
        photo = URL.documentsDirectory.appending(path: "beach.jpg")
        client = URLSession.api
    }

    var body: some Scene {
        WindowGroup {
            UploadView(photo: photo, client: client, model: uploads)
        }
    }
}
#endif

@Suite(.timeLimit(.minutes(10))) struct SwiftUISnippets {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func searchFindsItems() async {
        let lamps = [Item(id: 7, name: "Lamp")]
        let stub = StubClient(clock: ManualClock(skippingSleep: true))
            .answering(SearchRequest.self, with: .model(lamps))
        let model = ItemSearchModel(client: stub, text: "lamp")
        await model.search()
        #expect(model.phase == .found(lamps))
    }

    /// The task of a button is not cancelled if the user types, so its response may be later than that of the new text.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test(arguments: [true, false]) func overtakenSearchChangesNothing(fails: Bool) async {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let stub = StubClient(clock: ManualClock(skippingSleep: true)).answering(SearchRequest.self) { request in
            guard request.text == "slow" else { return [Item(id: 2, name: "fast")] }
            arrival.finish()
            for await _ in gate {}
            if fails { throw TransportError(.timedOut) }
            return [Item(id: 1, name: "slow")]
        }
        let model = ItemSearchModel(client: stub, text: "slow")
        let slow = Task { await model.search() }
        for await _ in arrivals {}
        model.text = "fast"
        await model.search()
        #expect(model.phase == .found([Item(id: 2, name: "fast")]))
        opening.finish()
        await slow.value
        #expect(model.phase == .found([Item(id: 2, name: "fast")]))
        #expect(stub.requests.count == 2)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func oldItemsStayUntilTheNextAreThere() async {
        let lamps = [Item(id: 7, name: "Lamp")]
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let stub = StubClient(clock: ManualClock(skippingSleep: true)).answering(SearchRequest.self) { request in
            guard request.text == "lamps" else { return lamps }
            arrival.finish()
            for await _ in gate {}
            return []
        }
        let model = ItemSearchModel(client: stub, text: "lamp")
        await model.search()
        model.text = "lamps"
        let search = Task { await model.search() }
        for await _ in arrivals {}
        #expect(model.phase == .loading(previous: lamps))
        opening.finish()
        await search.value
        #expect(model.phase == .found([]))
        model.text = ""
        await model.search()
        #expect(model.phase == .idle)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func searchWaitsUntilTheUserStopsTyping() async {
        let clock = ManualClock()
        let stub = StubClient(clock: clock).answering(SearchRequest.self, with: .model([]))
        let model = ItemSearchModel(client: stub, text: "la")
        let search = Task { await model.search() }
        await clock.waitForSleepers(1)
        search.cancel()
        await search.value
        #expect(stub.requests.isEmpty)
        #expect(model.phase == .loading(previous: []))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func searchShowsATextForUsers() async {
        let stub = StubClient(clock: ManualClock(skippingSleep: true))
            .answering(SearchRequest.self, with: .failure(TransportError(.cannotConnect)))
        let model = ItemSearchModel(client: stub, text: "lamp")
        await model.search()
        #expect(model.phase == .failed("You seem to be offline."))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func searchShowsTheMessageOfTheServer() async {
        let refusal = #"{"reason": "The search is closed on Sundays."}"#
        let stub = StubClient(clock: ManualClock(skippingSleep: true))
            .answering(SearchRequest.self, with: .json(refusal, status: 403))
        let model = ItemSearchModel(client: stub, text: "lamp")
        await model.search()
        #expect(model.phase == .failed("The search is closed on Sundays."))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test(arguments: [true, false]) func cancelledSearchShowsNothing(fails: Bool) async {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (gate, _) = AsyncStream.makeStream(of: Void.self)
        let stub = StubClient(clock: ManualClock(skippingSleep: true)).answering(SearchRequest.self) { _ in
            arrival.finish()
            for await _ in gate {}  // until the task is cancelled
            if fails { throw TransportError(.timedOut) }
            return [Item(id: 7, name: "Lamp")]
        }
        let model = ItemSearchModel(client: stub, text: "lamp")
        let search = Task { await model.search() }
        for await _ in arrivals {}
        search.cancel()
        await search.value
        #expect(model.phase == .loading(previous: []))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func uploadReportsItsEnd() async {
        let stub = StubClient().answering(AddPhotoRequest.self, with: .model(Item(id: 7, name: "Beach")))
        let model = UploadModel()
        model.upload(URL(filePath: #filePath), with: stub)
        #expect(model.isUploading)
        while model.isUploading { await Task.yield() }
        #expect(model.message == "Your photo is online.")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func cancelledUploadShowsNothing() async {
        let stub = StubClient().answering(
            AddPhotoRequest.self, with: .model(Item(id: 7, name: "Beach")).delayed(by: .seconds(3600)))
        let model = UploadModel()
        model.upload(URL(filePath: #filePath), with: stub)
        model.cancel()
        while model.isUploading { await Task.yield() }
        #expect(model.message == nil)
    }
}
