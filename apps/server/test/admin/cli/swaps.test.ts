import { swapsCommands } from "./swapsCommands.js"

swapsCommands("SQLite")
