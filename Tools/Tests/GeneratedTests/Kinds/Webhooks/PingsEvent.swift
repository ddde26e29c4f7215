import APIKit

typealias PingsEvent = JSON<[String]>
