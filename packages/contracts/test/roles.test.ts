import { describe, expect, it } from "@effect/vitest"
import { type Hex, zeroAddress } from "viem"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import { encode } from "./chain.ts"
import {
  approvePermit2,
  authorizedToken,
  collection,
  delegateNow,
  deployPermit2,
  issue,
  type Method,
  orderOf,
  signOrder
} from "./payments.ts"
import { useChain } from "./suite.ts"
import {
  accountOf,
  balanceOf,
  collect,
  delegate,
  delegateTo,
  eventsOf,
  guardian,
  holding,
  native,
  operation,
  otherWallet,
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

const roles = { owner, relayer, guardian, stranger, wallet }
type Role = keyof typeof roles
const swapId = `0x${"55".repeat(32)}` as const
const notOwner = "OwnableUnauthorizedAccount"

/** The functions of an ABI that change state. */
const writes = ({ abi }: { readonly abi: typeof GeoVault.abi | typeof GeoAccount.abi }): ReadonlyArray<string> =>
  abi.flatMap((item) =>
    item.type === "function" && item.stateMutability !== "view" && item.stateMutability !== "pure" ? [item.name] : []
  )

describe("the roles", () => {
  let second: typeof vault
  let token: typeof vault
  const chain = useChain(async (chain) => {
    await deployPermit2(chain)
    token = await issue(chain, authorizedToken())
    await approvePermit2(chain, otherWallet, token)
    await delegateNow(chain, otherWallet, delegate)
    await delegateTo(chain, wallet)
    await payIn(chain, 1n, { nonce: 7n })
    second = await chain.deploy(owner, accountOf(vault))
  })

  /** The call that collects a valid order, in one of the other ways. */
  const collectionOf = async (method: Method): Promise<Hex> => {
    const order = orderOf(token, { wallet: otherWallet.address })
    return collection(method, order, await signOrder(method, otherWallet, order))
  }

  /** Every state-changing function of the vault: its allowed callers, and the error for others. */
  const table: ReadonlyArray<[string, ReadonlyArray<Role>, string, () => Hex | Promise<Hex>]> = [
    [
      "collect",
      ["relayer"],
      "NotAllowed",
      async () => {
        const op = operation()
        const { r, vs } = await sign(wallet, op)
        return encode(GeoVault, "collect", [wallet.address, op, r, vs])
      }
    ],
    ["collectTyped", ["relayer"], "NotAllowed", () => collectionOf("typed")],
    ["collectWithAuthorization", ["relayer"], "NotAllowed", () => collectionOf("eip3009")],
    ["collectWithPermit2", ["relayer"], "NotAllowed", () => collectionOf("permit2")],
    ["collectWithPermit", ["relayer"], "NotAllowed", () => collectionOf("erc2612")],
    ["deliver", ["relayer"], "NotAllowed", () => encode(GeoVault, "deliver", [swapId, usdc, recipient, 1n])],
    ["refund", ["owner", "relayer"], "NotAllowed", () => encode(GeoVault, "refund", [swapId, usdc, recipient, 1n])],
    ["collectMany", ["relayer"], "NotAllowed", () => encode(GeoVault, "collectMany", [[], 0n])],
    ["deliverMany", ["relayer"], "NotAllowed", () => encode(GeoVault, "deliverMany", [[], 0n])],
    ["refundMany", ["relayer"], "NotAllowed", () => encode(GeoVault, "refundMany", [[], 0n])],
    ["pause", ["owner", "guardian"], "NotAllowed", () => encode(GeoVault, "pause", [])],
    ["unpause", ["owner"], notOwner, () => encode(GeoVault, "unpause", [])],
    ["withdraw", ["owner"], notOwner, () => encode(GeoVault, "withdraw", [usdc, recipient, 1n])],
    ["setDelegate", ["owner"], notOwner, () => encode(GeoVault, "setDelegate", [second, true])],
    ["setRelayer", ["owner"], notOwner, () => encode(GeoVault, "setRelayer", [stranger.address, true])],
    ["setGuardian", ["owner"], notOwner, () => encode(GeoVault, "setGuardian", [stranger.address, true])],
    ["setCap", ["owner"], notOwner, () => encode(GeoVault, "setCap", [usdc, 1n])],
    ["setRefundCap", ["owner"], notOwner, () => encode(GeoVault, "setRefundCap", [usdc, 1n])],
    ["transferOwnership", ["owner"], notOwner, () => encode(GeoVault, "transferOwnership", [stranger.address])],
    ["acceptOwnership", [], notOwner, () => encode(GeoVault, "acceptOwnership", [])]
  ]

  it("are checked by every function that changes state", () => {
    const asked = table.map(([name]) => name)
    expect(asked.toSorted()).toEqual(writes(GeoVault).toSorted())
    expect(writes(GeoAccount).toSorted()).toEqual(["pay", "payTyped"])
  })

  it.each(table)("allow %s to be called only by %j", async (_, allowed, refusal, make) => {
    const data = await make()
    for (const [role, { address }] of Object.entries(roles))
      expect([role, await chain.simulate(address, vault, data)]).toEqual([
        role,
        allowed.includes(role as Role) ? "done" : refusal
      ])
  })

  it("let only the vault ask a wallet or a delegate to pay", async () => {
    const op = operation()
    const { r, vs } = await sign(wallet, op)
    for (const { address } of Object.values(roles))
      for (const account of [wallet.address, second])
        expect(await chain.simulate(address, account, encode(GeoAccount, "pay", [op, r, vs]))).toBe("NotVault")
    expect(await chain.simulate(vault, wallet.address, encode(GeoAccount, "pay", [op, r, vs]))).toBe("done")
  })

  it("let the owner withdraw tokens and native tokens, paused or not", async () => {
    await chain.write(guardian, vault, GeoVault, "pause", [])
    for (const token of [usdc, native]) {
      const before = await balanceOf(chain, token, recipient)
      expect((await chain.write(owner, vault, GeoVault, "withdraw", [token, recipient, holding])).result).toBe("done")
      expect(await balanceOf(chain, token, recipient)).toBe(before + holding)
      for (const [to, amount] of [
        [recipient, 0n],
        [zeroAddress, 1n],
        [vault, 1n]
      ] as const)
        expect((await chain.write(owner, vault, GeoVault, "withdraw", [token, to, amount])).result).toBe("Nothing")
    }
  })

  it("transfer ownership in two steps, and change nothing until the second", async () => {
    const accept = (by: typeof owner) => chain.write(by, vault, GeoVault, "acceptOwnership", [])
    await chain.write(owner, vault, GeoVault, "transferOwnership", [guardian.address])
    expect(await chain.read(vault, GeoVault, "owner", [])).toBe(owner.address)
    expect(await chain.read(vault, GeoVault, "pendingOwner", [])).toBe(guardian.address)
    expect((await chain.write(guardian, vault, GeoVault, "setCap", [usdc, 1n])).result).toBe(notOwner)
    expect((await accept(stranger)).result).toBe(notOwner)
    expect((await accept(guardian)).result).toBe("done")
    expect(await chain.read(vault, GeoVault, "owner", [])).toBe(guardian.address)
    expect((await chain.write(owner, vault, GeoVault, "setCap", [usdc, 1n])).result).toBe(notOwner)
    expect((await chain.write(guardian, vault, GeoVault, "setCap", [usdc, 1n])).result).toBe("done")
  })

  it("let the owner cancel a transfer of ownership", async () => {
    await chain.write(owner, vault, GeoVault, "transferOwnership", [stranger.address])
    await chain.write(owner, vault, GeoVault, "transferOwnership", [zeroAddress])
    expect((await chain.write(stranger, vault, GeoVault, "acceptOwnership", [])).result).toBe(notOwner)
  })

  it("cannot lose their owner: renouncing always fails", async () => {
    const data = encode(
      {
        abi: [
          {
            type: "function",
            name: "renounceOwnership",
            inputs: [],
            outputs: [],
            stateMutability: "nonpayable"
          }
        ]
      },
      "renounceOwnership",
      []
    )
    for (const { address } of Object.values(roles))
      expect(await chain.simulate(address, vault, data)).toBe("NotAllowed")
  })

  it("emit an event when they change", async () => {
    const set = await chain.write(owner, vault, GeoVault, "setGuardian", [stranger.address, true])
    expect(eventsOf(set.receipt)).toEqual([
      { eventName: "GuardianSet", args: { guardian: stranger.address, allowed: true } }
    ])
    expect(await chain.read(vault, GeoVault, "isGuardian", [stranger.address])).toBe(true)
    await chain.write(owner, vault, GeoVault, "setGuardian", [guardian.address, false])
    expect((await chain.write(guardian, vault, GeoVault, "pause", [])).result).toBe("NotAllowed")
    expect((await chain.write(stranger, vault, GeoVault, "pause", [])).result).toBe("done")
  })

  it("do not include the wallet unless the owner makes it a relayer", async () => {
    await chain.client.setBalance({ address: wallet.address, value: holding })
    const op = operation()
    const signed = await sign(wallet, op)
    expect((await collect(chain, wallet.address, op, signed, undefined, wallet)).result).toBe("NotAllowed")
    await chain.write(owner, vault, GeoVault, "setRelayer", [wallet.address, true])
    expect((await collect(chain, wallet.address, op, signed, undefined, wallet)).result).toBe("done")
  })
})
