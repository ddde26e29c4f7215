import APIKit

/// What the API reports for a rejected request.
struct KindsError: JSONResponse, LocalizedError {
    let code: Code?
    let type: KindsErrorType?
    let message: String
    let trace: String?
    let retry: Bool?
    let context: Context?
    var errorDescription: String? { message }

    struct Code: RawRepresentable, Hashable, Decodable {
        let rawValue: String

        static let missing = Self(rawValue: "missing")
        static let invalid = Self(rawValue: "invalid")
        static let exists = Self(rawValue: "exists")
    }

    struct Context: Decodable {
        let field: String?
    }

    struct KindsErrorType: RawRepresentable, Hashable, Decodable {
        let rawValue: String

        static let error = Self(rawValue: "error")
        static let conflict = Self(rawValue: "conflict")
    }
}
