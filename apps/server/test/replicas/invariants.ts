/** Invariants of finished swaps, regardless of which replicas worked on them. */
import { expect } from "vitest"
import { deltasOf, entry, expectOnce } from "../faults/crash/invariants.js"
import type { Ended, Plan } from "../faults/crash/swap.js"
import * as evm from "../stack/evm.js"
import { type Entry, open } from "../stack/ledger.js"
import type { Shape as Fixture } from "./fixture.js"

const entriesOf = ({ devnet, stoppable }: Fixture, plans: ReadonlyArray<Plan>): ReadonlyArray<Entry> => {
  const vaults = [devnet.evmA, devnet.evmB, devnet.solana].flatMap((chain) =>
    chain.tokens.map(({ address }) => entry(chain, address, chain.contracts.vault))
  )
  const parties = plans.flatMap(({ request, scenario }) => [
    entry(devnet[scenario.origin], request.inputToken, request.walletAddress),
    entry(devnet[scenario.destination], request.outputToken, request.recipient)
  ])
  const stuck = entry(devnet.evmB, stoppable.STUCK, devnet.evmB.contracts.vault)
  return [...new Map([...vaults, stuck, ...parties].map((each) => [each.name, each])).values()]
}

/** The signed nonces of each chain form one sequence that the chain has used up, regardless of the signer. */
const expectOneSequence = async ({ devnet, rows }: Fixture): Promise<void> => {
  const relayer = evm.operator(devnet, "relayer").address
  for (const chain of [devnet.evmA, devnet.evmB]) {
    const signed = await rows(
      `SELECT DISTINCT a.nonce FROM tx_attempts a JOIN tx_intents i USING (swap_id, kind)
        WHERE i.chain_id = ${chain.id} ORDER BY a.nonce`
    )
    const nonces = signed.map(({ nonce }) => Number(nonce))
    const [first = 0] = nonces
    expect(nonces).toEqual(nonces.map((_, index) => first + index))
    const used = await evm.reader(chain).getTransactionCount({ address: relayer, blockTag: "latest" })
    const [next] = await rows(`SELECT next_nonce FROM relayers WHERE chain_id = ${chain.id}`)
    expect([Number(next?.["next_nonce"]), first + nonces.length]).toEqual([used, used])
    expect(await evm.poolOf(chain, relayer)).toEqual([])
  }
}

/** Nothing is open, reserved or leased, and every version of every swap was written once. */
const expectClosed = async (fixture: Fixture): Promise<void> => {
  const { rows } = fixture
  expect(await rows("SELECT id FROM swaps WHERE state NOT IN ('settled', 'failed', 'refunded')")).toEqual([])
  expect(await rows("SELECT id FROM swaps WHERE lease_owner IS NOT NULL OR lease_until IS NOT NULL")).toEqual([])
  expect(await rows("SELECT swap_id FROM claims")).toEqual([])
  const histories = `SELECT id FROM swaps s
    WHERE version + 1 <> (SELECT COUNT(*) FROM swap_events e WHERE e.swap_id = s.id)`
  expect(await rows(histories)).toEqual([])
  await expectOneSequence(fixture)
}

/** Everything that is stored about a swap. */
const reportOf = async ({ rows }: Fixture, { scenario, swap }: Ended): Promise<string> => {
  const of = (columns: string, table: string, key: string, order: string) =>
    rows(`SELECT ${columns} FROM ${table} WHERE ${key} = '${swap.swapId}' ORDER BY ${order}`)
  return JSON.stringify(
    {
      scenario,
      swap: await of("*", "swaps", "id", "id"),
      events: await of("version, at, state, detail", "swap_events", "swap_id", "version"),
      attempts: await of("kind, hash, nonce, cancels, created_at", "tx_attempts", "swap_id", "created_at")
    },
    undefined,
    2
  )
}

/** Fails with the whole history of every swap with another outcome. An error is not truncated like a diff. */
const expectPlanned = async (fixture: Fixture, ended: ReadonlyArray<Ended>): Promise<void> => {
  const other = ended.filter(({ scenario, swap }) => swap.status !== scenario.status)
  if (other.length === 0) return
  const reports = await Promise.all(other.map((each) => reportOf(fixture, each)))
  const logs = fixture.replicas.map(({ host }) => host.server().log())
  throw new Error(`${other.length} swaps did not end as planned:\n${[...reports, ...logs].join("\n\n")}`)
}

/** Records balances before swaps; the returned function checks all invariants. */
export const openBooks = async (fixture: Fixture, plans: ReadonlyArray<Plan>) => {
  const ledger = await open(entriesOf(fixture, plans))
  return async (ended: ReadonlyArray<Ended>): Promise<void> => {
    await expectPlanned(fixture, ended)
    await expectOnce(fixture, ended)
    expect(await ledger()).toEqual(deltasOf(fixture, ended))
    await expectClosed(fixture)
    const ids = await fixture.rows("SELECT id FROM swaps ORDER BY id")
    fixture.ended.push(...ended)
    expect(ids.map(({ id }) => String(id)).toSorted()).toEqual(fixture.ended.map(({ swap }) => swap.swapId).toSorted())
    for (const { free } of ended) free()
  }
}
