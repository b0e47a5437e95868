/** The command tree. */
import * as Command from "effect/cli/Command"
import * as Flags from "../flags/Flags.js"
import { approve } from "./approve/command.js"
import { balance } from "./balance/command.js"
import { chains } from "./chains/command.js"
import { completionsOf } from "./completions/command.js"
import { config } from "./config/command.js"
import { contacts } from "./contacts/command.js"
import { delegation } from "./delegation/command.js"
import { doctor } from "./doctor/command.js"
import { forget } from "./forget/command.js"
import { history } from "./history/command.js"
import { init } from "./init/command.js"
import { keys } from "./keys/command.js"
import { mcp } from "./mcp/command.js"
import { policy } from "./policy/command.js"
import { quote } from "./quote/command.js"
import { resume } from "./resume/command.js"
import { skill } from "./skill/command.js"
import { status } from "./status/command.js"
import { swap } from "./swap/command.js"
import { token } from "./token/command.js"
import { tokens } from "./tokens/command.js"
import { watch } from "./watch/command.js"

const root = Command.make("geoswap").pipe(
  Command.withDescription(
    "Swap tokens between chains, from a terminal or a script. You need no gas: the network cost is deducted from the amount you pay."
  )
)

const commands = [
  { group: "Swap", commands: [quote, swap, status, watch, resume, forget, history] },
  { group: "Inspect", commands: [chains, tokens, balance, delegation] },
  { group: "Agents", commands: [mcp, policy, approve, skill] },
  { group: "Set up", commands: [init, keys, contacts, token, config, doctor] }
] as const

/** The complete program. */
export const program = root.pipe(
  Command.withSubcommands([
    ...commands,
    { group: "Shell", commands: [completionsOf((): Command.Command.Any => program)] }
  ]),
  Command.provide(Flags.layer),
  Command.withGlobalFlags(Flags.globals)
)
