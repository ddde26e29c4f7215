/// Chooses the names of the models that have one in the description. Each model has several candidates, the best one
/// first, and gets the first one that no model before it has.
///
/// If both `user` and `simple-user` could be `User`, the order of the models decides.
struct ModelNamer {
    /// A model with its candidates. Models are sorted in the order in which they choose:
    ///
    /// 1. Models that are read come before those that are only sent.
    /// 2. A model comes before its varieties: `user` before `simple-user`.
    /// 3. A model comes first if its own name is closer to its best candidate.
    struct NamedModel: Comparable {
        let id: ModelID
        /// The possible names, the best one first, and the model's own name last.
        let candidates: [String]
        private let isRead: Bool
        private let isVariety: Bool
        /// The difference in length between the model's own name and its best candidate.
        private let distance: Int

        /// Creates a model from its name in the description.
        ///
        /// - Parameters:
        ///   - id: The model.
        ///   - name: Its name in the description.
        ///   - isRead: Whether its values are received, and not only sent.
        init(id: ModelID, name: String, isRead: Bool) {
            self.id = id
            self.isRead = isRead
            candidates = ModelName.candidates(name, isRead: isRead)
            isVariety = ModelName.isVariety(name)
            distance = (candidates.last?.count ?? 0) - (candidates.first?.count ?? 0)
        }

        static func == (first: NamedModel, second: NamedModel) -> Bool { first.id == second.id }

        static func < (first: NamedModel, second: NamedModel) -> Bool {
            if first.isRead != second.isRead { return first.isRead }
            if first.isVariety != second.isVariety { return second.isVariety }
            if first.distance != second.distance { return first.distance < second.distance }
            return first.id < second.id
        }
    }

    /// Chooses a name for each model: the first candidate that is free. If none is free, the model gets the last one,
    /// the description's own name, although another model has it too. The types of two models with the same name get
    /// different ones by a ``FileTypeNamer``.
    static func names(of models: [NamedModel]) -> [ModelID: String] {
        var names: [ModelID: String] = [:]
        var taken = TakenNames()
        for model in models.sorted() {
            let free = taken.firstFree(of: model.candidates)
            if let free { taken.insert([free]) }
            names[model.id] = free ?? model.candidates.last
        }
        return names
    }
}
