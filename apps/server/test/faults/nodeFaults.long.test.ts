import { nodeFaults } from "./nodeFaults.js"

nodeFaults()
