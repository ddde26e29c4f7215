import FlyingFox
import Foundation

/// A server of resumable uploads (tus 1.0, with creation and termination), which keeps them in a folder: another
/// process with this folder continues them.
struct TusAPI: HTTPHandler {
    /// The folder of the files, each of which has the size that it will have in its name.
    let folder: URL
    /// Whether bytes are read slowly.
    let isSlow: Bool

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        if request.method == .POST, request.path == "/files" { return try create(request) }
        guard let upload = upload(in: request) else { return HTTPResponse(statusCode: .notFound) }
        switch request.method {
        case .HEAD: return response(.ok, try upload.offset)
        case .PATCH: return try await append(request, to: upload)
        case .DELETE:
            try FileManager.default.removeItem(at: upload.file)
            return HTTPResponse(statusCode: .noContent)
        default: return HTTPResponse(statusCode: .methodNotAllowed)
        }
    }

    private struct Upload {
        let file: URL
        let size: Int

        var offset: Int {
            get throws { try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
        }
    }

    private func create(_ request: HTTPRequest) throws -> HTTPResponse {
        guard let size = request.number("Upload-Length") else { return HTTPResponse(statusCode: .badRequest) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = "\(UUID().uuidString)-\(size)"
        try Data().write(to: folder.appending(path: name))
        return HTTPResponse(statusCode: .created, headers: headers(["Location": "/files/\(name)"]))
    }

    /// The upload in `/files/{name}`.
    private func upload(in request: HTTPRequest) -> Upload? {
        let path = request.path.split(separator: "/")
        guard path.count == 2, path[0] == "files", let size = path[1].split(separator: "-").last.flatMap({ Int($0) })
        else { return nil }
        let file = folder.appending(path: String(path[1]))
        return FileManager.default.fileExists(atPath: file.path) ? Upload(file: file, size: size) : nil
    }

    /// Writes the bytes as they arrive, so that they are kept if the connection breaks.
    private func append(_ request: HTTPRequest, to upload: Upload) async throws -> HTTPResponse {
        var offset = try upload.offset
        guard request.number("Upload-Offset") == offset else { return HTTPResponse(statusCode: .conflict) }
        let file = try FileHandle(forWritingTo: upload.file)
        try file.seekToEnd()
        for try await piece in request.bodySequence {
            offset += piece.count
            guard offset <= upload.size else { return HTTPResponse(statusCode: .badRequest) }
            try file.write(contentsOf: piece)
            if isSlow { try await Task.sleep(for: .milliseconds(1)) }
        }
        try file.close()
        return response(.noContent, offset)
    }

    private func response(_ status: HTTPStatusCode, _ offset: Int) -> HTTPResponse {
        HTTPResponse(statusCode: status, headers: headers(["Upload-Offset": "\(offset)"]))
    }

    private func headers(_ headers: [String: String]) -> HTTPHeaders {
        var result: HTTPHeaders = [HTTPHeader("Tus-Resumable"): "1.0.0"]
        for (name, value) in headers { result[HTTPHeader(name)] = value }
        return result
    }
}

extension HTTPRequest {
    /// The number in a header; nil without a valid one.
    fileprivate func number(_ name: String) -> Int? {
        guard let value = headers[HTTPHeader(name)], value.allSatisfy({ "0"..."9" ~= $0 }) else { return nil }
        return Int(value)
    }
}
