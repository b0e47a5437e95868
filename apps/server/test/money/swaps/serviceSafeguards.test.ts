import { serviceSafeguards } from "./serviceSafeguards.js"

serviceSafeguards()
