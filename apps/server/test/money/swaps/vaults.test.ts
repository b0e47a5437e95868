import { vaults } from "./vaults.js"

vaults()
