import { describe, expect, it } from "@effect/vitest"
import {
  encodeFunctionData,
  hashMessage,
  hashTypedData,
  type Hex,
  maxUint256,
  numberToHex,
  parseEther,
  parseSignature,
  serializeCompactSignature,
  serializeSignature,
  signatureToCompactSignature
} from "viem"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as Recipient from "../src/generated/Recipient.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import { encode } from "./chain.ts"
import {
  balanceOf,
  collect,
  delegate,
  delegateTo,
  digestOf,
  domainOf,
  highS,
  holding,
  operation,
  otherWallet,
  owner,
  sign,
  stranger,
  usdc,
  wallet
} from "./fixture.ts"
import * as Collectibles from "./generated/Collectibles.ts"
import * as Permits from "./generated/Permits.ts"
import { useChain } from "./suite.ts"

const digest = `0x${"d1".repeat(32)}` as const

/** The same signature in 64 bytes (EIP-2098). */
const compact = (signature: Hex): Hex =>
  serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))

describe("a delegated wallet", () => {
  const chain = useChain(async (chain) => {
    await delegateTo(chain, wallet)
  })
  const ask = (hash: Hex, signature: Hex) =>
    chain.read(wallet.address, GeoAccount, "isValidSignature", [hash, signature])

  it("receives native tokens with a little more gas than a wallet without code", async () => {
    expect((await chain.send(stranger, { to: wallet.address, value: 3n, gas: 30_000n })).result).toBe("done")
    expect(await chain.client.getBalance({ address: wallet.address })).toBe(3n)
    const tight = await chain.send(stranger, { to: wallet.address, value: 3n, gas: 21_000n })
    expect(tight.result).not.toBe("done")
    const plain = await chain.send(stranger, { to: otherWallet.address, value: 3n, gas: 21_000n })
    expect(plain.result).toBe("done")
  })

  it("receives native tokens from contracts that forward only the gas stipend", async () => {
    const sender = await chain.deploy(owner, Recipient.bytecode)
    const outcome = await chain.write(stranger, sender, Recipient, "pass", [wallet.address], {
      value: 5n
    })
    expect(outcome.result).toBe("done")
    expect(await chain.client.getBalance({ address: wallet.address })).toBe(5n)
  })

  it("sends its own transactions as before", async () => {
    await chain.client.setBalance({ address: wallet.address, value: parseEther("1") })
    const outcome = await chain.write(wallet, usdc, TestToken, "transfer", [stranger.address, 1n])
    expect(outcome.result).toBe("done")
    expect(await balanceOf(chain, usdc, stranger.address)).toBe(1n)
  })

  it("receives ERC-721 and ERC-1155 tokens by safe transfer, which other code refuses", async () => {
    const collectibles = await chain.deploy(owner, Collectibles.bytecode)
    const mint = (to: typeof usdc) =>
      chain.write(stranger, collectibles, Collectibles, "mint", [to], { gas: 2_000_000n })
    expect((await mint(usdc)).result).not.toBe("done")
    expect((await mint(wallet.address)).result).toBe("done")
    expect(await chain.read(collectibles, Collectibles, "countOf", [wallet.address])).toEqual([1n, 3n])
  })

  it.each([
    ["ERC-165", "0x01ffc9a7", true],
    ["ERC-1271", "0x1626ba7e", true],
    ["the receiver of ERC-721", "0x150b7a02", true],
    ["the receiver of ERC-1155", "0x4e2312e0", true],
    ["ERC-20", "0x36372b07", false],
    ["what ERC-165 says is nothing", "0xffffffff", false]
  ] as const)("reports by ERC-165 whether it supports %s", async (_, id, spoken) => {
    expect(await chain.read(wallet.address, GeoAccount, "supportsInterface", [id])).toBe(spoken)
  })

  it("refuses unknown calls, with or without native tokens", async () => {
    for (const value of [0n, 1n])
      expect((await chain.send(stranger, { to: wallet.address, data: "0x12345678", value })).result).not.toBe("done")
  })

  describe("by ERC-1271", () => {
    it("accepts its own signature over the raw digest", async () => {
      expect(await ask(digest, await wallet.sign({ hash: digest }))).toBe("0x1626ba7e")
    })

    it("accepts the same signature in 64 bytes (EIP-2098), with either parity", async () => {
      const parities = new Set<number>()
      for (let index = 0; parities.size < 2; index++) {
        const hash = numberToHex(index, { size: 32 })
        const signature = await wallet.sign({ hash })
        parities.add(parseSignature(signature).yParity)
        expect(await ask(hash, compact(signature))).toBe("0x1626ba7e")
      }
    })

    it("never adds the prefix of personal_sign, and accepts a digest that already includes it", async () => {
      const signature = await wallet.signMessage({ message: { raw: digest } })
      expect(await ask(digest, signature)).toBe("0xffffffff")
      expect(await ask(hashMessage({ raw: digest }), signature)).toBe("0x1626ba7e")
      const op = digestOf(domainOf(wallet.address), operation())
      const signed = await wallet.signMessage({ message: { raw: op } })
      expect(await ask(hashMessage({ raw: op }), signed)).toBe("0x1626ba7e")
    })

    it.each<[string, () => Promise<Hex>]>([
      ["in the form of personal_sign", () => wallet.signMessage({ message: { raw: digest } })],
      ["of another key", () => otherWallet.sign({ hash: digest })],
      ["over another digest", () => wallet.sign({ hash: `0x${"d2".repeat(32)}` })],
      [
        "with a high s",
        async () => {
          const { r, s, yParity } = parseSignature(await wallet.sign({ hash: digest }))
          return serializeSignature({ r, s: highS(s), yParity: 1 - yParity })
        }
      ],
      [
        "of 64 bytes in the form of personal_sign",
        async () => compact(await wallet.signMessage({ message: { raw: digest } }))
      ],
      ["of 64 bytes of another key", async () => compact(await otherWallet.sign({ hash: digest }))],
      [
        "of 64 bytes with the other parity",
        async () => {
          const { r, s, yParity } = parseSignature(await wallet.sign({ hash: digest }))
          return compact(serializeSignature({ r, s, yParity: 1 - yParity }))
        }
      ],
      [
        "of 64 bytes with a high s, which overlaps the parity bit",
        async () => {
          const { r, s } = parseSignature(await wallet.sign({ hash: digest }))
          return `${r}${highS(s).slice(2)}`
        }
      ],
      ["of 63 bytes", async () => compact(await wallet.sign({ hash: digest })).slice(0, -2) as Hex],
      ["of 64 zeros", async () => `0x${"00".repeat(64)}`],
      ["of 66 bytes", async () => `${await wallet.sign({ hash: digest })}00`],
      ["of no bytes", async () => "0x"],
      ["of zeros", async () => `0x${"00".repeat(65)}`]
    ])("refuses a signature %s", async (_, make) => {
      expect(await ask(digest, await make())).toBe("0xffffffff")
    })

    it("does not accept the signature of an operation for its digest", async () => {
      const op = operation()
      const hash = digestOf(domainOf(wallet.address), op)
      const signature = await wallet.signMessage({ message: { raw: hash } })
      expect((await collect(chain, wallet.address, op, await sign(wallet, op))).result).toBe("done")
      expect(await ask(hash, signature)).toBe("0xffffffff")
    })
  })

  it("loses nothing by a Permit2 digest that it signed as a geoOpHash", async () => {
    const permits = await chain.deploy(owner, Permits.bytecode)
    await chain.client.setBalance({ address: wallet.address, value: parseEther("1") })
    await chain.write(wallet, usdc, TestToken, "approve", [permits, maxUint256])
    const permit = {
      domain: { name: "Permit2", chainId: chain.id, verifyingContract: permits },
      types: {
        PermitTransferFrom: [
          { name: "permitted", type: "TokenPermissions" },
          { name: "spender", type: "address" },
          { name: "nonce", type: "uint256" },
          { name: "deadline", type: "uint256" }
        ],
        TokenPermissions: [
          { name: "token", type: "address" },
          { name: "amount", type: "uint256" }
        ]
      },
      primaryType: "PermitTransferFrom",
      message: {
        permitted: { token: usdc, amount: holding },
        spender: stranger.address,
        nonce: 0n,
        deadline: maxUint256
      }
    } as const
    const spend = (signature: Hex) =>
      chain.write(stranger, permits, Permits, "permitTransferFrom", [
        usdc,
        holding,
        0n,
        maxUint256,
        wallet.address,
        signature
      ])

    const geoOpHash = hashTypedData(permit)
    const mistaken = await wallet.signMessage({ message: { raw: geoOpHash } })
    for (const signature of [mistaken, compact(mistaken)]) expect((await spend(signature)).result).toBe("InvalidSigner")
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(holding)
    // The permit itself, signed as a permit, is valid as without the delegation.
    const signature = await wallet.signTypedData(permit)
    const data = encode(Permits, "permitTransferFrom", [
      usdc,
      holding,
      0n,
      maxUint256,
      wallet.address,
      compact(signature)
    ])
    expect(await chain.simulate(stranger.address, permits, data)).toBe("done")
    expect((await spend(signature)).result).toBe("done")
    expect(await balanceOf(chain, usdc, stranger.address)).toBe(holding)
  })
})

describe("the delegate", () => {
  const chain = useChain()

  it("refuses tokens at its own address, from which they could not be moved", async () => {
    expect((await chain.send(stranger, { to: delegate, value: 1n })).result).toBe("NotWallet")
    const sender = await chain.deploy(owner, Recipient.bytecode)
    const passed = await chain.write(stranger, sender, Recipient, "pass", [delegate], { value: 1n })
    expect(passed.result).toBe("NotWallet")
    for (const data of [
      encodeFunctionData({
        abi: GeoAccount.abi,
        functionName: "onERC721Received",
        args: [owner.address, owner.address, 1n, "0x"]
      }),
      encodeFunctionData({
        abi: GeoAccount.abi,
        functionName: "onERC1155Received",
        args: [owner.address, owner.address, 1n, 1n, "0x"]
      }),
      encodeFunctionData({
        abi: GeoAccount.abi,
        functionName: "onERC1155BatchReceived",
        args: [owner.address, owner.address, [1n], [1n], "0x"]
      })
    ]) {
      expect(await chain.simulate(stranger.address, delegate, data)).toBe("NotWallet")
      await delegateTo(chain, wallet, delegate, await chain.client.getTransactionCount({ address: wallet.address }))
      expect(await chain.simulate(stranger.address, wallet.address, data)).toBe("done")
    }
    expect(await chain.client.getBalance({ address: delegate })).toBe(0n)
  })
})
