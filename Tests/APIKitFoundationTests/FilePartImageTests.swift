#if canImport(ImageIO)
import APIKit
import CoreGraphics
import Testing

#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

@Suite struct FilePartImageTests {
    private func image() throws -> CGImage {
        let context = CGContext(
            data: nil, width: 64, height: 64, bitsPerComponent: 8, bytesPerRow: 0,
            space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
        return try #require(context?.makeImage())
    }

    @Test func imagesAreEncoded() throws {
        let (jpeg, png) = (try FilePart(jpeg: image(), quality: 0.5), try FilePart(png: image(), filename: "a.png"))
        #expect(jpeg.body.contentType == .jpeg && jpeg.filename == "image.jpg")
        #expect(jpeg.body.data?.starts(with: [0xFF, 0xD8, 0xFF]) == true)
        #expect(png.body.contentType == .png && png.filename == "a.png")
        #expect(png.body.data?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    }

    // Out of range, which ImageIO does not define.
    @Test(arguments: [-1, 2] as [Double]) func qualityIsLimited(quality: Double) throws {
        let limit = try FilePart(jpeg: image(), quality: quality < 0 ? 0 : 1)
        #expect(try FilePart(jpeg: image(), quality: quality) == limit)
    }

    #if canImport(UIKit)
    @Test func platformImagesAreEncoded() throws {
        #expect(try FilePart(jpeg: UIImage(cgImage: image())).body.contentType == .jpeg)
        #expect(try FilePart(png: UIImage(cgImage: image())).body.contentType == .png)
    }

    @Test func emptyImageIsRequestError() throws {
        #expect(try #require(throws: RequestError.self) { try FilePart(jpeg: UIImage()) }.code == .body)
        #expect(try #require(throws: RequestError.self) { try FilePart(png: UIImage()) }.code == .body)
    }
    #elseif canImport(AppKit)
    @Test func platformImagesAreEncoded() throws {
        let picture = NSImage(cgImage: try image(), size: .zero)
        #expect(try FilePart(jpeg: picture).body.contentType == .jpeg)
        #expect(try FilePart(png: picture).body.contentType == .png)
    }

    @Test func emptyImageIsRequestError() throws {
        #expect(try #require(throws: RequestError.self) { try FilePart(jpeg: NSImage()) }.code == .body)
        #expect(try #require(throws: RequestError.self) { try FilePart(png: NSImage()) }.code == .body)
    }
    #endif
}
#endif
