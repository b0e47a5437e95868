import { chainFaults } from "./chainFaults.js"

chainFaults()
