/** Repeats `--config` in the commands that a message suggests, so that a pasted command works. */

/** The names of the commands that a message may suggest. A test compares them with the command tree. */
export const commandNames = [
  "serve",
  "check",
  "networks",
  "devnet",
  "swaps",
  "watch",
  "inventory",
  "relayers",
  "export",
  "keys",
  "rotate-seal-key"
] as const

const command = new RegExp(`\\bgeoswap-server (?=(?:${commandNames.join("|")})\\b|--help)`, "g")

const quoted = (text: string) => (/^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** Adds the flags of this run to every command in a text. */
export const repeatFlags = (
  text: string,
  args: ReadonlyArray<string> = process.argv.slice(2),
  environment: Readonly<Record<string, string | undefined>> = process.env
) => {
  const at = args.findLastIndex((arg) => arg === "--config" || arg.startsWith("--config="))
  const found = args[at]
  const config = found === "--config" ? args[at + 1] : found?.slice("--config=".length)
  const prefix = [
    // `npm run server` sets this variable, because the program is not on the `PATH`.
    environment["GEOSWAP_COMMAND"] || "geoswap-server",
    ...(config === undefined ? [] : [`--config ${quoted(config)}`])
  ].join(" ")
  return prefix === "geoswap-server" ? text : text.replaceAll(command, () => `${prefix} `)
}
