import { reorgs } from "./reorgs.js"

reorgs(1)
