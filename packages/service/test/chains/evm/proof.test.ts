/** What several nodes prove about an order. A test sets what each of them reports. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Address } from "viem"
import type { NodeQuorum } from "../../../src/chains/evm/nodes/nodeQuorum.js"
import type { Reads } from "../../../src/chains/evm/nodes/reads.js"
import * as Collection from "../../../src/chains/evm/proof/collectionProof.js"
import * as ExternalSettlement from "../../../src/chains/evm/proof/externalSettlement.js"
import type { Event } from "../../../src/chains/evm/transactions/vaultCalls.js"
import { ChainUnavailable } from "../../../src/chains/ChainError.js"
import type * as Config from "../../../src/config/Config.js"
import type { CollectJob, SendJob } from "../../../src/domain/Job.js"
import { bytes, order } from "../../../src/testing/storeContract/fixture.js"

const first: Address = `0x${"a".repeat(40)}`
const second: Address = `0x${"b".repeat(40)}`

/** A node: its height, and the blocks in which vaults have paid the order, or `hidden` if it shows no event. */
interface Node {
  readonly height: bigint
  readonly paid?: Readonly<Record<Address, bigint | "hidden">>
  readonly isDown?: boolean
}

/** A block is final at its second confirmation, and is one second later than the block before it. */
const config = {
  id: 1,
  name: "one",
  rpcUrls: ["a", "b", "c"],
  finality: [{ after: { blocks: 2 } }]
} as unknown as Config.EvmChain
const vaults = { all: [first, second] as const, ofJob: () => Effect.succeed(first) }

const down = new ChainUnavailable({ chainId: 1, message: "down", timeout: false })

const readsOf = ({ height, isDown = false, paid = {} }: Node) =>
  ({
    blockAt: (at: bigint | "latest") => {
      const number = at === "latest" ? height : at
      return isDown
        ? Effect.fail(down)
        : Effect.succeed({ number, timestamp: Number(number), hash: bytes(Number(number)) })
    },
    read: ({ address }: { readonly address: Address }) =>
      isDown ? Effect.fail(down) : Effect.succeed(paid[address] !== undefined),
    logsOf: (event: Event, from: bigint, to: bigint) => {
      const block = paid[event.address]
      const isShown = typeof block === "bigint" && block >= from && block <= to
      return Effect.succeed(isShown ? [{ ...event, hash: "0xabc", blockNumber: block }] : [])
    }
  }) as unknown as Reads

/** What the functions under test use of the chain. */
const contextOf = (nodes: ReadonlyArray<Node>) => ({
  config,
  quorum: {
    nodes: nodes.map((node, index) => ({ ...readsOf(node), access: { isAside: () => false }, host: `node ${index}` }))
  } as unknown as NodeQuorum,
  vaults
})

describe("the settlement of an order by others", () => {
  const { orderId, output, outputToken } = order(1)
  const job: SendJob = { kind: "deliver", orderId, token: outputToken, to: first, amount: output, opensAccount: false }
  const settlement = (...nodes: ReadonlyArray<Node>) => ExternalSettlement.make(contextOf(nodes))(job)
  const [unused, down] = [{ height: 20n }, { height: 0n, isDown: true }]
  const paid = (block: bigint | "hidden", height = 20n, vault: Address = first): Node => ({
    height,
    paid: { [vault]: block }
  })

  it.effect("needs a quorum that reports it, or that reports the order as unused", () =>
    Effect.gen(function* () {
      expect(yield* settlement(unused, unused, down)).toEqual({ _tag: "Unused" })
      expect(yield* Effect.flip(settlement(unused, down, down))).toMatchObject({ _tag: "ChainUnavailable" })
      expect(yield* settlement(paid(10n), paid(10n), down)).toMatchObject({ _tag: "Done", hash: "0xabc", block: 10n })
      expect(yield* settlement(paid(10n), down, down)).toMatchObject({ _tag: "Unclear" })
    })
  )

  it.effect("is unclear while its block is not final, or if a node denies it", () =>
    Effect.gen(function* () {
      expect(yield* settlement(paid(20n), paid(20n), paid(20n))).toMatchObject({ _tag: "Unclear" })
      expect(yield* settlement(paid(10n), paid(10n), unused)).toMatchObject({ _tag: "Unclear" })
      expect(yield* settlement(paid(10n), paid(10n), paid(11n))).toMatchObject({ _tag: "Unclear" })
      // A node that is behind denies nothing.
      expect(yield* settlement(paid(10n), paid(10n), { height: 9n })).toMatchObject({ _tag: "Done" })
      expect(yield* settlement(unused, unused, paid(10n))).toMatchObject({ _tag: "Unclear" })
    })
  )

  it.effect("is unclear if any vault has paid the order without the event", () =>
    Effect.gen(function* () {
      for (const vault of vaults.all) {
        const hidden = paid("hidden", 20n, vault)
        expect(yield* settlement(hidden, hidden, hidden)).toMatchObject({ _tag: "Unclear" })
      }
      const other = paid(10n, 20n, second)
      expect(yield* settlement(other, other, other)).toMatchObject({ _tag: "Done" })
    })
  )
})

describe("the collection of an input", () => {
  const deadline = 100
  const { amount, inputToken, operation, orderId, terms, wallet } = order(1)
  if (operation._tag !== "evm") throw new Error("The order is of an EVM wallet.")
  const job: CollectJob = {
    kind: "collect",
    orderId,
    wallet,
    token: inputToken,
    amount,
    terms,
    operation: { ...operation, deadline }
  }
  const collection = (...nodes: ReadonlyArray<Node>) => Collection.make(contextOf(nodes))(job)
  const late = { height: 200n }

  it.effect("never happens if a quorum is past the deadline without it, and no node has it in any block", () =>
    Effect.gen(function* () {
      expect(yield* collection(late, late, late)).toMatchObject({ _tag: "Never" })
      expect(yield* collection(late, { height: 100n }, { height: 100n })).toMatchObject({ _tag: "Open" })
      const included: Node = { height: 100n, paid: { [first]: 100n } }
      expect(yield* Effect.flip(collection(late, late, included))).toMatchObject({ _tag: "ChainUnavailable" })
    })
  )
})
