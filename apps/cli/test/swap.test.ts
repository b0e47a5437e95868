import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { schemaErrors } from "./jsonSchema.js"
import { accept, startHere } from "./runCli.js"
import { type Answer, makeUser, setPaused } from "./swapFixture.js"
import { onDevnet, Fixture } from "./fixture.js"

vi.setConfig({ testTimeout: 300_000 })

/** The program repeats a submission for half a minute. */
const fasterTimers = fileURLToPath(new URL("fasterTimers.ts", import.meta.url))

const once = { collected: 1, delivered: 1 }
const never = { collected: 0, delivered: 0 }

/** Whether nothing was built or submitted. */
const nothingBuilt = (seen: ReadonlyArray<string>) => seen.every((request) => !/build|submit/.test(request))

describe("geoswap swap in a pipe", () => {
  onDevnet((it) => {
    it.effect("quotes a price without a key, as text and as JSON", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("alice")
        const quote = yield* user.geoswap("quote", ...user.swapArgs)
        expect([quote.code, quote.stderr]).toEqual([0, ""])
        for (const part of [
          /^Pay +100 USDC on devnet-a \(31337\)$/m,
          /^Receive +0\.02\d+ WETH on devnet-b \(31338\)$/m,
          /^At least +0\.02\d+ WETH; otherwise the input is refunded$/m,
          /^To .* \(a different wallet\)$/m,
          /^Rate +1 WETH = [\d.,]+ USDC$/m,
          /^From +0x\w{40} \(alice\)$/m,
          /^Fee +\$0\.08 \(0\.08%\): 20% off 0\.1% for the wallet's discount tier "silver"$/m,
          /^Network cost +<?\$[\d.]+ \([\d.]+ USDC\)$/m,
          /^Price impact +<?-?\$[\d.]+ \(-?[\d.]+%\)$/m,
          /^Total cost +\$[\d.]+ \([\d.]+%\), already deducted$/m
        ]) {
          expect(quote.stdout).toMatch(part)
        }
        expect(quote.stdout).not.toMatch(/Deadline|Delegation/)

        const payer = yield* makeUser("dave")
        const long = ["--token-in", "USDC", "--chain-in", "31337", "--token-out", "native", "--chain-out", "devnet-b"]
        const raw = ["--amount-raw", "250000000", "--slippage-bps", "50", "--wallet-address", payer.wallet]
        const { answer, code } = yield* user.json("cli-quote", "quote", ...long, ...raw, "--devnet")
        expect(code).toBe(0)
        expect(answer["quote"]).toMatchObject({
          wallet: payer.wallet,
          recipient: payer.wallet,
          from: { amount: "250", raw: "250000000", symbol: "USDC" },
          to: { symbol: "ETH", chain: "devnet-b" },
          slippageBps: 50
        })
        expect(nothingBuilt(user.proxy.seen)).toBe(true)
      })
    )

    it.effect("refuses an invalid command line with the reason, and exits with 64", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("alice")
        const cases: ReadonlyArray<readonly [args: string, message: RegExp]> = [
          ["1 usdc@devnet-a", /token to receive is missing/],
          ["usdc@devnet-a weth@devnet-b", /The amount is missing/],
          ["1 usdc@devnet-a weth@devnet-b --max", /given more than once/],
          ["1 usdc@devnet-a weth@devnet-b --token-in usdc", /given twice/],
          ["1 usdc@base weth@devnet-b", /Unknown chain "base"[^]*devnet-a \(31337\)/],
          ["1 usd@devnet-a weth@devnet-b", /There is no token "usd" on devnet-a \(31337\)[^]*USDC, WETH, GEO/],
          ["0.0000001 usdc@devnet-a weth@devnet-b", /too many decimal places: USDC has 6 decimals/],
          ["0 usdc@devnet-a weth@devnet-b", /greater than zero/],
          ["1 eth@devnet-a weth@devnet-b", /only be received/],
          ["1 usdc weth", /"usdc" does not name a token and a chain/],
          ["1,5 usdc@devnet-a weth@devnet-b", /"1,5" is not an amount/],
          ["1 usdc@devnet-a weth@devnet-b --recipient 11111111111111111111111111111112", /not an address on devnet-b/],
          ["1 usdc@devnet-a weth@devnet-b --slippage-bps 10001", /--slippage-bps.*from 0 to 10,000/],
          ["--chain-in devnet-a --chain-out devnet-b --token-in usdc --amount-in 1", /--token-out is missing/]
        ]
        for (const [args, message] of cases) {
          const { code, stderr, stdout } = yield* user.geoswap("swap", ...args.split(" "), ...accept, "--devnet")
          expect([args, code, stdout, stderr]).toEqual([args, 64, "", expect.stringMatching(message)])
        }
        const { answer, code } = yield* user.json("cli-error", "swap", "usdc@devnet-a", "--devnet", "--yes")
        expect([code, answer.error?.name]).toEqual([64, "UsageError"])
        expect(nothingBuilt(user.proxy.seen)).toBe(true)
      })
    )

    it.effect("signs nothing in a dry run or without consent, and shows what would be signed", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("alice")
        const { answer, code } = yield* user.json("cli-dry-run", "swap", ...user.swapArgs, "--dry-run")
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
        const all = yield* user.json("cli-dry-run", "swap", ...user.swapArgs.slice(1), "--max", "--dry-run")
        expect(all.answer["quote"]).toMatchObject({ from: { amount: "10000" } })

        const asked = yield* user.geoswap("swap", ...user.swapArgs)
        expect([asked.code, asked.stderr]).toEqual([
          3,
          expect.stringMatching(/Nothing was signed\.\n +Next: Pass --yes/)
        ])
        expect(asked.stdout).toMatch(/Delegation +first swap from this wallet on devnet-a/)
        expect(nothingBuilt(user.proxy.seen)).toBe(true)
        expect(user.flows()).toEqual([])
      })
    )

    it.effect("prints every step of a swap until it is settled, and records it in the history", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("alice")
        const { code, stderr, stdout } = yield* user.geoswap("swap", ...user.swapArgs, ...accept)
        expect([code, stderr]).toEqual([0, ""])
        const steps = [
          "Delegation +first swap from this wallet",
          "delegation: signing for 0x\\w{40} on chain 31337",
          "built: expires at \\d{4}-",
          "verified: matches the accepted quote",
          "signed",
          "submitted: swap \\S+",
          "status: settled, paid in 0x\\w{64}, delivered in 0x\\w{64}",
          "Status +settled: your own node saw the delivery",
          "Received +0\\.02\\d+ WETH on devnet-b$",
          "Fee +0\\.\\d+%",
          "Network cost +[\\d.]+ USDC",
          "Accepted +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC",
          "Paid .* UTC, after [\\d.]+ s",
          "Delivered .* UTC, after [\\d.]+ s"
        ]
        expect(stdout).toMatch(new RegExp(steps.map((step) => `^${step}.*$`).join("[^]*"), "m"))
        expect(yield* user.executions).toEqual(once)
        expect(user.flows()).toEqual([])

        const [, swapId = ""] = /submitted: swap (\S+)/.exec(stdout) ?? []
        const history = yield* user.json("cli-history", "history", "--devnet")
        expect(history.answer).toMatchObject({
          swaps: [{ swapId, status: "settled", recipient: user.recipient, from: { amount: "100", symbol: "USDC" } }],
          unfinished: []
        })
        const status = yield* user.json("cli-swap", "status", swapId, "--devnet")
        expect([status.code, status.answer.swap]).toMatchObject([
          0,
          { swapId, status: "settled", from: { raw: "100000000" } }
        ])
        // The recipient is new, so the balance is what was delivered.
        expect(status.answer.swap?.delivered).toMatchObject({ symbol: "WETH", raw: `${yield* user.received}` })
        const unknown = yield* user.geoswap("status", "no-such-swap", "--devnet")
        expect([unknown.code, unknown.stderr]).toEqual([
          1,
          expect.stringContaining("The service has no record of this swap.")
        ])

        const file = join(user.storeFolder, "..", "history.jsonl")
        expect((statSync(file).mode & 0o777).toString(8)).toBe("600")
        // An incomplete line, as after a crash, does not affect the others.
        writeFileSync(file, `${readFileSync(file, "utf8")}{"swapId":"cut`)
        const watched = yield* user.geoswap("status", swapId, "--watch", "--devnet")
        expect([watched.code, watched.stdout]).toEqual([0, expect.stringMatching(/Status +settled/)])
        const listed = yield* user.geoswap("history", "--limit", "1", "--refresh", "--devnet")
        expect(listed.stdout).toMatch(
          new RegExp(`settled +${swapId} +alice +100 USDC on devnet-a for 0\\.02\\d+ WETH on devnet-b`)
        )
        expect(listed.stderr).toContain("Skipped 1 unreadable line in ")
      })
    )

    it.effect("prints one JSON line per event", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("alice")
        const lines = yield* user.geoswap("swap", ...user.swapArgs, ...accept, "--json-lines")
        expect([lines.code, lines.stderr]).toEqual([0, ""])
        const events = lines.stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as { readonly type: string })
        for (const event of events) expect(schemaErrors("cli-event", event)).toEqual([])
        const types = events.map(({ type }) => type).filter((type) => type !== "status")
        expect(types).toEqual(["quoted", "authorizing", "built", "verified", "signed", "submitted", "done"])
        expect(yield* user.executions).toEqual(once)
        // Tokens and signatures are never printed.
        expect(lines.stdout).not.toMatch(/g[qo]1\.|0x[0-9a-f]{130}/)
      })
    )

    it.effect("exits with 3 if a policy, a flag or a high total cost forbids the swap", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("bob")
        const refused = Effect.fnUntraced(function* (args: ReadonlyArray<string>, message: RegExp) {
          const { answer, code } = yield* user.json(
            "cli-error",
            "swap",
            ...args,
            ...(args.includes("--min-output") ? ["--yes"] : accept)
          )
          expect([code, answer.error?.message, answer.error?.next]).toEqual([
            3,
            expect.stringMatching(message),
            expect.any(String)
          ])
          return answer.error?.next
        })
        yield* refused([...user.swapArgs, "--max-fee-bps", "1"], /maxFeeBps allows at most 1/)
        yield* refused(
          [...user.swapArgs, "--min-output", "1"],
          /minOutput allows at least 1 WETH, but the value is 0\.02\d+ WETH/
        )
        yield* refused([...user.swapArgs, "--max-total-cost-bps", "0"], /maxTotalCostBps/)
        const config = join(user.workspace.folder, "config.json")
        writeFileSync(config, JSON.stringify({ policy: { budgets: [{ token: "usdc@devnet-a", amount: "0.5" }] } }))
        yield* refused([...user.swapArgs, "--config", config], /budgets allows 0\.5 USDC more/)
        expect(
          yield* refused(user.highCostArgs, /total cost is high: [\d.]+% of the input\. Nothing was signed/)
        ).toContain("--accept-cost")
        expect(nothingBuilt(user.proxy.seen.filter((request) => !request.includes("build")))).toBe(true)
        expect(yield* user.executions).toEqual(never)

        // Prints one JSON object.
        const accepted = yield* user.json("cli-swap", "swap", ...user.highCostArgs, ...accept, "--accept-cost")
        expect([accepted.code, accepted.answer.swap?.status]).toEqual([0, "settled"])
      })
    )

    it.effect("requotes if a quote has expired", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("bob")
        user.proxy.answer(/build/, 410, { code: "QUOTE_EXPIRED", message: "The quote has expired." })
        const { code, stdout } = yield* user.geoswap("swap", ...user.swapArgs, ...accept)
        expect([code, stdout]).toEqual([0, expect.stringMatching(/requoted \(1\): 0\.02\d+ WETH/)])
        expect(yield* user.executions).toEqual(once)
      })
    )

    it.effect("does not sign for less than the accepted minimum, even with --yes", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("bob")
        user.proxy.answer(/build/, 410, { code: "QUOTE_EXPIRED", message: "The quote has expired." })
        const nineTenths = (amount: unknown) => (BigInt(String(amount)) * 9n) / 10n
        user.proxy.change(/quote/, (answer) => answer)
        user.proxy.change(/quote/, (answer) => ({
          ...answer,
          output: String(nineTenths(answer["output"])),
          // Rounded up, so that it stays within the slippage.
          minOutput: String(nineTenths(answer["minOutput"]) + 1n)
        }))
        const { code, stderr } = yield* user.geoswap("swap", ...user.swapArgs, ...accept)
        expect([code, stderr]).toEqual([
          3,
          expect.stringContaining("The price is now worse than the one you accepted.")
        ])
        expect(user.proxy.seen.some((request) => request.includes("submit"))).toBe(false)
        expect(yield* user.executions).toEqual(never)
      })
    )

    it.effect("shows the terms again if the wallet must be delegated after all", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("dave")
        user.proxy.change(/delegation/, (answer) => ({ ...answer, delegated: true }))
        const { code, stdout } = yield* user.geoswap("swap", ...user.swapArgs, ...accept)
        const order =
          /Delegation +already in place[^]*Delegation +first swap from this wallet[^]*delegation: signing[^]*^built/m
        expect([code, stdout]).toEqual([0, expect.stringMatching(order)])
        expect(yield* user.executions).toEqual(once)
      })
    )

    it.effect("exits with 4 if the swap is not final in time, and finds the outcome later", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("bob")
        const { devnet } = yield* Fixture
        yield* devnet.evmA.hold
        const { code, stderr } = yield* user.geoswapProcess("swap", ...user.swapArgs, ...accept, "--timeout", "5")
        expect(code).toBe(4)
        const [, flowId = ""] =
          /Next: Do not start the swap again\. Keep waiting with: geoswap --devnet resume (\S+)/.exec(stderr) ?? []
        expect(user.flows()).toEqual([flowId])
        const pending = yield* user.json("cli-history", "history", "--devnet")
        const [{ swapId } = { swapId: "" }] = pending.answer["swaps"] as ReadonlyArray<{ readonly swapId: string }>
        expect(pending.answer).toMatchObject({
          swaps: [{ flowId, status: "pending" }],
          unfinished: [{ flowId, swapId }]
        })
        yield* devnet.evmA.release
        const watched = yield* user.geoswap("status", swapId, "--watch", "--devnet")
        expect([watched.code, user.flows()]).toEqual([0, []])
        expect(yield* user.executions).toEqual(once)
      }).pipe(Effect.ensuring(Effect.flatMap(Fixture, ({ devnet }) => Effect.ignore(devnet.evmA.release))))
    )

    it.effect("exits with 2 if the input is refunded", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("carol")
        const { devnet } = yield* Fixture
        const balance = yield* user.balance
        yield* devnet.evmA.hold
        const held = user.proxy.hold(/swap\/status/, "before")
        const started = yield* startHere(user.workspace, "swap", ...user.swapArgs, ...accept, "--json")
        yield* held.arrived
        yield* setPaused(true)
        held.release()
        yield* devnet.evmA.release
        const { code, stdout } = yield* started.ended
        const answer = JSON.parse(stdout) as Answer
        expect(schemaErrors("cli-swap", answer)).toEqual([])
        expect([code, answer.swap?.status]).toEqual([2, "refunded"])
        expect(answer.swap?.refundTxHash).toMatch(/^0x\w{64}$/)
        expect(answer.swap?.refunded).toMatchObject({ symbol: "USDC", amount: "100", raw: "100000000" })
        expect([answer.swap?.delivered, yield* user.balance, yield* user.received]).toEqual([undefined, balance, 0n])
        const status = yield* user.geoswap("status", answer.swap?.swapId ?? "", "--devnet")
        expect([status.code, status.stdout]).toEqual([
          2,
          expect.stringMatching(/Status +refunded: your own node saw the refund[^]*^Returned +100 USDC on devnet-a$/m)
        ])
        expect(yield* user.executions).toEqual({ collected: 1, delivered: 0 })
      }).pipe(
        Effect.ensuring(Effect.flatMap(Fixture, ({ devnet }) => Effect.ignore(devnet.evmA.release))),
        Effect.ensuring(setPaused(false))
      )
    )

    it.effect("exits with 4 if the service goes down after a submit, and resumes without a second swap", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("carol", { NODE_OPTIONS: `--import ${fasterTimers}` })
        const started = yield* user.startUntil(/swap\/submit/, "after", "swap", ...user.swapArgs, ...accept)
        user.proxy.setDown(true)
        started.drop()
        const { code, stderr } = yield* started.ended
        const [flowId = ""] = user.flows()
        expect([code, stderr]).toEqual([4, expect.stringContaining(`Resume it: geoswap --devnet resume ${flowId}`)])
        const down = yield* user.geoswap("resume", "--devnet")
        expect(down.code).toBe(1)
        user.proxy.setDown(false)
        const resumed = yield* user.json("cli-resume", "resume", flowId, "--devnet")
        expect([resumed.code, resumed.answer]).toMatchObject([
          0,
          { resumed: [{ flowId, swap: { status: "settled" } }] }
        ])
        expect(yield* user.executions).toEqual(once)
        const rest = yield* user.geoswap("resume", "--devnet")
        expect([rest.code, rest.stdout]).toEqual([0, "There are no unfinished swaps.\n"])
      })
    )

    it.effect("swaps from Solana", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("alice")
        const args = [
          "100",
          "usdc@devnet-solana",
          "usdc@devnet-b",
          "--recipient",
          user.recipient,
          "--devnet",
          ...accept
        ]
        const { answer, code } = yield* user.json("cli-swap", "swap", ...args)
        expect([code, answer.swap?.status]).toEqual([0, "settled"])
        expect(yield* user.executions).toEqual({ collected: 0, delivered: 1 })
      })
    )
  })
})
