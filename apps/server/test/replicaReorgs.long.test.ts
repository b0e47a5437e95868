import { reorgs } from "./replicas/reorgs.js"

reorgs(40)
