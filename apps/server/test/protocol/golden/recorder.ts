/** Records what the protocol client sends and receives. */
import type { Service } from "../client.js"
import type { Fixture } from "../fixture.js"
import * as Placeholders from "./placeholders.js"
import type { Exchange, Json } from "./transcripts.js"

export interface Recorder {
  /** The same services, recorded. */
  readonly of: (fixture: Fixture) => Fixture
  /** Adds a note to the next exchange. */
  readonly note: (text: string) => void
  /** Names a value that the test created and that differs by run. */
  readonly name: (value: string, name: string) => void
  readonly transcript: () => ReadonlyArray<Exchange>
}

/** Headers of the connection. */
const unrecorded = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"])

/** Replaces the counts and times in a header. */
const headerOf = (name: string, value: string): string => {
  if (name === "ratelimit") return value.replace(/;r=\d+;t=\d+$/, ";r=<count>;t=<seconds>")
  return name === "retry-after" && /^\d+$/.test(value) ? "<seconds>" : value
}

/** The parsed JSON if it serializes to exactly this text; otherwise the text. */
const bodyOf = (text: string): Json => {
  try {
    const body = JSON.parse(text) as Json
    return JSON.stringify(body) === text ? body : text
  } catch {
    return text
  }
}

/** Names the tokens, contracts and API keys of a devnet. */
const nameDevnet = ({ name }: Placeholders.Placeholders, { devnet, first, second }: Fixture): void => {
  for (const [family, { contracts, tokens }] of [
    ["evm", devnet.evmA],
    ["evm", devnet.evmB],
    ["solana", devnet.solana]
  ] as const) {
    for (const { address, symbol } of tokens) name(address, `${family} ${symbol}`)
    name(contracts.vault, `${family} vault`)
    if ("account" in contracts) name(contracts.account, "delegate")
  }
  name(first.apiKey, "apiKey of the first account")
  name(second.apiKey, "apiKey of the second account")
}

export const make = (): Recorder => {
  const placeholders = Placeholders.make()
  const exchanges: Array<Exchange> = []
  let noted: string | undefined

  const requestOf = (path: string, { body, headers, method = "GET" }: RequestInit): Exchange["request"] => ({
    method,
    path: placeholders.ofPath(path),
    headers: placeholders.of("headers", headers as Record<string, string>) as Record<string, string>,
    ...(typeof body === "string" && { body: placeholders.of("body", bodyOf(body)) })
  })

  const responseOf = ({ headers, status }: Response, text: string): Exchange["response"] => {
    const id = headers.get("x-request-id") ?? ""
    const isNew = /^[0-9a-f-]{36}$/.test(id)
    const recorded = [...headers].filter(([name]) => !unrecorded.has(name))
    const body = bodyOf(text)
    const { requestId } = typeof body === "object" && body !== null && "requestId" in body ? body : {}
    return {
      status,
      headers: Object.fromEntries(
        recorded.map(([name, value]) => [
          name,
          name === "x-request-id" && isNew ? "<requestId>" : headerOf(name, value)
        ])
      ),
      body: placeholders.of(
        "body",
        isNew && requestId === id ? { ...(body as Record<string, Json>), requestId: "<requestId>" } : body
      )
    }
  }

  const through = (service: Service): Service => ({
    ...service,
    fetch: async (url, init = {}) => {
      const note = noted
      noted = undefined
      const request = requestOf(url.slice(service.url.length), init)
      const response = await fetch(url, init)
      const text = await response.text()
      exchanges.push({ ...(note !== undefined && { note }), request, response: responseOf(response, text) })
      return new Response(text, response)
    }
  })

  return {
    of: (fixture) => {
      nameDevnet(placeholders, fixture)
      return { ...fixture, first: through(fixture.first), second: through(fixture.second) }
    },
    note: (text) => {
      noted = text
    },
    name: placeholders.name,
    transcript: () => exchanges
  }
}
