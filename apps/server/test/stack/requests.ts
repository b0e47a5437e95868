/** Raw requests to a replica, without the retries of a client. */
import { expect } from "vitest"
import type { Signed } from "../faults/crash/swap.js"
import type { Replica } from "../replicas/replica.js"
import { elapse, until } from "./fixture.js"

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly retryAfter: string | null
  /** The duration. */
  readonly millis: number
}

const ask = async (url: string, init: RequestInit): Promise<Answer> => {
  const begin = Date.now()
  const response = await fetch(url, init)
  const body = (await response.json()) as unknown
  const millis = Date.now() - begin
  return { status: response.status, body, retryAfter: response.headers.get("retry-after"), millis }
}

/** Raw calls to a server. */
export const answersOf = (url: string, apiKey: string) => {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" }
  const post = (path: string, body: unknown) =>
    ask(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  const get = (path: string) => ask(`${url}${path}`, { headers })
  return { get, post, status: (swapId: string) => get(`/swap/status/${swapId}`) }
}

/** Whether a replica is ready. */
export const isReady = async ({ url }: Pick<Replica, "url">): Promise<boolean> => {
  const response = await fetch(`${url}/health/ready`)
  await response.arrayBuffer()
  return response.status === 200
}

/** Resumes a replica until it answers: a process that was about to pause when it was resumed pauses after it. */
export const resumed = async (replica: Pick<Replica, "resume" | "url">): Promise<void> => {
  await until(() => {
    replica.resume()
    return Promise.race([isReady(replica), elapse(1_000).then(() => false)])
  })
}

/**
 * Far longer than a server waits for its database, 5 seconds for a connection and 12 for a statement, and far shorter than
 * a request that hangs.
 */
const answerMillis = 60_000

/**
 * A replica without its database answers every call as unavailable. It does not know the second account yet; it knows
 * the first one, which requests stored data.
 */
export const answersWithout = async (
  { url }: Pick<Replica, "url">,
  [known, unknown]: readonly [string, string],
  signed: Signed | undefined,
  swapId: string
): Promise<void> => {
  const stranger = answersOf(url, unknown)
  const caller = answersOf(url, known)
  const { submission } = signed ?? {}
  if (submission?.family !== "evm") throw new Error("This is about an EVM swap.")
  const { geoOpToken, signature } = submission
  const answers = await Promise.all([
    stranger.post("/swap/quote", {}),
    stranger.post("/swap/build-geo-op", {}),
    stranger.post("/swap/submit", {}),
    stranger.post("/swap/build-solana-tx", {}),
    stranger.post("/swap/submit-solana", {}),
    stranger.status(swapId),
    stranger.get("/swap/chains"),
    stranger.get("/swap/delegation"),
    caller.post("/swap/submit", { geoOpToken, signature }),
    caller.status(swapId),
    caller.get("/health/ready")
  ])
  for (const { body, millis, retryAfter, status } of answers) {
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        code: "UNAVAILABLE",
        message: expect.stringMatching(/storage/) as string,
        requestId: expect.any(String) as string
      }
    })
    expect(Number(retryAfter)).toBeGreaterThan(0)
    expect(millis).toBeLessThan(answerMillis)
  }
  // Liveness does not depend on the database.
  expect((await fetch(`${url}/health/live`)).status).toBe(200)
}
