import APIKit

struct TasksRequest: KindsRequest {
    typealias Response = [KindsTask]
    var level: Level
    var ratio: Ratio?
    var priorities: [Priority] = []
    var xLevel: Level?
    var limit = 10

    enum Ratio: Double, ParameterValue { case value0Point5 = 0.5, value1 = 1, minus2 = -2 }

    var path: URLPath { "tasks/\(level)" }
    var headers: HTTPHeaders { ["X-Version": "3", "X-Level": xLevel?.rawValue.description] }
    var parameters: Parameters { ["version": 2, "ratio": ratio, "priorities": priorities, "limit": limit] }
}
