import { nodeFaults } from "./suites/nodeFaults.js"

nodeFaults()
