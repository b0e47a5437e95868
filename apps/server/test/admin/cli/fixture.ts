/** Folders with a configuration and secrets. The nodes of their chains do not answer. */
import { getBase58Decoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../stack/freePort.js"
import type { Workspace } from "../../stack/program.js"

/** A Solana key as wallets export it. */
const solanaKey = (): string => {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
  return getBase58Decoder().decode(Buffer.concat([Buffer.from(d, "base64url"), Buffer.from(x, "base64url")]))
}

/** Random secrets. */
export const newSecrets = () => ({
  GEOSWAP_SEAL_KEYS: `k1:${randomBytes(32).toString("base64url")}`,
  GEOSWAP_EVM_RELAYER_KEY: `0x${randomBytes(32).toString("hex")}`,
  GEOSWAP_SOLANA_RELAYER_KEY: solanaKey(),
  GEOSWAP_SOLANA_VAULT_KEY: solanaKey()
})

/** Part of a node URL that must not be printed. */
export const nodeKey = "a1b2c3-key-of-the-node"

const price = { usd: "1", depthUsd: "1000000" }

/** A minimal configuration. */
export const fileFor = (port: number) => ({
  chains: [
    {
      kind: "evm",
      id: 8453,
      name: "Base",
      rpcUrls: [`http://127.0.0.1:${port}/${nodeKey}`],
      vaults: [
        {
          address: "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b",
          delegate: "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
        }
      ],
      tokens: [{ symbol: "USDC", address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", decimals: 6 }]
    },
    {
      kind: "solana",
      id: 792703809,
      name: "Solana",
      rpcUrls: [`http://127.0.0.1:${port}/${nodeKey}`],
      vault: "GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ",
      tokens: [{ symbol: "USDC", address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: 6 }]
    }
  ],
  venue: { kind: "table", allowStaticPrices: true, prices: { USDC: price, ETH: price, SOL: price } } as object,
  fees: { baseFeeBps: 10 }
})

/** A temporary folder, removed with the scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "geoswap-cli-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Writes `geoswap.json` to a new folder. */
export const makeWorkspace = Effect.fnUntraced(function* (
  change: (file: ReturnType<typeof fileFor>, folder: string) => object = (file) => file,
  environment: Readonly<Record<string, string>> = newSecrets()
) {
  const path = yield* folder
  writeFileSync(join(path, "geoswap.json"), JSON.stringify(change(fileFor(yield* freePort), path)))
  return { folder: path, environment } satisfies Workspace
})
