import { SwapError } from "@geoswap/core"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as Exit from "../src/output/Exit.js"
import * as Output from "../src/output/Output.js"

const message = "The message of the error"

/** One of each client error, with its exit code. */
const errors: ReadonlyArray<readonly [SwapError.SwapError, number]> = [
  [new SwapError.InvalidInput({ message, field: "amount" }), 1],
  [new SwapError.PolicyViolation({ message, rule: "maxFeeBps", expected: "1", found: "2" }), 3],
  [new SwapError.UnsafeOperation({ message, field: "vault", expected: "a", found: "b" }), 3],
  [new SwapError.SignerError({ message, reason: "missing" }), 1],
  [new SwapError.SignerError({ message, reason: "rejected" }), 3],
  [new SwapError.SignerError({ message, reason: "incapable" }), 1],
  [new SwapError.NeedsDelegation({ message }), 1],
  [new SwapError.InvalidAuthorization({ message }), 1],
  [new SwapError.Unsupported({ message }), 1],
  [new SwapError.Expired({ message, what: "quote" }), 1],
  [new SwapError.QuoteMoved({ message, accepted: 2n, offered: 1n }), 3],
  [new SwapError.Declined({ message, what: "quote" }), 3],
  [new SwapError.InvalidToken({ message }), 1],
  [new SwapError.Unauthorized({ message }), 1],
  [new SwapError.RateLimited({ message, retryAfter: 1500 }), 1],
  [new SwapError.NoRoute({ message, code: "NO_ROUTE" }), 1],
  [new SwapError.InsufficientBalance({ message, has: 3n, needs: 10n }), 1],
  [new SwapError.AmountTooSmall({ message, minimum: 2n }), 1],
  [new SwapError.AmountTooLarge({ message, maximum: 2n }), 1],
  [new SwapError.Rejected({ message, status: 422, code: "SLIPPAGE" }), 1],
  [new SwapError.Unavailable({ message, reason: "network" }), 1],
  [new SwapError.ProtocolError({ message, endpoint: "quote", field: "output" }), 1],
  [new SwapError.OutcomeUnknown({ message, flowId: "flow-1" }), 4],
  [new SwapError.WaitTimeout({ message, swapId: "swap-1", status: "pending" }), 4],
  [new SwapError.StoreError({ message }), 1],
  [new SwapError.IdempotencyConflict({ message, key: "key-1" }), 1],
  [new SwapError.ReaderError({ message }), 1]
]

const collect = (json: boolean) => {
  const written = { stdout: "", stderr: "" }
  const output = Output.make(
    { json, jsonLines: false, plain: false },
    {
      environment: {},
      folder: "/",
      home: "/",
      terminals: { stdin: false, stdout: false, stderr: false },
      columns: 80,
      rows: 24,
      stdin: process.stdin,
      write: (stream, text) => void (written[stream] += text)
    }
  )
  return { output, written }
}

describe("Exit", () => {
  it("quotes ids from the service in the commands that it suggests", () => {
    const swapId = "1;touch${IFS}PWNED;#'\u001B[2J\n$(id)"
    const { next } = Exit.explain(new SwapError.WaitTimeout({ message, swapId, status: "pending" }))
    expect(next).toMatch(/geoswap status --watch '1;touch\$\{IFS\}PWNED;#'\\'' \$\(id\)'$/)
    const flowId = "a`id`"
    expect(Exit.explain(new SwapError.OutcomeUnknown({ message, flowId })).next).toMatch(/geoswap resume 'a`id`'$/)
  })

  it.each(["--url=https://evil.example", "\u0000--url=https://evil.example", "--url=https://evil example"])(
    "suggests no command that reads the id %j as a flag",
    (id) => {
      const { next } = Exit.explain(new SwapError.WaitTimeout({ message, swapId: id, status: "pending" }))
      expect(next).toMatch(/geoswap status --watch -- '?--url=https:\/\/evil[. ]example'?$/)
      const unknown = Exit.explain(new SwapError.OutcomeUnknown({ message, flowId: id }))
      expect(unknown.next).toMatch(/geoswap resume -- '?--url=/)
    }
  )

  it.effect.each(errors)("explains %s: what happened, why, and what to do next", ([error, exitCode]) =>
    Effect.gen(function* () {
      const explanation = Exit.explain(error)
      expect(explanation).toMatchObject({ name: error._tag, why: `${message}.`, exitCode })
      expect(explanation.what).toMatch(/^[A-Z].*\.$/)
      const { output, written } = collect(false)
      yield* Exit.print(explanation, output)
      expect(written.stdout).toBe("")
      expect(written.stderr).toMatch(
        /^Error: .+\n {2}Why: {2}The message of the error\.\n( {8}\(.+\)\n)? {2}Next: .+\n$/
      )
    })
  )

  it.effect("suggests the command that resumes a swap with an unknown outcome", () =>
    Effect.gen(function* () {
      const next = (error: SwapError.SwapError) => Exit.explain(error).next
      expect(next(new SwapError.OutcomeUnknown({ message, flowId: "f-1" }))).toContain("geoswap resume f-1")
      expect(next(new SwapError.WaitTimeout({ message, swapId: "s-1", status: "pending" }))).toContain(
        "geoswap status --watch s-1"
      )
      expect(next(new SwapError.WaitTimeout({ message, swapId: "s-1", status: "pending", flowId: "f-1" }))).toContain(
        "geoswap resume f-1"
      )
      expect(next(new SwapError.RateLimited({ message, retryAfter: 1500 }))).toBe("Try again in 2 s.")
    })
  )

  it.effect("prints an error as one JSON object, with the code and request id of the service", () =>
    Effect.gen(function* () {
      const { output, written } = collect(true)
      const error = new SwapError.InsufficientBalance({
        message,
        code: "INSUFFICIENT_BALANCE",
        requestId: "r-1",
        has: 3n,
        needs: 10n
      })
      yield* Exit.print(Exit.explain(error), output)
      expect(written.stderr).toBe("")
      expect(JSON.parse(written.stdout)).toEqual({
        error: {
          name: "InsufficientBalance",
          code: "INSUFFICIENT_BALANCE",
          message: "The wallet balance is too low. The message of the error.",
          next: "To see your balances, run 'geoswap balance'. To see a price without a wallet, use quote --indicative.",
          requestId: "r-1",
          retry: "never",
          hasRaw: "3",
          needsRaw: "10"
        }
      })
    })
  )

  it.effect("strips control sequences from messages of the service", () =>
    Effect.gen(function* () {
      const { output, written } = collect(false)
      const untrusted = "bad\u001B[2J\r\nError: none"
      yield* Exit.print(
        Exit.explain(new SwapError.Rejected({ message: untrusted, status: 400, code: untrusted })),
        output
      )
      expect(written.stderr).not.toContain("\u001B")
      expect(written.stderr.split("\n")).toHaveLength(5)
    })
  )

  it.effect("explains errors of this program by their message, and anything else as a defect", () =>
    Effect.gen(function* () {
      expect(Exit.explain(new Exit.Declined({ message: "No.", next: "Later." }))).toMatchObject({ exitCode: 3 })
      expect(Exit.explain(new Exit.UsageError({ message: "No.", next: "Later." }))).toMatchObject({ exitCode: 64 })
      expect(Exit.explain(new Exit.Failure({ message: "No.", next: "Later.", exitCode: 4 }))).toMatchObject({
        exitCode: 4
      })
      expect(Exit.explain(new TypeError("x is not a function"))).toMatchObject({
        name: "Defect",
        why: "TypeError: x is not a function.",
        exitCode: 1
      })
    })
  )
})
