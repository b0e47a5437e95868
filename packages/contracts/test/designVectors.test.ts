/** The test vector of the contract design, docs/contracts.md. */
import { describe, expect, it } from "@effect/vitest"
import { Vectors } from "@geoswap/core/testing"
import { readFileSync } from "node:fs"
import {
  type Address,
  concat,
  encodeAbiParameters,
  hashTypedData,
  type Hex,
  keccak256,
  pad,
  parseEther,
  toHex
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import * as AuthorizedToken from "../src/generated/AuthorizedToken.ts"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import * as Permit2 from "../src/Permit2.ts"
import * as TokenAbi from "../src/TokenAbi.ts"
import { directCall } from "./attacks.ts"
import { encode } from "./chain.ts"
import { balanceOf, present, stranger, tokenOf } from "./fixture.ts"
import {
  approvePermit2,
  deployPermit2,
  hashOrder,
  hashTerms,
  type Order,
  paymentDigest,
  typedData
} from "./payments.ts"
import { useChain } from "./suite.ts"

const design = readFileSync(new URL("../../../docs/contracts.md", import.meta.url), "utf8")
const [authorization] = Vectors.authorizations
const signer = privateKeyToAccount(Vectors.evmKey.privateKey)
const token: Address = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const order: Order = {
  chainId: 8453,
  vault: Vectors.evmDeployment.vault as Address,
  delegate: "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56",
  wallet: Vectors.evmKey.address,
  token,
  amount: 10_000_000n,
  orderId: `0x${"a1".repeat(32)}`,
  terms: {
    destinationChain: 1n,
    outputToken: pad("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", { size: 32 }),
    recipient: pad(Vectors.evmKey.address, { size: 32 }),
    minOutput: 2_400_000_000_000_000n
  },
  deadline: 1_767_225_690n,
  index: 0n,
  permitNonce: 0n
}
const inToken = { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: token }
const solana = { destinationChain: 792_703_809n, outputToken: pad("0x", { size: 32 }), minOutput: 1n }

describe("the test vector of the contract design", () => {
  it.each<[string, Hex]>([
    ["`hashTerms` ", hashTerms(order.terms)],
    ["`hashOrder` ", hashOrder(order)],
    ["digest of the operation", paymentDigest("typed", order)],
    ["digest of the EIP-3009 authorization", hashTypedData({ ...typedData.eip3009(order), domain: inToken })],
    ["digest of the Permit2 message", paymentDigest("permit2", order)],
    ["the same, with index 256", paymentDigest("permit2", { ...order, index: 256n })],
    ["digest of the ERC-2612 permit", hashTypedData({ ...typedData.permit(order), domain: inToken })]
  ])("%s", (name, hash) => {
    const [line] = design.split("\n").filter((each) => each.startsWith(`| ${name}`) && each.includes("0x"))
    expect(line).toContain(`\`${hash}\``)
  })

  it("has the hash of terms on Solana, the type hashes and the type of the witness", () => {
    const types = {
      terms: "Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)",
      order: "GeoOrder(address wallet,uint256 chainId,bytes32 orderId,Terms terms)",
      payment: "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,"
    }
    for (const hash of [
      hashTerms({ ...solana, recipient: `0x${"07".repeat(32)}` }),
      keccak256(toHex(types.terms)),
      keccak256(toHex(`${types.order}${types.terms}`)),
      keccak256(toHex(`${types.payment}${Permit2.witnessType}`))
    ])
      expect(design).toContain(hash)
    expect(design).toContain(Permit2.witnessType)
  })
})

describe("the functions of tokens that are exported", () => {
  it("are those of a token that has all of them", () => {
    const known = new Set(AuthorizedToken.abi.map((item) => JSON.stringify(shapeOf(item))))
    for (const item of [...TokenAbi.eip3009, ...TokenAbi.erc2612, ...TokenAbi.domain])
      expect(known).toContain(JSON.stringify(shapeOf(item)))
  })
})

interface Item {
  readonly type: string
  readonly name?: string
  readonly stateMutability?: string
  readonly inputs?: ReadonlyArray<{ readonly type: string; readonly name?: string }>
  readonly outputs?: ReadonlyArray<{ readonly type: string; readonly name?: string }>
}

const shapeOf = ({ inputs = [], name, outputs = [], stateMutability, type }: Item) => {
  const each = (items: NonNullable<Item["inputs"]>) => items.map((item) => `${item.type} ${item.name ?? ""}`)
  return [type, name, stateMutability, each(inputs), each(outputs)]
}

describe("the vector's signatures", () => {
  const chain = useChain(async (chain) => {
    const account = concat([GeoAccount.bytecode, encodeAbiParameters([{ type: "address" }], [order.vault])])
    await chain.client.setCode({ address: order.delegate, bytecode: await chain.codeAt(order.delegate, account) })
    await chain.client.setCode({
      address: token,
      bytecode: await chain.codeAt(token, tokenOf("USD Coin", "USDC", 6))
    })
    await chain.send(stranger, { to: stranger.address, authorizationList: [authorization] })
    await chain.write(stranger, token, TestToken, "mint", [order.wallet, order.amount])
    await deployPermit2(chain)
    await chain.client.setBalance({ address: order.vault, value: parseEther("1") })
    await chain.client.impersonateAccount({ address: order.vault })
  }, 8453)

  const asVault = async (to: Address, data: Hex): Promise<string> => {
    await chain.at(order.deadline)
    const hash = await chain.client.request<{
      Method: "eth_sendTransaction"
      Parameters: [object]
      ReturnType: Hex
    }>({ method: "eth_sendTransaction", params: [{ from: order.vault, to, data, gas: "0x493e0" }] })
    return (await chain.outcomeOf(hash)).result
  }
  const { amount, deadline, index: nonce, orderId } = order
  const op = { token, amount, orderId, terms: hashTerms(order.terms), nonce, deadline }

  it("pay from the account, in both forms", async () => {
    const digest = paymentDigest("typed", order)
    expect(await chain.read(order.wallet, GeoAccount, "digestOf", [op])).toBe(digest)
    const typed = present(await signer.sign({ hash: digest }))
    const personal = present(await signer.signMessage({ message: { raw: digest } }))
    expect(typed.r).toBe("0xd24b165a2953a5d8952c21d289c5f96981ae177796a8c1bdc6138cfaff133d79")
    expect(personal.r).toBe("0x0f7a088f3742961a79da3212368bcc281c8ec297783e8d318a4ff14d0eb56fec")
    for (const [name, { r, vs }] of [
      ["payTyped", typed],
      ["pay", personal]
    ] as const) {
      const id = await chain.client.snapshot()
      expect(await asVault(order.wallet, encode(GeoAccount, name, [op, r, vs]))).toBe("done")
      expect(await balanceOf(chain, token, order.vault)).toBe(amount)
      await chain.revert(id)
    }
  })

  it("pay through Permit2", async () => {
    await approvePermit2(chain, signer, token)
    const signed = present(await signer.sign({ hash: paymentDigest("permit2", order) }))
    expect(signed.r).toBe("0xb142f1af30b7017f9928f5dc5817fe881591b130139d0c253c8d21235beeb364")
    expect(await asVault(...directCall("permit2", order, signed))).toBe("done")
    expect(await balanceOf(chain, token, order.vault)).toBe(amount)
  })
})
