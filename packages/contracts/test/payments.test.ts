import { describe, expect, it } from "@effect/vitest"
import { type Address, domainSeparator, getContractAddress, type Hex, keccak256, maxUint256, toHex } from "viem"
import * as AuthorizedToken from "../src/generated/AuthorizedToken.ts"
import * as FeeToken from "../src/generated/FeeToken.ts"
import * as ForeignAccount from "../src/generated/ForeignAccount.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as LegacyToken from "../src/generated/LegacyToken.ts"
import * as PlainToken from "../src/generated/PlainToken.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import * as Permit2 from "../src/Permit2.ts"
import * as Permit2Deployment from "../src/Permit2Deployment.ts"
import { encode } from "./chain.ts"
import { balanceOf, delegate, eventsOf, holding, owner, stranger, tokenOf, vault, wallet } from "./fixture.ts"
import * as Batcher from "./generated/Batcher.ts"
import * as NestingToken from "./generated/NestingToken.ts"
import * as SwallowingToken from "./generated/SwallowingToken.ts"
import {
  approvePermit2,
  authorizedToken,
  collection,
  collectOrder,
  delegateNow,
  deployPermit2,
  enable,
  hashOrder,
  hashTerms,
  issue,
  type Method,
  methods,
  nestRefund,
  type Order,
  orderOf,
  sendFrom,
  signOrder
} from "./payments.ts"
import { useChain } from "./suite.ts"

describe("a payment by typed data", () => {
  let token: Address
  const chain = useChain(async (chain) => {
    await deployPermit2(chain)
    token = await issue(chain, authorizedToken())
  })

  const pay = async (method: Method, order: Order) =>
    collectOrder(chain, method, order, await signOrder(method, wallet, order))
  const allowance = (of: Address) => chain.read(of, TestToken, "allowance", [wallet.address, Permit2.address])

  describe.each(methods)("%s", (method) => {
    it("moves the amount to the vault, emits the vault's event and can be refunded", async () => {
      await enable(chain, method, token)
      const order = orderOf(token)
      const { receipt, result } = await pay(method, order)
      expect(result).toBe("done")
      const { amount, orderId, terms } = order
      expect(eventsOf(receipt)).toEqual([
        {
          eventName: "Collected",
          args: { orderId, account: wallet.address, token, amount, terms: hashTerms(terms) }
        }
      ])
      expect(await balanceOf(chain, token, wallet.address)).toBe(holding - amount)
      expect(await balanceOf(chain, token, vault)).toBe(holding + amount)
      expect(await chain.read(vault, GeoVault, "refundable", [token])).toBe(amount)
      expect(await chain.client.getBalance({ address: wallet.address })).toBe(0n)
    })

    it("takes signatures with either parity", async () => {
      await enable(chain, method, token)
      const parities = new Set<bigint>()
      for (let index = 0n; parities.size < 2; index++) {
        const order = orderOf(token, { index, orderId: keccak256(toHex(index)), permitNonce: index })
        const signed = await signOrder(method, wallet, order)
        parities.add(BigInt(signed.vs) >> 255n)
        expect((await collectOrder(chain, method, order, signed)).result).toBe("done")
      }
    })

    it("fails if the wallet has too little, and the order stays open", async () => {
      await enable(chain, method, token)
      const order = orderOf(token, { amount: holding + 1n })
      const signed = await signOrder(method, wallet, order)
      const failed = await collectOrder(chain, method, order, signed)
      expect(failed.result).toBe(method.endsWith("2") ? "Error" : "ERC20InsufficientBalance")
      expect(eventsOf(failed.receipt)).toEqual([])
      await chain.write(owner, token, TestToken, "mint", [wallet.address, 1n])
      expect((await collectOrder(chain, method, order, signed)).result).toBe("done")
    })

    it("ends with its deadline", async () => {
      await enable(chain, method, token)
      const { timestamp } = await chain.client.getBlock()
      // The deadline of EIP-3009 is exclusive.
      const last = method === "eip3009" ? 1n : 0n
      const order = orderOf(token, { deadline: timestamp + 100n })
      const signed = await signOrder(method, wallet, order)
      const snapshot = await chain.client.snapshot()
      await chain.at(order.deadline + 1n - last)
      const late = await collectOrder(chain, method, order, signed)
      expect(late.result).toBe(
        { typed: "Expired", eip3009: "ERC3009InvalidAuthorizationTime", permit2: "SignatureExpired" }[
          method === "erc2612" ? "permit2" : method
        ]
      )
      await chain.revert(snapshot)
      await chain.at(order.deadline - last)
      expect((await collectOrder(chain, method, order, signed)).result).toBe("done")
    })

    it("is refused while the vault is paused", async () => {
      await enable(chain, method, token)
      await chain.write(owner, vault, GeoVault, "pause", [])
      expect((await pay(method, orderOf(token))).result).toBe("IsPaused")
    })

    it("can follow another one in the same transaction", async () => {
      await enable(chain, method, token)
      const batcher = await chain.deploy(owner, Batcher.bytecode)
      await chain.write(owner, vault, GeoVault, "setRelayer", [batcher, true])
      const orders = [0n, 1n].map((index) =>
        orderOf(token, { index, orderId: keccak256(toHex(index)), permitNonce: index })
      )
      const calls = await Promise.all(
        orders.map(async (order) => collection(method, order, await signOrder(method, wallet, order)))
      )
      const { receipt, result } = await chain.write(stranger, batcher, Batcher, "run", [calls.map(() => vault), calls])
      expect([result, eventsOf(receipt).length]).toEqual(["done", 2])
    })
  })

  it("by EIP-3009 uses the hash of the order as the nonce in the token", async () => {
    const order = orderOf(token)
    const state = () => chain.read(token, AuthorizedToken, "authorizationState", [wallet.address, hashOrder(order)])
    expect(await state()).toBe(false)
    await pay("eip3009", order)
    expect(await state()).toBe(true)
  })

  it.each([0n, 255n, 256n, 2n ** 64n - 1n])("by Permit2 uses the nonce with index %d, and no other", async (index) => {
    await approvePermit2(chain, wallet, token)
    const bits = (word: bigint) => chain.read(Permit2.address, Permit2, "nonceBitmap", [wallet.address, word])
    expect((await pay("permit2", orderOf(token, { index }))).result).toBe("done")
    expect(await bits((Permit2.firstNonce + index) >> 8n)).toBe(1n << (index & 255n))
    expect(await bits(0n)).toBe(0n)
  })

  it("has its part of Permit2's nonces from the name geoswap.permit2", () => {
    expect(Permit2.firstNonce).toBe((BigInt(keccak256(toHex("geoswap.permit2"))) >> 64n) << 64n)
  })

  it("by ERC-2612 leaves no allowance, and none if the payment reverts", async () => {
    const order = orderOf(token)
    expect((await pay("erc2612", order)).result).toBe("done")
    expect(await allowance(token)).toBe(0n)
    const wrong = orderOf(token, { index: 1n, permitNonce: 1n })
    const signed = await signOrder("erc2612", wallet, wrong)
    expect((await collectOrder(chain, "erc2612", { ...wrong, index: 2n }, signed)).result).toBe("InvalidSigner")
    expect(await allowance(token)).toBe(0n)
    expect(await chain.read(token, AuthorizedToken, "nonces", [wallet.address])).toBe(1n)
  })

  it("by ERC-2612 fails in Permit2 if the permit is not valid and there is no allowance", async () => {
    const order = orderOf(token)
    const signed = await signOrder("erc2612", wallet, { ...order, permitNonce: 5n })
    expect((await collectOrder(chain, "erc2612", order, signed)).result).toBe("Error")
    expect(await balanceOf(chain, token, wallet.address)).toBe(holding)
  })

  it("by Permit2 fails without an allowance", async () => {
    expect((await pay("permit2", orderOf(token))).result).toBe("Error")
  })

  describe("of a token", () => {
    const attemptAll = async (bytecode: Hex) => {
      const of = await issue(chain, bytecode)
      const results: Record<string, string> = {}
      for (const method of methods) {
        const snapshot = await chain.client.snapshot()
        await enable(chain, method, of)
        results[method] = (await pay(method, orderOf(of))).result
        await chain.revert(snapshot)
      }
      return results
    }

    it.each([
      ["with EIP-3009 and ERC-2612", authorizedToken(), { eip3009: "done", erc2612: "done" }],
      ["with both, which asks wallets that have code", authorizedToken(true), { eip3009: "done", erc2612: "done" }],
      ["with ERC-2612", tokenOf("USD Coin", "USDC", 6), { eip3009: "without a reason", erc2612: "done" }],
      ["with neither", PlainToken.bytecode, { eip3009: "without a reason", erc2612: "Error" }],
      ["from before the standard, like USDT", LegacyToken.bytecode, { eip3009: "without a reason", erc2612: "Error" }],
      ["that accepts unknown calls, like WETH9", SwallowingToken.bytecode, { eip3009: "WrongAmount", erc2612: "Error" }]
    ] as const)("%s works in the ways that it has", async (_, bytecode, expected) => {
      expect(await attemptAll(bytecode)).toEqual({ typed: "done", permit2: "done", ...expected })
    })

    it("with a transfer fee is refused in every way", async () => {
      const of = await issue(chain, FeeToken.bytecode)
      await enable(chain, "typed", of)
      await approvePermit2(chain, wallet, of)
      for (const method of ["typed", "permit2"] as const)
        expect((await pay(method, orderOf(of))).result).toBe("WrongAmount")
      expect(await balanceOf(chain, of, wallet.address)).toBe(holding)
    })

    it("like USDT changes an allowance only from 0 or to 0", async () => {
      const of = await issue(chain, LegacyToken.bytecode)
      const approve = (amount: bigint) =>
        sendFrom(chain, wallet, of, encode(TestToken, "approve", [Permit2.address, amount]))
      expect((await approve(5n)).result).toBe("done")
      expect((await approve(6n)).result).toBe("without a reason")
      expect((await approve(0n)).result).toBe("done")
      expect((await approve(maxUint256)).result).toBe("done")
    })

    it("without code is refused in every way", async () => {
      for (const method of ["eip3009", "permit2", "erc2612"] as const)
        expect((await pay(method, orderOf(stranger.address))).result).toBe("without a reason")
    })

    it("that makes the vault collect another order instead of paying is refused", async () => {
      const of = await issue(chain, NestingToken.bytecode)
      await chain.write(owner, vault, GeoVault, "setRelayer", [of, true])
      await approvePermit2(chain, wallet, of)
      const inner = orderOf(of, { orderId: `0x${"b1".repeat(32)}` })
      const data = collection("permit2", inner, await signOrder("permit2", wallet, inner))
      await chain.write(stranger, of, NestingToken, "nest", [vault, data])
      const outcome = await pay("eip3009", orderOf(of))
      expect([outcome.result, eventsOf(outcome.receipt)]).toEqual(["Reentered", []])
      expect(await balanceOf(chain, of, wallet.address)).toBe(holding)
    })

    it("that makes the vault refund during a payment, and returns the amount, is refused", async () => {
      const of = await issue(chain, NestingToken.bytecode)
      await approvePermit2(chain, wallet, of)
      const first = orderOf(of, { orderId: `0x${"b1".repeat(32)}` })
      expect((await pay("permit2", first)).result).toBe("done")
      await nestRefund(chain, vault, of, first.amount)
      expect((await pay("eip3009", orderOf(of))).result).toBe("Reentered")
      expect(await chain.read(vault, GeoVault, "refundable", [of])).toBe(first.amount)
    })

    it("with a permit that returns a lot of data does not make the vault pay for it", async () => {
      const of = await issue(chain, SwallowingToken.bytecode)
      await approvePermit2(chain, wallet, of)
      const used: Array<bigint> = []
      for (const method of ["permit2", "erc2612"] as const) {
        const outcome = await pay(method, orderOf(of, { index: BigInt(used.length) }))
        expect(outcome.result).toBe("done")
        used.push(outcome.receipt.gasUsed)
      }
      // The token pays 28,000 for its own memory. Copying the data would cost as much again.
      expect((used[1] ?? 0n) - (used[0] ?? 0n)).toBeLessThan(45_000n)
    })
  })

  describe("of a wallet with code", () => {
    const results = async (of: Address) => {
      const found: Record<string, string> = {}
      for (const method of ["eip3009", "permit2", "erc2612"] as const) {
        const snapshot = await chain.client.snapshot()
        found[method] = (await pay(method, orderOf(of))).result
        await chain.revert(snapshot)
      }
      return found
    }

    it("that delegates to our account contract works in every way", async () => {
      for (const asksCode of [false, true]) {
        const of = await issue(chain, authorizedToken(asksCode))
        await approvePermit2(chain, wallet, of)
        await delegateNow(chain, wallet, delegate)
        expect(await results(of)).toEqual({ eip3009: "done", permit2: "done", erc2612: "done" })
      }
    })

    it("that delegates to another provider works if the token recovers the signer, and otherwise by its code", async () => {
      const foreign = await chain.deploy(owner, ForeignAccount.bytecode)
      const asking = await issue(chain, authorizedToken(true))
      for (const of of [token, asking]) await approvePermit2(chain, wallet, of)
      await delegateNow(chain, wallet, foreign)
      const refused = { permit2: "InvalidContractSignature", erc2612: "InvalidContractSignature" }
      expect(await results(token)).toEqual({ eip3009: "done", ...refused })
      expect(await results(asking)).toEqual({ eip3009: "ERC3009InvalidSignature", ...refused })
    })
  })
})

describe("Permit2", () => {
  const chain = useChain(deployPermit2)

  it("has the code that gets the canonical address, and the domain of its chain", async () => {
    const { bytecode, deployer, salt } = Permit2Deployment
    expect(getContractAddress({ opcode: "CREATE2", from: deployer, salt, bytecode })).toBe(Permit2.address)
    expect(keccak256(bytecode)).toBe("0xe2be1e05eedf35dacd66c65c862f8150ff9ab4b6b24b9bbe62be71b6b16cf0f8")
    const separator = await chain.read(Permit2.address, Permit2, "DOMAIN_SEPARATOR", [])
    expect(separator).toBe(
      domainSeparator({
        domain: { name: "Permit2", chainId: BigInt(chain.id), verifyingContract: Permit2.address }
      })
    )
  })
})
