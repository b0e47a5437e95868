/** A devnet's addresses and keys, written to `.geoswap/devnet.json` for scripts and the service. */
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { StartFailed } from "./DevnetError.js"

const Kind = Schema.Literals(["evm", "solana"])

const Token = Schema.Struct({ symbol: Schema.String, address: Schema.String, decimals: Schema.Int })

/** A chain with its addresses. */
export const Chain = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  family: Kind,
  rpcUrl: Schema.String,
  wsUrl: Schema.optionalKey(Schema.String),
  tokens: Schema.Array(Token),
  contracts: Schema.Struct({
    account: Schema.optionalKey(Schema.String),
    vault: Schema.String
  })
})
export type Chain = typeof Chain.Type

/** A wallet that holds every token on every chain of its family, but no gas. */
export const Wallet = Schema.Struct({
  name: Schema.String,
  family: Kind,
  address: Schema.String,
  /** The private key: 0x-prefixed hex on EVM chains, or 64 bytes in base58 on Solana. */
  privateKey: Schema.String
})
export type Wallet = typeof Wallet.Type

/** One of the service's keys. */
export const Operator = Schema.Struct({ ...Wallet.fields, role: Schema.Literals(["relayer", "owner", "vault"]) })
export type Operator = typeof Operator.Type

/** The complete file. `service` and `web` are present if those parts are also running. */
export const Description = Schema.Struct({
  service: Schema.optionalKey(
    Schema.Struct({ url: Schema.String, apiKeys: Schema.Tuple([Schema.String, Schema.String]) })
  ),
  web: Schema.optionalKey(Schema.Struct({ url: Schema.String })),
  chains: Schema.Array(Chain),
  wallets: Schema.Array(Wallet),
  operators: Schema.optionalKey(Schema.Array(Operator))
})
export type Description = typeof Description.Type

/**
 * Returns the chains with the contracts and tokens to pin, for the `network` of a client. They can be trusted, because
 * the program that writes the file deployed the contracts.
 */
export const network = ({ chains, operators = [] }: Pick<Description, "chains" | "operators">) => {
  const relayer = operators.find(({ family, role }) => family === "solana" && role === "relayer")?.address ?? ""
  return {
    chains: chains.map(({ contracts: { account, vault }, id, family, name, tokens }) => ({
      id,
      name,
      family,
      deployment: account === undefined ? { vault, relayer } : { vault, delegates: [account] },
      tokens
    }))
  }
}

/** Decodes a file's text. Fails if the text is not a valid description. */
export const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Description))

/**
 * Writes the file atomically, with permissions that allow only the current user to read it. When the scope closes,
 * removes the file unless it was replaced.
 */
export const write = (path: string, description: Description): Effect.Effect<void, StartFailed, Scope.Scope> => {
  const text = `${JSON.stringify(description, null, 2)}\n`
  const save = Effect.try({
    try: () => {
      const made = mkdirSync(dirname(path), { recursive: true })
      const fresh = `${path}.${process.pid}`
      try {
        writeFileSync(fresh, text, { mode: 0o600 })
        renameSync(fresh, path)
      } finally {
        rmSync(fresh, { force: true })
      }
      return made
    },
    catch: (cause) =>
      new StartFailed({ part: "the file", output: "", message: `${path} cannot be written: ${String(cause)}` })
  })
  const remove = (made: string | undefined) =>
    Effect.sync(() => {
      try {
        // Other programs add fields to the file. As long as the file lists this devnet's chains, it belongs to this
        // devnet.
        const { chains } = JSON.parse(readFileSync(path, "utf8")) as Partial<Description>
        if (JSON.stringify(chains) !== JSON.stringify(description.chains)) return
        rmSync(path)
        if (made !== undefined) rmdirSync(dirname(path))
      } catch {
        // The file was already removed, or the folder contains other files.
      }
    })
  return Effect.asVoid(Effect.acquireRelease(save, remove))
}
