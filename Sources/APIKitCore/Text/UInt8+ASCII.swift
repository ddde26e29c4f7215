extension UInt8 {
    package var isASCIIDigit: Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
    }

    var isASCIIUppercase: Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
    }

    var isASCIILetter: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercasedASCII
    }
}
