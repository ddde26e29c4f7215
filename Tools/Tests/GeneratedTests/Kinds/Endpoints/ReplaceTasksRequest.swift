import APIKit

struct ReplaceTasksRequest: KindsRequest {
    typealias Response = NoContent
    var level: Level
    var content: [KindsTask]

    var method: HTTPMethod { .put }
    var path: URLPath { "tasks/\(level)" }
    var body: RequestBody? { .json(content) }
}
