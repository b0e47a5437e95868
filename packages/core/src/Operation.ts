/** What is signed: the operation of an EVM origin, the transaction of a Solana origin, and who it may deal with. */
import * as Schema from "effect/Schema"
import { Amount } from "./Amount.js"
import { sameAddress, toWord } from "./Chain.js"
import * as Hex from "./Hex.js"
import { Integer } from "./codecs/lenient.js"
import { openStruct } from "./codecs/openStruct.js"
import { minimumOf, type QuoteRequest } from "./Quote.js"
import type { QuotePreview } from "./SwapEvent.js"
import { UnsafeOperation } from "./SwapError.js"

/**
 * The fields behind `geoOpHash`, an EIP-712 digest: the domain `{ chainId, verifyingContract = wallet, salt = delegate }`
 * and the struct `GeoOp { token, amount, vault, orderId, terms, nonce, deadline }`.
 */
export const GeoOp = Schema.Struct({
  chainId: Integer,
  wallet: Hex.Address,
  delegate: Hex.Address,
  token: Hex.Address,
  amount: Amount,
  vault: Hex.Address,
  orderId: Hex.Bytes32,
  /** The hash of destination chain, output token, recipient and minimum output. */
  terms: Hex.Bytes32,
  nonce: Amount,
  /** Unix seconds after which no chain accepts the operation. */
  deadline: Integer
})
export type GeoOp = typeof GeoOp.Type

/** The answer of `POST /swap/build-geo-op`. */
export const BuiltOperation = openStruct({
  geoOpHash: Hex.Bytes32,
  geoOpToken: Schema.NonEmptyString,
  geoOp: Schema.optionalKey(GeoOp)
})
export type BuiltOperation = typeof BuiltOperation.Type

const Base64 = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9+/]+={0,2}$/),
  Schema.makeFilter((text) => text.length % 4 === 0)
)

/** The answer of `POST /swap/build-solana-tx`. */
export const BuiltTransaction = openStruct({
  unsignedTransaction: Base64,
  geoOpToken: Schema.NonEmptyString
})
export type BuiltTransaction = typeof BuiltTransaction.Type

/** A vault that a service used before, and the account that pays it: wallets that are delegated to it can still swap. */
export interface OlderVault {
  readonly delegate: string
  readonly vault: string
  /** The hash of the delegate's code, for signers that can read the chain. */
  readonly codeHash?: Hex.Hex
}

/** The contracts of a service on one chain, pinned by the caller and never learned from the service. */
export interface Deployment {
  /** The contracts that a wallet may delegate to. Empty on Solana. */
  readonly delegates?: ReadonlyArray<string>
  /** The hash of the delegates' code, for signers that can read the chain. */
  readonly codeHash?: Hex.Hex
  /** Where the input goes. */
  readonly vault: string
  /** Who pays the fees of a Solana transaction. */
  readonly relayer?: string
  /** EVM: what wallets may be delegated to already. No new delegation is signed for these. */
  readonly older?: ReadonlyArray<OlderVault>
}

/** What is pinned for a delegate: each pays only its own vault. */
export const pinnedFor = (
  deployment: Deployment,
  delegate: string
): Pick<Deployment, "vault" | "codeHash"> | undefined => {
  const isDelegate = (pinned: string) => sameAddress("evm", pinned, delegate)
  return deployment.delegates?.some(isDelegate)
    ? deployment
    : deployment.older?.find((entry) => isDelegate(entry.delegate))
}

/** What the programs agreed to before something is signed. */
export interface Agreement {
  readonly request: QuoteRequest
  readonly quote: QuotePreview
  /** Absent only where the caller chose `verification: "when-possible"` and pinned none. */
  readonly deployment?: Deployment
  /** How far in the future the deadline of an operation may lie; the constant of that name if omitted. */
  readonly maxLifetimeSeconds?: number
}

/**
 * What `terms` is the keccak256 of: destination chain, output token, recipient and minimum output, 32 bytes each. From
 * the agreement alone, never from the service. Throws where one of them does not fit.
 */
export const encodeTerms = ({ request, quote }: Pick<Agreement, "request" | "quote">): Uint8Array => {
  const { destinationChain, outputToken, recipient, walletAddress } = request
  const words = [BigInt(destinationChain), toWord(outputToken), toWord(recipient ?? walletAddress), minimumOf(quote)]
  if (words.some((word) => word !== BigInt.asUintN(256, word))) throw new RangeError("The terms have 32 bytes each.")
  const digits = words.map((word) => word.toString(16).padStart(64, "0")).join("")
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

/**
 * How far in the future the deadline of an operation may lie, unless the policy says otherwise. The document's flow needs
 * about 90 seconds; the rest is for clocks that differ.
 */
export const maxLifetimeSeconds = 180

/** The refusal to sign something whose `field` is not what it should be. */
export const unsafe = (field: string, expected: string, found: string): UnsafeOperation =>
  new UnsafeOperation({
    message: `Nothing was signed: ${field} should be ${expected}, and is ${found}.`,
    field,
    expected,
    found
  })

/**
 * Compares every field of an operation that can be judged without a hash function with what was agreed. Returns what
 * does not fit, or `undefined`. Signers recompute `terms` and `geoOpHash` on top of this.
 */
export const compare = (
  geoOp: GeoOp,
  { request, deployment, maxLifetimeSeconds: most = maxLifetimeSeconds }: Agreement,
  nowMillis: number
): UnsafeOperation | undefined => {
  const now = Math.floor(nowMillis / 1000)
  const pinned = deployment && pinnedFor(deployment, geoOp.delegate)
  const rules: ReadonlyArray<readonly [field: string, fits: boolean, expected: string, found: string]> = [
    ["chainId", geoOp.chainId === request.originChain, `${request.originChain}`, `${geoOp.chainId}`],
    ["wallet", sameAddress("evm", geoOp.wallet, request.walletAddress), request.walletAddress, geoOp.wallet],
    ["token", sameAddress("evm", geoOp.token, request.inputToken), request.inputToken, geoOp.token],
    ["amount", geoOp.amount === request.amount, `${request.amount}`, `${geoOp.amount}`],
    ["delegate", deployment === undefined || pinned !== undefined, "a pinned delegate", geoOp.delegate],
    [
      "vault",
      pinned === undefined || sameAddress("evm", geoOp.vault, pinned.vault),
      `the pinned vault ${pinned?.vault}`,
      geoOp.vault
    ],
    [
      "deadline",
      geoOp.deadline > 0 && geoOp.deadline <= now + most,
      `at most ${most} s after ${now}, the time of your clock`,
      `${geoOp.deadline}, ${geoOp.deadline - now} s after it; check your clock`
    ]
  ]
  const broken = rules.find(([, fits]) => !fits)
  return broken && unsafe(broken[0], broken[2], broken[3])
}
