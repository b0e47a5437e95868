/** A swap whose caller retries with exactly the same bytes until it gets an answer. */
import { type Deployment, isSwapError, type Submission, type Swap } from "@geoswap/core/promise"
import { EvmSigner } from "@geoswap/signer-evm"
import { SolanaSigner, solanaReader } from "@geoswap/signer-solana"
import { generateKeyPair, getAddressFromPublicKey } from "@solana/kit"
import { expect } from "vitest"
import * as evm from "../../stack/evm.js"
import { elapse } from "../../stack/fixture.js"
import { type Shape as Fixture, tokenOf } from "./fixture.js"
import { type Family, familyOf, type Scenario } from "./scenarios.js"

/** Longer than any swap takes, even if its server is killed many times, and shorter than the test timeout. */
const maxWaitMillis = 300_000

/** Retries while no server answers. Every other failure fails the test. */
export const patiently = async <A>(call: () => Promise<A>, waitMillis = maxWaitMillis): Promise<A> => {
  const end = Date.now() + waitMillis
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!isSwapError(error) || error._tag !== "Unavailable" || Date.now() > end) throw error
      await elapse(100)
    }
  }
}

const recipientOn = async (family: Family): Promise<string> =>
  family === "evm" ? evm.newAddress() : getAddressFromPublicKey((await generateKeyPair()).publicKey)

/** 0.0025 WETH. */
const weth = { evm: 25n * 10n ** 14n, solana: 250_000n }
let count = 0n

/** About ten dollars, and a different amount each time, so that amounts identify swaps. */
const amountOf = ({ input, origin }: Scenario): bigint => {
  count += 1n
  return count + (input === "WETH" ? weth[familyOf(origin)] : 10_000_000n)
}

/** A swap before its quote. */
export const plan = async (fixture: Fixture, scenario: Scenario) => {
  const { destination, input, origin, output } = scenario
  const { devnet, wallets } = fixture
  const pool = wallets[input in fixture.stoppable ? "holders" : origin]
  const wallet = await pool.take()
  const request = {
    originChain: devnet[origin].id,
    destinationChain: devnet[destination].id,
    inputToken: tokenOf(fixture, origin, input),
    outputToken: tokenOf(fixture, destination, output),
    amount: amountOf(scenario),
    walletAddress: wallet.address,
    recipient: await recipientOn(familyOf(destination))
  }
  /** Returns the wallet to the pool. */
  const free = () => pool.free(wallet)
  return { free, request, scenario, wallet }
}

export type Plan = Awaited<ReturnType<typeof plan>>

interface Signature {
  readonly output: bigint
  readonly orderId: string
  readonly submission: Submission
  /** In milliseconds since 1970. */
  readonly signedAt: number
  /** When the service treats the operation as expired, in milliseconds since 1970; a blockhash may expire before. */
  readonly expiresAt: number
}

/** A signed swap that is ready to submit. */
export interface Signed extends Plan, Signature {}

/** Longer than any blockhash lives. */
const longestBlockhashMillis = 180_000

const never = { signal: new AbortController().signal }

const authorizationOf = async (
  { client }: Pick<Fixture, "client">,
  { request }: Pick<Plan, "request">,
  signer: ReturnType<typeof EvmSigner.fromAccount>,
  pinned: { readonly deployment?: Deployment }
) => {
  const { originChain: chainId, walletAddress } = request
  const found = await patiently(() => client.delegation({ chainId, walletAddress }))
  const { accountNonce: nonce, delegationTarget: address } = found
  if (found.delegated || address === undefined || nonce === undefined) return {}
  const authorization = await signer.signAuthorization?.({ chainId, address, nonce, ...pinned }, never)
  return authorization && { authorization }
}

const signOnce = async <P extends Pick<Plan, "request" | "wallet">>(
  fixture: Pick<Fixture, "client" | "network">,
  plan: P
): Promise<P & Signature> => {
  const { client, network } = fixture
  const { request, wallet } = plan
  const { originChain } = request
  const signedAt = Date.now()
  const { geoQuoteToken, ...quote } = await patiently(() => client.quote(request))
  const deployment = network.chains.find(({ id }) => id === originChain)?.deployment
  const pinned = deployment === undefined ? {} : { deployment }
  const agreement = { request, quote, ...pinned }
  const { output } = quote
  if (wallet.family === "evm") {
    const signer = EvmSigner.fromAccount(wallet.account)
    const authorization = await authorizationOf(fixture, plan, signer, pinned)
    const built = await patiently(() => client.build({ originChain, geoQuoteToken, ...authorization }))
    if (built.family !== "evm" || built.geoOp === undefined) throw new Error("There is no operation to sign.")
    const { geoOp, geoOpHash, geoOpToken } = built
    const signature = await signer.signOperation({ ...agreement, geoOp, geoOpHash }, never)
    const submission = { family: "evm", geoOpToken, signature } as const
    return { ...plan, output, orderId: geoOp.orderId, submission, signedAt, expiresAt: geoOp.deadline * 1_000 }
  }
  const signer = await SolanaSigner.fromKeyPair(wallet.keyPair)
  const built = await patiently(() => client.build({ originChain, geoQuoteToken }))
  if (built.family !== "solana") throw new Error("There is no transaction to sign.")
  const { geoOpToken, unsignedTransaction } = built
  const signedTransaction = await signer.signTransaction({ ...agreement, unsignedTransaction }, never)
  const [, orderId = ""] =
    /geoswap:(0x[0-9a-f]{64}):/.exec(Buffer.from(unsignedTransaction, "base64").toString("latin1")) ?? []
  const submission = { family: "solana", geoOpToken, signedTransaction } as const
  return { ...plan, output, orderId, submission, signedAt, expiresAt: Date.now() + longestBlockhashMillis }
}

/**
 * Quotes, builds and signs, with any server that answers. On a slow machine, a quote may expire before it is used.
 * Nothing has been submitted then, so another quote is used.
 */
export const sign = async <P extends Pick<Plan, "request" | "wallet">>(
  fixture: Pick<Fixture, "client" | "network">,
  plan: P
): Promise<P & Signature> => {
  const end = Date.now() + maxWaitMillis
  for (;;) {
    try {
      return await signOnce(fixture, plan)
    } catch (error) {
      if (!isSwapError(error) || error._tag !== "Expired" || Date.now() > end) throw error
    }
  }
}

/** Submits until a server returns the swap id. */
export const submit = ({ client }: Fixture, { submission }: Signed): Promise<Swap> =>
  patiently(() => client.submit(submission))

/** A finished swap. */
export interface Ended extends Signed {
  readonly swap: Swap
  /** Every id that it was given. */
  readonly ids: ReadonlySet<string>
}

/** The wallet's own node proves whether the input was paid, whatever else is in the wallet's history. */
const expectProof = async ({ devnet: { solana } }: Fixture, { signedAt, submission }: Signed, { status }: Swap) => {
  if (submission.family !== "solana") return
  const { signedTransaction } = submission
  const reader = solanaReader({ rpcUrls: { [solana.id]: solana.rpcUrl } })
  const state = await reader.transactionState({ chainId: solana.id, signedTransaction, signedAt })
  // It takes five minutes to prove that a transaction has expired.
  expect(state).toBe(status === "failed" ? "open" : "used")
}

/** Submits a swap, follows it to its end, and submits it again. */
export const finish = async (fixture: Fixture, signed: Signed): Promise<Ended> => {
  const end = Date.now() + maxWaitMillis
  const first = await submit(fixture, signed)
  const ids = new Set([first.swapId])
  for (;;) {
    const swap = await patiently(() => fixture.client.status(first.swapId))
    ids.add(swap.swapId)
    if (swap.status === "pending") {
      if (Date.now() < end) continue
      throw new Error(`Swap ${first.swapId} does not end.\n${fixture.host.server().log()}`)
    }
    const { swapId } = await submit(fixture, signed)
    await expectProof(fixture, signed, swap)
    return { ...signed, swap, ids: ids.add(swapId) }
  }
}
