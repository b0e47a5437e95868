/** Lists, retires and restores the relayers on EVM chains, even while servers are running. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { addressKey } from "../output/displayNames.js"
import { Failure } from "../output/Failure.js"
import { print, printJson, printText } from "../output/print.js"
import { table } from "../output/table.js"
import { formatTime } from "../output/time.js"
import { json, matching, requiredArgument, requiredFlag } from "./flags.js"
import { openChains } from "./openStore.js"

/** The configured EVM chains and their lanes in the store. */
const openLanes = Effect.map(openChains, ({ chains, store: { lanes } }) => ({
  chains: [...chains.values()].filter((chain) => chain.family === "evm"),
  lanes
}))

const list = Command.make(
  "list",
  { json },
  Effect.fn("relayers.list")(function* ({ json }) {
    const { chains, lanes } = yield* openLanes
    const stored = yield* lanes.all
    const relayers = chains.flatMap(({ id, name, relayers }) =>
      relayers.map((address) => {
        const lane = stored.find(({ chainId, relayer }) => chainId === id && relayer === addressKey(address))
        return {
          chainId: id,
          chain: name,
          address,
          pending: lane?.pending ?? 0,
          unfinished: lane?.unfinished ?? 0,
          retiredAt: lane?.retiredAt === undefined ? null : formatTime(lane.retiredAt)
        }
      })
    )
    if (json) return yield* printJson({ relayers })
    if (relayers.length === 0) return yield* print("No EVM chain is configured, so there are no relayers to list.")
    const rows = relayers.map(({ address, chain, chainId, pending, retiredAt, unfinished }) => [
      `${chain} (${chainId})`,
      address,
      `${pending}`,
      `${unfinished}`,
      retiredAt === null
        ? "active"
        : `retired ${retiredAt}, ${unfinished === 0 ? "can be removed" : "still has transactions"}`
    ])
    yield* print(table([["chain", "relayer", "not in a block", "not final", "state"], ...rows]))
  }, Effect.scoped)
).pipe(Command.withDescription("List the relayers on EVM chains, with the transactions that they have under way"))

/** The flags that name one relayer. */
const named = {
  address: requiredArgument("address", {
    description: "Address of the relayer, as shown by relayers list",
    expected: "an address such as 0x1234…, as shown by relayers list",
    parse: matching(/^0x[0-9a-fA-F]{40}$/)
  }),
  chain: requiredFlag("chain", {
    metavar: "id",
    description: "Id of the chain",
    expected: "a chain id",
    parse: (text) => (/^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined)
  }),
  json
}

/** The lanes, and the configured relayer that the flags name. */
const find = Effect.fnUntraced(function* ({ address, chain: id }: Command.Command.Config.Infer<typeof named>) {
  const { chains, lanes } = yield* openLanes
  const advice = "List the relayers: geoswap-server relayers list"
  const chain = chains.find((one) => one.id === id)
  if (chain === undefined)
    return yield* new Failure({ message: `Chain ${id} is not a configured EVM chain. ${advice}` })
  const relayer = chain.relayers.find((one) => addressKey(one) === addressKey(address))
  if (relayer === undefined)
    return yield* new Failure({ message: `${address} is not a relayer on chain ${id}. ${advice}` })
  return { chain, relayer, lanes }
})

/** The transactions of a retired relayer are still finished. */
const retire = Command.make(
  "retire",
  named,
  Effect.fn("relayers.retire")(function* (flags) {
    const { chain, lanes, relayer } = yield* find(flags)
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
).pipe(Command.withDescription("Let a relayer finish its transactions, and give it no new ones"))

const restore = Command.make(
  "restore",
  named,
  Effect.fn("relayers.restore")(function* (flags) {
    const { chain, lanes, relayer } = yield* find(flags)
    const restored = yield* lanes.restore(chain.id, relayer)
    if (!restored) return yield* new Failure({ message: `The relayer ${relayer} is not retired on chain ${chain.id}.` })
    yield* flags.json
      ? printJson({ chainId: chain.id, address: relayer, retired: false })
      : print(`The relayer ${relayer} sends transactions on chain ${chain.id} again.`)
  }, Effect.scoped)
).pipe(Command.withDescription("Let a retired relayer send transactions again"))

/** Manages the relayers on EVM chains. */
export const command = Command.make("relayers").pipe(Command.withSubcommands([list, retire, restore]))
