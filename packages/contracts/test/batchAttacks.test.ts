/**
 * One bad item in ten: the other nine settle, and nothing is paid twice. `batchAttacks.snapshot.json` has the gas that each
 * bad item costs the operator, in addition to a batch of the other nine.
 */
import { beforeEach, describe, expect, it } from "@effect/vitest"
import { type Address, concat, encodeAbiParameters, type Hex, type PrivateKeyAccount } from "viem"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as PausableToken from "../src/generated/PausableToken.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import {
  collectMany,
  deliverMany,
  denseId,
  holderOf,
  itemGas,
  payers,
  payment,
  preparePayers,
  refundMany,
  type Report,
  reportOf,
  type Transfer
} from "./batches.ts"
import { encode, genesis, type Outcome } from "./chain.ts"
import { authorize, balanceOf, cap, holding, native, owner, relayer, stranger, usdc, vault } from "./fixture.ts"
import * as Hostile from "./generated/Hostile.ts"
import * as HostileToken from "./generated/HostileToken.ts"
import { at } from "./model.ts"
import { approvePermit2, collection, delegateNow, deployPermit2, orderOf, signOrder } from "./payments.ts"
import { useChain } from "./suite.ts"

/** What a bad item may cost in addition to its gas: its calldata, the call and the event. */
const overhead = 9_000n

const acts = [
  ["burns its gas", 1],
  ["reverts with many bytes", 2],
  ["returns many bytes", 3]
] as const

describe("a bad item in a batch of ten", () => {
  let token: Address
  let pausable: Address
  const hostile: Record<number, Address> = {}
  const chain = useChain(async (chain) => {
    await deployPermit2(chain)
    token = await chain.deploy(owner, HostileToken.bytecode)
    pausable = await chain.deploy(owner, PausableToken.bytecode)
    for (const [, act] of acts)
      hostile[act] = await chain.deploy(
        owner,
        concat([Hostile.bytecode, encodeAbiParameters([{ type: "uint8" }], [act])])
      )
    for (const of of [token, pausable]) {
      await chain.write(owner, of, TestToken, "mint", [vault, holding])
      await chain.write(owner, vault, GeoVault, "setCap", [of, cap])
    }
    await preparePayers(chain, [usdc, token, pausable])
  })
  const costs: Record<string, number> = {}
  const bad = at(payers, 9)

  /** Checks what the nine others did, and what the bad item cost. */
  const check = async (
    name: string,
    ids: ReadonlyArray<Hex>,
    reason: string,
    attacked: Report & Outcome,
    nine: bigint
  ): Promise<void> => {
    expect([name, attacked.result, attacked.failed, attacked.stopped]).toEqual([name, "done", { 4: reason }, undefined])
    expect(attacked.settled).toEqual(ids)
    const cost = attacked.receipt.gasUsed - nine
    expect(cost).toBeLessThanOrEqual(itemGas + overhead)
    costs[name] = Number(cost)
  }

  /** The gas of a batch, without its effects. */
  const gasOf = async (send: () => Promise<Outcome>): Promise<bigint> => {
    const id = await chain.client.snapshot()
    const { receipt } = await send()
    await chain.revert(id)
    return receipt.gasUsed
  }

  describe("of collections:", () => {
    let good: ReadonlyArray<Hex>
    const ids = Array.from({ length: 9 }, (_, index) => denseId(index))
    beforeEach(async () => {
      good = await Promise.all(payers.slice(0, 9).map((payer, index) => payment(payer, { orderId: at(ids, index) })))
    })

    /** Sends the item between the others, and checks every balance. */
    const attack = async (name: string, item: Hex, reason: string, send = collectMany) => {
      const nine = await gasOf(() => collectMany(chain, good))
      const held = await balanceOf(chain, usdc, vault)
      const others = await Promise.all([token, pausable].map((of) => balanceOf(chain, of, vault)))
      const outcome = await send(chain, [...good.slice(0, 4), item, ...good.slice(4)])
      await check(`collectMany: ${name}`, ids, reason, outcome, nine)
      expect(await balanceOf(chain, usdc, vault)).toBe(held + 90_000_000n)
      expect(await Promise.all([token, pausable].map((of) => balanceOf(chain, of, vault)))).toEqual(others)
      expect(await balanceOf(chain, usdc, bad.address)).toBe(holding)
    }

    /** An order of the bad wallet by Permit2, which asks the wallet's code. */
    const permitted = async (payer: PrivateKeyAccount) => {
      await approvePermit2(chain, payer, usdc)
      const order = orderOf(usdc, { wallet: payer.address })
      return collection("permit2", order, await signOrder("permit2", payer, order))
    }

    it.each(acts)("a token that %s", async (name, act) => {
      await chain.write(owner, token, HostileToken, "target", [bad.address, act])
      const reason = act === 3 ? "SafeERC20FailedOperation" : "without a reason"
      await attack(`a token that ${name}`, await payment(bad, { token }), reason)
    })

    it.each(acts)("a wallet that %s", async (name, act) => {
      const item = await permitted(bad)
      await delegateNow(chain, bad, hostile[act] ?? native)
      const reason = act === 3 ? "InvalidContractSignature" : "without a reason"
      await attack(`a wallet that ${name}`, item, reason)
    })

    /** Sends a batch right after a wallet changed its delegation, in the same block. */
    const afterDelegation =
      (address: Address): typeof collectMany =>
      async (chain, calls) => {
        const nonce = await chain.client.getTransactionCount({ address: bad.address })
        const authorization = await authorize(bad, { address, nonce })
        await chain.client.setAutomine(false)
        const change = await chain.submit(stranger, {
          to: stranger.address,
          authorizationList: [authorization],
          maxPriorityFeePerGas: 2_000_000_000n
        })
        const batch = await chain.submit(relayer, {
          to: vault,
          data: encode(GeoVault, "collectMany", [calls, itemGas]),
          gas: 3_000_000n
        })
        await chain.client.mine({ blocks: 1 })
        await chain.client.setAutomine(true)
        const [{ receipt: changed }, outcome] = [await chain.outcomeOf(change), await chain.outcomeOf(batch)]
        expect(changed.blockNumber).toBe(outcome.receipt.blockNumber)
        expect(changed.transactionIndex).toBeLessThan(outcome.receipt.transactionIndex)
        return { ...outcome, ...reportOf(outcome.receipt) }
      }

    it("a wallet that delegates to other code in the same block", async () => {
      const name = "a wallet that changes its delegation in the same block"
      await attack(name, await payment(bad), "NotDelegated", afterDelegation(hostile[1] ?? native))
    })

    it("a wallet without foreign code that delegates to a gas burner in the same block", async () => {
      const name = "a wallet that delegates to a gas burner in the same block"
      await attack(name, await permitted(bad), "without a reason", afterDelegation(hostile[1] ?? native))
    })

    it("a paused token", async () => {
      await chain.write(owner, pausable, PausableToken, "setPaused", [true])
      await attack("a paused token", await payment(bad, { token: pausable }), "TransfersPaused")
    })

    it("the same order twice", async () => {
      await attack("the same order twice", at(good, 0), "NonceUsed")
    })

    it("an expired order", async () => {
      await attack("an expired order", await payment(bad, { deadline: genesis }), "Expired")
    })

    it("a forged order", async () => {
      await attack("a forged order", (await payment(bad)).replace(/..$/, "00") as Hex, "InvalidSignature")
    })

    it("a token without code", async () => {
      await attack("a token without code", await payment(bad, { token: native }), "without a reason")
    })

    it.each<[string, () => Hex, string]>([
      ["a call without arguments", () => at(good, 0).slice(0, 10) as Hex, "without a reason"],
      ["half a selector", () => at(good, 0).slice(0, 6) as Hex, "NotAllowed"],
      ["no data", () => "0x", "NotAllowed"],
      ["another batch", () => encode(GeoVault, "collectMany", [good, itemGas]), "NotAllowed"],
      ["a delivery", () => encode(GeoVault, "deliver", [denseId(99), usdc, bad.address, 1n]), "NotAllowed"],
      ["a withdrawal", () => encode(GeoVault, "withdraw", [usdc, bad.address, 1n]), "NotAllowed"]
    ])("%s", async (name, item, reason) => {
      await attack(name, item(), reason)
    })
  })

  describe("of transfers:", () => {
    const kinds = [
      ["deliverMany", deliverMany],
      ["refundMany", refundMany]
    ] as const
    type Kind = (typeof kinds)[number]
    const ids = Array.from({ length: 9 }, (_, index) => denseId(index))
    const good = ids.map((swapId, index): Transfer => ({
      swapId,
      token: usdc,
      to: holderOf(index),
      amount: 1_000_000n
    }))
    const item = (fields: Partial<Transfer> = {}): Transfer => ({
      swapId: denseId(9),
      token: usdc,
      to: bad.address,
      amount: 1_000_000n,
      ...fields
    })
    beforeEach(async () => {
      // Relayers can refund only what was collected.
      for (const of of [usdc, token, pausable])
        await collectMany(chain, [await payment(at(payers, 10), { token: of, amount: cap / 2n, nonce: BigInt(of) })])
    })

    const attack = async ([kind, send]: Kind, name: string, bad: Transfer, reason: string) => {
      const nine = await gasOf(() => send(chain, good))
      const before = await Promise.all([usdc, token, pausable, native].map((of) => balanceOf(chain, of, vault)))
      const outcome = await send(chain, [...good.slice(0, 4), bad, ...good.slice(4)])
      await check(`${kind}: ${name}`, ids, reason, outcome, nine)
      const after = await Promise.all([usdc, token, pausable, native].map((of) => balanceOf(chain, of, vault)))
      expect(after).toEqual([at(before, 0) - 9_000_000n, ...before.slice(1)])
      for (const { amount, to } of good) expect(await balanceOf(chain, usdc, to)).toBe(amount)
    }

    describe.each(kinds.map((kind) => ({ kind, name: kind[0] })))("$name,", ({ kind }) => {
      it.each(acts)("a token that %s", async (name, act) => {
        await chain.write(owner, token, HostileToken, "target", [bad.address, act])
        const reason = act === 3 ? "SafeERC20FailedOperation" : "without a reason"
        await attack(kind, `a token that ${name}`, item({ token }), reason)
      })

      it("a paused token", async () => {
        await chain.write(owner, pausable, PausableToken, "setPaused", [true])
        await attack(kind, "a paused token", item({ token: pausable }), "TransfersPaused")
      })

      it("an id that is twice in the batch", async () => {
        await attack(kind, "an id that is twice in the batch", item({ swapId: denseId(0) }), "IdUsed")
      })

      it("an id that is used", async () => {
        await chain.write(relayer, vault, GeoVault, "deliver", [denseId(9), usdc, holderOf(50), 1n])
        await attack(kind, "an id that is used", item(), "IdUsed")
      })

      it.each([
        ["more than the cap", { amount: cap + 1n }, "CapExceeded"],
        ["nothing", { amount: 0n }, "Nothing"],
        ["to the zero address", { to: native }, "Nothing"],
        ["to the vault", { to: vault }, "Nothing"]
      ] as const)("%s", async (name, fields, reason) => {
        await attack(kind, name, item(fields), reason)
      })
    })

    it("more than was collected, even if the relayer is the owner: refundMany", async () => {
      await chain.write(owner, vault, GeoVault, "setRelayer", [owner.address, true])
      const excess = item({ amount: cap / 2n + 1n })
      await attack(kinds[1], "more than was collected", excess, "ExceedsCollected")
      const { failed, settled } = await refundMany(chain, [{ ...excess, swapId: denseId(77) }], { by: owner })
      expect([failed, settled]).toEqual([{ 0: "ExceedsCollected" }, []])
    })

    it.each(acts.slice(0, 2))("a recipient of native tokens that %s", async (name, act) => {
      await attack(
        kinds[0],
        `a recipient of native tokens that ${name}`,
        item({ token: native, to: hostile[act] ?? native }),
        "Undeliverable"
      )
    })

    it("a recipient of native tokens that returns many bytes gets them, at the same limit", async () => {
      const nine = await gasOf(() => deliverMany(chain, good))
      const accepted = item({ token: native, to: hostile[3] ?? native })
      const { failed, receipt, settled } = await deliverMany(chain, [...good, accepted])
      expect([failed, settled]).toEqual([{}, [...ids, accepted.swapId]])
      expect(receipt.gasUsed - nine).toBeLessThanOrEqual(itemGas + overhead)
      costs["deliverMany: a recipient of native tokens that returns many bytes"] = Number(receipt.gasUsed - nine)
    })

    it("an address that is longer than an address", async () => {
      const items = [...good.slice(0, 4), item(), ...good.slice(4)]
      const data = encode(GeoVault, "deliverMany", [items, itemGas])
      const word = bad.address.slice(2).toLowerCase().padStart(64, "0")
      const dirty = data.replace(word, `01${word.slice(2)}`) as Hex
      expect(dirty).not.toBe(data)
      const nine = await gasOf(() => deliverMany(chain, good))
      const outcome = await chain.send(relayer, { to: vault, data: dirty, gas: 3_000_000n })
      const name = "deliverMany: an address that is longer than an address"
      await check(name, ids, "without a reason", { ...outcome, ...reportOf(outcome.receipt) }, nine)
    })
  })

  it("costs at most its gas: the snapshot", async () => {
    await expect(`${JSON.stringify(costs, undefined, 2)}\n`).toMatchFileSnapshot("./batchAttacks.snapshot.json")
  })
})
