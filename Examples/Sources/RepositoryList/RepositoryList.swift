// A SwiftUI screen for iOS and macOS: a search that waits until the user stops typing, pages that load while scrolling,
// and a download with progress. What the user leaves is cancelled, since `task` ends with its view. In Xcode, open
// Examples/Package.swift and show the previews, which need no network.

#if canImport(SwiftUI)
import APIKit
import APIKitTesting
import Combine
import GitHub
import SwiftUI

// MARK: - Endpoints

/// https://docs.github.com/rest/search/search#search-repositories
struct SearchRequest: GitHubRequest, PagedRequest {
    var text: String
    var pageLink: URL?

    typealias Response = SearchResult
    var path: URLPath { "search/repositories" }
    var parameters: Parameters { ["q": text, "per_page": 30] }

    func next(after reply: APIReply<SearchResult>) -> SearchRequest? {
        next(setting: \.pageLink, to: reply.links[.next])
    }
}

struct SearchResult: JSONResponse { let items: [Repository] }

struct Repository: JSONResponse, Identifiable {
    let id: Int
    let name: String

    enum CodingKeys: String, CodingKey {
        case id
        case name = "full_name"  // mojombo/grit
    }
}

/// https://docs.github.com/rest/repos/contents#download-a-repository-archive-zip
struct ArchiveRequest: GitHubRequest {
    var repository: String
    typealias Response = DownloadedFile
    var path: URLPath { "repos/\(segments: repository)/zipball" }
}

/// What users read about a failure; nil if they have cancelled the request. An error's description is for developers.
nonisolated func text(for error: any APIFailure) -> String? {
    if error.isCancellation { return nil }
    switch error.transportCode {
    case .cannotConnect, .nameNotResolved: return "You seem to be offline."
    case .timedOut, .connectionLost: return "The connection is slow. Try again."
    default: return "Something went wrong. Try again later."
    }
}

// MARK: - The list

@MainActor final class RepositoryModel: ObservableObject {
    @Published var text = "http client"
    @Published private(set) var repositories: [Repository] = []
    @Published private(set) var failure: String?
    /// The request for the next page; nil while it is under way, and after the last page.
    private var next: SearchRequest?

    /// Searches once the text has not changed for a moment: each change cancels the task before.
    func search(on client: any APIClient) async {
        guard (try? await client.clock.sleep(for: .milliseconds(300))) != nil else { return }
        (repositories, next) = ([], text.isEmpty ? nil : SearchRequest(text: text))
        await loadMore(from: client)
    }

    func loadMore(from client: any APIClient) async {
        guard let request = next else { return }
        (next, failure) = (nil, nil)
        do {
            let reply = try await client.reply(to: request)
            // The user may have searched for something else meanwhile.
            guard request.text == text else { return }
            repositories += reply.model.items
            next = request.next(after: reply)
        } catch {
            guard request.text == text else { return }
            next = request
            failure = text(for: error)
        }
    }
}

struct RepositoryList: View {
    let client: any APIClient
    @StateObject private var model = RepositoryModel()

    var body: some View {
        NavigationStack {
            List {
                ForEach(model.repositories) { repository in
                    NavigationLink(repository.name) { ArchiveView(repository: repository, client: client) }
                        .task {
                            guard repository.id == model.repositories.last?.id else { return }
                            await model.loadMore(from: client)
                        }
                }
                if let failure = model.failure { Text(failure).foregroundStyle(.secondary) }
            }
            .navigationTitle("Repositories")
            .searchable(text: $model.text)
            .task(id: model.text) { await model.search(on: client) }
        }
    }
}

// MARK: - A download

struct ArchiveView: View {
    let repository: Repository
    let client: any APIClient
    @State private var fraction: Double?
    @State private var outcome: String?

    var body: some View {
        Group {
            if let outcome { Text(outcome) } else { ProgressView(repository.name, value: fraction) }
        }
        .padding()
        .task { await download() }
    }

    // In a closure, the error would have no type.
    private func download() async {
        let request = ArchiveRequest(repository: repository.name)
        do {
            // An app would move the file, which is temporary.
            let file = try await client.send(request, progress: .onMainActor { fraction = $0.fractionReceived })
            outcome = "\(file.size) bytes"
        } catch {
            outcome = text(for: error)
        }
    }
}

// MARK: - Previews

struct RepositoryListPreviews: PreviewProvider {
    private static let pieces = Array(repeating: Data(count: 1 << 16), count: 50)

    private static let stub = StubClient()
        .answering(SearchRequest.self) { request in
            SearchResult(items: (1...30).map { Repository(id: $0, name: "\(request.text)/\($0)") })
        }
        .answering(
            ArchiveRequest.self,
            with: .stream(pieces, every: .milliseconds(100), headers: [.contentLength: "\(50 << 16)"]))

    private static let offline = StubClient { _ in throw TransportError(.cannotConnect) }

    static var previews: some View {
        RepositoryList(client: stub)
        RepositoryList(client: offline).previewDisplayName("Offline")
    }
}
#endif
