public import APIKit

public struct DeskFailure: JSONResponse, Error {
    public let message: String
}
