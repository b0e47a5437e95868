/** Defines `geoswap-server rotate-seal-key`. */
import * as Command from "effect/cli/Command"
import { booleanFlag, json, matching, optionalArgument } from "./flags.js"
import { lazyHandler } from "./lazyHandler.js"

const load = () => import("./rotateSealKeyHandler.js")

const add = Command.make(
  "add",
  { json },
  lazyHandler(async () => (await load()).add)
).pipe(Command.withDescription("Step 1: add a key that opens tokens but does not seal them yet"))

const promote = Command.make(
  "promote",
  {
    name: optionalArgument("name", {
      description: "Key name, which is the part before the colon (default: the newest key)",
      expected: "a key name, which is the part before the colon",
      parse: matching(/^[\w-]{0,16}$/)
    }),
    json
  },
  lazyHandler(async () => (await load()).promote)
).pipe(Command.withDescription("Step 2: seal with the newest key, or with the key that you specify"))

const retire = Command.make(
  "retire",
  { yes: booleanFlag("yes", "Confirm that tokens sealed with the removed keys will be rejected"), json },
  lazyHandler(async () => (await load()).retire)
).pipe(Command.withDescription("Step 3: remove all keys except the sealing key"))

/** Replaces the sealing key. */
export const rotateSealKey = Command.make("rotate-seal-key").pipe(
  Command.withDescription("Replace the sealing key in three steps: add, promote, retire"),
  Command.withSubcommands([add, promote, retire])
)
