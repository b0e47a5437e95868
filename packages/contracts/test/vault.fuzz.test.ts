/**
 * Compares random sequences of actions with a small model: no token is lost or created, no id and no nonce is used twice,
 * and what leaves a wallet arrives in the vault.
 *
 * Every sequence starts with full wallets. `FUZZ_RUNS / 1000` is the number of sequences, and at least five, and `FUZZ_SEED`
 * the seed of the first one. A failure prints the seed of its sequence.
 */
import { describe, expect, it } from "@effect/vitest"
import { type Address, type Hex, numberToHex, parseAbi, zeroAddress } from "viem"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as Permit2 from "../src/Permit2.ts"
import { encode, genesis, type Outcome } from "./chain.ts"
import * as OtherAccount from "./generated/OtherAccount.ts"
import { collectMany, deliverMany, refundMany, type Transfer } from "./batches.ts"
import {
  type Action,
  anyAction,
  apply,
  at,
  type Batch,
  seededRandom,
  initial,
  type Payment,
  refundable,
  type Release,
  type Single,
  type State,
  type Targets
} from "./model.ts"
import { useChain } from "./suite.ts"
import {
  accountOf,
  balanceOf,
  cap,
  delegate,
  delegateTo,
  guardian,
  holding,
  native,
  operation,
  otherWallet,
  owner,
  recipient,
  relayer,
  sign,
  stranger,
  vault,
  wallet
} from "./fixture.ts"
import {
  approvePermit2,
  authorizedToken,
  collection,
  delegateNow,
  deployPermit2,
  issue,
  methods,
  type Order,
  orderOf,
  signOrder
} from "./payments.ts"

const steps = 200
const sequences = Math.max(5, Math.ceil(Number(process.env["FUZZ_RUNS"]) / 1_000))
/** The gate runs the same sequences every time; longer runs use new ones. */
const firstSeed = Number(process.env["FUZZ_SEED"] ?? (sequences > 5 ? Date.now() % 2 ** 31 : 4))

const wallets = [wallet, otherWallet]

describe("any sequence of actions", () => {
  let targets: Targets
  let tokens: ReadonlyArray<Address>
  const chain = useChain(async (chain) => {
    const copy = await chain.deploy(owner, accountOf(vault))
    const other = await chain.deploy(owner, OtherAccount.bytecode)
    await chain.write(owner, vault, GeoVault, "setDelegate", [copy, true])
    await deployPermit2(chain)
    tokens = [await issue(chain, authorizedToken()), await issue(chain, authorizedToken()), native]
    for (const signer of wallets) {
      for (const token of tokens.slice(0, 2)) await approvePermit2(chain, signer, token)
      await delegateNow(chain, signer, delegate)
    }
    targets = [delegate, copy, other, zeroAddress]
  })

  /** The account that a wallet signs for. A wallet that delegates to another contract still signs for the vault's. */
  const accountOfWallet = (state: State, index: number) => at(targets, at(state.delegates, index) === 1 ? 1 : 0)

  /** The order of a payment by typed data. */
  const orderOfAction = (action: Extract<Payment, { readonly kind: "pay" }>, state: State, time: bigint): Order =>
    orderOf(at(tokens, action.token), {
      delegate: accountOfWallet(state, action.wallet),
      wallet: at(wallets, action.wallet).address,
      amount: action.amount,
      index: action.order,
      orderId: numberToHex(action.order, { size: 32 }),
      deadline: time + action.left,
      permitNonce: at(at(state.permits, action.wallet), action.token)
    })

  /** The call of the vault that collects a payment. */
  const callOf = async (action: Payment, state: State, time: bigint): Promise<Hex> => {
    switch (action.kind) {
      case "collect": {
        const { amount, honest, left, nonce } = action
        const signer = at(wallets, action.wallet)
        const op = operation({
          token: at(tokens, action.token),
          amount,
          nonce,
          deadline: time + left
        })
        const said = honest ? op : { ...op, amount: amount + 1n }
        const signed = await sign(signer, said, { delegate: accountOfWallet(state, action.wallet) })
        return encode(GeoVault, "collect", [signer.address, op, signed.r, signed.vs])
      }
      case "pay": {
        const order = orderOfAction(action, state, time)
        const said = action.honest ? order : { ...order, amount: order.amount + 1n }
        const signed = await signOrder(action.method, at(wallets, action.wallet), said)
        return collection(action.method, order, signed)
      }
    }
  }

  const transferOf = (action: Release): Transfer => ({
    swapId: action.id,
    token: at(tokens, action.token),
    to: { recipient, zeroAddress, vault }[action.to],
    amount: action.amount
  })

  /** The outcome of every item of a batch, or the error of the whole batch. */
  const performMany = async (action: Batch, state: State, time: bigint): Promise<ReadonlyArray<string> | string> => {
    const by = { owner, relayer, stranger }[action.by]
    const outcome =
      action.kind === "collectMany"
        ? await collectMany(chain, await Promise.all(action.items.map((item) => callOf(item, state, time))), { by })
        : action.kind === "deliverMany"
          ? await deliverMany(chain, action.items.map(transferOf), { by })
          : await refundMany(chain, action.items.map(transferOf), { by })
    if (outcome.result !== "done") return outcome.result
    const results = action.items.map((_, index) => outcome.failed[index] ?? "done")
    // Every item has exactly one event: of its success, or of its failure.
    expect(outcome.settled).toHaveLength(results.filter((result) => result === "done").length)
    expect(outcome.stopped).toBeUndefined()
    return results
  }

  const perform = async (action: Action, state: State, time: bigint): Promise<ReadonlyArray<string> | string> =>
    "items" in action ? performMany(action, state, time) : (await performSingle(action, state, time)).result

  const performSingle = async (action: Single, state: State, time: bigint): Promise<Outcome> => {
    const by = "by" in action ? { owner, relayer, stranger }[action.by] : relayer
    switch (action.kind) {
      case "collect":
      case "pay":
        return chain.send(by, { to: vault, data: await callOf(action, state, time) })
      case "approve":
        return approvePermit2(chain, at(wallets, action.wallet), at(tokens, action.token))
      case "deliver":
      case "refund": {
        const { amount, swapId, to, token } = transferOf(action)
        return chain.write(by, vault, GeoVault, action.kind, [swapId, token, to, amount])
      }
      case "withdraw":
        return chain.write(owner, vault, GeoVault, "withdraw", [at(tokens, action.token), recipient, action.amount])
      case "setCap":
      case "setRefundCap":
        return chain.write(owner, vault, GeoVault, action.kind, [at(tokens, action.token), action.perHour])
      case "pause":
        return chain.write(guardian, vault, GeoVault, "pause", [])
      case "unpause":
        return chain.write(owner, vault, GeoVault, "unpause", [])
      case "delegate": {
        const signer = at(wallets, action.wallet)
        const nonce = await chain.client.getTransactionCount({ address: signer.address })
        return delegateTo(chain, signer, at(targets, action.to), nonce)
      }
    }
  }

  /** The balances of the vault and the wallets. */
  const balancesOf = (token: Address) =>
    Promise.all([vault, ...wallets.map(({ address }) => address)].map((holder) => balanceOf(chain, token, holder)))

  const results: Record<string, number> = {}
  const batched: Record<string, number> = {}
  /** The kinds of batches in which several items settled. */
  const shared = new Set<string>()
  const paid: Record<string, number> = {}

  /** The transfers of all wallets in all sequences. In a single sequence, a wallet may make none. */
  let transferred = 0

  const runSequence = async (seed: number): Promise<void> => {
    const random = seededRandom(seed)
    const state = initial(holding, cap)
    let time = genesis + 7200n
    for (let step = 0; step < steps; step++) {
      time += BigInt(1 + random.below(400))
      const action = anyAction(random, holding)
      const told = `seed ${seed}, step ${step}, ${JSON.stringify(action, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))}`
      await chain.at(time)
      const result = await perform(action, state, time)
      expect([told, result]).toEqual([told, apply(state, action, time)])
      const counts = "items" in action ? batched : results
      for (const each of [result].flat()) counts[each] = (counts[each] ?? 0) + 1
      if ([result].flat().filter((each) => each === "done").length > 1) shared.add(action.kind)
      if (action.kind === "pay" && result === "done") paid[action.method] = (paid[action.method] ?? 0) + 1
      // One token after each step, all of them at the end.
      const token = step % tokens.length
      const held = [state.vault, ...state.wallets].map((balances) => at(balances, token))
      expect([told, await balancesOf(at(tokens, token))]).toEqual([told, held])
      const room = await chain.read(vault, GeoVault, "refundable", [at(tokens, token)])
      expect([told, room]).toEqual([told, refundable(state, token, time)])
    }
    for (const [index, token] of tokens.entries())
      expect(await balancesOf(token)).toEqual([state.vault, ...state.wallets].map((balances) => at(balances, index)))
    await checkHistory(state)
  }

  it(`matches the model (seed ${firstSeed}, ${sequences} sequences of ${steps} steps)`, { timeout: 0 }, async () => {
    for (let index = 0; index < sequences; index++) {
      const snapshot = await chain.client.snapshot()
      await runSequence(firstSeed + index)
      await chain.revert(snapshot)
    }
    // The sequences are meaningful: many actions succeeded, and many were refused.
    expect(results["done"]).toBeGreaterThan((sequences * steps) / 4)
    expect(Object.keys(results).length).toBeGreaterThan(5)
    expect(results["ExceedsCollected"]).toBeGreaterThan(0)
    expect(batched["done"]).toBeGreaterThan(sequences * 20)
    expect([...shared].toSorted()).toEqual(["collectMany", "deliverMany", "refundMany"])
    expect(Object.keys(batched).length).toBeGreaterThan(5)
    for (const method of methods) expect([method, paid[method] ?? 0]).not.toEqual([method, 0])
    expect(transferred).toBeGreaterThan(sequences)
  })

  /** Checks the logs of a sequence, independently of the model. */
  const checkHistory = async (state: State): Promise<void> => {
    const logs = await chain.client.getContractEvents({
      address: vault,
      abi: GeoVault.abi,
      fromBlock: 0n
    })
    const signs: Readonly<Record<string, bigint>> = {
      Collected: 1n,
      Delivered: -1n,
      Refunded: -1n,
      Withdrawn: -1n
    }
    const moved = logs.flatMap((log) =>
      "amount" in log.args && log.args.amount !== undefined
        ? [{ token: log.args.token, amount: log.args.amount * (signs[log.eventName] ?? 0n) }]
        : []
    )
    for (const token of tokens) {
      const total = moved.reduce((sum, next) => (next.token === token ? sum + next.amount : sum), holding)
      expect(await balanceOf(chain, token, vault)).toBe(total)
    }

    const ids = logs.flatMap((log) => ("swapId" in log.args ? [log.args.swapId] : []))
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(ids)).toEqual(state.ids)

    for (const [index, signer] of wallets.entries()) {
      const nonces = [...at(state.nonces, index)]
      const indexes = [...at(state.indexes, index)]
      const payments = logs.filter((log) => "account" in log.args && log.args.account === signer.address)
      expect(payments).toHaveLength(nonces.length + indexes.length + at(state.authorizations, index).size)
      await delegateNow(chain, signer, delegate)
      const used = nonces.map((nonce) => chain.read(signer.address, GeoAccount, "isUsed", [nonce]))
      expect(await Promise.all(used)).toEqual(nonces.map(() => true))
      for (const each of indexes) {
        const word = (Permit2.firstNonce + each) >> 8n
        const bits = await chain.read(Permit2.address, Permit2, "nonceBitmap", [signer.address, word])
        expect((bits >> (each & 255n)) & 1n).toBe(1n)
      }
    }

    const abi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"])
    for (const { address: from } of wallets) {
      const query = {
        address: tokens.slice(0, 2),
        abi,
        eventName: "Transfer" as const,
        args: { from },
        fromBlock: 0n
      }
      const transfers = await chain.client.getContractEvents(query)
      transferred += transfers.length
      expect(transfers.filter(({ args }) => args.to !== vault)).toEqual([])
    }
  }
})
