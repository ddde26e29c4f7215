import APIKit

struct TreeRequest: EdgesRequest {
    typealias Response = Tree
    var path: URLPath { "trees" }
}
