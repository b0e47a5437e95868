import { GeoVault, Permit2, TokenAbi, TypedData } from "@geoswap/contracts"
import { LegacyToken, TestToken } from "@geoswap/contracts/testing"
import { describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type Address,
  domainSeparator,
  hashStruct,
  type Hex,
  pad,
  parseSignature,
  signatureToCompactSignature
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { expect } from "vitest"
import { Devnet, type EvmChain, layer as devnetLayer } from "../src/Devnet.js"
import { type EvmWallet, evmWallet } from "../src/Wallets.js"
import { reader } from "./evm.js"

const wait = <A>(promise: () => Promise<A>) => Effect.promise(promise)

const tokenOf = (chain: EvmChain, symbol: string): Address => {
  const found = [...chain.tokens, ...chain.paymentTokens].find((token) => token.symbol === symbol)
  if (found === undefined) throw new Error(`There is no ${symbol}.`)
  return found.address as Address
}

/** Simulates the collection of an EIP-3009 authorization by the relayer, and returns "done" or the error. */
const authorizationOf = async (chain: EvmChain, wallet: EvmWallet, symbol: string, name: string): Promise<string> => {
  const [token, vault] = [tokenOf(chain, symbol), chain.contracts.vault as Address]
  const signer = privateKeyToAccount(wallet.privateKey)
  const orderId: Hex = `0x${"a1".repeat(32)}`
  const terms = {
    destinationChain: 31338n,
    outputToken: pad(token, { size: 32 }),
    recipient: pad(wallet.address, { size: 32 }),
    minOutput: 1n
  }
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 3600)
  const data = { wallet: wallet.address, chainId: BigInt(chain.id), orderId, terms }
  const signature = await signer.signTypedData({
    domain: { name, version: "1", chainId: chain.id, verifyingContract: token },
    types: TypedData.authorization,
    primaryType: "ReceiveWithAuthorization",
    message: {
      from: wallet.address,
      to: vault,
      value: 1_000_000n,
      validAfter: 0n,
      validBefore: deadline,
      nonce: hashStruct({ types: TypedData.order, primaryType: "GeoOrder", data })
    }
  })
  const { r, yParityAndS } = signatureToCompactSignature(parseSignature(signature))
  const hashTerms = hashStruct({ types: TypedData.terms, primaryType: "Terms", data: terms })
  return reader(chain)
    .simulateContract({
      abi: GeoVault.abi,
      address: vault,
      functionName: "collectWithAuthorization",
      args: [wallet.address, { token, amount: 1_000_000n, orderId, terms: hashTerms, deadline }, r, yParityAndS],
      account: evmWallet("relayer").address
    })
    .then(() => "done", String)
}

describe("the payment tokens of a devnet", () => {
  layer(Layer.fresh(devnetLayer({ ports: "free" })), { timeout: 120_000 })((it) => {
    it.effect("are funded on both chains, at the same addresses, and not listed among its tokens", () =>
      Effect.gen(function* () {
        const { description, evmA, evmB, evmWallets } = yield* Devnet
        expect(evmA.paymentTokens).toEqual(evmB.paymentTokens)
        expect(evmA.paymentTokens.map(({ symbol }) => symbol)).toEqual(["EURC", "PLAIN", "USDT", "FEE"])
        expect(description.chains[0]?.tokens.map(({ symbol }) => symbol)).toEqual(["USDC", "WETH", "GEO"])
        for (const chain of [evmA, evmB]) {
          const client = reader(chain)
          for (const { address, decimals, symbol } of chain.paymentTokens) {
            const contract = { abi: TestToken.abi, address: address as Address } as const
            expect(yield* wait(() => client.readContract({ ...contract, functionName: "symbol" }))).toBe(symbol)
            expect(yield* wait(() => client.readContract({ ...contract, functionName: "decimals" }))).toBe(decimals)
            for (const holder of [chain.contracts.vault as Address, ...evmWallets.map((wallet) => wallet.address)]) {
              const args = [holder] as const
              const balance = yield* wait(() => client.readContract({ ...contract, functionName: "balanceOf", args }))
              expect(balance).toBe(10_000n * 10n ** BigInt(decimals))
            }
          }
        }
      })
    )

    it.effect("can be paid through Permit2, which is at its address with the domain of each chain", () =>
      Effect.gen(function* () {
        const { evmA, evmB } = yield* Devnet
        for (const chain of [evmA, evmB]) {
          const permit2 = { abi: Permit2.abi, address: Permit2.address } as const
          const separator = yield* wait(() =>
            reader(chain).readContract({ ...permit2, functionName: "DOMAIN_SEPARATOR" })
          )
          const domain = { name: Permit2.domainName, chainId: BigInt(chain.id), verifyingContract: Permit2.address }
          expect(separator).toBe(domainSeparator({ domain }))
        }
      })
    )

    it.effect("accept EIP-3009 if they have it, and so does USDC", () =>
      Effect.gen(function* () {
        const { evmA, evmB, evmWallets } = yield* Devnet
        const [wallet] = evmWallets
        if (wallet === undefined) return expect.unreachable()
        for (const chain of [evmA, evmB]) {
          expect(yield* wait(() => authorizationOf(chain, wallet, "USDC", "USD Coin"))).toBe("done")
          expect(yield* wait(() => authorizationOf(chain, wallet, "EURC", "Euro Coin"))).toBe("done")
          for (const symbol of ["PLAIN", "USDT", "FEE", "WETH"])
            expect(yield* wait(() => authorizationOf(chain, wallet, symbol, symbol))).not.toBe("done")
        }
      })
    )

    it.effect("have ERC-2612 only if they are made for it", () =>
      Effect.gen(function* () {
        const { evmA, evmWallets } = yield* Devnet
        const [wallet] = evmWallets
        if (wallet === undefined) return expect.unreachable()
        const nonces = (symbol: string) =>
          reader(evmA)
            .readContract({
              abi: TokenAbi.erc2612,
              address: tokenOf(evmA, symbol),
              functionName: "nonces",
              args: [wallet.address]
            })
            .then(String, () => "none")
        const found = yield* wait(() =>
          Promise.all(["USDC", "WETH", "GEO", "EURC", "FEE", "PLAIN", "USDT"].map(nonces))
        )
        expect(found).toEqual(["0", "0", "0", "0", "0", "none", "none"])
      })
    )

    it.effect("include one like USDT, whose approve returns nothing", () =>
      Effect.gen(function* () {
        const { evmA } = yield* Devnet
        const contract = { abi: LegacyToken.abi, address: tokenOf(evmA, "USDT") } as const
        const call = { ...contract, functionName: "approve", account: evmWallet("relayer").address } as const
        const { result } = yield* wait(() => reader(evmA).simulateContract({ ...call, args: [Permit2.address, 1n] }))
        expect(result).toBeUndefined()
      })
    )
  })
})
