@main struct Repo { static func main() {} }
