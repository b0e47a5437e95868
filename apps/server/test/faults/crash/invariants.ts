/** Invariants of finished swaps, regardless of which processes were killed. */
import { expect } from "vitest"
import * as evm from "../../stack/evm.js"
import { type Deltas, type Entry, open } from "../../stack/ledger.js"
import { revertedBy, withoutReport } from "../../stack/outcome.js"
import type { Shape as Fixture } from "./fixture.js"
import type { Family, Place } from "./scenarios.js"
import type { Ended, Plan } from "./swap.js"

/** How often tokens moved for a swap with that outcome. */
const times = {
  settled: { collected: 1, delivered: 1, refunded: 0 },
  refunded: { collected: 1, delivered: 0, refunded: 1 },
  failed: { collected: 0, delivered: 0, refunded: 0 }
} as const

const places: ReadonlyArray<Place> = ["evmA", "evmB", "solana"]
const native = { evm: "0x0000000000000000000000000000000000000000", solana: "11111111111111111111111111111111" }

const nameOf = (owner: string, token: string, chainId: number) => `${owner} ${token}@${chainId}`

/** The balance of an owner. */
export const entry = (chain: Entry["chain"], token: string, owner: string): Entry => ({
  name: nameOf(owner, token, chain.id),
  chain,
  token,
  owner
})

/** The balances of all vaults. */
const vaultEntries = ({ devnet, stoppable }: Fixture): ReadonlyArray<Entry> =>
  places.flatMap((place) => {
    const chain = devnet[place]
    const extra = { evmA: [stoppable.STOPPED, stoppable.FUSE], evmB: [stoppable.STUCK], solana: [] }[place]
    const tokens = [...chain.tokens.map(({ address }) => address), ...extra, native[chain.family]]
    return tokens.map((token) => entry(chain, token, chain.contracts.vault))
  })

const partyEntries = ({ devnet }: Fixture, { request, scenario }: Plan): ReadonlyArray<Entry> => [
  entry(devnet[scenario.origin], request.inputToken, request.walletAddress),
  entry(devnet[scenario.destination], request.outputToken, request.recipient)
]

/** How outcomes change balances, to the smallest unit. */
export const deltasOf = ({ devnet }: Pick<Fixture, "devnet">, ended: ReadonlyArray<Ended>): Deltas => {
  const deltas: Record<string, bigint> = {}
  const move = (place: Place, token: string, from: string, to: string, amount: bigint) => {
    for (const [owner, delta] of [[from, -amount] as const, [to, amount] as const]) {
      const name = nameOf(owner, token, devnet[place].id)
      deltas[name] = (deltas[name] ?? 0n) + delta
    }
  }
  for (const { output, request, scenario } of ended) {
    if (scenario.status !== "settled") continue
    const { destination, origin } = scenario
    move(origin, request.inputToken, request.walletAddress, devnet[origin].contracts.vault, request.amount)
    move(destination, request.outputToken, devnet[destination].contracts.vault, request.recipient, output)
  }
  return Object.fromEntries(Object.entries(deltas).filter(([, delta]) => delta !== 0n))
}

/** The current and all killed servers. */
export const holdersIn = async ({ rows }: Pick<Fixture, "rows">): Promise<ReadonlyArray<string>> =>
  (await rows("SELECT DISTINCT lease_owner AS name FROM swaps WHERE lease_owner IS NOT NULL")).map(({ name }) =>
    String(name)
  )

/** The kinds of transactions that swaps have shared on a chain family. Only transactions on EVM chains have a nonce. */
export const batchesIn = async ({ rows }: Fixture, family: Family): Promise<ReadonlyArray<string>> =>
  (
    await rows(
      `SELECT DISTINCT kind FROM tx_attempts WHERE nonce IS ${family === "evm" ? "NOT NULL" : "NULL"}
        GROUP BY kind, hash HAVING COUNT(*) > 1 ORDER BY kind`
    )
  ).map(({ kind }) => String(kind))

/** Every accepted swap. */
export const idsIn = async ({ rows }: Fixture): Promise<ReadonlyArray<string>> =>
  (await rows("SELECT id FROM swaps ORDER BY id")).map(({ id }) => String(id))

/** The chains show exactly the transfers of each outcome, each once, and the caller knows their transactions. */
export const expectOnce = async ({ devnet, facts }: Fixture, ended: ReadonlyArray<Ended>): Promise<void> => {
  const moves = await facts()
  for (const { ids, orderId, scenario, swap } of ended) {
    const { collected, delivered, refunded } = moves(orderId)
    const { failureCode, status } = scenario
    const moved = { collected: collected.length, delivered: delivered.length, refunded: refunded.length }
    expect({ ids: [...ids], status: swap.status, moved }).toEqual({ ids: [swap.swapId], status, moved: times[status] })
    expect(withoutReport(swap)).toEqual({
      swapId: swap.swapId,
      status,
      ...(failureCode !== undefined && { failureCode }),
      ...(await revertedBy(devnet, swap)),
      ...(collected[0] !== undefined && { originTxHash: collected[0] }),
      ...(delivered[0] !== undefined && { deliveryTxHash: delivered[0] }),
      ...(refunded[0] !== undefined && { refundTxHash: refunded[0] })
    })
  }
}

/** Nothing is open, reserved or leased, and the relayer's nonces have no gap. */
export const expectClosed = async ({ devnet, rows }: Pick<Fixture, "devnet" | "rows">): Promise<void> => {
  expect(await rows("SELECT id FROM swaps WHERE state NOT IN ('settled', 'failed', 'refunded')")).toEqual([])
  expect(await rows("SELECT id FROM swaps WHERE lease_owner IS NOT NULL OR lease_until IS NOT NULL")).toEqual([])
  expect(await rows("SELECT swap_id FROM claims")).toEqual([])
  const relayer = evm.operator(devnet, "relayer").address
  for (const chain of [devnet.evmA, devnet.evmB]) {
    const used = await evm.reader(chain).getTransactionCount({ address: relayer, blockTag: "latest" })
    const [next] = await rows(`SELECT next_nonce FROM relayers WHERE chain_id = ${chain.id}`)
    expect(Number(next?.["next_nonce"])).toBe(used)
    expect(await evm.poolOf(chain, relayer)).toEqual([])
  }
}

/** Records balances before swaps; the returned function checks all invariants. */
export const openBooks = async (fixture: Fixture, plans: ReadonlyArray<Plan>) => {
  const parties = plans.flatMap((plan) => partyEntries(fixture, plan))
  const entries = new Map([...vaultEntries(fixture), ...parties].map((each) => [each.name, each]))
  const ledger = await open([...entries.values()])
  return async (ended: ReadonlyArray<Ended>): Promise<void> => {
    await expectOnce(fixture, ended)
    expect(await ledger()).toEqual(deltasOf(fixture, ended))
    await expectClosed(fixture)
  }
}
