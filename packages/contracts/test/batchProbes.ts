/** What batches have to do and must not do, as data: the tests run the probes against the vault and against mutated ones. */
import { type Address, type Hex, numberToHex, parseEventLogs } from "viem"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import { payerOf, type Setting, validOrder } from "./attacks.ts"
import { collectMany, deliverMany, denseId, holderOf, refundMany, type Report, type Transfer } from "./batches.ts"
import { encode, errorNameOf, type Outcome } from "./chain.ts"
import { balanceOf, cap, holding, otherWallet, owner, present, stranger, wallet } from "./fixture.ts"
import * as Batcher from "./generated/Batcher.ts"
import * as HostileToken from "./generated/HostileToken.ts"
import * as NestingToken from "./generated/NestingToken.ts"
import * as ReentrantToken from "./generated/ReentrantToken.ts"
import {
  approvePermit2,
  collection,
  hashTerms,
  issue,
  methods,
  type Order,
  paymentDigest,
  signOrder
} from "./payments.ts"

/** A probe, and whether the vault passes it. */
export type Probe = readonly [name: string, passes: (setting: Setting) => Promise<boolean>]

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The whole report of a batch: which ids settled, what failed and where it stopped. */
const reports = (
  { failed, result, settled, stopped }: Report & Outcome,
  ids: ReadonlyArray<Hex>,
  failures: Readonly<Record<number, string>> = {},
  end?: number
): boolean => result === "done" && same([settled, failed, stopped], [ids, failures, end])

const idOf = (index: number): Hex => denseId(index, "b7")

/** Deliveries of 1,000 units to different holders. */
const transfers = (token: Address, count: number, first = 0): ReadonlyArray<Transfer> =>
  Array.from({ length: count }, (_, index) => ({
    swapId: idOf(first + index),
    token,
    to: holderOf(first + index),
    amount: 1_000n
  }))

const idsOf = (items: ReadonlyArray<Transfer>): ReadonlyArray<Hex> => items.map(({ swapId }) => swapId)

/** Deploys a token of which the vault has some, with a cap. */
const stock = async ({ chain, vault }: Setting, bytecode: Hex): Promise<Address> => {
  const token = await chain.deploy(owner, bytecode)
  await chain.write(owner, token, TestToken, "mint", [vault, holding])
  await chain.write(owner, vault, GeoVault, "setCap", [token, cap])
  return token
}

/** Calls by Permit2 that collect orders of the wallet without code. */
const orders = (setting: Setting, count: number): ReadonlyArray<Order> =>
  Array.from({ length: count }, (_, index) => ({
    ...validOrder("permit2", setting, BigInt(index)),
    orderId: idOf(index)
  }))

const calls = (list: ReadonlyArray<Order>): Promise<ReadonlyArray<Hex>> =>
  Promise.all(list.map(async (order) => collection("permit2", order, await signOrder("permit2", otherWallet, order))))

/** A batch with the least gas for which its second item is tried, and one with 1 gas less. */
const atTheLimit = async (
  { chain }: Setting,
  send: (gas: bigint) => Promise<Report & Outcome>,
  least = 100_000n
): Promise<readonly [enough: Report & Outcome, short: Report & Outcome]> => {
  const trial = async (gas: bigint) => {
    const id = await chain.client.snapshot()
    const outcome = await send(gas)
    await chain.revert(id)
    return outcome
  }
  const isShort = ({ result, stopped }: Report & Outcome) => result !== "done" || (stopped ?? 9) < 2
  let [low, high] = [least, 6_000_000n]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (isShort(await trial(middle))) low = middle
    else high = middle
  }
  return [await trial(high), await trial(low)]
}

/** The gas that each transfer of a token was given. */
const given = ({ receipt }: Outcome): ReadonlyArray<string> =>
  parseEventLogs({ abi: HostileToken.abi, eventName: "Started", logs: receipt.logs }).map(({ args }) =>
    String(args.left)
  )

/** The results of the calls that a token made during transfers. */
const inner = ({ receipt }: Outcome): ReadonlyArray<string> =>
  parseEventLogs({ abi: ReentrantToken.abi, eventName: "Called", logs: receipt.logs }).map(({ args }) =>
    args.ok ? "done" : errorNameOf(args.answer)
  )

/** Delivers three items of a token that makes a call during the first transfer, and has every role but the owner's. */
const nested = async (setting: Setting, make: (token: Address) => Hex, items = 3) => {
  const { chain, vault } = setting
  const token = await stock(setting, ReentrantToken.bytecode)
  await chain.write(owner, vault, GeoVault, "setRelayer", [token, true])
  await chain.write(owner, vault, GeoVault, "setGuardian", [token, true])
  await chain.write(stranger, token, ReentrantToken, "attack", [vault, make(token), false])
  return { token, outcome: await deliverMany(chain, transfers(token, items), { to: vault }) }
}

const settles: ReadonlyArray<Probe> = [
  [
    "a batch collects in all five ways",
    async (setting) => {
      const { chain, vault } = setting
      const list = methods.map((method, index): Order => ({
        ...validOrder(method, setting, BigInt(index)),
        orderId: idOf(index)
      }))
      const items = await Promise.all(
        list.map(async (order, index) => {
          const method = methods[index] ?? "typed"
          return collection(method, order, await signOrder(method, payerOf(method), order))
        })
      )
      const blind = { ...validOrder("typed", setting, 9n), orderId: idOf(9) }
      const { amount, deadline, index: nonce, orderId, terms, token } = blind
      const signed = present(await wallet.signMessage({ message: { raw: paymentDigest("typed", blind) } }))
      const op = { token, amount, orderId, terms: hashTerms(terms), nonce, deadline }
      items.push(encode(GeoVault, "collect", [wallet.address, op, signed.r, signed.vs]))
      const held = await balanceOf(chain, token, vault)
      const outcome = await collectMany(chain, items, { to: vault })
      const arrived = (await balanceOf(chain, token, vault)) - held
      return reports(outcome, [...list.map((order) => order.orderId), idOf(9)]) && arrived === 5n * amount
    }
  ],
  [
    "a batch delivers each id once, and marks no other id",
    async (setting) => {
      const { chain, token, vault } = setting
      const items = transfers(token, 3, 126)
      const isUsed = (id: Hex) => chain.read(vault, GeoVault, "isUsed", [id])
      if (!reports(await deliverMany(chain, items, { to: vault }), idsOf(items))) return false
      const again = await deliverMany(chain, items, { to: vault })
      if (!reports(again, [], { 0: "IdUsed", 1: "IdUsed", 2: "IdUsed" })) return false
      for (const { swapId, to } of items) {
        if ((await balanceOf(chain, token, to)) !== 1_000n) return false
        for (let bit = 0n; bit < 256n; bit++) {
          const other = numberToHex(BigInt(swapId) ^ (1n << bit), { size: 32 })
          if (!idsOf(items).includes(other) && (bit < 12n || bit > 250n) && (await isUsed(other))) return false
        }
        if (!(await isUsed(swapId))) return false
      }
      // A neighbour in another word, which has the same bit, and one in the same word.
      const others = [
        { ...transfers(token, 1, 126)[0], swapId: denseId(126, "b6") },
        { ...transfers(token, 1, 254)[0] }
      ] as ReadonlyArray<Transfer>
      return reports(await deliverMany(chain, others, { to: vault }), idsOf(others))
    }
  ],
  [
    "a batch refunds, within the limits of a relayer",
    async (setting) => {
      const { chain, token, vault } = setting
      const [order] = orders(setting, 1) as readonly [Order]
      await collectMany(chain, await calls([order]), { to: vault })
      const items = transfers(token, 3)
      const excess = { ...items[1], amount: order.amount } as Transfer
      const outcome = await refundMany(chain, [items[0], excess, items[2]] as ReadonlyArray<Transfer>, { to: vault })
      const [event] = parseEventLogs({ abi: GeoVault.abi, eventName: "Refunded", logs: outcome.receipt.logs })
      const ok = reports(outcome, [idOf(0), idOf(2)], { 1: "ExceedsCollected" }) && event?.args.amount === 1_000n
      return ok && (await chain.read(vault, GeoVault, "refundable", [token])) === order.amount - 2_000n
    }
  ],
  [
    "two batches in one transaction settle",
    async (setting) => {
      const { chain, token, vault } = setting
      const batcher = await chain.deploy(owner, Batcher.bytecode)
      await chain.write(owner, vault, GeoVault, "setRelayer", [batcher, true])
      const data = [transfers(token, 2), transfers(token, 2, 2)].map((items) =>
        encode(GeoVault, "deliverMany", [items, 150_000n])
      )
      const { result } = await chain.write(stranger, batcher, Batcher, "run", [[vault, vault], data])
      return result === "done" && (await chain.read(vault, GeoVault, "isUsed", [idOf(3)]))
    }
  ]
]

const refuses: ReadonlyArray<Probe> = [
  [
    "a batch is for relayers only",
    async ({ chain, token, vault }) => {
      const { result } = await deliverMany(chain, transfers(token, 2), { to: vault, by: stranger })
      return result === "NotAllowed"
    }
  ],
  [
    "a batch makes only calls that collect",
    async ({ chain, vault }) => {
      // By mistake, the owner names the vault as the next owner.
      await chain.write(owner, vault, GeoVault, "transferOwnership", [vault])
      const outcome = await collectMany(chain, [encode(GeoVault, "acceptOwnership", [])], { to: vault })
      const isOwner = (await chain.read(vault, GeoVault, "owner", [])) === owner.address
      return isOwner && reports(outcome, [], { 0: "NotAllowed" })
    }
  ],
  [
    "a batch inside a batch is refused",
    async (setting) => {
      const nest = (token: Address) => encode(GeoVault, "deliverMany", [transfers(token, 1, 50), 50_000n])
      const { outcome } = await nested(setting, nest)
      return same(inner(outcome), ["Reentered"]) && reports(outcome, [idOf(0), idOf(1), idOf(2)])
    }
  ],
  [
    "a pause inside a batch stops it",
    async (setting) => {
      const { outcome } = await nested(setting, () => encode(GeoVault, "pause", []))
      return same(inner(outcome), ["done"]) && reports(outcome, [idOf(0)], {}, 1)
    }
  ],
  [
    "a delivery inside a batch uses its id up",
    async (setting) => {
      const { chain } = setting
      const { outcome, token } = await nested(setting, (token) =>
        encode(GeoVault, "deliver", [idOf(2), token, holderOf(2), 1_000n])
      )
      const paid = (await balanceOf(chain, token, holderOf(2))) === 1_000n
      return paid && reports(outcome, [idOf(0), idOf(2), idOf(1)], { 2: "IdUsed" })
    }
  ],
  [
    "a collection inside a collection is undone, and settles as an item",
    async (setting) => {
      const { chain, vault } = setting
      const token = await issue(chain, NestingToken.bytecode)
      await chain.write(owner, vault, GeoVault, "setRelayer", [token, true])
      await approvePermit2(chain, otherWallet, token)
      const own = { ...validOrder("permit2", setting, 9n), token, orderId: idOf(9) }
      const data = collection("permit2", own, await signOrder("permit2", otherWallet, own))
      await chain.write(stranger, token, NestingToken, "nest", [vault, data])
      const outer = { ...validOrder("eip3009", setting), token, orderId: idOf(8) }
      const around = collection("eip3009", outer, await signOrder("eip3009", otherWallet, outer))
      const held = await balanceOf(chain, token, vault)
      const outcome = await collectMany(chain, [around, data, around], { to: vault })
      const arrived = (await balanceOf(chain, token, vault)) - held
      // The third item finds the nonce of the inner payment used.
      return reports(outcome, [idOf(9)], { 0: "Reentered", 2: "InvalidNonce" }) && arrived === own.amount
    }
  ]
]

const starves: ReadonlyArray<Probe> = [
  [
    "an item that burns its gas leaves the others theirs",
    async (setting) => {
      const { chain, vault } = setting
      const token = await stock(setting, HostileToken.bytecode)
      const items = transfers(token, 10)
      const others = idsOf(items.filter((_, index) => index !== 3))
      await chain.write(owner, token, HostileToken, "target", [holderOf(3), 1])
      const id = await chain.client.snapshot()
      const burned = await deliverMany(chain, items, { to: vault })
      await chain.revert(id)
      if (!reports(burned, others, { 3: "without a reason" })) return false
      // The same gas, with what the last item must find, is enough for an item that reverts with many bytes.
      await chain.write(owner, token, HostileToken, "target", [holderOf(3), 2])
      const gas = burned.receipt.gasUsed + (150_000n * 64n) / 63n - 20_000n
      return reports(await deliverMany(chain, items, { to: vault, gas }), others, { 3: "without a reason" })
    }
  ],
  [
    "an item gets all of its gas, or is not tried",
    async (setting) => {
      const { chain, vault } = setting
      const items = transfers(await stock(setting, HostileToken.bytecode), 3)
      // With so much gas, 1/64 of it is more than what the batch keeps.
      const send = (gas: bigint) => deliverMany(chain, items, { to: vault, gas, itemGas: 1_000_000n })
      const [enough, short] = await atTheLimit(setting, send)
      const [first, second] = given(await send(6_000_000n))
      return (
        reports(enough, [idOf(0), idOf(1)], {}, 2) &&
        same(given(enough), [first, second]) &&
        reports(short, [idOf(0)], {}, 1) &&
        same(given(short), [first])
      )
    }
  ],
  [
    "a batch can report items that burned all of their gas",
    async (setting) => {
      const { chain, token, vault } = setting
      const items = transfers(token, 3)
      // Too little for a delivery, so that nothing is left of it.
      const send = (gas: bigint) => deliverMany(chain, items, { to: vault, gas, itemGas: 2_000n })
      const [enough, short] = await atTheLimit(setting, send, 33_000n)
      const failed = { 0: "without a reason" }
      return reports(enough, [], { ...failed, 1: "without a reason" }, 2) && reports(short, [], failed, 1)
    }
  ]
]

/** All probes of batches. */
export const batchProbes: ReadonlyArray<Probe> = [...settles, ...refuses, ...starves]
