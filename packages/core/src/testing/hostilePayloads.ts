/** Payloads from a hostile service that differ from the accepted terms. */
import { solanaMainnet } from "../Chain.js"
import type { Hex } from "../Hex.js"
import type { Agreement, GeoOp } from "../Operation.js"
import type { QuoteRequest } from "../Quote.js"
import type { OperationCase, TransactionCase } from "./vectors.js"

export const bump = (word: Hex): Hex => `0x${word.slice(2, -1)}${word.endsWith("0") ? "1" : "0"}`

export type Hostile<V> = readonly [name: string, payload: V]

/** Operations with one field that differs from the agreement or from the hash. */
const changedFields: ReadonlyArray<readonly [keyof GeoOp, (geoOp: GeoOp) => GeoOp]> = [
  ["chainId", (geoOp) => ({ ...geoOp, chainId: geoOp.chainId + 1 })],
  ["wallet", (geoOp) => ({ ...geoOp, wallet: bump(geoOp.wallet) })],
  ["delegate", (geoOp) => ({ ...geoOp, delegate: bump(geoOp.delegate) })],
  ["token", (geoOp) => ({ ...geoOp, token: bump(geoOp.token) })],
  ["amount", (geoOp) => ({ ...geoOp, amount: geoOp.amount - 1n })],
  ["vault", (geoOp) => ({ ...geoOp, vault: bump(geoOp.vault) })],
  ["orderId", (geoOp) => ({ ...geoOp, orderId: bump(geoOp.orderId) })],
  ["terms", (geoOp) => ({ ...geoOp, terms: bump(geoOp.terms) })],
  ["nonce", (geoOp) => ({ ...geoOp, nonce: geoOp.nonce ^ 1n })],
  ["deadline", (geoOp) => ({ ...geoOp, deadline: geoOp.deadline - 1 })]
]

export const stranger = {
  evm: "0x00000000000000000000000000000000000000aa",
  solana: "SysvarC1ock11111111111111111111111111111111"
}

/** Returns a quote that has no minimum, so its output is treated as the minimum. */
export const withoutMinimum = (quote: Agreement["quote"], output: bigint): Agreement["quote"] => {
  const { minOutput: _, ...rest } = quote
  return { ...rest, output }
}

/** Returns copies of a valid vector, each with an agreement that the vector does not match. */
export const changedAgreements = <V extends Agreement>(vector: V): ReadonlyArray<Hostile<V>> => {
  const { request, quote } = vector
  const minimum = quote.minOutput ?? quote.output
  const toSolana = request.destinationChain === solanaMainnet
  const other = toSolana ? stranger.solana : stranger.evm
  const changes: ReadonlyArray<readonly [name: string, request: Partial<QuoteRequest>, quote?: Agreement["quote"]]> = [
    ["a different amount than agreed", { amount: request.amount - 1n }],
    ["a different output token than agreed", { outputToken: other }],
    ["a different recipient than agreed", { recipient: other }],
    ["a lower minimum than agreed", {}, { ...quote, minOutput: minimum + 1n }],
    ["a higher minimum than agreed", {}, { ...quote, minOutput: minimum - 1n }],
    ["a lower minimum than the output, without an agreed minimum,", {}, withoutMinimum(quote, minimum + 1n)],
    ...(toSolana ? [] : [["a different destination than agreed", { destinationChain: 10 }] as const])
  ]
  return changes.map(([name, change, agreed]) => [
    name,
    { ...vector, request: { ...request, ...change }, quote: agreed ?? quote }
  ])
}

export const hostileOperationsOf = (vector: OperationCase): ReadonlyArray<Hostile<OperationCase>> => {
  const { request, deployment, geoOp, geoOpHash } = vector
  return [
    ["a different hash", { ...vector, geoOpHash: bump(geoOpHash) }],
    ...changedFields.map(([field, change]): Hostile<OperationCase> => [
      `a different ${field}`,
      { ...vector, geoOp: change(geoOp) }
    ]),
    ...changedAgreements(vector),
    ["a different wallet than agreed", { ...vector, request: { ...request, walletAddress: stranger.evm } }],
    ["a different token than agreed", { ...vector, request: { ...request, inputToken: stranger.evm } }],
    ["a different chain than agreed", { ...vector, request: { ...request, originChain: 10 } }],
    ["a vault that is not pinned", { ...vector, deployment: { ...deployment, vault: stranger.evm } }],
    ["a delegate that is not pinned", { ...vector, deployment: { ...deployment, delegates: [stranger.evm] } }],
    ["a delegate when none is pinned", { ...vector, deployment: { vault: deployment.vault } }]
  ]
}

/** Changes one byte in base64 data. */
export const damage = (base64: string, at: (length: number) => number): string => {
  const bytes = atob(base64).split("")
  const index = at(bytes.length)
  bytes[index] = String.fromCharCode((bytes[index]?.charCodeAt(0) ?? 0) ^ 1)
  return btoa(bytes.join(""))
}

export const hostileTransactionsOf = (vector: TransactionCase): ReadonlyArray<Hostile<TransactionCase>> => {
  const { request, deployment, unsignedTransaction: wire } = vector
  return [
    ...changedAgreements(vector),
    ["a different wallet than agreed", { ...vector, request: { ...request, walletAddress: stranger.solana } }],
    ["a different token than agreed", { ...vector, request: { ...request, inputToken: stranger.solana } }],
    ["a vault that is not pinned", { ...vector, deployment: { ...deployment, vault: stranger.solana } }],
    ["a fee payer that is not pinned", { ...vector, deployment: { ...deployment, relayer: stranger.solana } }],
    ["a changed memo", { ...vector, unsignedTransaction: damage(wire, (length) => length - 2) }],
    ["a changed header", { ...vector, unsignedTransaction: damage(wire, () => 130) }],
    ["trailing bytes", { ...vector, unsignedTransaction: btoa(`${atob(wire)}\0`) }],
    ["bytes that are not a transaction", { ...vector, unsignedTransaction: "AAAA" }]
  ]
}
