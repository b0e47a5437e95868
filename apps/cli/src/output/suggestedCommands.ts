/** Repeats the flags of this run in the commands that a hint suggests, so that a pasted command works. */
import type { Flags } from "../flags/Flags.js"
import { type Host, variable } from "../node/Host.js"
import { shellQuote } from "./shellQuote.js"

/** The flags without which a suggested command would use other keys, chains or another service. */
export type RepeatedFlags = Partial<Pick<Flags, "config" | "devnet" | "url" | "wallet">>

/** The names of the commands that a hint may suggest. A test compares them with the command tree. */
export const commandNames = [
  "quote",
  "swap",
  "status",
  "watch",
  "resume",
  "forget",
  "history",
  "chains",
  "tokens",
  "balance",
  "delegation",
  "init",
  "keys",
  "contacts",
  "token",
  "config",
  "doctor",
  "policy",
  "approve",
  "mcp",
  "skill",
  "completions"
] as const

const command = new RegExp(`\\bgeoswap (?=(${commandNames.join("|")})\\b|--help)`, "g")

/** The commands that depend on the wallet. */
const ofWallet: ReadonlySet<string | undefined> = new Set([
  "quote",
  "swap",
  "balance",
  "delegation",
  "doctor",
  "policy",
  "approve",
  "mcp"
])

/** Returns what a suggested command starts with: the program, as it was called, and the flags. */
const prefixOf = ({ config, devnet, url }: RepeatedFlags, host: Host) =>
  [
    // `npm run geoswap` sets this variable, because the program is not on the `PATH`.
    variable(host, "GEOSWAP_COMMAND") ?? "geoswap",
    ...(devnet === undefined ? [] : [devnet === "" ? "--devnet" : `--devnet=${shellQuote(devnet)}`]),
    ...(config === undefined ? [] : [`--config ${shellQuote(config)}`]),
    ...(url === undefined ? [] : [`--url ${shellQuote(url)}`])
  ].join(" ")

/** Returns a function that adds the flags of this run to every command in a text. */
export const repeatFlags = (flags: RepeatedFlags, host: Host) => {
  const prefix = prefixOf(flags, host)
  const wallet = flags.wallet === undefined ? "" : `--wallet ${shellQuote(flags.wallet)} `
  return (text: string) =>
    text.replaceAll(command, (_, name?: string) => `${prefix} ${ofWallet.has(name) ? wallet : ""}`)
}

/** Reads the flags from the arguments, even if the rest of the command line is invalid. */
export const repeatedFlagsOf = (args: ReadonlyArray<string>) => {
  const valueOf = (name: string) => {
    const at = args.findLastIndex((arg) => arg === name || arg.startsWith(`${name}=`))
    const found = args[at]
    return found === undefined ? undefined : found === name ? args[at + 1] : found.slice(name.length + 1)
  }
  // The path of the devnet file follows the equals sign.
  const devnet = args.findLast((arg) => arg === "--devnet" || arg.startsWith("--devnet="))
  return {
    config: valueOf("--config"),
    devnet: devnet?.slice("--devnet=".length),
    url: valueOf("--url"),
    wallet: valueOf("--wallet")
  }
}
