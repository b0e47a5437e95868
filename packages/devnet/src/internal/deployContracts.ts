/** Deploys the contracts and tokens to a new EVM chain, always at the same addresses. */
import { GeoVault } from "@geoswap/contracts"
import { TestToken } from "@geoswap/contracts/testing"
import * as Effect from "effect/Effect"
import type { Address, Hex } from "viem"
import { encodeDeployData, encodeFunctionData, getContractAddress, numberToHex } from "viem/utils"
import { ChainRefused } from "../DevnetError.js"
import type { EvmWallet, TokenPlan } from "../Wallets.js"
import { batch, type Call } from "./jsonRpcClient.js"

/** The deployed addresses. */
export interface Deployed {
  readonly vault: Address
  readonly account: Address
  readonly tokens: ReadonlyArray<{ readonly symbol: string; readonly address: Address; readonly decimals: number }>
}

/** The addresses, wallets and tokens that the setup needs. */
export interface Parties {
  readonly owner: Address
  readonly relayer: Address
  readonly wallets: ReadonlyArray<EvmWallet>
  readonly tokens: ReadonlyArray<TokenPlan>
}

const ether = 10n ** 18n
const native: Address = "0x0000000000000000000000000000000000000000"
/**
 * The hourly delivery cap of each token. It is effectively unlimited, because a devnet's relayers are limited only by
 * the inventory. The separate refund cap is set to the same value.
 */
const cap = 2n ** 200n

/** The address of the contract that a transaction with this nonce creates. */
const created = (from: Address, nonce: number): Address => getContractAddress({ from, nonce: BigInt(nonce) })

/** Computes all addresses, which depend only on the owner. */
export const addressesOf = ({ owner, tokens }: Pick<Parties, "owner" | "tokens">): Deployed => {
  const vault = created(owner, 0)
  return {
    vault,
    // The vault creates the first account, and a contract's nonce starts at 1.
    account: created(vault, 1),
    tokens: tokens.map(({ decimals, symbol }, index) => ({
      symbol,
      decimals: decimals.evm,
      address: created(owner, 1 + index)
    }))
  }
}

interface Step {
  readonly to?: Address
  readonly data: Hex
  readonly gas: bigint
}

const steps = ({ owner, relayer, tokens, wallets }: Parties, deployed: Deployed): ReadonlyArray<Step> => {
  const settings = [
    encodeFunctionData({ abi: GeoVault.abi, functionName: "setRelayer", args: [relayer, true] }),
    ...[...deployed.tokens.map(({ address }) => address), native].map((token) =>
      encodeFunctionData({ abi: GeoVault.abi, functionName: "setCap", args: [token, cap] })
    )
  ]
  const mints = tokens.flatMap(({ decimals, inVault, perWallet }, index) => {
    const mint = (to: Address, whole: bigint) =>
      encodeFunctionData({
        abi: TestToken.abi,
        functionName: "mint",
        args: [to, whole * 10n ** BigInt(decimals.evm)]
      })
    const to = created(owner, 1 + index)
    return [
      { to, data: mint(deployed.vault, inVault), gas: 150_000n },
      ...wallets.map(({ address }) => ({ to, data: mint(address, perWallet), gas: 150_000n }))
    ]
  })
  return [
    { data: encodeDeployData({ abi: GeoVault.abi, bytecode: GeoVault.bytecode, args: [owner] }), gas: 8_000_000n },
    ...tokens.map(({ decimals, name, symbol }) => ({
      data: encodeDeployData({
        abi: TestToken.abi,
        bytecode: TestToken.bytecode,
        args: [name, symbol, decimals.evm]
      }),
      gas: 3_000_000n
    })),
    ...settings.map((data) => ({ to: deployed.vault, data, gas: 200_000n })),
    ...mints
  ]
}

/**
 * The calls that set up a chain: one batch of unsigned transactions, mined in one block. Signing and mining each
 * transaction separately would take longer than the rest of the startup.
 */
export const calls = (parties: Parties, deployed: Deployed): ReadonlyArray<Call> => {
  const price = numberToHex(2_000_000_000n)
  return [
    ["anvil_impersonateAccount", parties.owner],
    ["anvil_setBalance", parties.owner, numberToHex(1_000n * ether)],
    ["anvil_setBalance", parties.relayer, numberToHex(1_000n * ether)],
    ["anvil_setBalance", deployed.vault, numberToHex(1_000n * ether)],
    ...steps(parties, deployed).map(({ data, gas, to }, nonce): Call => [
      "eth_sendTransaction",
      { from: parties.owner, to, data, nonce: numberToHex(nonce), gas: numberToHex(gas), gasPrice: price }
    ])
  ]
}

/** Sets up a chain that is not mining yet. */
export const deploy = Effect.fnUntraced(function* (url: string, owner: Address, prepared: ReadonlyArray<Call>) {
  yield* batch(url, prepared)
  yield* batch(url, [["anvil_mine", "0x1"]])
  const [found] = yield* batch(url, [
    ["eth_getBlockReceipts", "latest"],
    ["anvil_stopImpersonatingAccount", owner],
    ["evm_setAutomine", true]
  ])
  const receipts = found as ReadonlyArray<{ readonly status: Hex }>
  const sent = prepared.filter(([method]) => method === "eth_sendTransaction").length
  if (receipts.length !== sent || receipts.some(({ status }) => status !== "0x1")) {
    return yield* new ChainRefused({
      method: "eth_sendTransaction",
      message: `${url} rejected at least one setup transaction. Check that anvil is version 1.7.1 or later.`
    })
  }
})
