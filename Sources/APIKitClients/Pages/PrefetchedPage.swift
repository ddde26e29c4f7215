import APIKitCore
import APIKitSupport

/// A page that is requested while the one before it is used. Releasing it cancels the request.
final class PrefetchedPage<Request: PagedRequest>: Sendable {
    typealias Reply = APIReply<Request.Response.Model>
    typealias Failure = APIError<Request.Failure.Model>

    private let task: Task<Result<Reply, Failure>, Never>

    /// Sends the request.
    init(of request: Request, from source: PageSource) {
        // The task is unstructured because it must outlive the call that starts it. `deinit` cancels it.
        task = Task {
            do throws(Failure) {
                return .success(try await source.client.reply(to: request, options: source.options))
            } catch {
                return .failure(error)
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Waits for the reply and returns it. Cancelling the waiting task cancels the request.
    var reply: Reply {
        get async throws(Failure) {
            switch await task.resultCancelledWithCaller {
            case .success(let result): try result.get()
            }
        }
    }
}
