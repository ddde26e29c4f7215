import APIKitCore

@testable import APIKitStreams

extension TextLines {
    init(bytes: ByteStream, elementLimit: Int) {
        self.init(bytes: bytes)
        self.elementLimit = elementLimit
    }
}

extension JSONLines {
    init(bytes: ByteStream, elementLimit: Int) {
        self.init(bytes: bytes)
        self.elementLimit = elementLimit
    }
}

extension ServerSentEvents {
    init(bytes: ByteStream, elementLimit: Int) {
        self.init(bytes: bytes)
        self.elementLimit = elementLimit
    }
}
