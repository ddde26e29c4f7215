import OpenAPIRules
import Testing

@Suite struct ParameterSerializationTests {
    @Test(
        arguments: [
            (nil, nil, "query", "form", true), (nil, nil, "cookie", "form", true), (nil, nil, "path", "simple", false),
            (nil, nil, "header", "simple", false), (nil, false, "query", "form", false),
            ("form", nil, "path", "form", true), ("pipeDelimited", nil, "query", "pipeDelimited", false),
            ("simple", true, "path", "simple", true), ("other", nil, "query", "other", false),
        ] as [(String?, Bool?, String, String, Bool)])
    func hasTheDefaultsOfOpenAPI(style: String?, explode: Bool?, location: String, name: String, explodes: Bool) {
        let serialization = ParameterSerialization(style: style, explode: explode, location: location)
        #expect(serialization.style.rawValue == name)
        #expect(serialization.explodes == explodes)
    }
}
