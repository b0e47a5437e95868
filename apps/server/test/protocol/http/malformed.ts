/** Requests that no good client sends, their expected responses, and a way to send them all to a server. */
import { setTimeout as sleep } from "node:timers/promises"
import { messages } from "./malformedRequests.js"
import { type Answer, exchange, type Malformed } from "./rawHttp.js"

/** Must not appear in a log or a response. */
export const canaries = ["canaryOfTheToken", "canaryOfTheBody"]

/** Returns what is wrong with a response; `undefined` if it is as expected. */
const problemOf = ({ code, orClosed, says = [], status }: Malformed, answer: Answer | undefined, apiKey: string) => {
  if (answer === undefined) return orClosed ? undefined : "the connection was closed without an answer"
  const found = `${answer.status} ${answer.text}`
  if (answer.status !== status) return `should be ${status}: ${found}`
  const body = JSON.parse(answer.text || "{}") as Readonly<Record<string, unknown>>
  if (body["code"] !== code) return `should be ${code}: ${found}`
  if (typeof body["message"] !== "string" || body["message"].length < 20) return `has no message: ${found}`
  if (!body["requestId"] || body["requestId"] !== answer.headers["x-request-id"]) return `has no id: ${found}`
  if (answer.headers["content-type"] !== "application/json") return `is not JSON: ${found}`
  if (answer.headers["cache-control"] !== "no-store") return `may be cached: ${found}`
  for (const words of says) if (!body["message"].includes(words)) return `should say "${words}": ${found}`
  for (const secret of [...canaries, apiKey]) if (answer.text.includes(secret)) return `repeats a secret: ${found}`
  return undefined
}

/** Sends a request, and again after the retry time if the server is too busy. */
const sendOne = async (url: string, apiKey: string, each: Malformed): Promise<Answer | undefined> => {
  const answer = await exchange(url, each.steps(apiKey))
  if (answer?.status !== 429) return answer
  await sleep(1_000 * Number(answer.headers["retry-after"] ?? 1))
  return sendOne(url, apiKey, each)
}

/** Sends all cases, or the given ones, concurrently. Returns the unexpected responses. */
export const sendAll = async (
  url: string,
  apiKey: string,
  requests: ReadonlyArray<Malformed> = messages
): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  const queue = [...requests]
  const work = async (): Promise<void> => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
      const problem = problemOf(each, await sendOne(url, apiKey, each), apiKey)
      if (problem !== undefined) problems.push(`${each.name}: ${problem}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  return problems
}
