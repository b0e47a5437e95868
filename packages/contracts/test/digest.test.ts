import { describe, expect, it } from "@effect/vitest"
import { Vectors } from "@geoswap/core/testing"
import { type Hex, pad, parseEther } from "viem"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import { type Chain, encode, genesis } from "./chain.ts"
import { useChain } from "./suite.ts"
import { accountOf, balanceOf, digestOf, present, stranger, tokenOf } from "./fixture.ts"

const chainId = 8453
const [{ geoOp: first }] = Vectors.operations
const [authorization] = Vectors.authorizations

/** The chain of the test vectors, with their delegate, token and delegated wallet. */
const prepare = async (chain: Chain): Promise<void> => {
  await chain.client.setCode({
    address: first.delegate,
    bytecode: await chain.codeAt(first.delegate, accountOf(first.vault))
  })
  for (const { geoOp } of Vectors.operations)
    await chain.client.setCode({
      address: geoOp.token,
      bytecode: await chain.codeAt(geoOp.token, tokenOf("USD Coin", "USDC", 6))
    })
  await chain.send(stranger, { to: stranger.address, authorizationList: [authorization] })
}

describe("the digest of an operation", () => {
  const chain = useChain(prepare, chainId)

  it("is read from a wallet that the vectors' authorization delegated", async () => {
    expect(authorization).toMatchObject({ chainId, address: first.delegate, nonce: 0 })
    expect(await chain.client.getCode({ address: first.wallet })).toBe(`0xef0100${first.delegate.slice(2)}`)
    expect((await chain.read(first.wallet, GeoAccount, "vault", [])).toLowerCase()).toBe(first.vault)
    expect((await chain.read(first.wallet, GeoAccount, "delegate", [])).toLowerCase()).toBe(first.delegate)
  })

  it.each([...Vectors.operations, ...Vectors.hostileOperations])(
    "$name: matches core's vectors and viem",
    async ({ geoOp, geoOpHash }) => {
      const op = { ...geoOp, deadline: BigInt(geoOp.deadline) }
      expect(await chain.read(geoOp.wallet, GeoAccount, "digestOf", [op])).toBe(geoOpHash)
      expect(digestOf(geoOp, op)).toBe(geoOpHash)
    }
  )

  it.each(Vectors.operations)("$name: the vector's signature pays the vector's vault", async ({ geoOp, signature }) => {
    const op = { ...geoOp, deadline: BigInt(geoOp.deadline) }
    const { r, vs } = present(signature)
    await chain.write(stranger, geoOp.token, TestToken, "mint", [geoOp.wallet, geoOp.amount])
    await chain.client.setBalance({ address: geoOp.vault, value: parseEther("1") })
    await chain.client.impersonateAccount({ address: geoOp.vault })
    await chain.at(op.deadline)
    const hash = await chain.client.request<{
      Method: "eth_sendTransaction"
      Parameters: [object]
      ReturnType: Hex
    }>({
      method: "eth_sendTransaction",
      params: [
        {
          from: geoOp.vault,
          to: geoOp.wallet,
          data: encode(GeoAccount, "pay", [op, r, vs]),
          gas: "0x30d40"
        }
      ]
    })
    const { receipt, result } = await chain.outcomeOf(hash)
    const { timestamp } = await chain.client.getBlock({ blockNumber: receipt.blockNumber })
    expect({ result, timestamp }).toEqual({ result: "done", timestamp: op.deadline })
    expect(await chain.read(geoOp.wallet, GeoAccount, "isUsed", [op.nonce])).toBe(true)
    expect(await balanceOf(chain, geoOp.token, geoOp.vault)).toBe(geoOp.amount)
  })

  it("depends on every field, and matches viem's for each", async () => {
    const base = {
      token: first.token,
      amount: 1n,
      orderId: pad("0x02", { size: 32 }),
      terms: pad("0x03", { size: 32 }),
      nonce: 4n,
      deadline: genesis
    }
    const ops = [
      base,
      { ...base, token: stranger.address },
      { ...base, amount: 2n ** 256n - 1n },
      { ...base, orderId: base.terms, terms: base.orderId },
      { ...base, nonce: base.deadline, deadline: base.nonce },
      { ...base, nonce: 5n },
      { ...base, deadline: genesis + 1n }
    ]
    const digests = await Promise.all(ops.map((op) => chain.read(first.wallet, GeoAccount, "digestOf", [op])))
    expect(digests).toEqual(ops.map((op) => digestOf(first, op)))
    expect(new Set(digests).size).toBe(ops.length)
  })
})
