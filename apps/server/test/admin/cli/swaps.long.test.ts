import { swapsCommands } from "./swapsCommands.js"

swapsCommands("PostgreSQL")
