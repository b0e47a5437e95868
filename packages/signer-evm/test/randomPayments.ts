/** Random agreements and payments, and changes of their meaning. */
import { Chain, type Operation, Payment, type Signer } from "@geoswap/core"
import { Vectors } from "@geoswap/core/testing"
import * as library from "../../../tooling/testing/evm/paymentLibrary.js"
import type { SeededRandom } from "../../../tooling/testing/seededRandom.ts"
import type { Terms } from "./operations.js"
import { address } from "./wallets.js"

type Hex = `0x${string}`
type Method = Payment.Payment["method"]

/** Everything that a payment and its hash mean. */
interface Meaning extends Terms {
  readonly method: Method
  readonly chainId: number
  readonly wallet: Hex
  readonly token: Hex
  readonly amount: bigint
  readonly vault: Hex
  readonly orderId: Hex
  readonly deadline: number
  readonly nonce: bigint
  readonly permitNonce: bigint
  readonly domain: { readonly name: string; readonly version: string }
}

/** One round: the agreement, what the service sends, and how it hashes it. */
export interface PaymentRound {
  readonly agreed: Operation.Agreement & { readonly deployment: Operation.Deployment }
  readonly served: Meaning
  /** What is hashed differs from what is sent. */
  readonly hashed: Partial<Meaning>
  /** Replaces the hash. */
  readonly geoOpHash?: Hex
}

const lower = (text: string) => text.toLowerCase() as Hex
const solanaKeys = [Vectors.solanaKey.address, Vectors.solanaDeployment.vault]
const amountOf = (random: SeededRandom): bigint => BigInt(random.hex(random.pick([2, 8, 16, 32]))) || 1n
const evmChains = [1, 10, 137, 8453, 42161, 31337, 2 ** 40]

/** An honest round at a time in milliseconds. */
export const honestPayment = (random: SeededRandom, method: Method, now: number): PaymentRound => {
  const toSolana = method !== "eip3009" && random.next() < 0.25
  const destinationChain = toSolana ? Chain.solanaMainnet : random.pick(evmChains)
  const recipient = toSolana
    ? random.pick(solanaKeys)
    : method === "eip3009"
      ? random.pick([undefined, address])
      : random.pick([undefined, random.hex(20)])
  const outputToken = toSolana ? random.pick([...solanaKeys, Chain.nativeToken.solana]) : random.hex(20)
  const output = amountOf(random)
  const minOutput = random.next() < 0.8 ? output - (output >> BigInt(1 + random.below(8))) : undefined
  const [inputToken, vault] = [random.hex(20), random.hex(20)]
  const [amount, originChain] = [amountOf(random), random.pick(evmChains)]
  return {
    agreed: {
      request: {
        originChain,
        destinationChain,
        inputToken,
        outputToken,
        amount,
        walletAddress: address,
        ...(recipient !== undefined && { recipient })
      },
      quote: {
        output,
        ...(minOutput !== undefined && { minOutput }),
        feeBps: 10,
        costs: { fee: { bps: 10 } },
        expiresAt: new Date(now)
      },
      deployment: { delegates: [random.hex(20)], vault }
    },
    served: {
      method,
      chainId: originChain,
      wallet: lower(address),
      token: inputToken,
      amount,
      vault,
      orderId: random.hex(32),
      deadline: Math.floor(now / 1000) + 1 + random.below(180),
      nonce: Payment.permit2Nonces + BigInt(random.hex(8)),
      permitNonce: amountOf(random),
      domain: { name: random.pick(["USD Coin", "Tether", "Ä token €"]), version: random.pick(["1", "2"]) },
      destinationChain,
      outputToken,
      recipient: recipient ?? address,
      minOutput: minOutput ?? output
    },
    hashed: {}
  }
}

const near = (random: SeededRandom, value: bigint): bigint => {
  const moved = random.pick([value + 1n, value - 1n, value * 2n, value / 2n, 0n, 2n ** 256n - 1n, amountOf(random)])
  return moved < 0n || moved >= 2n ** 256n ? value ^ 1n : moved
}

const otherAddress = (random: SeededRandom, { agreed, served }: PaymentRound): Hex =>
  lower(
    random.pick([
      random.hex(20),
      random.hex(20),
      Chain.nativeToken.evm,
      Payment.permit2Address,
      served.wallet,
      served.vault,
      served.token,
      agreed.deployment.delegates?.[0] ?? served.vault
    ])
  )

const otherChain = (random: SeededRandom): number => random.pick([...evmChains, 1 + random.below(2 ** 31)])

type Change = (random: SeededRandom, round: PaymentRound, now: number) => PaymentRound

const serve =
  (change: (random: SeededRandom, round: PaymentRound, now: number) => Partial<Meaning>): Change =>
  (random, round, now) => ({ ...round, served: { ...round.served, ...change(random, round, now) } })

const agree =
  (change: (random: SeededRandom, round: PaymentRound) => Partial<PaymentRound["agreed"]>): Change =>
  (random, round) => ({ ...round, agreed: { ...round.agreed, ...change(random, round) } })

const request = (
  change: (random: SeededRandom, round: PaymentRound) => Partial<Operation.Agreement["request"]>
): Change => agree((random, round) => ({ request: { ...round.agreed.request, ...change(random, round) } }))

/** The fields that the hash of a payment covers, for hashes of something else than what is sent. */
const hashedFields = ["chainId", "wallet", "token", "amount", "vault", "orderId", "deadline", "nonce"] as const

/** The possible changes, by the service and by the caller. */
export const paymentChanges: Readonly<Record<string, Change>> = {
  chainId: serve((random) => ({ chainId: otherChain(random) })),
  wallet: serve((random, round) => ({ wallet: otherAddress(random, round) })),
  token: serve((random, round) => ({ token: otherAddress(random, round) })),
  amount: serve((random, { served }) => ({ amount: near(random, served.amount) })),
  vault: serve((random, round) => ({ vault: otherAddress(random, round) })),
  deadline: serve((random, _, now) => ({
    deadline: random.pick([
      0,
      Math.floor(now / 1000) - random.below(100),
      Math.floor(now / 1000) + 181 + random.below(2 ** 31),
      Number.MAX_SAFE_INTEGER
    ])
  })),
  nonce: serve((random, { served }) => ({
    nonce: random.pick([0n, served.nonce ^ (1n << BigInt(64 + random.below(192))), amountOf(random)])
  })),
  destinationChain: serve((random) => ({ destinationChain: otherChain(random) })),
  outputToken: serve((random, round) => ({
    outputToken: random.pick<string>([otherAddress(random, round), ...solanaKeys])
  })),
  recipient: serve((random, round) => ({
    recipient: random.pick<string>([otherAddress(random, round), ...solanaKeys])
  })),
  minOutput: serve((random, { served }) => ({ minOutput: near(random, served.minOutput) })),
  "the hash": (random, round) => ({ ...round, geoOpHash: random.hex(32) }),
  "what is hashed": (random, round, now) => {
    const name = random.pick(hashedFields)
    const other = honestPayment(random, round.served.method, now).served
    return { ...round, hashed: { ...round.hashed, [name]: other[name] } }
  },
  "the method": (random, round) => ({
    ...round,
    hashed: { ...round.hashed, method: random.pick(Payment.methods) }
  }),
  "the request's origin": request((random) => ({ originChain: otherChain(random) })),
  "the request's destination": request((random) => ({ destinationChain: otherChain(random) })),
  "the request's amount": request((random, { agreed }) => ({ amount: near(random, agreed.request.amount) })),
  "the request's input": request((random, round) => ({ inputToken: otherAddress(random, round) })),
  "the request's output": request((random, round) => ({ outputToken: otherAddress(random, round) })),
  "the request's recipient": request((random, round) => ({
    recipient: random.pick<string>([otherAddress(random, round), ...solanaKeys])
  })),
  "the request's wallet": request((random, round) => ({ walletAddress: otherAddress(random, round) })),
  "the quote's minimum": agree((random, { agreed }) => ({
    quote: { ...agreed.quote, minOutput: near(random, agreed.quote.minOutput ?? agreed.quote.output) }
  })),
  "the pinned vault": agree((random, round) => ({
    deployment: {
      ...round.agreed.deployment,
      vault: otherAddress(random, round),
      older: [{ delegate: random.hex(20), vault: round.served.vault }]
    }
  }))
}

/** The fields that the hash covers with a method. */
const covered = (method: Method, { served, hashed }: PaymentRound): string => {
  const { chainId, wallet, token, amount, vault, orderId, deadline, nonce, domain } = { ...served, ...hashed }
  const own = method === "eip3009" ? [domain.name, domain.version] : [nonce]
  return [chainId, wallet, token, amount, vault, orderId, deadline, ...own].map(String).join()
}

/** Whether a round matches the agreement, judged by its fields and not by its hashes. */
export const isHonestPayment = (round: PaymentRound, now: number): boolean => {
  const { agreed, geoOpHash, hashed, served } = round
  const { deployment, quote, request: asked } = agreed
  const { method } = served
  const seconds = Math.floor(now / 1000)
  // The two spellings of the native token are the same 32 bytes.
  const spelt = (text: string) =>
    text === Chain.nativeToken.solana ? Chain.nativeToken.evm : text.startsWith("0x") ? text.toLowerCase() : text
  const same = (a: string, b: string) => spelt(a) === spelt(b)
  const receiver = asked.recipient ?? asked.walletAddress
  const isEvm = asked.outputToken.startsWith("0x")
  const digestOf = (kind: Method) => (kind === "eip3009" ? "token" : "permit2")
  return (
    geoOpHash === undefined &&
    digestOf(hashed.method ?? method) === digestOf(method) &&
    covered(method, round) === covered(method, { ...round, hashed: {} }) &&
    same(asked.walletAddress, address) &&
    same(served.wallet, address) &&
    served.chainId === asked.originChain &&
    same(served.token, asked.inputToken) &&
    served.amount === asked.amount &&
    same(served.vault, deployment.vault) &&
    served.deadline > seconds &&
    served.deadline <= seconds + 180 &&
    served.destinationChain === asked.destinationChain &&
    same(served.outputToken, asked.outputToken) &&
    same(served.recipient, receiver) &&
    served.minOutput === (quote.minOutput ?? quote.output) &&
    receiver.startsWith("0x") === isEvm &&
    !(isEvm && asked.destinationChain === Chain.solanaMainnet) &&
    Chain.toWord(receiver) !== 0n &&
    (method === "eip3009"
      ? isEvm && same(receiver, address)
      : served.nonce >= Payment.permit2Nonces && served.nonce < Payment.permit2Nonces + 2n ** 64n)
  )
}

const paymentOf = (meaning: Meaning): Payment.Payment => {
  const { destinationChain, domain, minOutput, nonce, outputToken, permitNonce, recipient, method, ...fields } = meaning
  const terms = library.hashTerms({ destinationChain, minOutput, outputToken, recipient })
  return {
    method,
    ...fields,
    terms,
    ...(method !== "permit2" && { domain }),
    ...(method !== "eip3009" && { nonce }),
    ...(method === "erc2612" && { permitNonce })
  } as Payment.Payment
}

/** The request to the signer: terms and hash are computed from the claims of the service. */
export const handedPayment = ({ agreed, geoOpHash, hashed, served }: PaymentRound): Signer.PaymentToSign => ({
  ...agreed,
  payment: paymentOf(served),
  geoOpHash: geoOpHash ?? library.hashPayment(paymentOf({ ...served, ...hashed }))
})
