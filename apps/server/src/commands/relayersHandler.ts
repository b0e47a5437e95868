/** Lists, retires and restores the relayers on EVM chains, even while servers are running. */
import type { Chains, LaneStore } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { addressKey } from "../output/displayNames.js"
import { Failure } from "../output/Failure.js"
import { print, printJson, printText } from "../output/print.js"
import { table } from "../output/table.js"
import { openChains } from "./openChains.js"

interface Flags {
  readonly json: boolean
}

interface LaneFlags extends Flags {
  readonly address: string
  readonly chain: number
}

/** The configured EVM chains and their lanes in the store. */
const setUp = Effect.fnUntraced(function* (configFile: string | undefined) {
  const { chains, store } = yield* openChains(configFile)
  return { chains: [...chains.values()].filter((chain) => chain.family === "evm"), lanes: store.lanes }
})

/** One configured relayer. */
const viewOf = (chain: Chains.EvmChain, address: string, lanes: ReadonlyArray<LaneStore.Lane>) => {
  const lane = lanes.find(({ chainId, relayer }) => chainId === chain.id && relayer === addressKey(address))
  return {
    chainId: chain.id,
    chain: chain.name,
    address,
    pending: lane?.pending ?? 0,
    unfinished: lane?.unfinished ?? 0,
    retiredAt: lane?.retiredAt === undefined ? null : new Date(lane.retiredAt).toISOString()
  }
}

/** Lists the relayers. */
export const list = Effect.fn("relayers.list")(function* ({ json }: Flags, configFile?: string) {
  const { chains, lanes } = yield* setUp(configFile)
  const stored = yield* lanes.all
  const views = chains.flatMap((chain) => chain.relayers.map((address) => viewOf(chain, address, stored)))
  if (json) return yield* printJson({ relayers: views })
  if (views.length === 0) return yield* print("No EVM chain is configured, so there are no relayers to list.")
  const rows = views.map(({ address, chain, chainId, pending, retiredAt, unfinished }) => [
    `${chain} (${chainId})`,
    address,
    `${pending}`,
    `${unfinished}`,
    retiredAt === null
      ? "active"
      : unfinished === 0
        ? `retired ${retiredAt}, can be removed`
        : `retired ${retiredAt}, still has transactions`
  ])
  yield* print(table([["chain", "relayer", "not in a block", "not final", "state"], ...rows]))
}, Effect.scoped)

/** The configured chain and relayer that the flags name. */
const find = Effect.fnUntraced(function* (chains: ReadonlyArray<Chains.EvmChain>, { address, chain: id }: LaneFlags) {
  const advice = "List the relayers: geoswap-server relayers list"
  const chain = chains.find((one) => one.id === id)
  if (chain === undefined)
    return yield* new Failure({ message: `Chain ${id} is not a configured EVM chain. ${advice}` })
  const relayer = chain.relayers.find((one) => addressKey(one) === addressKey(address))
  if (relayer === undefined)
    return yield* new Failure({ message: `${address} is not a relayer on chain ${id}. ${advice}` })
  return { chain, relayer }
})

/** Retires a relayer. Its transactions are still finished. */
export const retire = Effect.fn("relayers.retire")(function* (flags: LaneFlags, configFile?: string) {
  const { chains, lanes } = yield* setUp(configFile)
  const { chain, relayer } = yield* find(chains, flags)
  const { _tag } = yield* lanes.retire(chain.id, relayer, chain.relayers)
  if (_tag === "LastRelayer") {
    return yield* new Failure({
      message: `${relayer} is the only active relayer on chain ${chain.id}, so it cannot be retired. Add another relayer to keys.relayers first.`
    })
  }
  yield* flags.json
    ? printJson({ chainId: chain.id, address: relayer, retired: true })
    : printText(
        `The relayer ${relayer} takes no new transactions on chain ${chain.id} within a second. To see when it has finished: geoswap-server relayers list`
      )
}, Effect.scoped)

/** Restores a retired relayer. */
export const restore = Effect.fn("relayers.restore")(function* (flags: LaneFlags, configFile?: string) {
  const { chains, lanes } = yield* setUp(configFile)
  const { chain, relayer } = yield* find(chains, flags)
  const restored = yield* lanes.restore(chain.id, relayer)
  if (!restored) return yield* new Failure({ message: `The relayer ${relayer} is not retired on chain ${chain.id}.` })
  yield* flags.json
    ? printJson({ chainId: chain.id, address: relayer, retired: false })
    : print(`The relayer ${relayer} sends transactions on chain ${chain.id} again.`)
}, Effect.scoped)
