import { describe, expect, it } from "@effect/vitest"
import { concat, encodeAbiParameters, parseEventLogs, type SignedAuthorization, zeroAddress } from "viem"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import { encode } from "./chain.ts"
import * as FakeAccount from "./generated/FakeAccount.ts"
import * as OtherAccount from "./generated/OtherAccount.ts"
import * as StrangeAccount from "./generated/StrangeAccount.ts"
import { useChain } from "./suite.ts"
import {
  accountOf,
  authorize,
  balanceOf,
  collect,
  delegate,
  delegateTo,
  eventsOf,
  highS,
  holding,
  operation,
  otherWallet,
  owner,
  recipient,
  relayer,
  sign,
  stranger,
  usdc,
  vault,
  wallet
} from "./fixture.ts"

/** Precompiled contracts, which accept any call. */
const sha256: typeof vault = "0x0000000000000000000000000000000000000002"
const identity: typeof vault = "0x0000000000000000000000000000000000000004"

const withHighS = ({ r, s, yParity = 0, ...tuple }: SignedAuthorization): SignedAuthorization => ({
  address: tuple.address,
  chainId: tuple.chainId,
  nonce: tuple.nonce,
  r,
  s: highS(s),
  yParity: 1 - yParity
})

describe("a delegation", () => {
  const chain = useChain()
  const codeOf = (address: typeof vault) => chain.client.getCode({ address })

  it.each([
    ["of a later nonce", () => authorize(wallet, { nonce: 1 })],
    ["for another chain", () => authorize(wallet, { chainId: 1 })],
    ["with a high s", async () => withHighS(await authorize(wallet))],
    ["that another wallet signed", () => authorize(otherWallet)]
  ])("%s is skipped: the transaction succeeds, nothing moves, and the vault refuses", async (_, make) => {
    const authorizationList = [await make()]
    const op = operation()
    const { r, vs } = await sign(wallet, op)
    const data = encode(GeoAccount, "pay", [op, r, vs])
    const direct = await chain.send(relayer, { to: wallet.address, data, authorizationList })
    expect(direct.receipt).toMatchObject({ status: "success", logs: [] })
    expect(await codeOf(wallet.address)).toBeUndefined()
    expect((await collect(chain, wallet.address, op, { r, vs }, authorizationList)).result).toBe("NotDelegated")
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(holding)
    // A correct authorization still works: the wallet's nonce has not changed.
    const right = await collect(chain, wallet.address, op, { r, vs }, [await authorize(wallet)])
    expect(right.result).toBe("done")
  })

  it("with an earlier nonce is skipped after the wallet has delegated to another provider", async () => {
    const other = await chain.deploy(owner, OtherAccount.bytecode)
    const stale = await authorize(wallet, { nonce: 0 })
    await delegateTo(chain, wallet, other, 0)
    const op = operation()
    const outcome = await collect(chain, wallet.address, op, await sign(wallet, op), [stale])
    expect(outcome.result).toBe("NotDelegated")
    expect(await codeOf(wallet.address)).toBe(`0xef0100${other.slice(2).toLowerCase()}`)
  })

  it("for chain 0 is valid on this chain too: signers and service refuse it, contracts cannot", async () => {
    const op = operation()
    const everywhere = await authorize(wallet, { chainId: 0 })
    const outcome = await collect(chain, wallet.address, op, await sign(wallet, op), [everywhere])
    expect(outcome.result).toBe("done")
  })

  it("to another provider and back keeps the used nonces and the other provider's storage", async () => {
    const other = await chain.deploy(owner, OtherAccount.bytecode)
    const [first, second] = [operation({ nonce: 0n }), operation({ nonce: 1n })]
    await collect(chain, wallet.address, first, await sign(wallet, first), [await authorize(wallet)])

    await delegateTo(chain, wallet, other, 1)
    expect((await chain.write(stranger, wallet.address, OtherAccount, "touch", [])).result).toBe("done")
    expect((await collect(chain, wallet.address, second, await sign(wallet, second))).result).toBe("NotDelegated")

    await delegateTo(chain, wallet, delegate, 2)
    expect((await collect(chain, wallet.address, first, await sign(wallet, first))).result).toBe("NonceUsed")
    expect((await collect(chain, wallet.address, second, await sign(wallet, second))).result).toBe("done")

    await delegateTo(chain, wallet, other, 3)
    expect(await chain.read(wallet.address, OtherAccount, "counter", [])).toBe(1n)
    expect(await chain.read(wallet.address, OtherAccount, "values", [0n])).toBe(2n ** 256n - 1n)
  })

  it("that was removed leaves a wallet without code, and collect fails", async () => {
    const op = operation()
    const signed = await sign(wallet, op)
    await delegateTo(chain, wallet)
    await delegateTo(chain, wallet, zeroAddress, 1)
    expect(await codeOf(wallet.address)).toBeUndefined()
    expect((await collect(chain, wallet.address, op, signed)).result).toBe("NotDelegated")
    const back = [await authorize(wallet, { nonce: 2 })]
    expect((await collect(chain, wallet.address, op, signed, back)).result).toBe("done")
  })

  it("changed in the same block to code that fakes our event is detected by the event's address", async () => {
    const fake = await chain.deploy(owner, FakeAccount.bytecode)
    await delegateTo(chain, wallet)
    const op = operation()
    const { r, vs } = await sign(wallet, op)
    await chain.client.setAutomine(false)
    const pretence = await chain.submit(stranger, {
      to: wallet.address,
      data: encode(FakeAccount, "pretend", [op]),
      authorizationList: [await authorize(wallet, { address: fake, nonce: 1 })],
      maxPriorityFeePerGas: 5_000_000_000n
    })
    const collection = await chain.submit(relayer, {
      to: vault,
      data: encode(GeoVault, "collect", [wallet.address, op, r, vs])
    })
    await chain.client.mine({ blocks: 1 })
    await chain.client.setAutomine(true)

    const [faked, refused] = [await chain.outcomeOf(pretence), await chain.outcomeOf(collection)]
    expect(faked.receipt.blockNumber).toBe(refused.receipt.blockNumber)
    const { amount, orderId, terms, token } = op
    expect(parseEventLogs({ abi: GeoVault.abi, logs: faked.receipt.logs })).toMatchObject([
      {
        eventName: "Collected",
        address: wallet.address.toLowerCase(),
        args: { orderId, account: wallet.address, token, amount, terms }
      }
    ])
    expect(eventsOf(faked.receipt)).toEqual([])
    expect(refused.result).toBe("NotDelegated")
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(holding)
  })

  it("is read from the account's code: a contract and an unused address are not delegated", async () => {
    const op = operation()
    const signed = await sign(wallet, op)
    for (const account of [delegate, usdc, vault, zeroAddress, relayer.address])
      expect((await collect(chain, account, op, signed)).result).toBe("NotDelegated")
    // Code that anyone can deploy, with the length of a delegation and our delegate at its end.
    const code = concat(["0x600000", delegate])
    await chain.client.setCode({ address: otherWallet.address, bytecode: code })
    expect((await collect(chain, otherWallet.address, op, signed)).result).toBe("NotDelegated")
  })
})

describe("the account contracts of a vault", () => {
  const chain = useChain()
  const setDelegate = (address: typeof vault, allowed: boolean) =>
    chain.write(owner, vault, GeoVault, "setDelegate", [address, allowed])

  it("start with the one that the vault deployed, which cannot be removed", async () => {
    expect(await chain.read(vault, GeoVault, "delegate", [])).toBe(delegate)
    expect(await chain.read(vault, GeoVault, "isDelegate", [delegate])).toBe(true)
    expect(await chain.read(delegate, GeoAccount, "vault", [])).toBe(vault)
    expect(await chain.read(delegate, GeoAccount, "delegate", [])).toBe(delegate)
    for (const allowed of [false, true]) expect((await setDelegate(delegate, allowed)).result).toBe("WrongDelegate")
  })

  it("can be added and removed, and share a wallet's nonces", async () => {
    const second = await chain.deploy(owner, accountOf(vault))
    const [first, later] = [operation({ nonce: 0n }), operation({ nonce: 1n })]
    await collect(chain, wallet.address, first, await sign(wallet, first), [await authorize(wallet)])
    await delegateTo(chain, wallet, second, 1)
    const signed = await sign(wallet, later, { delegate: second })
    expect((await collect(chain, wallet.address, later, signed)).result).toBe("NotDelegated")

    const added = await setDelegate(second, true)
    expect(eventsOf(added.receipt)).toEqual([{ eventName: "DelegateSet", args: { delegate: second, allowed: true } }])
    const again = await sign(wallet, first, { delegate: second })
    expect((await collect(chain, wallet.address, first, again)).result).toBe("NonceUsed")
    expect((await collect(chain, wallet.address, later, signed)).result).toBe("done")

    expect((await setDelegate(second, false)).result).toBe("done")
    const last = operation({ nonce: 2n })
    const refused = await collect(chain, wallet.address, last, await sign(wallet, last, { delegate: second }))
    expect(refused.result).toBe("NotDelegated")
  })

  it("must be accounts of this vault, not empty addresses, other contracts or accounts of another vault", async () => {
    const foreign = await chain.deploy(owner, accountOf(owner.address))
    for (const address of [zeroAddress, stranger.address, foreign, usdc, vault, sha256, identity])
      expect((await setDelegate(address, true)).result).toBe("WrongDelegate")
    expect(await chain.read(vault, GeoVault, "isDelegate", [zeroAddress])).toBe(false)
    // Removing has no conditions: a contract that was added by mistake can always be removed.
    expect((await setDelegate(stranger.address, false)).result).toBe("done")
  })

  it("must return exactly one address from `vault`", async () => {
    // PUSH20 vault, PUSH0, MSTORE, and RETURN of the last 31 bytes; then of all 32, with a bit above the address.
    const short = concat(["0x73", vault, "0x5f52601f6001f3"])
    const dirty = concat(["0x7401", vault, "0x5f5260205ff3"])
    const right = concat(["0x73", vault, "0x5f5260205ff3"])
    for (const [bytecode, result] of [
      [short, "WrongDelegate"],
      [dirty, "WrongDelegate"],
      [right, "done"]
    ] as const) {
      await chain.client.setCode({ address: recipient, bytecode })
      expect((await setDelegate(recipient, true)).result).toBe(result)
    }
  })

  it("must not be wallets that delegate to one, whose keys could change the code", async () => {
    await delegateTo(chain, otherWallet)
    expect(await chain.read(otherWallet.address, GeoAccount, "vault", [])).toBe(vault)
    expect((await setDelegate(otherWallet.address, true)).result).toBe("WrongDelegate")
    await delegateTo(chain, wallet, otherWallet.address)
    const op = operation()
    expect((await collect(chain, wallet.address, op, await sign(wallet, op))).result).toBe("NotDelegated")
  })

  it("start with the event of the constructor", async () => {
    const query = { address: vault, abi: GeoVault.abi, eventName: "DelegateSet", fromBlock: 0n } as const
    const logs = await chain.client.getContractEvents(query)
    expect(logs.map(({ args }) => args)).toEqual([{ delegate, allowed: true }])
  })

  it.each([
    ["knows `pay` by another selector, and no `payTyped`", false, "without a reason"],
    ["takes every call for done", true, "WrongAmount"]
  ] as const)("collect nothing if one %s", async (_, swallowing, expected) => {
    const args = encodeAbiParameters([{ type: "address" }, { type: "bool" }], [vault, swallowing])
    const strange = await chain.deploy(owner, concat([StrangeAccount.bytecode, args]))
    expect((await setDelegate(strange, true)).result).toBe("done")
    await delegateTo(chain, wallet, strange)
    const op = operation()
    const { r, vs } = await sign(wallet, op, { delegate: strange })
    for (const name of ["collect", "collectTyped"] as const) {
      const outcome = await chain.write(relayer, vault, GeoVault, name, [wallet.address, op, r, vs])
      expect([name, outcome.result, eventsOf(outcome.receipt)]).toEqual([name, expected, []])
    }
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(holding)
  })
})
