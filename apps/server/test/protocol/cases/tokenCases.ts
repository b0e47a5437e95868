/** Sealed tokens: accepted only unchanged, at their own call, and from the account that got them. */
import { expect } from "vitest"
import * as protocol from "../client.js"
import { evmRequest, solanaRequest, statusAndCode } from "../fixture.js"
import { signed, signedTransaction, submit } from "../operations.js"
import type { Cases, Suite } from "./suite.js"

const invalidToken = [401, "INVALID_TOKEN"]

/** Every kind of token by its call, and how it is sent there; the rest of each request is valid. */
const sealed = async (suite: Suite) => {
  const { owner, payer } = suite
  const one = await signed(suite, payer, evmRequest(suite, payer.address))
  const two = await signedTransaction(suite, owner, solanaRequest(suite, owner.address))
  const { authorization } = one
  const bodies = {
    "/swap/build-geo-op": (geoQuoteToken: string) => ({ geoQuoteToken, authorization }),
    "/swap/build-solana-tx": (geoQuoteToken: string) => ({ geoQuoteToken }),
    "/swap/submit": (geoOpToken: string) => ({ ...one.submission, geoOpToken }),
    "/swap/submit-solana": (geoOpToken: string) => ({ ...two.submission, geoOpToken })
  }
  type Path = keyof typeof bodies
  const tokens: Readonly<Record<Path, string>> = {
    "/swap/build-geo-op": one.quoted.geoQuoteToken,
    "/swap/build-solana-tx": two.quoted.geoQuoteToken,
    "/swap/submit": one.submission.geoOpToken,
    "/swap/submit-solana": two.submission.geoOpToken
  }
  const paths = Object.keys(bodies) as ReadonlyArray<Path>
  const send = (path: Path, token: string, service = suite.first) => statusAndCode(service, path, bodies[path](token))
  return { paths, tokens, send }
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Modified tokens. */
const changesOf = (token: string): ReadonlyArray<string> => {
  const put = (index: number, letter: string) => token.slice(0, index) + letter + token.slice(index + 1)
  const step = Math.floor(token.length / 40)
  return [
    ...Array.from({ length: 40 }, (_, index) => put(index * step, token[index * step] === "A" ? "B" : "A")),
    ...Array.from(letters, (letter) => put(token.length - 1, letter)),
    ...[1, 2, 10, 30, token.length >> 1].map((count) => token.slice(0, -count)),
    ...[1, 3, 4, 20].map((count) => token.slice(0, count)),
    ...["A", "=", "==", ".", ".A", " ", "\n"].map((end) => token + end),
    ...["gq1", "go1", "gq2", "go0", ""].map((prefix) => prefix + token.slice(3)),
    ` ${token}`,
    token + token,
    token + "A".repeat(16_385 - token.length),
    "x".repeat(60_000),
    token.toUpperCase(),
    token.split(".").toReversed().join("."),
    "x",
    "\u0000",
    "💥"
  ].filter((text) => text !== token)
}

export const tokenCases: Cases = {
  "is refused every token at every other call": async (suite) => {
    const { paths, send, tokens } = await sealed(suite)
    for (const path of paths) {
      for (const from of paths.filter((other) => other !== path)) {
        expect([path, from, ...(await send(path, tokens[from]))]).toEqual([path, from, ...invalidToken])
      }
    }
    const right = await Promise.all(paths.map((path) => send(path, tokens[path])))
    expect(right.map(([status]) => status)).toEqual([200, 200, 200, 200])
  },
  "is refused every token that was changed or truncated": async (suite) => {
    const { paths, send, tokens } = await sealed(suite)
    for (const path of paths) {
      const changes = changesOf(tokens[path])
      expect(changes.length).toBeGreaterThan(120)
      for (const text of changes) expect([text, ...(await send(path, text))]).toEqual([text, ...invalidToken])
      expect(await send(path, "")).toEqual([400, "VALIDATION"])
    }
  },
  "is refused every token of another account": async (suite) => {
    const { first, payer, second } = suite
    const { paths, send, tokens } = await sealed(suite)
    for (const path of paths)
      expect([path, ...(await send(path, tokens[path], second))]).toEqual([path, ...invalidToken])
    const { submission } = await signed(suite, payer, evmRequest(suite, payer.address))
    const { swapId } = await submit(suite, submission)
    expect(await statusAndCode(second, "/swap/submit", submission)).toEqual(invalidToken)
    expect(await statusAndCode(second, `/swap/status/${swapId}`)).toEqual([404, "SWAP_NOT_FOUND"])
    expect((await protocol.wait(first, swapId)).status).toBe("settled")
  }
}
