/** Swaps that are kept in a state, as if their server had stopped there. */
import { Proxy } from "@geoswap/devnet"
import type { SwapRecord } from "@geoswap/service"
import { make, until } from "../stack/fixture.js"
import { type Payers, reportOf, startOn, type Submitted, type Wish } from "./mixedVersionSwap.js"
import type { Replica, Setup } from "./fixture.js"

/** The states of an open swap. */
type State = Exclude<SwapRecord.State, "settled" | "failed" | "refunded">

/** The name of the worker that holds a kept swap. */
const holder = "a server that stopped"

const anHour = 3_600_000

/** The swap has a signed transaction for that state, not only the decision to create one. */
const isSigned: Partial<Record<State, string>> = { refund_prepared: "refund" }

/**
 * Keeps a swap in a state as soon as it is reached: its lease goes to a worker that does nothing. The server that
 * worked on it can no longer write to it, as after a lost lease.
 */
export const keep = async (setup: Setup, { swapId }: Submitted, state: State, signed = isSigned[state]) => {
  const { rows } = setup
  const attempt = `AND EXISTS (SELECT 1 FROM tx_attempts WHERE swap_id = '${swapId}' AND kind = '${signed}')`
  await until(async () => {
    const kept = await rows(
      `UPDATE swaps SET lease_owner = '${holder}', lease_until = ${Date.now() + anHour}
        WHERE id = '${swapId}' AND state = '${state}' ${signed === undefined ? "" : attempt} RETURNING id`
    )
    return kept.length === 1
  }).catch(async () => {
    throw new Error(`Swap ${swapId} does not become ${state}.\n${await reportOf(setup, swapId)}`)
  })
}

/** Lets any server continue the given kept swaps, or all of them. */
export const letGo = async ({ rows }: Setup, swaps?: ReadonlyArray<Submitted>): Promise<void> => {
  const some = swaps === undefined ? "" : `AND id IN (${swaps.map(({ swapId }) => `'${swapId}'`).join()})`
  await rows(`UPDATE swaps SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = '${holder}' ${some}`)
}

/** The stored state. */
export const stateOf = async ({ rows }: Setup, { swapId }: Submitted): Promise<string> =>
  String((await rows(`SELECT state FROM swaps WHERE id = '${swapId}'`))[0]?.["state"])

/** The service cannot sign: gas estimation and simulation fail. */
const noSigning = Proxy.rpcError(-32005, "limit exceeded")
const estimate = "eth_estimateGas"
const simulate = "simulateTransaction"

/** Runs an action while no collect can be signed. */
export const whileNothingIsSigned = async <A>({ nodes }: Setup, task: () => Promise<A>): Promise<A> => {
  await make(nodes.evmA.set(estimate, noSigning))
  await make(nodes.solana.set(simulate, noSigning))
  const result = await task()
  await make(nodes.evmA.clear(estimate))
  await make(nodes.solana.clear(simulate))
  return result
}

/** Runs an action while no delivery to the second chain or to Solana can be signed. */
export const whileNothingIsDelivered = async ({ nodes }: Setup, task: () => Promise<void>): Promise<void> => {
  await make(nodes.evmB.set(estimate, noSigning))
  await make(nodes.solana.set(simulate, noSigning))
  await task()
  await make(nodes.evmB.clear(estimate))
  await make(nodes.solana.clear(simulate))
}

/** Transactions are delayed on the way to the node for longer than a test takes. */
const slow = Proxy.delay(600_000)

const sending = { evmA: "eth_sendRawTransaction", evmB: "eth_sendRawTransaction", solana: "sendTransaction" } as const

/**
 * Runs an action while all transactions to these chains are delayed. Other calls in the same batch are delayed as
 * well.
 */
const whileSendingWaits = async (
  { nodes }: Setup,
  places: ReadonlyArray<keyof typeof sending>,
  task: () => Promise<void>
): Promise<void> => {
  for (const place of places) await make(nodes[place].set(sending[place], slow))
  await task()
  for (const place of places) await make(nodes[place].clear(sending[place]))
}

/** A swap that is kept in a state. */
export interface Kept extends Submitted {
  readonly state: State
  /** The expected outcome. */
  readonly end: "settled" | "refunded"
}

/** From both families, and to both. */
const ways: ReadonlyArray<Pick<Wish, "origin" | "destination">> = [
  { origin: "evmA", destination: "evmB" },
  { origin: "solana", destination: "evmB" },
  { origin: "evmA", destination: "solana" }
]

/** Deliveries go to both families; a refund needs a token that cannot be delivered, which the second chain has. */
const waysOf = (state: State) => {
  if (state.startsWith("delivery")) return ways
  return ways.filter(({ destination }) => destination === "evmB")
}

/**
 * Lets a server bring swaps into every state, and keeps them there. The chains are held from that point, so that
 * transactions are not included, except those that the later states need.
 */
export const keepInEveryState = async (
  setup: Setup,
  replica: Replica,
  payers: Payers,
  more: ReadonlyArray<Kept> = []
): Promise<ReadonlyArray<Kept>> => {
  const { devnet, stuck } = setup
  const { evmA, evmB, solana } = devnet
  const all: Array<Kept> = []
  const begin = async (state: State): Promise<ReadonlyArray<Kept>> => {
    const isRefund = state.startsWith("refund")
    const started: Array<Kept> = []
    for (const way of waysOf(state)) {
      const wish = isRefund ? { ...way, output: stuck } : way
      const submitted = await startOn(setup, { status: replica }, payers, wish)
      started.push({ ...submitted, state, end: isRefund ? "refunded" : "settled" })
    }
    all.push(...started)
    return started
  }
  const keepAll = (swaps: ReadonlyArray<Kept>, state: State) =>
    Promise.all(swaps.map((swap) => keep(setup, swap, state)))

  // Every input arrives, and nothing is decided yet.
  await make(evmA.hold)
  await make(solana.hold)
  const final = await begin("origin_final")
  const deliveries = { prepared: await begin("delivery_prepared"), sent: await begin("delivery_sent") }
  const refunds = { prepared: await begin("refund_prepared"), sent: await begin("refund_sent") }
  const arriving = [...final, ...deliveries.prepared, ...deliveries.sent, ...refunds.prepared, ...refunds.sent]
  for (const swap of arriving) await until(async () => (await stateOf(setup, swap)) === "origin_sent")
  await whileNothingIsDelivered(setup, async () => {
    await make(evmA.release)
    await make(solana.release)
    await keepAll(arriving, "origin_final")
  })

  // Held from that point: a sent transaction stays in the pool.
  for (const chain of [evmA, evmB, solana]) await make(chain.hold)
  await letGo(setup, [...deliveries.sent, ...refunds.sent])
  await keepAll(deliveries.sent, "delivery_sent")
  await keepAll(refunds.sent, "refund_sent")
  // The second chain must answer: the recipient's fault is checked only once.
  await whileSendingWaits(setup, ["evmA", "solana"], async () => {
    await letGo(setup, [...refunds.prepared, ...more])
    await keepAll([...refunds.prepared, ...more], "refund_prepared")
  })
  await whileSendingWaits(setup, ["evmA", "evmB", "solana"], async () => {
    await letGo(setup, deliveries.prepared)
    await keepAll(deliveries.prepared, "delivery_prepared")
    await keepAll(await begin("origin_prepared"), "origin_prepared")
  })
  await keepAll(await begin("origin_sent"), "origin_sent")
  await whileNothingIsSigned(setup, async () => {
    await keepAll(await begin("accepted"), "accepted")
  })
  return all
}

/** Lets the chains mine blocks again. */
export const releaseChains = async ({ devnet }: Setup): Promise<void> => {
  for (const chain of [devnet.evmA, devnet.evmB, devnet.solana]) await make(chain.release)
}
