import { vaults } from "./suites/vaults.js"

vaults()
