import { solanaFaults } from "./suites/solanaFaults.js"

solanaFaults()
