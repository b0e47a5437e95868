/** Flows, budgets and folders for the tests of stores in files. */
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Store } from "@geoswap/core"
import * as Effect from "effect/Effect"

/** A signature, to find out where it is stored. */
export const signature = "0x5ec2e75ec2e7"

export const flow = (id: string, createdAt = 1): Store.Flow => ({
  id,
  createdAt,
  request: {
    originChain: 8453,
    destinationChain: 42161,
    inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    outputToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
    amount: 2n ** 255n,
    walletAddress: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
  },
  output: 7n,
  submission: { kind: "evm", geoOpToken: "go1.k1.abc", signature }
})

/** A budget for processes to compete for. */
export const budget = {
  wallet: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  chain: 8453,
  token: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  limits: [
    { window: "hour", amount: 500n },
    { window: "day", amount: 400n },
    { window: "total", amount: 300n }
  ]
} as const

/** An idempotency key for processes to compete for. */
export const keyOf = (index: number): string => `../order ${index} 🔑`

/** A folder that does not exist yet, below one that is removed with the scope. */
export const freshFolder = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "geoswap-node-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  ),
  (path) => join(path, "state", "data")
)

export const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
