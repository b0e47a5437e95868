/** The command tree. */
import * as Command from "effect/cli/Command"
import * as Layer from "effect/Layer"
import * as Flags from "./Flags.js"
import * as Output from "../output/Output.js"
import { approve } from "./approve.js"
import { balance } from "./balance.js"
import { chains } from "./chains.js"
import { completionsOf } from "./completions.js"
import { config } from "./config.js"
import { contacts } from "./contacts.js"
import { delegation } from "./delegation.js"
import { doctor } from "./doctor.js"
import { forget } from "./forget.js"
import { history } from "./history.js"
import { init } from "./init.js"
import { keys } from "./keys.js"
import { mcp } from "./mcp.js"
import { policy } from "./policy.js"
import { quote } from "./quote.js"
import { resume } from "./resume.js"
import { skill } from "./skill.js"
import { status } from "./status.js"
import { swap } from "./swap.js"
import { token } from "./token.js"
import { tokens } from "./tokens.js"
import { watch } from "./watch.js"

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
  Command.provide(Output.layer.pipe(Layer.provideMerge(Flags.layer))),
  Command.withGlobalFlags(Flags.globals)
)
