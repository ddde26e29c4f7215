public import APIKit

public struct DeskFailure: JSONResponse, LocalizedError {
    public let message: String
    public var errorDescription: String? { message }
}
