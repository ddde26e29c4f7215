typealias PetEvent = Pet
