import APIKitCore
import APIKitSupport
import APIKitTesting
import Foundation

@testable import APIKitUploads

extension FuzzTarget {
    private static let size = 3 << 20
    private static let uploadURL = URL(string: "https://api.example/uploads/1?upload_id=x")!  // a literal
    private static let version = FileVersion(text: "\(size) 7")!  // a literal
    private static let uploadedFile = UploadFile(
        url: URL(fileURLWithPath: "/tmp/film.mp4"), type: "video/mp4", version: version)
    private static let wish = ChunkSizes.Wish(longest: 1 << 20, shortest: 1, multiple: 1)

    // MARK: - The journal

    private static let record =
        #"{"created":7,"endpoint":"E","limits":{"largestChunk":5},"path":"~/film.mp4","#
        + #""url":"https://api.example/uploads/1","version":"3145728 7"}"#

    /// A damaged journal is not read, or is one of an upload that continues where the server stands. A line without its
    /// end is ignored, and what is added to a journal is read from it.
    static let uploadJournal = FuzzTarget(
        "upload-journal",
        seeds: [
            "\(record)\n0-1000\n1000-2000\n", "\(record)\n", "\(record)\n0-1000\n1000-20",
            "0-0\n5-9223372036854775807\n",
            "\(record)\n5-1\n", "\(record)\n-\n", "\(record)\n1-2-3\n", "\(record)\n\n", "{}\n", record, "",
            record.replacing("5", with: "-9223372036854775808") + "\n0-9\n",
            record.replacing("\"largestChunk\":5", with: "\"chunkMultiple\":0,\"smallestChunk\":9e18") + "\n",
        ]
    ) { input in
        let record = Data((Self.record + "\n").utf8)
        for data in [input.data, record + input.data] {
            let complete = data.prefix(data.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
            let contents = UploadJournal.Contents(data)
            require(contents == UploadJournal.Contents(complete), "an incomplete line is read")
            if let contents { check(contents, with: input) }
            // A file takes a thousand times as long as the text.
            if input.data.reduce(0, &+) == 0 { checkOnDisk(data, expecting: contents) }
        }
    }

    private static func check(_ contents: UploadJournal.Contents, with input: FuzzInput) {
        if let range = contents.lastRange {
            require(range.lowerBound >= 0 && range.upperBound <= contents.sentEnd, "\(contents)")
        }
        _ = (contents.record.file, contents.record.created)
        var state = UploadState(size: size, chunks: wish, attempts: 3)
        state.resume(at: contents.record.url, sentEnd: contents.sentEnd, within: contents.record.limits)
        guard case .ask(let url) = state.next else { fatalError("nothing is asked: \(contents)") }
        require(url == contents.record.url, "\(url)")
        let count = input.data.reduce(0) { ($0 &* 31 &+ Int($1)) & (2 << 20) }
        check(state.apply(.received(count), to: .question), after: .received(count), &state)
    }

    /// A journal on disk has the same contents, and those that are added.
    private static func checkOnDisk(_ data: Data, expecting contents: UploadJournal.Contents?) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(getpid())")
        let url = folder.appendingPathComponent("a.upload")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try data.write(to: url)
            let journal = try UploadJournal(at: url)
            require(try journal.contents() == contents, "the file has other contents")
            try journal.willSend(7..<9)
            var added = contents
            added?.lastRange = 7..<9
            added?.sentEnd = max(contents?.sentEnd ?? 0, 9)
            // To what is not a journal, nothing can be added.
            if contents != nil { require(try journal.contents() == added, "a range is lost") }
            let pending = try PendingUpload.all(in: folder)
            require(contents == nil || pending.count == 1, "the upload is not listed")
            let record = UploadRecord(of: uploadedFile, by: FuzzedUpload.self, at: uploadURL, within: nil)
            try journal.begin(record, sent: 0..<5)
            let begun = try journal.contents()
            require(begun?.record.url == uploadURL && begun?.sentEnd == 5, "the journal does not start over")
        } catch {
            fatalError("\(error)")
        }
    }

    // MARK: - Responses

    /// No response of a server makes an upload send anything but the bytes from the offset that it named, or makes it
    /// end before all bytes were sent.
    static let uploadResponses = FuzzTarget(
        "upload-responses",
        seeds: [
            "204\n1048576\n?0\nmax-append-size=5\n{}", "308\nbytes=0-1048575\n\n\n", "308\nbytes=0-0\n\n\n",
            "202\n\n\n\n{\"nextExpectedRanges\": [\"1048576-\", \"2000000-3000000\"]}", "200\n1\nactive\n262144\n",
            "200\n\nfinal\n9223372036854775807\n", "409\n0\ncancelled\n\n",
            "413\n0\n?1\nmax-append-size=1, min-size=2\n",
            "200\n3145728\n?1\nmax-size=1;a=\"b,c\", max-append-size=0\n{\"uploadUrl\": \"https://files.example/1\"}",
            "202\n\n\n\n{\"nextExpectedRanges\": [\"x-\", \"-\", \"99999999999999999999-\"]}",
            "200\nchecksum\nsha256,sha1\n3145727\n", "204\nchecksum\n\n0\n",
            "308\nbytes=0-9223372036854775807\n\n\n", "460\n+5\n5, 5\nmax-size, min-size=-1\n",
        ]
    ) { input in
        let parts = input.parts(5)
        let response = response(of: parts)
        let dialects: [any UploadDialect] = [
            TusDialect(metadata: [:], checksum: nil, sendsFirstChunk: false),
            TusDialect(metadata: [:], checksum: .sha256, sendsFirstChunk: false),
            SessionDialect(), GoogleDialect(), GraphDialect(), DraftDialect(),
        ]
        for dialect in dialects {
            let limits = dialect.limits(in: response)
            if let limits { check(limits, of: dialect) }
            let messages = [
                dialect.question(about: uploadedFile), dialect.chunk(0..<(1 << 20), of: uploadedFile),
                dialect.chunk((2 << 20)..<size, of: uploadedFile),
            ]
            for message in messages {
                var state = UploadState(size: size, chunks: wish, attempts: 3)
                state.created(at: uploadURL)
                state.willSend(0..<max(message.range?.upperBound ?? 0, 1 << 20))
                if let limits { state.setLimits(limits) }
                let report = dialect.report(on: response, to: message, about: uploadedFile)
                if case .received(let count) = report {
                    let isNamed = Self.isNamed(count, in: parts, by: dialect, to: message)
                    require(isNamed, "\(type(of: dialect)): \(count) in \(parts)")
                }
                check(state.apply(report, to: message.kind), after: report, &state)
            }
            if let inquiry = dialect.inquiry { check(response, to: inquiry, by: dialect) }
        }
        checkLimits(parts[3])
    }

    /// An upload is created only if the server supports what it needs.
    private static func check(_ response: HTTPResponse, to inquiry: UploadMessage, by dialect: any UploadDialect) {
        let report = dialect.report(on: response, to: inquiry, about: uploadedFile)
        var state = UploadState(size: size, chunks: wish, attempts: 3, inquiry: inquiry)
        let action = state.apply(report, to: .inquiry)
        let isCreatedNext = if case .create = state.next { true } else { false }
        require(isCreatedNext == (action == .proceed), "\(action) after \(report)")
        require(isCreatedNext == (report == .suitable), "\(action) after \(report)")
    }

    private static func response(of parts: [String]) -> HTTPResponse {
        let head = HTTPResponse.Head(
            status: Int(parts[0]) ?? 200,
            headers: [
                "Upload-Offset": parts[1], "Range": parts[1], "X-Goog-Upload-Size-Received": parts[1],
                "Upload-Complete": parts[2], "Upload-Length": parts[2], "X-Goog-Upload-Status": parts[2],
                "Upload-Limit": parts[3], "X-Goog-Upload-Chunk-Granularity": parts[3], "Tus-Max-Size": parts[3],
                "Tus-Checksum-Algorithm": parts[2], "Tus-Extension": parts[1],
            ], url: uploadURL)
        return HTTPResponse(head: head, body: ResponseBody(Data(parts[4].utf8)))
    }

    /// Whether a response has an offset as a number of its own, or means it without one.
    private static func isNamed(
        _ count: Int, in parts: [String], by dialect: any UploadDialect, to message: UploadMessage
    ) -> Bool {
        let isWholeChunk = message.kind == .chunk && count == message.range?.upperBound
        switch dialect {
        case is GoogleDialect where isWholeChunk: return true
        case is SessionDialect where count == 0: return true
        case is SessionDialect: return digits(in: parts[1]).contains("\(count - 1)")
        case is GraphDialect: return digits(in: parts[4]).contains("\(count)")
        default: return digits(in: parts[1]).contains("\(count)")
        }
    }

    /// The sequences of digits, without leading zeros.
    private static func digits(in text: String) -> [String] {
        text.utf8.split { !(0x30...0x39).contains($0) }.map { digits in
            let number = digits.drop { $0 == 0x30 }
            return number.isEmpty ? "0" : String(decoding: number, as: UTF8.self)
        }
    }

    private static func check(_ action: UploadState.Action, after report: UploadReport, _ state: inout UploadState) {
        switch action {
        case .finish: require(state.sentEnd == size && report == .complete, "it ends after \(report)")
        case .pause(let failures): require((1...2).contains(failures), "\(failures) failures")
        case .contradiction(let text), .refuseSize(let text), .giveUp(let text): require(!text.isEmpty, "no reason")
        case .proceed, .fail: break
        }
        guard action == .proceed, case .send(let range, _) = state.next else { return }
        guard case .received(let count) = report else { fatalError("bytes are sent after \(report)") }
        require(range.lowerBound == count && range.upperBound <= size, "\(range) after \(report)")
        require(!range.isEmpty || count == size, "nothing is sent after \(report)")
    }

    private static func check(_ limits: UploadLimits, of dialect: any UploadDialect) {
        for wish in [wish, .init(longest: .max, shortest: .max, multiple: dialect.chunkMultiple)] {
            let sizes = ChunkSizes(wish, within: limits)
            let multiple = max(limits.chunkMultiple ?? wish.multiple, 1)
            for length in [sizes.longest, sizes.half(of: sizes.longest), sizes.nearest(to: 1), sizes.nearest(to: .max)]
            {
                require(length > 0 && length % multiple == 0 && length <= sizes.longest, "\(length) with \(limits)")
                require(sizes.double(of: length) <= sizes.longest, "\(length) with \(limits)")
            }
            let most = max(limits.largestChunk ?? .max, multiple)
            require(sizes.longest <= most, "\(sizes) with \(limits)")
        }
    }

    /// The last of several values counts, and no other key hides one.
    private static func checkLimits(_ text: String) {
        let read = { (text: String) in UploadLimits(uploadLimit: ["Upload-Limit": text]) }
        let last = read("\(text), max-size=5")
        require(last == nil || last?.largestFile == 5, text)
        require((last == nil) == (read(text) == nil), text)
    }

    // MARK: - Where uploads are

    /// A file is never sent to a host that neither the base nor the endpoint names.
    static let uploadLocation = FuzzTarget(
        "upload-location",
        seeds: [
            "/uploads/1", "https://files.example/1?a=b#c", "//evil.example/1", "https://api.example:444/",
            "https://api.example\\@evil.example/", "https://user:pw@files.example:0/1", "https://%66iles.example/1",
            "https:files.example", "http://files.example/", "https://files.example.evil/", "?a=b", "file:///etc/passwd",
            "https://files.example\u{1}/", "https://ﬁles.example/", "https://[::1]/", "HTTPS://FILES.EXAMPLE/1",
        ]
    ) { input in
        let text = input.text
        let creationURL = URL(string: "https://api.example/files")!  // a literal
        for name in [HTTPHeaders.Name.location, "X-Goog-Upload-URL"] {
            let uploadProtocol: UploadProtocol = name == .location ? .draft : .googleUpload
            let endpoint = UploadEndpoint(FuzzedUpload(uploadProtocol: uploadProtocol), over: StubClient(), nil)
            let head = HTTPResponse.Head(status: 201, headers: [name: text], url: creationURL)
            guard let location = try? endpoint.location(in: HTTPResponse(head: head), for: uploadedFile) else {
                continue
            }
            let message = endpoint.dialect.chunk(0..<5, of: uploadedFile)
            guard let step = try? endpoint.step(message, about: uploadedFile, at: location) else { fatalError(text) }
            let request = require(try? step.httpRequest(base: step.base), text)
            require(["api.example", "files.example"].contains(request.url.host?.lowercased()), "\(request.url)")
            require(request.url.scheme == "https", "\(request.url)")
            // A named host may receive files at any port, and the base's host only at that of the base.
            let isForeign = request.url.host?.lowercased() != "api.example"
            require(isForeign || (request.url.port ?? 443) == 443, "\(request.url)")
            require(!isForeign || request.headers["X-App"] == nil, "another host gets the base's headers")
        }
    }
}

private struct FuzzedUpload: ResumableUpload {
    typealias Response = UploadedFile
    var uploadProtocol: UploadProtocol = .tus
    var file: URL { URL(fileURLWithPath: "/tmp/film.mp4") }
    var base: APIBase { APIBase("https://api.example", headers: ["X-App": "1"]) }
    var path: URLPath { "files" }
    var uploadHosts: Set<String> { ["files.example"] }
}
