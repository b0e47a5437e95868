import { solanaFaults } from "./solanaFaults.js"

solanaFaults()
