import { chainFaults } from "./suites/chainFaults.js"

chainFaults()
