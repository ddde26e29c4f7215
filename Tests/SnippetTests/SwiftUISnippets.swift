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
        case idle, loading
        case found([Item])
        case failed(String)
    }

    var text = ""
    private(set) var phase = Phase.idle
    private let client: any APIClient

    init(client: any APIClient) {
        self.client = client
    }

    func search() async {
        phase = text.isEmpty ? .idle : .loading
        guard !text.isEmpty else { return }
        do {
            let items = try await client.send(SearchRequest(text: text))
            if !Task.isCancelled { phase = .found(items) }
        } catch {
            if let message = alertText(for: error) { phase = .failed(message) }
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
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
struct ItemSearchView: View {
    @State private var model: ItemSearchModel

    init(client: any APIClient) {
        _model = State(initialValue: ItemSearchModel(client: client))
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
        case .loading: ProgressView()
        case .found(let items): List(items, id: \.id) { Text($0.name) }
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
    @State private var model = UploadModel()

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
#endif

@Suite(.timeLimit(.minutes(10))) struct SwiftUISnippets {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func searchFindsItems() async {
        let lamps = [Item(id: 7, name: "Lamp")]
        let stub = StubClient().answering(SearchRequest.self, with: .model(lamps))
        let model = ItemSearchModel(client: stub)
        model.text = "lamp"
        await model.search()
        #expect(model.phase == .found(lamps))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func searchShowsATextForUsers() async {
        let model = ItemSearchModel(client: StubClient { _ in throw TransportError(.cannotConnect) })
        model.text = "lamp"
        await model.search()
        #expect(model.phase == .failed("You seem to be offline."))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func cancelledSearchShowsNothing() async {
        let model = ItemSearchModel(client: StubClient { _ in throw CancellationError() })
        model.text = "lamp"
        let search = Task { await model.search() }
        search.cancel()
        await search.value
        #expect(model.phase == .loading)
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
