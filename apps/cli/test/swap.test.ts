import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { layer as withLayer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { describeOnAnvil } from "../../../packages/devnet/test/onAnvil.js"
import { mistakesOf } from "./jsonSchema.js"
import { type Answer, set, setPaused } from "./swapFixture.js"
import { layer, World } from "./fixture.js"

vi.setConfig({ testTimeout: 300_000 })

const once = { collected: 1, delivered: 1 }
const never = { collected: 0, delivered: 0 }

/** Steps that come before anything is signed or built. */
const harmless = (seen: ReadonlyArray<string>) => seen.every((request) => !/build|submit/.test(request))

describeOnAnvil("swaps in pipes", () =>
  withLayer(layer, { timeout: 300_000, excludeTestServices: true })((it) => {
    it.effect("tells a price without a key, in words and in JSON", () =>
      Effect.gen(function* () {
        const stage = yield* set("alice")
        const words = yield* stage.geoswap("quote", ...stage.words)
        expect([words.code, words.stderr]).toEqual([0, ""])
        for (const part of [
          /^Pay +100 USDC \(100000000 units\) on devnet-a \(31337\)$/m,
          /^Receive +0\.02\d+ WETH \(2\d+ units\) on devnet-b \(31338\)$/m,
          /^At least +0\.02\d+ WETH \(2\d+ units\); otherwise the input comes back$/m,
          /^To .* \(another wallet\)$/m,
          /^Fee +0\.08%, 20% off 0\.1% \(silver\)$/m,
          /^Impact +-?[\d.]+%/m
        ]) {
          expect(words.stdout).toMatch(part)
        }
        expect(words.stdout).not.toMatch(/Deadline|Delegation/)

        const payer = yield* set("dave")
        const long = ["--token-in", "USDC", "--chain-in", "31337", "--token-out", "native", "--chain-out", "devnet-b"]
        const raw = ["--amount-raw", "250000000", "--slippage-bps", "50", "--wallet-address", payer.wallet]
        const { answer, code } = yield* stage.json("cli-quote", "quote", ...long, ...raw, "--devnet")
        expect(code).toBe(0)
        expect(answer["quote"]).toMatchObject({
          wallet: payer.wallet,
          recipient: payer.wallet,
          from: { amount: "250", raw: "250000000", symbol: "USDC" },
          to: { symbol: "ETH", chain: "devnet-b" },
          slippageBps: 50
        })
        expect(harmless(stage.gate.seen)).toBe(true)
      })
    )

    it.effect("refuses what makes no sense, says why, and ends with 64", () =>
      Effect.gen(function* () {
        const stage = yield* set("alice")
        const cases: ReadonlyArray<readonly [words: string, message: RegExp]> = [
          ["1 usdc@devnet-a", /names no token on a chain|Two tokens|No amount/],
          ["usdc@devnet-a weth@devnet-b", /No amount is named/],
          ["1 usdc@devnet-a weth@devnet-b --max", /named more than once/],
          ["1 usdc@devnet-a weth@devnet-b --token-in usdc", /named twice/],
          ["1 usdc@base weth@devnet-b", /No chain is called "base"[^]*devnet-a \(31337\)/],
          ["1 usd@devnet-a weth@devnet-b", /No pinned token on devnet-a \(31337\) is called "usd"[^]*USDC, WETH, GEO/],
          ["0.0000001 usdc@devnet-a weth@devnet-b", /finer than USDC/],
          ["0 usdc@devnet-a weth@devnet-b", /is nothing/],
          ["1 eth@devnet-a weth@devnet-b", /only be received/],
          ["1 usdc@devnet-a usdc@devnet-solana", /needs a recipient[^]*--recipient \w{32,44}/],
          ["1 usdc@devnet-a weth@devnet-b --recipient 11111111111111111111111111111112", /no address on devnet-b/],
          ["1 usdc@devnet-a weth@devnet-b --slippage-bps 10001", /basis points from 0 to 10000/],
          ["--chain-in devnet-a --chain-out devnet-b --token-in usdc --amount-in 1", /--token-out is missing/]
        ]
        for (const [words, message] of cases) {
          const { code, stderr, stdout } = yield* stage.geoswap("swap", ...words.split(" "), "--yes", "--devnet")
          expect([words, code, stdout, stderr]).toEqual([words, 64, "", expect.stringMatching(message)])
        }
        const { answer, code } = yield* stage.json("cli-error", "swap", "usdc@devnet-a", "--devnet", "--yes")
        expect([code, answer.error?.name]).toEqual([64, "UsageError"])
        expect(harmless(stage.gate.seen)).toBe(true)
      })
    )

    it.effect("shows what would be signed and signs nothing, as a dry run and where nobody says yes", () =>
      Effect.gen(function* () {
        const stage = yield* set("alice")
        const { answer, code } = yield* stage.json("cli-dry-run", "swap", ...stage.words, "--dry-run")
        expect(code).toBe(0)
        expect(answer).toMatchObject({
          delegation: { needed: true, pinned: true },
          signs: [
            expect.stringMatching(
              /^An EIP-7702 authorization that delegates 0x\w{40} on devnet-a \(31337\) to 0x\w{40}\.$/
            ),
            expect.stringMatching(
              /^An operation that pays exactly 100 USDC \(100000000 units\) .* for at least 0\.02\d+ WETH .* to 0x\w{40}\.$/
            )
          ]
        })
        const all = yield* stage.json("cli-dry-run", "swap", ...stage.words.slice(1), "--max", "--dry-run")
        expect(all.answer["quote"]).toMatchObject({ from: { amount: "10000" } })

        const asked = yield* stage.geoswap("swap", ...stage.words)
        expect([asked.code, asked.stderr]).toEqual([
          3,
          expect.stringMatching(/Nothing was signed\.\n +Next: Add --yes/)
        ])
        expect(asked.stdout).toMatch(/Delegation +first swap of this wallet on devnet-a/)
        expect(harmless(stage.gate.seen)).toBe(true)
        expect(stage.flows()).toEqual([])
      })
    )

    it.effect("swaps to the end in lines, and remembers it", () =>
      Effect.gen(function* () {
        const stage = yield* set("alice")
        const { code, stderr, stdout } = yield* stage.geoswap("swap", ...stage.words, "--yes")
        expect([code, stderr]).toEqual([0, ""])
        const steps = [
          "Delegation +first swap of this wallet",
          "delegation: signing for 0x\\w{40} on chain 31337",
          "built: void after \\d{4}-",
          "verified: it is what was agreed",
          "signed",
          "submitted: swap \\S+",
          "status: settled, origin 0x\\w{64}, delivery 0x\\w{64}",
          "Status +settled: the output was delivered"
        ]
        expect(stdout).toMatch(new RegExp(steps.map((step) => `^${step}.*$`).join("[^]*"), "m"))
        expect(yield* stage.executions).toEqual(once)
        expect(stage.flows()).toEqual([])

        const [, swapId = ""] = /submitted: swap (\S+)/.exec(stdout) ?? []
        const history = yield* stage.json("cli-history", "history", "--devnet")
        expect(history.answer).toMatchObject({
          swaps: [{ swapId, status: "settled", recipient: stage.recipient, from: { amount: "100", symbol: "USDC" } }],
          unfinished: []
        })
        const status = yield* stage.json("cli-swap", "status", swapId, "--devnet")
        expect([status.code, status.answer.swap]).toMatchObject([
          0,
          { swapId, status: "settled", from: { raw: "100000000" } }
        ])
        const unknown = yield* stage.geoswap("status", "no-such-swap", "--devnet")
        expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("The service knows no such swap.")])

        const file = join(stage.journal, "..", "history.jsonl")
        expect((statSync(file).mode & 0o777).toString(8)).toBe("600")
        // A line that was cut off, as by a crash, takes nothing else with it.
        writeFileSync(file, `${readFileSync(file, "utf8")}{"swapId":"cut`)
        const watched = yield* stage.geoswap("status", swapId, "--watch", "--devnet")
        expect([watched.code, watched.stdout]).toEqual([0, expect.stringMatching(/Status +settled/)])
        const listed = yield* stage.geoswap("history", "--limit", "1", "--refresh", "--devnet")
        expect(listed.stdout).toMatch(
          new RegExp(`settled +${swapId} +100 USDC on devnet-a for 0\\.02\\d+ WETH on devnet-b`)
        )
        expect(listed.stderr).toContain("1 lines of ")
      })
    )

    it.effect("prints one object, or the events as they come, for programs", () =>
      Effect.gen(function* () {
        const stage = yield* set("alice")
        const whole = yield* stage.json("cli-swap", "swap", ...stage.words, "--yes")
        expect([whole.code, whole.answer.swap?.status]).toEqual([0, "settled"])

        const lines = yield* stage.geoswap("swap", ...stage.words, "--yes", "--json-lines")
        expect([lines.code, lines.stderr]).toEqual([0, ""])
        const events = lines.stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as { readonly type: string })
        for (const event of events) expect(mistakesOf("cli-event", event)).toEqual([])
        const types = events.map(({ type }) => type).filter((type) => type !== "status")
        expect(types).toEqual(["quoted", "built", "verified", "signed", "submitted", "done"])
        expect(yield* stage.executions).toEqual({ collected: 2, delivered: 2 })
        // Neither tokens nor signatures are for anybody else.
        expect(lines.stdout).not.toMatch(/g[qo]1\.|0x[0-9a-f]{130}/)
      })
    )

    it.effect("refuses with 3 what a policy, a flag or a high price impact speaks against", () =>
      Effect.gen(function* () {
        const stage = yield* set("bob")
        const refused = Effect.fnUntraced(function* (words: ReadonlyArray<string>, message: RegExp) {
          const { answer, code } = yield* stage.json("cli-error", "swap", ...words, "--yes")
          expect([code, answer.error?.message, answer.error?.next]).toEqual([
            3,
            expect.stringMatching(message),
            expect.any(String)
          ])
          return answer.error?.next
        })
        yield* refused([...stage.words, "--max-fee-bps", "1"], /maxFeeBps allows at most 1/)
        yield* refused([...stage.words, "--min-output", "1"], /minOutput allows at least 1000000000000000000/)
        yield* refused([...stage.words, "--max-impact-bps", "0"], /maxPriceImpactBps/)
        const config = join(stage.place.folder, "config.json")
        writeFileSync(config, JSON.stringify({ policy: { budgets: [{ token: "usdc@devnet-a", amount: "0.5" }] } }))
        yield* refused([...stage.words, "--config", config], /budgets allows 500000 more/)
        expect(yield* refused(stage.costly, /price impact is high: -[\d.]+%\. Nothing was signed/)).toContain(
          "--accept-impact"
        )
        expect(harmless(stage.gate.seen.filter((request) => !request.includes("build")))).toBe(true)
        expect(yield* stage.executions).toEqual(never)

        const accepted = yield* stage.json("cli-swap", "swap", ...stage.costly, "--yes", "--accept-impact")
        expect([accepted.code, accepted.answer.swap?.status]).toEqual([0, "settled"])
      })
    )

    it.effect("asks for a new quote when one has run out", () =>
      Effect.gen(function* () {
        const stage = yield* set("bob")
        stage.gate.answer(/build/, 410, { code: "QUOTE_EXPIRED", message: "The quote has expired." })
        const { code, stdout } = yield* stage.geoswap("swap", ...stage.words, "--yes")
        expect([code, stdout]).toEqual([0, expect.stringMatching(/quoted again \(1\): 0\.02\d+ WETH/)])
        expect(yield* stage.executions).toEqual(once)
      })
    )

    it.effect("does not sign for less than was agreed, however sure it is of a yes", () =>
      Effect.gen(function* () {
        const stage = yield* set("bob")
        stage.gate.answer(/build/, 410, { code: "QUOTE_EXPIRED", message: "The quote has expired." })
        const nineTenths = (amount: unknown) => String((BigInt(String(amount)) * 9n) / 10n)
        stage.gate.change(/quote/, (answer) => answer)
        stage.gate.change(/quote/, (answer) => ({
          ...answer,
          output: nineTenths(answer["output"]),
          minOutput: nineTenths(answer["minOutput"])
        }))
        const { code, stderr } = yield* stage.geoswap("swap", ...stage.words, "--yes")
        expect([code, stderr]).toEqual([3, expect.stringContaining("The price moved away from what was agreed.")])
        expect(stage.gate.seen.some((request) => request.includes("submit"))).toBe(false)
        expect(yield* stage.executions).toEqual(never)
      })
    )

    it.effect("shows the terms anew where a wallet has to be delegated after all", () =>
      Effect.gen(function* () {
        const stage = yield* set("dave")
        stage.gate.change(/delegation/, (answer) => ({ ...answer, delegated: true }))
        const { code, stdout } = yield* stage.geoswap("swap", ...stage.words, "--yes")
        const order =
          /Delegation +there already[^]*delegation: signing[^]*Delegation +first swap of this wallet[^]*^built/m
        expect([code, stdout]).toEqual([0, expect.stringMatching(order)])
        expect(yield* stage.executions).toEqual(once)
      })
    )

    it.effect("ends with 4 where the end does not come in time, and finds it later", () =>
      Effect.gen(function* () {
        const stage = yield* set("bob")
        const { devnet } = yield* World
        yield* devnet.evmA.hold
        const { code, stderr } = yield* stage.geoswap("swap", ...stage.words, "--yes", "--timeout", "15")
        expect(code).toBe(4)
        const [, flowId = ""] =
          /Next: Do not start it again\. Wait for its end: geoswap resume (\S+)/.exec(stderr) ?? []
        expect(stage.flows()).toEqual([flowId])
        const pending = yield* stage.json("cli-history", "history", "--devnet")
        const [{ swapId } = { swapId: "" }] = pending.answer["swaps"] as ReadonlyArray<{ readonly swapId: string }>
        expect(pending.answer).toMatchObject({
          swaps: [{ flowId, status: "pending" }],
          unfinished: [{ flowId, swapId }]
        })
        yield* devnet.evmA.release
        const watched = yield* stage.geoswap("status", swapId, "--watch", "--devnet")
        expect([watched.code, stage.flows()]).toEqual([0, []])
        expect(yield* stage.executions).toEqual(once)
      }).pipe(Effect.ensuring(Effect.flatMap(World, ({ devnet }) => Effect.ignore(devnet.evmA.release))))
    )

    it.effect("ends with 2 where the input comes back", () =>
      Effect.gen(function* () {
        const stage = yield* set("carol")
        const { devnet } = yield* World
        yield* devnet.evmA.hold
        const started = yield* stage.beginUntil(/swap\/status/, "before", "swap", ...stage.words, "--yes", "--json")
        yield* setPaused(true)
        started.release()
        yield* devnet.evmA.release
        const { code, stdout } = yield* started.ended
        const answer = JSON.parse(stdout) as Answer
        expect(mistakesOf("cli-swap", answer)).toEqual([])
        expect([code, answer.swap?.status]).toEqual([2, "refunded"])
        expect(answer.swap?.refundTxHash).toMatch(/^0x\w{64}$/)
        const status = yield* stage.geoswap("status", answer.swap?.swapId ?? "", "--devnet")
        expect([status.code, status.stdout]).toEqual([
          2,
          expect.stringMatching(/Status +refunded: the input came back/)
        ])
        expect(yield* stage.executions).toEqual({ collected: 1, delivered: 0 })
      }).pipe(
        Effect.ensuring(Effect.flatMap(World, ({ devnet }) => Effect.ignore(devnet.evmA.release))),
        Effect.ensuring(setPaused(false))
      )
    )

    it.effect("ends with 4 where the service is gone after a submit, and resumes without a second swap", () =>
      Effect.gen(function* () {
        const stage = yield* set("carol")
        const started = yield* stage.beginUntil(/swap\/submit/, "after", "swap", ...stage.words, "--yes")
        stage.gate.setDown(true)
        started.drop()
        const { code, stderr } = yield* started.ended
        const [flowId = ""] = stage.flows()
        expect([code, stderr]).toEqual([4, expect.stringContaining(`Resume it: geoswap resume ${flowId}`)])
        const down = yield* stage.geoswap("resume", "--devnet")
        expect(down.code).toBe(1)
        stage.gate.setDown(false)
        const resumed = yield* stage.json("cli-resume", "resume", flowId, "--devnet")
        expect([resumed.code, resumed.answer]).toMatchObject([
          0,
          { resumed: [{ flowId, swap: { status: "settled" } }] }
        ])
        expect(yield* stage.executions).toEqual(once)
        const rest = yield* stage.geoswap("resume", "--devnet")
        expect([rest.code, rest.stdout]).toEqual([0, "Nothing is unfinished.\n"])
      })
    )

    it.effect("swaps from Solana as well", () =>
      Effect.gen(function* () {
        const stage = yield* set("alice")
        const words = [
          "100",
          "usdc@devnet-solana",
          "usdc@devnet-b",
          "--recipient",
          stage.recipient,
          "--devnet",
          "--yes"
        ]
        const { answer, code } = yield* stage.json("cli-swap", "swap", ...words)
        expect([code, answer.swap?.status]).toEqual([0, "settled"])
        expect(yield* stage.executions).toEqual({ collected: 0, delivered: 1 })
      })
    )
  })
)
