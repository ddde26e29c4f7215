import FlyingFox

extension HTTPRequest {
    /// The decoded value of the first query item with this name; a `+` is a space, as in a form.
    func queryValue(_ name: String) -> String? {
        URLEncodedForm.parse(target.query().utf8).first { $0.name == name }?.value
    }
}
