/** Deploys the contracts and tokens to a new EVM chain, always at the same addresses. */
import { GeoVault } from "@geoswap/contracts"
import {
  AuthorizedToken,
  FeeToken,
  LegacyToken,
  Permit2Deployment,
  PlainToken,
  TestToken
} from "@geoswap/contracts/testing"
import * as Effect from "effect/Effect"
import type { Address, Hex } from "viem"
import { encodeDeployData, encodeFunctionData, getContractAddress, numberToHex } from "viem/utils"
import { ChainRefused } from "../DevnetError.js"
import type { EvmWallet, PaymentTokenPlan, TokenPlan } from "../Wallets.js"
import { plain } from "./evm/profiles.js"
import { batch, type Call } from "./jsonRpcClient.js"

interface DeployedToken {
  readonly symbol: string
  readonly address: Address
  readonly decimals: number
}

/** The deployed addresses. */
export interface Deployed {
  readonly vault: Address
  readonly account: Address
  readonly tokens: ReadonlyArray<DeployedToken>
  readonly paymentTokens: ReadonlyArray<DeployedToken & Pick<PaymentTokenPlan, "behavior">>
}

/** The addresses, wallets and tokens that the setup needs. */
export interface Parties {
  readonly owner: Address
  readonly relayer: Address
  readonly wallets: ReadonlyArray<EvmWallet>
  readonly tokens: ReadonlyArray<TokenPlan>
  readonly paymentTokens: ReadonlyArray<PaymentTokenPlan>
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

/** The transactions before the payment tokens: the vault, the tokens, the relayer, the caps, the mints and Permit2. */
const stepsBefore = ({ tokens, wallets }: Pick<Parties, "tokens" | "wallets">): number =>
  1 + tokens.length + 1 + (tokens.length + 1) + tokens.length * (1 + wallets.length) + 1

/** Computes all addresses, which depend only on the owner and on the number of tokens and wallets. */
export const addressesOf = (parties: Omit<Parties, "relayer">): Deployed => {
  const { owner, paymentTokens, tokens } = parties
  const vault = created(owner, 0)
  return {
    vault,
    // The vault creates the account contract, and a contract's nonce starts at 1.
    account: created(vault, 1),
    paymentTokens: paymentTokens.map(({ behavior, decimals, symbol }, index) => ({
      symbol,
      decimals,
      behavior,
      address: created(owner, stepsBefore(parties) + index)
    })),
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

const creationOf = ({ decimals, name, signatures, symbol }: TokenPlan): Hex =>
  signatures === "permit"
    ? encodeDeployData({ abi: TestToken.abi, bytecode: TestToken.bytecode, args: [name, symbol, decimals.evm] })
    : encodeDeployData({
        abi: AuthorizedToken.abi,
        bytecode: AuthorizedToken.bytecode,
        args: [name, symbol, decimals.evm, true]
      })

const paymentCreationOf = ({ behavior, decimals, name, symbol }: PaymentTokenPlan): Hex =>
  behavior === "authorization"
    ? encodeDeployData({
        abi: AuthorizedToken.abi,
        bytecode: AuthorizedToken.bytecode,
        args: [name, symbol, decimals, false]
      })
    : { plain: PlainToken, legacy: LegacyToken, fee: FeeToken }[behavior].bytecode

const mintOf = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: TestToken.abi, functionName: "mint", args: [to, amount] })

/** Permit2 at its canonical address, and the payment tokens. They come last, so that the other addresses stay the same. */
const paymentSteps = ({ paymentTokens, wallets }: Parties, deployed: Deployed): ReadonlyArray<Step> => [
  { to: Permit2Deployment.deployer, data: Permit2Deployment.deployData, gas: 3_500_000n },
  ...paymentTokens.map((plan) => ({ data: paymentCreationOf(plan), gas: 3_000_000n })),
  ...deployed.paymentTokens.flatMap(({ address: to, decimals }) => [
    {
      to: deployed.vault,
      data: encodeFunctionData({ abi: GeoVault.abi, functionName: "setCap", args: [to, cap] }),
      gas: 200_000n
    },
    ...[deployed.vault, ...wallets.map(({ address }) => address)].map((holder) => ({
      to,
      data: mintOf(holder, 10_000n * 10n ** BigInt(decimals)),
      gas: 150_000n
    }))
  ])
]

const steps = (parties: Parties, deployed: Deployed): ReadonlyArray<Step> => {
  const { owner, relayer, tokens, wallets } = parties
  const settings = [
    encodeFunctionData({ abi: GeoVault.abi, functionName: "setRelayer", args: [relayer, true] }),
    ...[...deployed.tokens.map(({ address }) => address), native].map((token) =>
      encodeFunctionData({ abi: GeoVault.abi, functionName: "setCap", args: [token, cap] })
    )
  ]
  const mints = tokens.flatMap(({ decimals, inVault, perWallet }, index) => {
    const mint = (to: Address, whole: bigint) => mintOf(to, whole * 10n ** BigInt(decimals.evm))
    const to = created(owner, 1 + index)
    return [
      { to, data: mint(deployed.vault, inVault), gas: 150_000n },
      ...wallets.map(({ address }) => ({ to, data: mint(address, perWallet), gas: 150_000n }))
    ]
  })
  return [
    { data: encodeDeployData({ abi: GeoVault.abi, bytecode: GeoVault.bytecode, args: [owner] }), gas: 8_000_000n },
    ...tokens.map((plan) => ({ data: creationOf(plan), gas: 3_000_000n })),
    ...settings.map((data) => ({ to: deployed.vault, data, gas: 200_000n })),
    ...mints,
    ...paymentSteps(parties, deployed)
  ]
}

/**
 * The calls that set up a chain: one batch of unsigned transactions, mined in one block. Signing and mining each
 * transaction separately would take longer than the rest of the startup.
 */
export const calls = (parties: Parties, deployed: Deployed): ReadonlyArray<Call> => {
  // Enough for the base fee of every profile. The tip is as low as if there were no other transactions.
  const fees = { maxFeePerGas: numberToHex(100_000_000_000n), maxPriorityFeePerGas: numberToHex(plain.leastBaseFee) }
  return [
    ["anvil_impersonateAccount", parties.owner],
    ["anvil_setBalance", parties.owner, numberToHex(1_000n * ether)],
    ["anvil_setBalance", parties.relayer, numberToHex(1_000n * ether)],
    ["anvil_setBalance", deployed.vault, numberToHex(1_000n * ether)],
    ...steps(parties, deployed).map(({ data, gas, to }, nonce): Call => [
      "eth_sendTransaction",
      { from: parties.owner, to, data, nonce: numberToHex(nonce), gas: numberToHex(gas), ...fees }
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
      message: `${url} rejected at least one setup transaction. If you chose anvil, check that its version is 1.7.1 or later.`
    })
  }
})
