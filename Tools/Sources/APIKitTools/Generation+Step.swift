extension Generation {
    /// A step of a run, and how much of it is done.
    public enum Step: Sendable, Hashable {
        /// The source is read.
        case reading
        /// The names, places and forms of all types are decided.
        case planning
        /// The code of the endpoints and models is generated.
        case generating(Count)
        /// The files are written.
        case writing(Count)

        /// How many parts of a step are done.
        public struct Count: Sendable, Hashable {
            /// The number of parts that are done.
            public var completed: Int
            /// The number of all parts.
            public var total: Int

            /// Creates a count.
            public init(_ completed: Int, of total: Int) {
                self.completed = completed
                self.total = total
            }
        }

        /// The step in words, such as `writing files`.
        public var name: String {
            switch self {
            case .reading: "reading"
            case .planning: "planning"
            case .generating: "generating code"
            case .writing: "writing files"
            }
        }

        /// How many parts of the step are done; nil if they are not counted.
        public var count: Count? {
            switch self {
            case .reading, .planning: nil
            case .generating(let count), .writing(let count): count
            }
        }
    }
}
