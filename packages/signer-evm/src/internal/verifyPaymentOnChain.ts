/**
 * Compares a payment with the token and Permit2 on its chain: their EIP-712 domains, the nonces and the allowance. Only
 * on chains for which the caller provided a client.
 */
import { type Hex, Operation, Payment, type SwapError } from "@geoswap/core"
import { hashDomain, hashPermit2Domain, keccak256 } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { toBytes } from "./hash.js"
import { type Node, readNode } from "./node.js"
import type { ResolvedOptions } from "./options.js"

const selectors = {
  allowance: "0xdd62ed3e",
  domainSeparator: "0x3644e515",
  eip712Domain: "0x84b0196e",
  nonceBitmap: "0x4fe02b44",
  nonces: "0x7ecebe00"
} as const

const encode = (selector: Hex.Hex, ...words: ReadonlyArray<string | bigint>): Hex.Hex =>
  `${selector}${words.map((word) => BigInt(word).toString(16).padStart(64, "0")).join("")}`

const isWord = (answer: Hex.Hex): boolean => answer.length === 66

type Check = Effect.Effect<void, SwapError.SignError>

/** Fails unless a view function returns a number that is accepted. */
const expectNumber = (
  node: Node,
  field: string,
  to: string,
  data: Hex.Hex,
  expected: string,
  accepts: (found: bigint) => boolean
): Check =>
  Effect.flatMap(node.view(to, data), (answer) =>
    isWord(answer) && accepts(BigInt(answer))
      ? Effect.void
      : Effect.fail(
          Operation.unsafe(field, `${expected} on the chain`, isWord(answer) ? `${BigInt(answer)}` : "nothing")
        )
  )

/**
 * Checks the permit's nonce, and that Permit2 may not spend the amount already: a permit would replace a larger
 * approval.
 */
const checkPermit = (node: Node, { amount, permitNonce, token, wallet }: Payment.Erc2612): ReadonlyArray<Check> => [
  expectNumber(
    node,
    "permitNonce",
    token,
    encode(selectors.nonces, wallet),
    `${permitNonce}`,
    (nonce) => nonce === permitNonce
  ),
  expectNumber(
    node,
    "allowance",
    token,
    encode(selectors.allowance, wallet, Payment.permit2Address),
    `less than ${amount}`,
    (allowance) => allowance < amount
  )
]

/** Decodes the string at an offset in ABI-encoded data. */
const decodeText = (bytes: Uint8Array, position: number): string | undefined => {
  const numberAt = (at: number) => {
    const word = bytes.slice(at, at + 32)
    const isSmall = word.length === 32 && word.slice(0, 28).every((byte) => byte === 0)
    return isSmall ? new DataView(word.buffer).getUint32(28) : undefined
  }
  const offset = numberAt(position)
  const length = offset === undefined ? undefined : numberAt(offset)
  if (offset === undefined || length === undefined || offset + 32 + length > bytes.length) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      bytes.slice(offset + 32, offset + 32 + length)
    )
  } catch {
    return undefined
  }
}

/** Whether a token's `eip712Domain()` (ERC-5267) has exactly a name, a version, the chain and the token. */
const matchesDomain = (answer: Hex.Hex, { chainId, token }: Payment.Payment, domain: TokenDomain): boolean => {
  const bytes = toBytes(answer)
  const wordAt = (index: number) => {
    const digits = answer.slice(2 + 64 * index, 2 + 64 * (index + 1))
    return digits.length === 64 ? BigInt(`0x${digits}`) : undefined
  }
  return (
    // `fields` is a bytes1: bits for the name, the version, the chain and the contract, but not for a salt.
    wordAt(0) === 0x0fn << 248n &&
    decodeText(bytes, 32) === domain.name &&
    decodeText(bytes, 64) === domain.version &&
    wordAt(3) === BigInt(chainId) &&
    wordAt(4) === BigInt(token)
  )
}

type TokenDomain = Payment.Erc2612["domain"]

/** Compares the token's domain with the chain: its separator or, if it has none, the fields of ERC-5267. */
const checkTokenDomain = Effect.fnUntraced(function* (
  node: Node,
  payment: Payment.Payment,
  domain: TokenDomain
): Effect.fn.Return<void, SwapError.SignError> {
  const { chainId, token } = payment
  const expected = hashDomain(domain, chainId, token, keccak256)
  const found = yield* node.view(token, selectors.domainSeparator)
  if (isWord(found)) {
    return found.toLowerCase() === expected
      ? undefined
      : yield* Operation.unsafe("domain", `the token's domain, ${found}`, `${domain.name} ${domain.version}`)
  }
  const fields = yield* node.view(token, selectors.eip712Domain)
  if (!matchesDomain(fields, payment, domain)) {
    return yield* Operation.unsafe("domain", "confirmed by the token", `${domain.name} ${domain.version}`)
  }
})

/** Checks that Permit2 is the real one on this chain, and that the nonce is unused. */
const checkPermit2 = Effect.fnUntraced(function* (
  node: Node,
  { chainId, wallet }: Payment.Payment,
  nonce: bigint
): Effect.fn.Return<void, SwapError.SignError> {
  const { permit2Address } = Payment
  const [code, separator, bitmap] = yield* Effect.all(
    [
      node.code(permit2Address),
      node.view(permit2Address, selectors.domainSeparator),
      node.view(permit2Address, encode(selectors.nonceBitmap, wallet, nonce >> 8n))
    ],
    { concurrency: "unbounded" }
  )
  const expected = hashPermit2Domain(chainId, keccak256)
  if (code === "0x") return yield* Operation.unsafe("permit2", `a contract on chain ${chainId}`, "no code")
  if (separator.toLowerCase() !== expected)
    return yield* Operation.unsafe("permit2", `the domain ${expected}`, separator)
  const isUnused = isWord(bitmap) && ((BigInt(bitmap) >> (nonce & 255n)) & 1n) === 0n
  if (!isUnused) return yield* Operation.unsafe("nonce", "unused in Permit2", `${nonce}`)
})

/** Fails if a payment does not match the contracts on its chain. Does nothing if there is no client for the chain. */
export const verifyPaymentOnChain = Effect.fnUntraced(function* (
  { rpc }: ResolvedOptions,
  payment: Payment.Payment
): Effect.fn.Return<void, SwapError.SignError> {
  const { chainId } = payment
  const request = rpc.get(chainId)
  if (request === undefined) return
  yield* readNode(request, chainId, `the contracts of a payment with ${payment.method}`, (node) =>
    Effect.all(
      [
        "domain" in payment ? checkTokenDomain(node, payment, payment.domain) : Effect.void,
        "nonce" in payment ? checkPermit2(node, payment, payment.nonce) : Effect.void,
        ...(payment.method === "erc2612" ? checkPermit(node, payment) : [])
      ],
      { concurrency: "unbounded", discard: true }
    )
  )
})
