extension Unicode.Scalar {
    /// Whether a text of a server may be shown with this scalar: a terminal would obey control characters, and others
    /// change the direction of the text that follows.
    var isShowable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
