/** A client of payments without a delegation: raw HTTP, and viem for signatures. */
import type { Devnet } from "@geoswap/devnet"
import type { Hex, PrivateKeyAccount, TypedDataDefinition } from "viem"
import { expect } from "vitest"
import * as evm from "../../stack/evm.js"
import type { Running } from "../../stack/stack.js"

/** Typed data as the service returns it. */
export interface TypedData {
  readonly types: Readonly<Record<string, ReadonlyArray<{ readonly name: string; readonly type: string }>>>
  readonly primaryType: string
  readonly domain: Readonly<Record<string, unknown>>
  readonly message: Readonly<Record<string, unknown>>
}

/** The fields of all responses. */
export interface Body {
  readonly code?: string
  readonly message?: string
  readonly geoQuoteToken: string
  readonly paymentMethods?: ReadonlyArray<string>
  readonly paymentProblem?: { readonly code: string; readonly message: string }
  readonly geoOpHash: Hex
  readonly geoOpToken: string
  readonly geoOp?: Readonly<Record<string, unknown>>
  readonly payment?: Readonly<Record<string, unknown>>
  readonly typedData?: TypedData
  readonly permitTypedData?: TypedData
  readonly swapId: string
  readonly status: string
  readonly failureCode?: string
  readonly originTxHash?: Hex
  readonly delegated?: boolean
  readonly delegationTarget?: string
}

export interface Answer {
  readonly status: number
  readonly body: Body
}

type Server = Pick<Running, "apiKeys" | "url">

/** Sends a request. Without a body, it is a GET request. */
export const call = async ({ apiKeys, url }: Server, path: string, body?: object): Promise<Answer> => {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": apiKeys[0], ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  return { status: response.status, body: (await response.json()) as Body }
}

/** The body of a successful response. */
export const ok = ({ body, status }: Answer): Body => {
  expect([status, body]).toEqual([200, body])
  return body
}

/** Checks a refusal. */
export const refused = ({ body, status }: Answer, expected: number, code: string, message?: RegExp): void => {
  expect([status, body.code, body.message]).toEqual([expected, code, body.message])
  if (message !== undefined) expect(body.message).toMatch(message)
}

/** A swap of 10 units of a token with 6 decimals, back to the wallet on the other chain. */
export const requestOf = (devnet: Devnet.Devnet, wallet: string, inputToken: string, over: object = {}) => ({
  originChain: devnet.evmA.id,
  destinationChain: devnet.evmB.id,
  inputToken,
  outputToken: evm.tokenOf(devnet.evmB, "USDC"),
  amount: "10000000",
  walletAddress: wallet,
  ...over
})

/**
 * Quotes until the quote lists these methods: the service may know the wallet's code only from the block before. Fails
 * with the last list if that does not happen.
 */
export const quoteWith = async (
  server: Server,
  request: object,
  paymentMethods: ReadonlyArray<string>
): Promise<Body> => {
  const end = Date.now() + 60_000
  for (;;) {
    const quoted = ok(await call(server, "/swap/quote", request))
    if (JSON.stringify(quoted.paymentMethods) === JSON.stringify(paymentMethods)) return quoted
    if (Date.now() > end) expect(quoted.paymentMethods).toEqual(paymentMethods)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Integers in typed data are decimal strings, which viem does not encode. */
const valuesOf = (types: TypedData["types"], type: string, value: unknown): unknown => {
  const fields = types[type]
  if (fields === undefined) return type.startsWith("uint") ? BigInt(value as string) : value
  const given = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(fields.map(({ name, type: inner }) => [name, valuesOf(types, inner, given[name])]))
}

/** Signs typed data as a wallet does. */
export const signTyped = (account: PrivateKeyAccount, typedData: TypedData | undefined): Promise<Hex> => {
  if (typedData === undefined) throw new Error("There is no typed data.")
  const { domain, primaryType, types } = typedData
  const { EIP712Domain: _, ...own } = types
  const message = valuesOf(types, primaryType, typedData.message)
  return account.signTypedData({ domain, types: own, primaryType, message } as unknown as TypedDataDefinition)
}

/** Quotes and builds. */
export const build = async (server: Server, request: object, paymentMethod: string, over: object = {}) => {
  const { geoQuoteToken } = ok(await call(server, "/swap/quote", request))
  return call(server, "/swap/build-geo-op", { geoQuoteToken, paymentMethod, ...over })
}

/** Signs what a build returned: typed data, or the hash of an operation that has none. */
export const submissionOf = async (
  account: PrivateKeyAccount,
  { geoOpHash, geoOpToken, permitTypedData, typedData }: Body
): Promise<{ readonly geoOpToken: string; readonly signature: Hex; readonly permitSignature?: Hex }> => ({
  geoOpToken,
  signature: await (typedData === undefined
    ? account.signMessage({ message: { raw: geoOpHash } })
    : signTyped(account, typedData)),
  ...(permitTypedData !== undefined && { permitSignature: await signTyped(account, permitTypedData) })
})

/** Quotes, builds, signs and submits. */
export const pay = async (
  server: Server,
  account: PrivateKeyAccount,
  request: object,
  paymentMethod: string
): Promise<Answer> => {
  const built = ok(await build(server, request, paymentMethod))
  return call(server, "/swap/submit", await submissionOf(account, built))
}

/** Waits until a swap has finished. */
export const ended = async (server: Server, swapId: string): Promise<Body> => {
  for (;;) {
    const swap = ok(await call(server, `/swap/status/${swapId}`))
    if (swap.status !== "pending") return swap
  }
}
