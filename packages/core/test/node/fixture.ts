/** Flows, budgets and folders for the tests of stores in files. */
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Store } from "@geoswap/core"
import * as Effect from "effect/Effect"

/** The wallet of every flow and budget. */
export const wallet = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"

/** A signature, to find out where it is stored. */
export const signature = "0x5ec2e75ec2e7"

export const flow = (id: string, createdAt = 1): Store.Flow => ({
  id,
  state: "signed",
  createdAt,
  request: {
    originChain: 8453,
    destinationChain: 42161,
    inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    outputToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
    amount: 2n ** 255n,
    walletAddress: wallet
  },
  output: 7n,
  submission: { family: "evm", geoOpToken: "go1.k1.abc", signature }
})

/** A flow that the service has accepted. */
export const accepted = (id: string, swapId: string): Store.Flow => {
  const { submission: _, ...rest } = flow(id)
  return { ...rest, state: "accepted", swapId }
}

/** Stores a flow. */
export const put = (store: Store.Store, stored: Store.Flow) =>
  store.update(stored.request.walletAddress, (document) => [
    { ...document, flows: [...document.flows.filter(({ id }) => id !== stored.id), stored] },
    undefined
  ])

/** Removes a flow of a wallet. */
export const remove = (store: Store.Store, removed: string, from = wallet) =>
  store.update(from, (document) => [
    { ...document, flows: document.flows.filter(({ id }) => id !== removed) },
    undefined
  ])

/** Takes an idempotency key for a flow, unless it is taken, and returns the key. */
export const takeKey = (store: Store.Store, key: string, flowId: string) =>
  store.updateKey(key, (stored = { key, wallet, requestHash: "a", flowId }) => [stored, stored])

/** A budget for processes to compete for. */
export const budget = {
  chainId: 8453,
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
