import APIKit

nonisolated extension APIBase {
    /// The base of the Edges API.
    static let edges = APIBase(
        "https://edges.example.com",
        options: RequestOptions(retries: .init(attempts: 3, statuses: Set(500...599).union([429])))
    )
}

/// An endpoint of the Edges API.
nonisolated protocol EdgesRequest: APIRequest {}

nonisolated extension EdgesRequest {
    var base: APIBase { .edges }
}
