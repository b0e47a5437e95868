/** A devnet with a server for the protocol client: wallets, requests, and checks of every response. */
import type { Devnet } from "@geoswap/devnet"
import { generateKeyPair, getAddressFromPublicKey } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { type PrivateKeyAccount, zeroAddress } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { expect } from "vitest"
import * as evm from "../stack/evm.js"
import * as solana from "../stack/solana.js"
import { type File, type Running, serve } from "../stack/stack.js"
import type { Deployment, QuoteRequest, Service } from "./client.js"

export const usdc = 1_000_000n
export const ether = 10n ** 18n
export const sol = "11111111111111111111111111111111"

export interface Fixture {
  readonly devnet: Devnet.Devnet
  /** The two accounts of the server. */
  readonly first: Service
  readonly second: Service
  readonly database: string
}

const fixtureOf = (devnet: Devnet.Devnet, { apiKeys, database, url }: Running): Fixture => ({
  devnet,
  first: { url, apiKey: apiKeys[0] },
  second: { url, apiKey: apiKeys[1] },
  database
})

/** Another server on the same devnet, without logs. */
export const open = (devnet: Devnet.Devnet, change?: (file: File) => File) =>
  serve(devnet, change).pipe(
    Effect.map((running) => fixtureOf(devnet, running)),
    Effect.provideService(References.MinimumLogLevel, "None")
  )

/** A configuration whose venue has a price for GEO but no USD value. */
export const withoutUsdOfGeo = (file: File): File => {
  const { venue } = file
  if (venue.kind !== "table") throw new Error("The devnet's prices are in its file.")
  const { GEO } = venue.prices
  if (GEO === undefined) throw new Error("The devnet has a price of GEO.")
  return { ...file, venue: { ...venue, prices: { ...venue.prices, GEO: { ...GEO, showUsd: false } } } }
}

/** What the client pins for a chain. */
export const deploymentOf = ({ evmA, evmB, operators, solana: svm }: Devnet.Devnet, chainId: number): Deployment => {
  if (chainId === svm.id) {
    const relayer = operators.find(({ family, role }) => family === "solana" && role === "relayer")?.address ?? ""
    return { vault: svm.contracts.vault, relayer }
  }
  const { account, vault } = (chainId === evmA.id ? evmA : evmB).contracts
  return { delegate: account, vault }
}

/** Owners and relayers send one transaction at a time, to avoid using a nonce twice. */
let queue: Promise<unknown> = Promise.resolve()
const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
  const next = queue.then(work)
  queue = next.catch(() => undefined)
  return next
}

/** A wallet with tokens and without gas. */
export const evmWallet = async (
  { devnet }: Fixture,
  amounts: Readonly<Record<string, bigint>> = { USDC: 1_000n * usdc }
) => (await inTurn(() => evm.newWallet(devnet, devnet.evmA, amounts))).account

/** A wallet with tokens and without gas. */
export const solanaWallet = (
  { devnet }: Fixture,
  amounts: Readonly<Record<string, bigint>> = { USDC: 1_000n * usdc }
) => inTurn(() => solana.newWallet(devnet, amounts))

/** A new address. */
export const newAddress = async (family: "evm" | "solana"): Promise<string> =>
  family === "evm"
    ? privateKeyToAccount(generatePrivateKey()).address.toLowerCase()
    : getAddressFromPublicKey((await generateKeyPair()).publicKey)

/** Ten USDC on one EVM chain to WETH on the other. */
export const evmRequest = ({ devnet }: Fixture, wallet: string, other: Partial<QuoteRequest> = {}): QuoteRequest => ({
  originChain: devnet.evmA.id,
  destinationChain: devnet.evmB.id,
  inputToken: evm.tokenOf(devnet.evmA, "USDC"),
  outputToken: evm.tokenOf(devnet.evmB, "WETH"),
  amount: `${10n * usdc}`,
  walletAddress: wallet,
  ...other
})

/** Ten USDC on Solana to WETH on an EVM chain. */
export const solanaRequest = (
  { devnet }: Fixture,
  wallet: string,
  other: Partial<QuoteRequest> = {}
): QuoteRequest => ({
  originChain: devnet.solana.id,
  destinationChain: devnet.evmA.id,
  inputToken: evm.tokenOf(devnet.solana, "USDC"),
  outputToken: evm.tokenOf(devnet.evmA, "WETH"),
  amount: `${10n * usdc}`,
  walletAddress: wallet,
  recipient: "0x00000000000000000000000000000000000a11ce",
  ...other
})

type Fees = { readonly maxFeePerGas?: bigint; readonly maxPriorityFeePerGas?: bigint }

/** Delegates the wallet to another contract, paid by another account; returns when that is included. */
export const delegateTo = (
  { devnet }: Fixture,
  account: PrivateKeyAccount,
  address: `0x${string}`,
  fees: Fees = {}
): Promise<void> =>
  inTurn(async () => {
    const { evmA } = devnet
    const nonce = await evm.reader(evmA).getTransactionCount({ address: account.address })
    const authorization = await account.signAuthorization({ address, chainId: evmA.id, nonce })
    const hash = await evm.sender(evmA, evm.operator(devnet, "owner")).sendTransaction({
      to: account.address,
      authorizationList: [authorization],
      gas: 200_000n,
      ...fees
    })
    await evm.reader(evmA).waitForTransactionReceipt({ hash })
  })

/** Increments the wallet's nonce without gas: an empty delegation that another account pays for. */
export const moveNonce = (fixture: Fixture, account: PrivateKeyAccount, fees?: Fees): Promise<void> =>
  delegateTo(fixture, account, zeroAddress, fees)

/** The fields of a response that tests use. */
type Body = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** One raw call. Every response has no-store, an id and JSON; every error is one of the protocol. */
export const ask = async (
  { apiKey, fetch: send = fetch, url }: Service,
  path: string,
  body?: object | string,
  init: RequestInit = {}
): Promise<Answer> => {
  const response = await send(url + path, {
    ...(body !== undefined && { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...init,
    headers: {
      ...(apiKey !== "" && { "x-api-key": apiKey }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(init.headers as Record<string, string> | undefined)
    }
  })
  const { headers, status } = response
  expect(headers.get("cache-control")).toBe("no-store")
  expect(headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
  expect(headers.get("content-type")).toBe("application/json")
  const answer = (await response.json()) as Body
  if (status !== 200) {
    const { code, details, message, requestId, ...rest } = answer
    expect([code, rest]).toEqual([expect.stringMatching(/^[A-Z_]+$/), {}])
    expect(message).toMatch(/\S+ .*\.$/)
    expect(requestId).toBe(headers.get("x-request-id"))
    expect(["undefined", "object"]).toContain(typeof details)
  }
  return { status, headers, body: answer }
}
