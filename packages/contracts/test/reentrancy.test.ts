import { beforeEach, describe, expect, it } from "@effect/vitest"
import { type Address, type Hex, parseEventLogs } from "viem"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as HookToken from "../src/generated/HookToken.ts"
import * as Recipient from "../src/generated/Recipient.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import { encode, errorNameOf, type Outcome } from "./chain.ts"
import {
  balanceOf,
  cap,
  collect,
  delegateTo,
  eventsOf,
  native,
  operation,
  owner,
  recipient,
  relayer,
  sign,
  stranger,
  vault,
  wallet
} from "./fixture.ts"
import * as Batcher from "./generated/Batcher.ts"
import * as ReentrantToken from "./generated/ReentrantToken.ts"
import { useChain } from "./suite.ts"

const swapId = `0x${"53".repeat(32)}` as const
const otherId = `0x${"54".repeat(32)}` as const

/** The outcomes of the calls that were made during a transaction. */
const inner = ({ receipt }: Outcome): ReadonlyArray<string> =>
  parseEventLogs({ abi: ReentrantToken.abi, eventName: "Called", logs: receipt.logs }).map(({ args }) =>
    args.ok ? "done" : errorNameOf(args.answer)
  )

describe("a call back", () => {
  let token: Address
  let caught: Address
  const chain = useChain(async (chain) => {
    await delegateTo(chain, wallet)
    token = await chain.deploy(owner, ReentrantToken.bytecode)
    caught = await chain.deploy(owner, Recipient.bytecode)
    for (const to of [wallet.address, vault]) await chain.write(owner, token, TestToken, "mint", [to, 1000n])
    await chain.write(owner, vault, GeoVault, "setCap", [token, 150n])
  })

  const attack = (target: Address, data: Hex, strict = false) =>
    chain.write(stranger, token, ReentrantToken, "attack", [target, data, strict])
  const makeRelayer = (address: Address) => chain.write(owner, vault, GeoVault, "setRelayer", [address, true])
  const release = (name: "deliver" | "refund", id: Hex, amount = 100n, to: Address = recipient) =>
    encode(GeoVault, name, [id, token, to, amount])
  const presented = async (nonce: bigint) => {
    const op = operation({ token, amount: 100n, nonce })
    const signed = await sign(wallet, op)
    return {
      op,
      signed,
      data: encode(GeoVault, "collect", [wallet.address, op, signed.r, signed.vs])
    }
  }

  const payToken = async (nonce: bigint) => {
    const { op, signed } = await presented(nonce)
    return collect(chain, wallet.address, op, signed)
  }

  describe("of a token while it is collected", () => {
    it.each<[string, string, () => Promise<Hex>]>([
      ["collect", "NotAllowed", async () => (await presented(1n)).data],
      ["deliver", "NotAllowed", async () => release("deliver", swapId)],
      ["refund", "NotAllowed", async () => release("refund", swapId)],
      ["withdraw", "OwnableUnauthorizedAccount", async () => encode(GeoVault, "withdraw", [token, recipient, 1n])]
    ])("cannot %s", async (_, expected, make) => {
      await attack(vault, await make())
      const { op, signed } = await presented(0n)
      const outcome = await collect(chain, wallet.address, op, signed)
      expect([outcome.result, inner(outcome)]).toEqual(["done", [expected]])
      expect(await balanceOf(chain, token, vault)).toBe(1100n)
    })

    it.each([
      ["the same operation", 0n],
      ["another operation", 1n]
    ])("cannot ask the wallet to pay %s", async (_, nonce) => {
      const next = await presented(nonce)
      await attack(wallet.address, encode(GeoAccount, "pay", [next.op, next.signed.r, next.signed.vs]))
      const { op, signed } = await presented(0n)
      const outcome = await collect(chain, wallet.address, op, signed)
      expect([outcome.result, inner(outcome)]).toEqual(["done", ["NotVault"]])
    })

    it("finds the nonce used, even if the token were a relayer", async () => {
      await makeRelayer(token)
      const { data, op, signed } = await presented(0n)
      await attack(vault, data)
      const outcome = await collect(chain, wallet.address, op, signed)
      expect([outcome.result, inner(outcome)]).toEqual(["done", ["NonceUsed"]])
      expect(await balanceOf(chain, token, vault)).toBe(1100n)
    })

    it("reverts everything if it changes the measured balance, even if the token were a relayer", async () => {
      await makeRelayer(token)
      expect((await payToken(2n)).result).toBe("done")
      for (const data of [(await presented(1n)).data, release("deliver", swapId), release("refund", swapId)]) {
        await attack(vault, data, true)
        expect((await payToken(0n)).result).toBe("WrongAmount")
      }
      expect(await balanceOf(chain, token, vault)).toBe(1100n)
      expect(await chain.read(wallet.address, GeoAccount, "isUsed", [0n])).toBe(false)
      expect(await chain.read(vault, GeoVault, "refundable", [token])).toBe(100n)
    })

    it("cannot be refunded before it has arrived, even if the token were a relayer", async () => {
      await makeRelayer(token)
      await attack(vault, release("refund", swapId))
      const outcome = await payToken(0n)
      expect([outcome.result, inner(outcome)]).toEqual(["done", ["ExceedsCollected"]])
      expect(await balanceOf(chain, token, vault)).toBe(1100n)
    })
  })

  describe("for the sender, before anything moves,", () => {
    let hooked: Address
    beforeEach(async () => {
      hooked = await chain.deploy(owner, HookToken.bytecode)
      for (const to of [wallet.address, stranger.address, vault])
        await chain.write(owner, hooked, TestToken, "mint", [to, 1000n])
      await chain.write(owner, vault, GeoVault, "setCap", [hooked, 150n])
    })
    const hook = (target: Address, data: Hex, strict = false) =>
      chain.write(stranger, hooked, HookToken, "hook", [wallet.address, target, data, strict])
    const pay = async (nonce = 0n) => {
      const op = operation({ token: hooked, amount: 100n, nonce })
      return collect(chain, wallet.address, op, await sign(wallet, op))
    }

    it.each([
      ["collect", "NotAllowed"],
      ["deliver", "NotAllowed"],
      ["pay", "NotVault"]
    ] as const)("cannot %s", async (name, expected) => {
      const op = operation({ token: hooked, amount: 100n, nonce: 1n })
      const { r, vs } = await sign(wallet, op)
      const data = {
        collect: encode(GeoVault, "collect", [wallet.address, op, r, vs]),
        deliver: encode(GeoVault, "deliver", [swapId, hooked, recipient, 1n]),
        pay: encode(GeoAccount, "pay", [op, r, vs])
      }[name]
      await hook(name === "pay" ? wallet.address : vault, data)
      const outcome = await pay()
      expect([outcome.result, inner(outcome)]).toEqual(["done", [expected]])
      expect(await balanceOf(chain, hooked, vault)).toBe(1100n)
    })

    it("finds the nonce used, even if the token were a relayer", async () => {
      await makeRelayer(hooked)
      const op = operation({ token: hooked, amount: 100n })
      const { r, vs } = await sign(wallet, op)
      await hook(vault, encode(GeoVault, "collect", [wallet.address, op, r, vs]))
      const outcome = await pay()
      expect([outcome.result, inner(outcome)]).toEqual(["done", ["NonceUsed"]])
    })

    it("reverts the payment if it gives the vault more, or takes the wallet's tokens", async () => {
      for (const [from, to, amount, expected] of [
        [stranger.address, vault, 1n, "WrongAmount"],
        [wallet.address, stranger.address, 901n, "ERC20InsufficientBalance"]
      ] as const) {
        await chain.client.setBalance({ address: from, value: cap })
        await chain.send(from === wallet.address ? wallet : stranger, {
          to: hooked,
          data: encode(TestToken, "approve", [hooked, 1000n])
        })
        await hook(hooked, encode(TestToken, "transferFrom", [from, to, amount]), true)
        expect((await pay()).result).toBe(expected)
        expect(await balanceOf(chain, hooked, vault)).toBe(1000n)
        expect(await chain.read(wallet.address, GeoAccount, "isUsed", [0n])).toBe(false)
        await hook(native, "0x")
      }
      expect((await pay()).result).toBe("done")
    })

    it("can deliver if another transfer makes up for the amount, even if the hook were a relayer", async () => {
      const batcher = await chain.deploy(owner, Batcher.bytecode)
      await makeRelayer(batcher)
      await chain.send(stranger, { to: hooked, data: encode(TestToken, "approve", [batcher, 1000n]) })
      const delivery = encode(GeoVault, "deliver", [swapId, hooked, recipient, 50n])
      for (const [returned, expected] of [
        [49n, "WrongAmount"],
        [50n, "done"]
      ] as const) {
        const transfer = encode(TestToken, "transferFrom", [stranger.address, vault, returned])
        await hook(
          batcher,
          encode(Batcher, "run", [
            [vault, hooked],
            [delivery, transfer]
          ]),
          true
        )
        expect((await pay()).result).toBe(expected)
      }
      expect(await balanceOf(chain, hooked, vault)).toBe(1100n)
      expect(await balanceOf(chain, hooked, recipient)).toBe(50n)
    })
  })

  describe("of a token while it is delivered", () => {
    const deliver = (to: Address = recipient, of: Address = token) =>
      chain.write(relayer, vault, GeoVault, "deliver", [swapId, of, to, 100n])

    it.each(["deliver", "refund"] as const)("cannot %s", async (name) => {
      await attack(vault, release(name, otherId))
      const outcome = await deliver()
      expect([outcome.result, inner(outcome)]).toEqual(["done", ["NotAllowed"]])
    })

    it.each([
      ["finds the id used for a delivery", "deliver", swapId, "IdUsed"],
      ["finds the id used for a refund", "refund", swapId, "IdUsed"],
      ["finds the cap used too", "deliver", otherId, "CapExceeded"]
    ] as const)("%s, even if the token were a relayer", async (_, name, id, expected) => {
      await makeRelayer(token)
      await attack(vault, release(name, id))
      const outcome = await deliver()
      expect([outcome.result, inner(outcome)]).toEqual(["done", [expected]])
      expect(await balanceOf(chain, token, recipient)).toBe(100n)
      expect(eventsOf(outcome.receipt)).toHaveLength(1)
    })
  })

  describe("of a token while it is refunded", () => {
    it.each([
      ["finds the refund cap used", 150n, "CapExceeded"],
      ["finds nothing left to refund", 1_000n, "ExceedsCollected"]
    ] as const)("%s, even if the token were a relayer", async (_, perHour, expected) => {
      await makeRelayer(token)
      await chain.write(owner, vault, GeoVault, "setCap", [token, perHour])
      expect((await payToken(0n)).result).toBe("done")
      await attack(vault, release("refund", otherId))
      const outcome = await chain.send(relayer, { to: vault, data: release("refund", swapId) })
      expect([outcome.result, inner(outcome)]).toEqual(["done", [expected]])
      expect(await balanceOf(chain, token, recipient)).toBe(100n)
      expect(eventsOf(outcome.receipt)).toHaveLength(1)
    })
  })

  describe("of a recipient of native tokens", () => {
    const deliver = () => chain.write(relayer, vault, GeoVault, "deliver", [swapId, native, caught, 100n])
    const again = (name: "deliver" | "refund", id: Hex, amount: bigint) =>
      chain.write(stranger, caught, Recipient, "attack", [vault, encode(GeoVault, name, [id, native, caught, amount])])

    it("cannot deliver", async () => {
      await again("deliver", otherId, 1n)
      const outcome = await deliver()
      expect([outcome.result, inner(outcome)]).toEqual(["done", ["NotAllowed"]])
      expect(await balanceOf(chain, native, caught)).toBe(100n)
    })

    it.each([
      ["the id used for a delivery", "deliver", swapId, 1n, "IdUsed"],
      ["the id used for a refund", "refund", swapId, 1n, "IdUsed"],
      ["the cap used too", "deliver", otherId, cap - 99n, "CapExceeded"]
    ] as const)("finds %s, even if it were a relayer", async (_, name, id, amount, expected) => {
      await makeRelayer(caught)
      await again(name, id, amount)
      const outcome = await deliver()
      expect([outcome.result, inner(outcome)]).toEqual(["done", [expected]])
      expect(await balanceOf(chain, native, caught)).toBe(100n)
    })

    it("that refuses them leaves the swap open, so that it can be refunded", async () => {
      await chain.write(stranger, caught, Recipient, "refuse", [true])
      expect((await deliver()).result).toBe("Undeliverable")
      expect(await chain.read(vault, GeoVault, "isUsed", [swapId])).toBe(false)
      const refund = await chain.write(owner, vault, GeoVault, "refund", [swapId, native, recipient, 100n])
      expect(refund.result).toBe("done")
    })
  })
})
