/**
 * The program that every runtime runs, unchanged. It uses nothing specific to Node, pages or workers, and imports the
 * built packages.
 */
import { createClient, type Network } from "@geoswap/core/promise"
import { ScriptedTransport, Vectors } from "@geoswap/core/testing"
import { fetchTransport } from "@geoswap/transport-fetch"
import { rejection } from "../../../../tooling/testing/expectError.ts"
import { signers } from "../signers.js"

/** The URLs of the services; see `services.ts`. */
export interface Input {
  readonly settling: string
  readonly failing: string
  readonly apiKey: string
}

const { evmRequest } = ScriptedTransport
const network: Network = {
  chains: [{ id: evmRequest.originChain, name: "base", family: "evm", deployment: Vectors.evmDeployment }]
}

const clientOf = (baseUrl: string, apiKey: string, timeouts = {}) =>
  createClient({
    network,
    transport: fetchTransport({ baseUrl, apiKey, timeouts }),
    signers,
    settings: { callAttempts: 1 }
  })

/** The fields that distinguish errors. */
const failureOf = async (call: Promise<unknown>) => {
  const { _tag, reason, requestId } = (await rejection(call)) as Readonly<Record<string, unknown>>
  return { _tag, reason, hasRequestId: typeof requestId === "string" }
}

/** Whether a held status request rejects with the very reason of the signal, and the service sees it close. */
const abortHeld = async ({ apiKey, failing }: Input) => {
  const client = clientOf(failing, apiKey)
  const controller = new AbortController()
  const call = rejection(client.status("held", { signal: controller.signal }))
  await client.chains()
  const reason = { because: "changed my mind" }
  controller.abort(reason)
  const sameReason = (await call) === reason
  await client.chains()
  return sameReason
}

/** Uses the client in every way in which runtimes may differ, and returns the results as JSON. */
export const run = async (input: Input) => {
  const client = clientOf(input.settling, input.apiKey)
  const progress: Array<string> = []
  const swap = await client.execute(evmRequest, { onProgress: ({ type }) => void progress.push(type) })
  const steps: Array<string> = []
  for await (const { type } of client.executeStream(evmRequest)) steps.push(type)
  const failing = clientOf(input.failing, input.apiKey, { status: 100 })
  return {
    swap: swap.status,
    progress,
    steps,
    abortedWithReason: await abortHeld(input),
    badKey: await failureOf(clientOf(input.settling, "unknown-key").execute(evmRequest)),
    late: await failureOf(failing.status("late")),
    redirected: await failureOf(failing.quote(evmRequest)),
    cut: await failureOf(
      failing.delegation({ chainId: evmRequest.originChain, walletAddress: evmRequest.walletAddress })
    )
  }
}
