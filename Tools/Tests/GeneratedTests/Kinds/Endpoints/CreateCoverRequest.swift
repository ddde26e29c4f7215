import APIKit

struct CreateCoverRequest: KindsRequest, JSONRequest {
    typealias Response = NoContent
    var url: String
    var type: CoverType?
    var block: Block?
    var quality: Quality?

    enum CoverType: String, ParameterValue { case external }
    enum Quality: Int, ParameterValue { case value80 = 80 }

    var method: HTTPMethod { .post }
    var path: URLPath { "covers" }
    var parameters: Parameters {
        ["format": "cover", "version": 2, "final": true, "url": url, "type": type, "block": block, "quality": quality]
    }
}
