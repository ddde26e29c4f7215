import APIKit

struct JobRequest: EdgesRequest {
    var id: String

    var path: URLPath { "jobs/\(id)" }

    enum Response: APIResponse {
        case ok(Job)
        case success(Progress)

        static var acceptedTypes: [MIMEType] { [.json] }
        static func process(data: Data) throws -> Response { .ok(try Job.process(data: data)) }

        static func process(response: HTTPResponse) async throws -> Response {
            switch response.head.status {
            case 200, 206: .ok(try await Job.process(response: response))
            default: .success(try await Progress.process(response: response))
            }
        }
    }
}

struct Job: JSONResponse {
    let id: String
}

struct Progress: JSONResponse {
    let percent: Int
}
