import { reorgs } from "./replicas/reorgs.js"

reorgs(1)
