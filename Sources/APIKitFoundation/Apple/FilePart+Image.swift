#if canImport(ImageIO)
public import APIKitCore
public import CoreGraphics
import Foundation
import ImageIO

#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

extension FilePart {
    /// Creates a file from an image, encoded as JPEG. The quality ranges from 0 for the smallest file to 1 for the best
    /// image.
    ///
    /// - Throws: ``RequestError`` with the code `body` if the image cannot be encoded.
    public init(jpeg: CGImage, quality: Double = 0.8, filename: String? = "image.jpg") throws(RequestError) {
        let options = [kCGImageDestinationLossyCompressionQuality: min(max(quality, 0), 1)]
        self.init(try jpeg.encoded(as: "public.jpeg", options), filename: filename, contentType: .jpeg)
    }

    /// Creates a file from an image, encoded as PNG, which is lossless.
    ///
    /// - Throws: ``RequestError`` with the code `body` if the image cannot be encoded.
    public init(png: CGImage, filename: String? = "image.png") throws(RequestError) {
        self.init(try png.encoded(as: "public.png"), filename: filename, contentType: .png)
    }

    #if canImport(UIKit)
    /// Creates a file from an image, encoded as JPEG, which keeps its orientation. The quality ranges from 0 to 1.
    ///
    /// - Throws: ``RequestError`` with the code `body` if the image cannot be encoded.
    public init(jpeg: UIImage, quality: Double = 0.8, filename: String? = "image.jpg") throws(RequestError) {
        guard let data = jpeg.jpegData(compressionQuality: quality) else { throw .unencodable(as: "public.jpeg") }
        self.init(data, filename: filename, contentType: .jpeg)
    }

    /// Creates a file from an image, encoded as PNG, which loses its orientation. Draw a rotated image upright before.
    ///
    /// - Throws: ``RequestError`` with the code `body` if the image cannot be encoded.
    public init(png: UIImage, filename: String? = "image.png") throws(RequestError) {
        guard let data = png.pngData() else { throw .unencodable(as: "public.png") }
        self.init(data, filename: filename, contentType: .png)
    }
    #elseif canImport(AppKit)
    /// Creates a file from an image, encoded as JPEG. The quality ranges from 0 to 1.
    ///
    /// - Throws: ``RequestError`` with the code `body` if the image cannot be encoded.
    public init(jpeg: NSImage, quality: Double = 0.8, filename: String? = "image.jpg") throws(RequestError) {
        guard let image = jpeg.cgImage(forProposedRect: nil, context: nil, hints: nil) else {
            throw .unencodable(as: "public.jpeg")
        }
        try self.init(jpeg: image, quality: quality, filename: filename)
    }

    /// Creates a file from an image, encoded as PNG.
    ///
    /// - Throws: ``RequestError`` with the code `body` if the image cannot be encoded.
    public init(png: NSImage, filename: String? = "image.png") throws(RequestError) {
        guard let image = png.cgImage(forProposedRect: nil, context: nil, hints: nil) else {
            throw .unencodable(as: "public.png")
        }
        try self.init(png: image, filename: filename)
    }
    #endif
}

extension CGImage {
    /// Returns the image in the format of a uniform type identifier.
    fileprivate func encoded(as type: String, _ options: [CFString: Double] = [:]) throws(RequestError) -> Data {
        let data = NSMutableData()
        let destination = CGImageDestinationCreateWithData(data as CFMutableData, type as CFString, 1, nil)
        guard let destination else { throw .unencodable(as: type) }
        CGImageDestinationAddImage(destination, self, options as CFDictionary)
        guard CGImageDestinationFinalize(destination) else { throw .unencodable(as: type) }
        return data as Data
    }
}

extension RequestError {
    fileprivate static func unencodable(as type: String) -> RequestError {
        RequestError(.body, "the image cannot be encoded as \(type)")
    }
}
#endif
