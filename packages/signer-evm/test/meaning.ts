/** Agreements and operations made by chance, and changes of what they mean. */
import { Chain, type Operation, type Signer } from "@geoswap/core"
import { Vectors } from "@geoswap/core/testing"
import type { Chance } from "../../../tooling/testing/chance.ts"
import { digestOf, library } from "./chain.js"
import type { Terms } from "./operations.js"
import { address } from "./wallets.js"

type Hex = `0x${string}`

/** Everything that an operation and its hash say, spelt out. */
interface Meaning extends Omit<Operation.GeoOp, "terms">, Terms {
  /** What the EIP-712 domain says, which may be something else than the fields do. */
  readonly domain: Pick<Operation.GeoOp, "chainId" | "wallet" | "delegate">
}

/** One round: what was agreed, and what the service makes of it. */
export interface Round {
  readonly agreed: Operation.Agreement & { readonly deployment: Operation.Deployment }
  readonly served: Meaning
}

const lower = (text: string) => text.toLowerCase() as Hex

/** Writes some addresses in capitals: that is no lie. */
const respell = (chance: Chance, text: string): string =>
  chance.next() < 0.2 && text.startsWith("0x") ? `0x${text.slice(2).toUpperCase()}` : text

const solanaAddresses = [Vectors.solanaKey.address, Vectors.solanaDeployment.vault, Chain.nativeToken.solana]
const amountOf = (chance: Chance): bigint => BigInt(chance.hex(chance.pick([2, 8, 16, 32]))) || 1n
const evmChains = [1, 10, 137, 8453, 42161, 31337, 2 ** 40]

/** An honest round at a time in milliseconds. */
export const honestRound = (chance: Chance, now: number): Round => {
  const toSolana = chance.next() < 0.25
  const destinationChain = toSolana ? Chain.solanaMainnet : chance.pick(evmChains)
  const receiving = () => (toSolana ? chance.pick(solanaAddresses) : chance.hex(20))
  const recipient = toSolana || chance.next() < 0.6 ? receiving() : undefined
  const delegates = Array.from({ length: 1 + chance.below(3) }, () => chance.hex(20))
  const vault = chance.hex(20)
  const inputToken = chance.hex(20)
  const outputToken = receiving()
  const output = amountOf(chance)
  const minOutput = chance.next() < 0.8 ? output - (output >> BigInt(1 + chance.below(8))) : undefined
  const amount = amountOf(chance)
  const originChain = chance.pick(evmChains)
  const delegate = lower(chance.pick(delegates))
  const wallet = lower(address)
  return {
    agreed: {
      request: {
        originChain,
        destinationChain,
        inputToken: respell(chance, inputToken),
        outputToken: respell(chance, outputToken),
        amount,
        walletAddress: respell(chance, address),
        ...(recipient !== undefined && { recipient: respell(chance, recipient) })
      },
      quote: { output, ...(minOutput !== undefined && { minOutput }), feeBps: 10, expiresAt: new Date(now) },
      deployment: { delegates: delegates.map((text) => respell(chance, text)), vault: respell(chance, vault) }
    },
    served: {
      chainId: originChain,
      wallet,
      delegate,
      token: lower(inputToken),
      amount,
      vault: lower(vault),
      orderId: chance.hex(32),
      nonce: amountOf(chance),
      deadline: Math.floor(now / 1000) + 1 + chance.below(180),
      destinationChain,
      outputToken,
      recipient: recipient ?? address,
      minOutput: minOutput ?? output,
      domain: { chainId: originChain, wallet, delegate }
    }
  }
}

const near = (chance: Chance, value: bigint): bigint => {
  const moved = chance.pick([value + 1n, value - 1n, value * 2n, value / 2n, 0n, 2n ** 256n - 1n, amountOf(chance)])
  return moved < 0n || moved >= 2n ** 256n ? value ^ 1n : moved
}

/** Another address: any, or one that plays another part in the same round. */
const otherAddress = (chance: Chance, { agreed, served }: Round): Hex =>
  lower(
    chance.pick([
      chance.hex(20),
      chance.hex(20),
      Chain.nativeToken.evm,
      served.wallet,
      served.vault,
      served.token,
      served.delegate,
      agreed.deployment.vault
    ])
  )

const otherChain = (chance: Chance): number => chance.pick([...evmChains, 1 + chance.below(2 ** 31)])

type Change = (chance: Chance, round: Round, now: number) => Round

const serve =
  (change: (chance: Chance, round: Round, now: number) => Partial<Meaning>): Change =>
  (chance, round, now) => {
    const served = { ...round.served, ...change(chance, round, now) }
    // A liar hashes what it says, unless the lie is in the domain.
    const { chainId, delegate, wallet } = served
    return { ...round, served: { ...served, domain: { chainId, delegate, wallet } } }
  }

const agree =
  (change: (chance: Chance, round: Round) => Partial<Round["agreed"]>): Change =>
  (chance, round) => ({ ...round, agreed: { ...round.agreed, ...change(chance, round) } })

const request = (change: (chance: Chance, round: Round) => Partial<Operation.Agreement["request"]>): Change =>
  agree((chance, round) => ({ request: { ...round.agreed.request, ...change(chance, round) } }))

/** What can be changed, on the service's side and on the caller's. */
export const changes: Readonly<Record<string, Change>> = {
  chainId: serve((chance) => ({ chainId: otherChain(chance) })),
  wallet: serve((chance, round) => ({ wallet: otherAddress(chance, round) })),
  delegate: serve((chance, round) => ({ delegate: otherAddress(chance, round) })),
  token: serve((chance, round) => ({ token: otherAddress(chance, round) })),
  amount: serve((chance, { served }) => ({ amount: near(chance, served.amount) })),
  vault: serve((chance, round) => ({ vault: otherAddress(chance, round) })),
  deadline: serve((chance, _, now) => ({
    deadline: chance.pick([0, now, Math.floor(now / 1000) + 181 + chance.below(2 ** 31), Number.MAX_SAFE_INTEGER])
  })),
  destinationChain: serve((chance) => ({ destinationChain: otherChain(chance) })),
  outputToken: serve((chance, round) => ({
    outputToken: chance.pick<string>([otherAddress(chance, round), ...solanaAddresses])
  })),
  recipient: serve((chance, round) => ({
    recipient: chance.pick<string>([otherAddress(chance, round), ...solanaAddresses])
  })),
  minOutput: serve((chance, { served }) => ({ minOutput: near(chance, served.minOutput) })),
  "the domain": (chance, round) => {
    const { served } = round
    const lie = chance.pick([
      { chainId: otherChain(chance) },
      { wallet: otherAddress(chance, round) },
      { delegate: otherAddress(chance, round) }
    ])
    return { ...round, served: { ...served, domain: { ...served.domain, ...lie } } }
  },
  "the request's origin": request((chance) => ({ originChain: otherChain(chance) })),
  "the request's destination": request((chance) => ({ destinationChain: otherChain(chance) })),
  "the request's amount": request((chance, { agreed }) => ({ amount: near(chance, agreed.request.amount) })),
  "the request's input": request((chance, round) => ({ inputToken: otherAddress(chance, round) })),
  "the request's output": request((chance, round) => ({ outputToken: otherAddress(chance, round) })),
  "the request's recipient": request((chance, round) => ({ recipient: otherAddress(chance, round) })),
  "the request's wallet": request((chance, round) => ({ walletAddress: otherAddress(chance, round) })),
  "the quote's minimum": agree((chance, { agreed }) => ({
    quote: { ...agreed.quote, minOutput: near(chance, agreed.quote.minOutput ?? agreed.quote.output) }
  })),
  "the pinned vault": agree((chance, round) => ({
    deployment: { ...round.agreed.deployment, vault: otherAddress(chance, round) }
  })),
  "the pinned delegates": agree((chance, round) => ({
    deployment: {
      ...round.agreed.deployment,
      delegates: Array.from({ length: chance.below(3) }, () => otherAddress(chance, round))
    }
  }))
}

/** Whether a round means what was agreed: by its words, not by its hashes. */
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

/** What a signer is handed: terms and hash are computed from what the service says. */
export const handed = ({ agreed, served }: Round): Signer.OperationToSign & { readonly geoOp: Operation.GeoOp } => {
  const { destinationChain, domain, minOutput, outputToken, recipient, ...fields } = served
  const geoOp = { ...fields, terms: library.hashTerms({ destinationChain, minOutput, outputToken, recipient }) }
  return { ...agreed, geoOp, geoOpHash: digestOf(geoOp, domain) }
}
