/** The gas of every path, compared exactly with `gas.snapshot.json`; `pnpm gas:update` updates it. */
import { describe, expect, it } from "@effect/vitest"
import { type Address, concat, encodeAbiParameters, getContractAddress, numberToHex, size } from "viem"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import * as Permit2 from "../src/Permit2.ts"
import { directCall, submitPermit } from "./attacks.ts"
import { encode, genesis, type Outcome } from "./chain.ts"
import {
  approvePermit2,
  authorizedToken,
  collection,
  collectOrder,
  deployPermit2,
  issue,
  type Method,
  orderOf,
  sendFrom,
  signOrder
} from "./payments.ts"
import { useChain } from "./suite.ts"
import {
  authorize,
  collect,
  delegateTo,
  guardian,
  native,
  operation,
  owner,
  payIn,
  recipient,
  relayer,
  sign,
  stranger,
  usdc,
  vault,
  wallet
} from "./fixture.ts"

const hour = genesis + 7200n

/** The id of a swap that shares its word of marks with no other. */
const idOf = (index: number) => numberToHex(index << 8, { size: 32 })

describe("the gas", () => {
  const chain = useChain()
  const gas: Record<string, number> = {}

  const note = async (name: string, work: Promise<Outcome>): Promise<number> => {
    const { receipt, result } = await work
    expect([name, result]).toEqual([name, "done"])
    return (gas[name] = Number(receipt.gasUsed))
  }

  it("of collecting stays within its budgets: 110,500 with the authorization, 69,000 later", async () => {
    const [first, later, word] = [operation({ nonce: 0n }), operation({ nonce: 1n }), operation({ nonce: 256n })]
    const signed = await Promise.all([first, later, word].map((op) => sign(wallet, op)))
    const pay = (index: number, op: typeof first, authorizations?: Parameters<typeof collect>[4]) =>
      collect(chain, wallet.address, op, signed[index] ?? { r: "0x", vs: "0x" }, authorizations)
    const one = await note("collect, first, with the authorization", pay(0, first, [await authorize(wallet)]))
    const two = await note("collect, later", pay(1, later))
    await note("collect, every 256th, which opens a word of nonces", pay(2, word))
    expect(one).toBeLessThanOrEqual(110_500)
    expect(two).toBeLessThanOrEqual(69_000)
  })

  it("of an authorization is 12,500 less for a wallet that has native tokens", async () => {
    await chain.client.setBalance({ address: wallet.address, value: 1n })
    const op = operation({ nonce: 0n })
    const name = "collect, first, with the authorization, from a wallet with native tokens"
    const work = collect(chain, wallet.address, op, await sign(wallet, op), [await authorize(wallet)])
    expect(await note(name, work)).toBe((gas["collect, first, with the authorization"] ?? 0) - 12_500)
  })

  it("of collecting is the same in every hour, so that an estimate is still enough after the full hour", async () => {
    await delegateTo(chain, wallet)
    await payIn(chain, 1_000_000n)
    const used: Array<bigint> = []
    for (let index = 1n; index < 8n; index++) {
      await chain.at(hour + index * 3600n)
      const { receipt, result } = await payIn(chain, 10_000_000n, { nonce: index, deadline: hour + 36_000n })
      expect(result).toBe("done")
      used.push(receipt.gasUsed)
    }
    const [least, most] = [used.reduce((a, b) => (a < b ? a : b)), used.reduce((a, b) => (a > b ? a : b))]
    // Signatures have different numbers of zero bytes.
    expect(most - least).toBeLessThan(200n)
    gas["collect, first in an hour"] = Number(used[0])
  })

  it("of collecting typed data, beside a plain transfer", async () => {
    const orders = [0n, 1n].map((index) => orderOf(usdc, { index }))
    const data = await Promise.all(
      orders.map(async (order) => collection("typed", order, await signOrder("typed", wallet, order)))
    )
    const authorizationList = [await authorize(wallet)]
    await note(
      "collectTyped, first, with the authorization",
      chain.send(relayer, { to: vault, data: data[0] ?? "0x", authorizationList })
    )
    await note("collectTyped, later", chain.send(relayer, { to: vault, data: data[1] ?? "0x" }))
    await note(
      "plain transfer by the wallet, which pays the gas",
      sendFrom(chain, wallet, usdc, encode(TestToken, "transfer", [vault, 10_000_000n]))
    )
  })

  it("of collecting without a delegation, beside a plain transfer in the same way", async () => {
    await deployPermit2(chain)
    const token = await issue(chain, authorizedToken())
    const pay = async (name: string, method: Method, index: bigint, permitNonce = 0n) => {
      const order = orderOf(token, { index, permitNonce, orderId: numberToHex(index + 1n, { size: 32 }) })
      await note(name, collectOrder(chain, method, order, await signOrder(method, wallet, order)))
    }
    /** A transfer to the relayer, which calls the token or Permit2 itself. */
    const plain = async (name: string, method: "eip3009" | "permit2", index: bigint) => {
      const order = orderOf(token, { index, vault: relayer.address })
      const signed = await signOrder(method, wallet, order)
      const [to, data] = directCall(method, order, signed)
      await note(name, chain.send(relayer, { to, data }))
    }
    await chain.write(owner, token, TestToken, "mint", [relayer.address, 1n])

    await pay("collectWithAuthorization", "eip3009", 0n)
    await plain("plain receiveWithAuthorization", "eip3009", 0n)

    await approvePermit2(chain, wallet, token)
    await pay("collectWithPermit2, first index of 256", "permit2", 0n)
    await pay("collectWithPermit2", "permit2", 1n)
    await plain("plain permitWitnessTransferFrom", "permit2", 2n)

    await approvePermit2(chain, wallet, token, 0n)
    await pay("collectWithPermit, first permit", "erc2612", 3n, 0n)
    await pay("collectWithPermit", "erc2612", 4n, 1n)
    const order = orderOf(token, { index: 5n, permitNonce: 2n })
    const signed = await signOrder("erc2612", wallet, order)
    await note("plain permit of Permit2", submitPermit(chain, order, Permit2.address, signed.permit ?? signed))
    await pay("collectWithPermit, after a third party submitted the permit", "erc2612", 5n, 2n)
  })

  it.each([
    ["token", usdc],
    ["native token", native]
  ] as const)("of delivering the %s", async (token, address: Address) => {
    let ids = 0
    const deliver = (to: Address, id = idOf(++ids)) =>
      chain.write(relayer, vault, GeoVault, "deliver", [id, address, to, 1_000_000n])
    await chain.at(hour)
    await note(`deliver, ${token}, first ever, to a new holder`, deliver(recipient))
    await chain.at(hour + 1n)
    await note(`deliver, ${token}, later in the hour`, deliver(recipient))
    await chain.at(hour + 3600n)
    await note(`deliver, ${token}, first in an hour`, deliver(recipient))
    await chain.at(hour + 3601n)
    await note(
      `deliver, ${token}, later in the hour, to a new holder`,
      deliver("0x00000000000000000000000000000000c0ffee02")
    )
    const neighbour = numberToHex((ids << 8) + 1, { size: 32 })
    await note(`deliver, ${token}, later in the hour, dense marks`, deliver(recipient, neighbour))
  })

  it("of refunding", async () => {
    let ids = 0
    const refund = (token: Address, by = relayer, amount = 1_000_000n) =>
      chain.write(by, vault, GeoVault, "refund", [idOf(++ids), token, wallet.address, amount])
    await delegateTo(chain, wallet)
    for (const [index, after] of [0n, 3600n, 7200n].entries()) {
      await chain.at(hour + after)
      await payIn(chain, 2_000_000n, { nonce: BigInt(index) })
    }
    await note("refund, first ever", refund(usdc))
    await note("refund, later in the hour", refund(usdc))
    await note("refund, of inputs of two hours", refund(usdc, relayer, 3_000_000n))
    await chain.at(hour + 10_800n)
    await note("refund, first in an hour", refund(usdc))
    await note("refund by the owner, token", refund(usdc, owner))
    await chain.client.setBalance({ address: wallet.address, value: 1n })
    await note("refund by the owner, native token", refund(native, owner))
  })

  it("of running the vault", async () => {
    const creation = concat([GeoVault.bytecode, encodeAbiParameters([{ type: "address" }], [owner.address])])
    const nonce = await chain.client.getTransactionCount({ address: owner.address })
    await note("deploy vault and account", chain.send(owner, { data: creation, gas: 8_000_000n }))
    const address = getContractAddress({ from: owner.address, nonce: BigInt(nonce) })
    const code = await chain.client.getCode({ address })
    // The limit of EIP-170.
    expect(size(code ?? "0x")).toBeGreaterThan(0)
    expect(size(code ?? "0x")).toBeLessThanOrEqual(24_576)
    await note("setRelayer", chain.write(owner, vault, GeoVault, "setRelayer", [stranger.address, true]))
    await note("setCap", chain.write(owner, vault, GeoVault, "setCap", [usdc, 1n]))
    await note("setCap, first of a token", chain.write(owner, vault, GeoVault, "setCap", [stranger.address, 1n]))
    await note("setRefundCap", chain.write(owner, vault, GeoVault, "setRefundCap", [usdc, 1n]))
    await note("withdraw, token", chain.write(owner, vault, GeoVault, "withdraw", [usdc, owner.address, 1n]))
    await note("pause, two relayers", chain.write(guardian, vault, GeoVault, "pause", []))
    await note("unpause, two relayers", chain.write(owner, vault, GeoVault, "unpause", []))
  })

  it("matches the snapshot", async () => {
    await expect(`${JSON.stringify(gas, undefined, 2)}\n`).toMatchFileSnapshot("./gas.snapshot.json")
  })
})
