#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Data: APIResponse {
    /// Gives the body as it is.
    public static func process(data: Data) throws -> Data {
        data
    }
}
