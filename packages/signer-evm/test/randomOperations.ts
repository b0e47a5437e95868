/** Random agreements and operations, and changes of their meaning. */
import { Chain, type Operation, type Signer } from "@geoswap/core"
import { Vectors } from "@geoswap/core/testing"
import { digestOf, library } from "../../../tooling/testing/evm/chainLibrary.js"
import type { SeededRandom } from "../../../tooling/testing/seededRandom.ts"
import type { Terms } from "./operations.js"
import { address } from "./wallets.js"

type Hex = `0x${string}`

/** Everything that an operation and its hash mean. */
interface Meaning extends Omit<Operation.GeoOp, "terms">, Terms {
  /** The EIP-712 domain, which may differ from the fields. */
  readonly domain: Pick<Operation.GeoOp, "chainId" | "wallet" | "delegate">
}

/** One round: the agreement, and what the service sends. */
export interface Round {
  readonly agreed: Operation.Agreement & { readonly deployment: Operation.Deployment }
  readonly served: Meaning
}

const lower = (text: string) => text.toLowerCase() as Hex

/** Writes some addresses in upper case, which changes nothing. */
const respell = (random: SeededRandom, text: string): string =>
  random.next() < 0.2 && text.startsWith("0x") ? `0x${text.slice(2).toUpperCase()}` : text

const solanaKeys = [Vectors.solanaKey.address, Vectors.solanaDeployment.vault]
const solanaAddresses = [...solanaKeys, Chain.nativeToken.solana]
const amountOf = (random: SeededRandom): bigint => BigInt(random.hex(random.pick([2, 8, 16, 32]))) || 1n
const evmChains = [1, 10, 137, 8453, 42161, 31337, 2 ** 40]

/** An honest round at a time in milliseconds. */
export const honestRound = (random: SeededRandom, now: number): Round => {
  const toSolana = random.next() < 0.25
  const destinationChain = toSolana ? Chain.solanaMainnet : random.pick(evmChains)
  const receiving = () => (toSolana ? random.pick(solanaAddresses) : random.hex(20))
  const receiver = () => (toSolana ? random.pick(solanaKeys) : random.hex(20))
  const recipient = toSolana || random.next() < 0.6 ? receiver() : undefined
  const delegates = Array.from({ length: 1 + random.below(3) }, () => random.hex(20))
  const vault = random.hex(20)
  const inputToken = random.hex(20)
  const outputToken = receiving()
  const output = amountOf(random)
  const minOutput = random.next() < 0.8 ? output - (output >> BigInt(1 + random.below(8))) : undefined
  const amount = amountOf(random)
  const originChain = random.pick(evmChains)
  const delegate = lower(random.pick(delegates))
  const wallet = lower(address)
  return {
    agreed: {
      request: {
        originChain,
        destinationChain,
        inputToken: respell(random, inputToken),
        outputToken: respell(random, outputToken),
        amount,
        walletAddress: respell(random, address),
        ...(recipient !== undefined && { recipient: respell(random, recipient) })
      },
      quote: {
        output,
        ...(minOutput !== undefined && { minOutput }),
        feeBps: 10,
        costs: { fee: { bps: 10 } },
        expiresAt: new Date(now)
      },
      deployment: { delegates: delegates.map((text) => respell(random, text)), vault: respell(random, vault) }
    },
    served: {
      chainId: originChain,
      wallet,
      delegate,
      token: lower(inputToken),
      amount,
      vault: lower(vault),
      orderId: random.hex(32),
      nonce: amountOf(random),
      deadline: Math.floor(now / 1000) + 1 + random.below(180),
      destinationChain,
      outputToken,
      recipient: recipient ?? address,
      minOutput: minOutput ?? output,
      domain: { chainId: originChain, wallet, delegate }
    }
  }
}

const near = (random: SeededRandom, value: bigint): bigint => {
  const moved = random.pick([value + 1n, value - 1n, value * 2n, value / 2n, 0n, 2n ** 256n - 1n, amountOf(random)])
  return moved < 0n || moved >= 2n ** 256n ? value ^ 1n : moved
}

/** Another address: a random one, or one with another role in the same round. */
const otherAddress = (random: SeededRandom, { agreed, served }: Round): Hex =>
  lower(
    random.pick([
      random.hex(20),
      random.hex(20),
      Chain.nativeToken.evm,
      served.wallet,
      served.vault,
      served.token,
      served.delegate,
      agreed.deployment.vault
    ])
  )

const otherChain = (random: SeededRandom): number => random.pick([...evmChains, 1 + random.below(2 ** 31)])

type Change = (random: SeededRandom, round: Round, now: number) => Round

const serve =
  (change: (random: SeededRandom, round: Round, now: number) => Partial<Meaning>): Change =>
  (random, round, now) => {
    const served = { ...round.served, ...change(random, round, now) }
    // A lying service hashes its own claims, unless the lie is in the domain.
    const { chainId, delegate, wallet } = served
    return { ...round, served: { ...served, domain: { chainId, delegate, wallet } } }
  }

const agree =
  (change: (random: SeededRandom, round: Round) => Partial<Round["agreed"]>): Change =>
  (random, round) => ({ ...round, agreed: { ...round.agreed, ...change(random, round) } })

const request = (change: (random: SeededRandom, round: Round) => Partial<Operation.Agreement["request"]>): Change =>
  agree((random, round) => ({ request: { ...round.agreed.request, ...change(random, round) } }))

/** The possible changes, by the service and by the caller. */
export const changes: Readonly<Record<string, Change>> = {
  chainId: serve((random) => ({ chainId: otherChain(random) })),
  wallet: serve((random, round) => ({ wallet: otherAddress(random, round) })),
  delegate: serve((random, round) => ({ delegate: otherAddress(random, round) })),
  token: serve((random, round) => ({ token: otherAddress(random, round) })),
  amount: serve((random, { served }) => ({ amount: near(random, served.amount) })),
  vault: serve((random, round) => ({ vault: otherAddress(random, round) })),
  deadline: serve((random, _, now) => ({
    deadline: random.pick([0, now, Math.floor(now / 1000) + 181 + random.below(2 ** 31), Number.MAX_SAFE_INTEGER])
  })),
  destinationChain: serve((random) => ({ destinationChain: otherChain(random) })),
  outputToken: serve((random, round) => ({
    outputToken: random.pick<string>([otherAddress(random, round), ...solanaAddresses])
  })),
  recipient: serve((random, round) => ({
    recipient: random.pick<string>([otherAddress(random, round), ...solanaAddresses])
  })),
  minOutput: serve((random, { served }) => ({ minOutput: near(random, served.minOutput) })),
  "the domain": (random, round) => {
    const { served } = round
    const lie = random.pick([
      { chainId: otherChain(random) },
      { wallet: otherAddress(random, round) },
      { delegate: otherAddress(random, round) }
    ])
    return { ...round, served: { ...served, domain: { ...served.domain, ...lie } } }
  },
  "the request's origin": request((random) => ({ originChain: otherChain(random) })),
  "the request's destination": request((random) => ({ destinationChain: otherChain(random) })),
  "the request's amount": request((random, { agreed }) => ({ amount: near(random, agreed.request.amount) })),
  "the request's input": request((random, round) => ({ inputToken: otherAddress(random, round) })),
  "the request's output": request((random, round) => ({ outputToken: otherAddress(random, round) })),
  "the request's recipient": request((random, round) => ({ recipient: otherAddress(random, round) })),
  "the request's wallet": request((random, round) => ({ walletAddress: otherAddress(random, round) })),
  "the quote's minimum": agree((random, { agreed }) => ({
    quote: { ...agreed.quote, minOutput: near(random, agreed.quote.minOutput ?? agreed.quote.output) }
  })),
  "the pinned vault": agree((random, round) => ({
    deployment: { ...round.agreed.deployment, vault: otherAddress(random, round) }
  })),
  "the pinned delegates": agree((random, round) => ({
    deployment: {
      ...round.agreed.deployment,
      delegates: Array.from({ length: random.below(3) }, () => otherAddress(random, round))
    }
  }))
}

/** Whether a round matches the agreement, judged by its fields and not by its hashes. */
export const isHonest = ({ agreed, served }: Round, now: number): boolean => {
  const { deployment, quote, request } = agreed
  const { chainId, delegate, domain, wallet } = served
  // The two spellings of the native token are the same 32 bytes.
  const spelt = (text: string) =>
    text === Chain.nativeToken.solana ? Chain.nativeToken.evm : text.startsWith("0x") ? text.toLowerCase() : text
  const same = (a: string, b: string) => spelt(a) === spelt(b)
  return (
    same(request.walletAddress, address) &&
    same(wallet, address) &&
    chainId === request.originChain &&
    same(served.token, request.inputToken) &&
    served.amount === request.amount &&
    same(served.vault, deployment.vault) &&
    (deployment.delegates ?? []).some((pinned) => same(pinned, delegate)) &&
    served.deadline > 0 &&
    served.deadline <= Math.floor(now / 1000) + 180 &&
    served.destinationChain === request.destinationChain &&
    same(served.outputToken, request.outputToken) &&
    same(served.recipient, request.recipient ?? request.walletAddress) &&
    served.minOutput === (quote.minOutput ?? quote.output) &&
    domain.chainId === chainId &&
    same(domain.wallet, wallet) &&
    same(domain.delegate, delegate)
  )
}

/** The request to the signer: terms and hash are computed from the claims of the service. */
export const handed = ({ agreed, served }: Round): Signer.OperationToSign & { readonly geoOp: Operation.GeoOp } => {
  const { destinationChain, domain, minOutput, outputToken, recipient, ...fields } = served
  const geoOp = { ...fields, terms: library.hashTerms({ destinationChain, minOutput, outputToken, recipient }) }
  return { ...agreed, geoOp, geoOpHash: digestOf(geoOp, domain) }
}
