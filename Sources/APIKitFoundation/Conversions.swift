extension URLRequest {
    /// Makes Foundation's request of an ``/APIKitCore/HTTPRequest``. Repeated headers are joined, since it holds one of
    /// each name.
    ///
    /// A body that is not in memory, such as a file, is left out: an upload task sends it.
    public init(_ request: HTTPRequest) {
        self.init(head: request)
        httpBody = request.body?.data
    }

    /// Makes all of it but the body.
    init(head request: HTTPRequest) {
        self.init(url: request.url)
        // Set here and not by the initializer, whose timeout is ignored on Linux.
        timeoutInterval = Platform.timeoutInterval(request.options.timeout)
        httpMethod = request.method.rawValue
        for field in request.headers {
            setValue(request.headers[field.name], forHTTPHeaderField: field.name.rawValue)
        }
        if request.delivery == .file, request.headers[.acceptEncoding] == nil {
            setValue(Platform.acceptEncodingForFiles, forHTTPHeaderField: "Accept-Encoding")
        }
    }
}

extension HTTPResponse.Head {
    /// Makes a head of Foundation's response, which must have a URL. The order of the headers and the joining of
    /// repeats are Foundation's; they are sorted by name here, so that they are the same each time.
    public init?(_ response: HTTPURLResponse) {
        guard let url = response.url else { return nil }
        self.init(response, url: url)
    }

    init(_ response: HTTPURLResponse, url: URL) {
        let fields = response.allHeaderFields.compactMap { name, value -> HTTPHeaders.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HTTPHeaders.Field(name: .init(rawValue: name), value: value)
        }
        let headers = HTTPHeaders(fields.sorted { $0.name.rawValue < $1.name.rawValue })
        self.init(status: response.statusCode, headers: headers, url: url)
    }
}

extension HTTPHeaders {
    /// Takes the headers that a configuration adds to each request.
    init(additionalHeadersOf configuration: URLSessionConfiguration) {
        let fields = (configuration.httpAdditionalHeaders ?? [:]).compactMap { name, value -> Field? in
            guard let name = name as? String else { return nil }
            return Field(name: Name(rawValue: name), value: "\(value)")
        }
        self.init(fields.sorted { $0.name.rawValue < $1.name.rawValue })
    }
}
