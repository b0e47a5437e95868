import { serviceSafeguards } from "./suites/serviceSafeguards.js"

serviceSafeguards()
