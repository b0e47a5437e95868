/** The wallets that the page offers on a devnet. Their keys are published, so every check must pass. */
import { readFileSync } from "node:fs"
import type { Config } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { addressKey } from "../output/displayNames.js"
import { attempt, Failure } from "../output/Failure.js"
import * as DevnetConfig from "./DevnetConfig.js"

/** The file that a devnet writes, relative to the current folder. */
export const defaultFile = ".geoswap/devnet.json"

/** Reads the file that a devnet wrote. */
export const readDescription = Effect.fnUntraced(function* (file: string) {
  const text = yield* attempt(
    () => readFileSync(file, "utf8"),
    () => `${file} cannot be read. Start a devnet first, or pass the path to its file.`
  )
  return yield* Effect.mapError(
    DevnetConfig.parse(text),
    ({ message }) => new Failure({ message: `${file}: ${message}` })
  )
})

/** Returns a devnet's wallets. Fails if the configuration is not the one for this devnet, or has no page. */
export const devnetWallets = Effect.fnUntraced(function* (named: string, config: Config.Config) {
  const refuse = (why: string) => new Failure({ message: `--devnet-wallets publishes private keys. ${why}` })
  if (config.web === undefined) return yield* refuse("It requires the page. Pass --web, too.")
  if (config.environment !== "devnet") {
    return yield* refuse(`It requires "environment": "devnet" in the configuration, got "${config.environment}".`)
  }
  const file = named === "" ? defaultFile : named
  const { chains, wallets = [] } = yield* readDescription(file)
  const vaults = new Map(chains.map(({ contracts, id }) => [id, addressKey(contracts.vault)]))
  const vaultOf = (chain: Config.Config["chains"][number]) =>
    chain.kind === "evm" ? chain.vaults[0].address : chain.vault
  const other = config.chains.find((chain) => vaults.get(chain.id) !== addressKey(vaultOf(chain)))
  if (other !== undefined) {
    return yield* refuse(
      `${file} describes another devnet: chain ${other.id} or its vault differs from the configuration.`
    )
  }
  return wallets
})
