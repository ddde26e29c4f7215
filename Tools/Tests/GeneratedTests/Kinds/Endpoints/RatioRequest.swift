import APIKit

struct RatioRequest: KindsRequest {
    typealias Response = NoContent
    var ratio: Double
    var factor: Factor
    var xFactor: XFactor
    var xRatio: Double?
    var xRatios: [Double]?

    enum Factor: Double, ParameterValue { case value0Point5 = 0.5, value1 = 1 }
    enum XFactor: Double, ParameterValue { case value2 = 2, value2Point5 = 2.5 }

    var path: URLPath { "ratios/\(list: ratio)/\(list: factor)" }
    var headers: HTTPHeaders {
        ["X-Factor": xFactor, "X-Ratio": xRatio, "X-Ratios": xRatios.map { Parameters.Node.list($0, as: .commas) }]
    }
}
