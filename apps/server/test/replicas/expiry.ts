/** Operations that expire while servers are down: a swap may fail only if its operation has really expired. */
import {
  type Blockhash,
  createSolanaRpc,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder
} from "@solana/kit"
import { expect } from "vitest"
import type { Scenario } from "../faults/crash/scenarios.js"
import type { Ended, Signed } from "../faults/crash/swap.js"
import type { Shape as Fixture } from "./fixture.js"

const blockhashOf = (transaction: string): Blockhash => {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (message.version === 1) throw new Error("The service builds no such transaction.")
  return message.lifetimeToken as Blockhash
}

const isPast = async ({ devnet }: Fixture, { expiresAt, submission }: Signed): Promise<boolean> => {
  if (Date.now() > expiresAt) return true
  if (submission.family === "evm") return false
  const blockhash = blockhashOf(submission.signedTransaction)
  const rpc = createSolanaRpc(devnet.solana.rpcUrl)
  return !(await rpc.isBlockhashValid(blockhash, { commitment: "processed" }).send()).value
}

/** The expected outcome of a swap: that of its scenario, or `failed` if its operation has really expired. */
export const scenarioOf = async (fixture: Fixture, signed: Omit<Ended, "ids">): Promise<Scenario> => {
  const { scenario, swap } = signed
  if (swap.failureCode !== "OPERATION_EXPIRED") return scenario
  expect(await isPast(fixture, signed)).toBe(true)
  return { ...scenario, status: "failed", failureCode: "OPERATION_EXPIRED" }
}
