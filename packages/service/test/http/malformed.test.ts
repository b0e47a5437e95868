import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { bodies } from "./malformedBodies.js"
import { fields, type Malformed } from "./malformedFields.js"
import { apiKey, webApp } from "./webApp.js"

const requests = [...fields, ...bodies]

/** Must not appear in a log or a response. */
const canaries = ["canaryOfTheToken", "canaryOfTheSignature", "canaryOfTheWallet", "canaryOfTheBody", apiKey]

const send = (app: ReturnType<typeof webApp>, { body, headers, path }: Malformed) => {
  const given = { ...(body !== undefined && { "content-type": "application/json" }), ...headers }
  const sent = Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const init = { headers: sent, ...(body !== undefined && { body: Buffer.from(body) }) }
  return Effect.flatMap(app.send(body === undefined ? "GET" : "POST", path, init), app.answerOf)
}

describe("malformed requests", () => {
  it("have unique names", () => {
    const names = requests.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it.effect.each(requests)("are refused with the problem, and never reach the service or the log: $name", (each) =>
    Effect.gen(function* () {
      const app = webApp()
      const { body, headers, status } = yield* send(app, each)
      expect({ status, body }).toEqual({
        status: each.status,
        body: {
          code: each.code,
          message: expect.stringMatching(/^.{20}/) as string,
          requestId: headers.get("x-request-id"),
          ...("details" in Object(body) && { details: expect.any(Object) as object })
        }
      })
      const text = JSON.stringify(body)
      for (const words of each.says ?? []) expect(text).toContain(words)
      expect([headers.get("content-type"), headers.get("cache-control")]).toEqual(["application/json", "no-store"])
      expect(app.received).toEqual([])
      expect(app.lines.map(({ level }) => level)).toEqual(["Info"])
      for (const secret of canaries) expect(text + JSON.stringify(app.lines)).not.toContain(secret)
    })
  )
})
