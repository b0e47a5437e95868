/** How wallets pay: on a devnet with the real server. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { createPublicClient, type Hex, http } from "viem"
import { describe, expect, vi } from "vitest"
import { onDevnet, Fixture } from "./fixture.js"
import { schemaErrors } from "./jsonSchema.js"
import { accept } from "./runCli.js"
import { makeUser } from "./swapFixture.js"

vi.setConfig({ testTimeout: 300_000 })

const swapLine = ["100", "usdc@devnet-a", "weth@devnet-b", "--devnet"]
/** Gas may cost a lot compared to the amount. */
const accepted = [...accept, "--accept-cost"]

const codeOf = Effect.fnUntraced(function* (address: string) {
  const { devnet } = yield* Fixture
  const client = createPublicClient({ transport: http(devnet.evmA.rpcUrl) })
  return yield* Effect.promise(() => client.getCode({ address: address as Hex }))
})

describe("the ways to pay", () => {
  onDevnet((it) => {
    it.effect("are listed by quote, as text and as JSON", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("dave")
        const own = [...swapLine, "--wallet", "dave"]
        const text = yield* user.geoswap("quote", ...own)
        expect([text.code, text.stderr]).toEqual([0, ""])
        expect(text.stdout).toMatch(/^Payment +delegation, chosen automatically; also possible: eip3009, erc2612$/m)
        const { answer } = yield* user.json("cli-quote", "quote", ...own)
        expect(answer["quote"]).toMatchObject({ paymentMethods: ["delegation", "eip3009", "erc2612"] })
        expect(answer["quote"]).not.toHaveProperty("paymentMethod")
        // The wallet could not display another recipient.
        const other = yield* user.json("cli-quote", "quote", ...own, "--recipient", user.recipient)
        expect(other.answer["quote"]).toMatchObject({ paymentMethods: ["delegation", "erc2612"] })
      })
    )

    it.effect("are described in a dry run, with everything that is signed", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("dave")
        const { devnet } = yield* Fixture
        const dryRun = (method: string) =>
          user.json("cli-dry-run", "swap", ...swapLine, "--wallet", "dave", "--dry-run", "--payment-method", method)
        const commitment = /pays exactly 100 USDC \(100000000 units\) .* for at least 0\.02\d+ WETH .* to 0x\w{40}/
        const { vault } = devnet.evmA.contracts

        const auto = yield* dryRun("auto")
        expect(auto.answer).toMatchObject({ quote: { paymentMethod: "delegation" }, delegation: { needed: true } })
        expect(auto.answer["signs"]).toHaveLength(2)

        const authorized = yield* dryRun("eip3009")
        expect(authorized.answer).toMatchObject({
          quote: { paymentMethod: "eip3009" },
          signs: [expect.stringMatching(commitment)]
        })
        expect(String(authorized.answer["signs"])).toContain("ReceiveWithAuthorization")
        expect(String(authorized.answer["signs"]).toLowerCase()).toContain(`only the vault ${vault.toLowerCase()}`)
        expect(String(authorized.answer["signs"])).toContain("a wallet that displays typed data cannot show them")

        const permitted = yield* dryRun("erc2612")
        expect(permitted.answer).toMatchObject({
          signs: [
            expect.stringMatching(/^A permit .* lets Permit2 \(0x\w{40}\) transfer exactly 100 USDC/),
            expect.stringMatching(commitment)
          ]
        })

        const text = yield* user.geoswap(
          "swap",
          ...swapLine,
          "--wallet",
          "dave",
          "--dry-run",
          "--payment-method",
          "eip3009"
        )
        expect(text.stdout).toMatch(/^Payment +eip3009: an authorization of the token; without a delegation/m)
        expect(text.stdout).not.toMatch(/^Delegation/m)
        expect(text.stdout).toMatch(/Nothing was signed\.\s*$/)
      })
    )

    it.effect.each(["eip3009", "erc2612"] as const)(
      "settle a swap with %s, and leave the wallet without a delegation",
      (method) =>
        Effect.gen(function* () {
          const user = yield* makeUser("carol")
          const before = yield* user.balance
          const line = ["swap", ...swapLine, "--wallet", "carol", ...accepted, "--payment-method", method]
          const { code, stderr, stdout } = yield* user.geoswap(...line, "--json-lines")
          expect({ code, ...(code !== 0 && { stderr, stdout }) }).toEqual({ code: 0 })
          const events = stdout
            .trim()
            .split("\n")
            .map((text) => JSON.parse(text) as { readonly type: string; readonly payment?: object })
          for (const event of events) expect([event, schemaErrors("cli-event", event)]).toEqual([event, []])
          expect(events).toContainEqual(expect.objectContaining({ type: "built", paymentMethod: method }))
          expect(events.find(({ type }) => type === "verified")?.payment).toMatchObject({
            method,
            shows: method === "eip3009" ? "amount" : "terms",
            signatures: method === "eip3009" ? 1 : 2
          })
          expect(before - (yield* user.balance)).toBe(100_000_000n)
          expect((yield* user.executions).collected).toBe(1)
          expect(yield* codeOf(user.wallet)).toBeUndefined()
          const history = yield* user.json("cli-history", "history", "--devnet")
          expect(history.answer["swaps"]).toMatchObject([{ status: "settled", paymentMethod: method }])
        })
    )

    it.effect("are limited by the policy, which no flag can loosen, and by what the quote offers", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("dave")
        const file = join(user.workspace.folder, "policy.json")
        const policy = { paymentMethods: ["erc2612", "eip3009"] }
        writeFileSync(file, JSON.stringify({ policy }), { mode: 0o600 })
        const own = ["swap", ...swapLine, "--wallet", "dave", "--config", file]
        const preferred = yield* user.json("cli-dry-run", ...own, "--dry-run")
        expect(preferred.answer["quote"]).toMatchObject({ paymentMethod: "erc2612" })

        for (const extra of [["--dry-run"], accepted]) {
          const { answer, code } = yield* user.json("cli-error", ...own, ...extra, "--payment-method", "delegation")
          expect([code, answer.error?.name]).toEqual([3, "PolicyViolation"])
          expect(answer.error?.next).toContain("--payment-method")
        }
        for (const extra of [["--dry-run"], accepted]) {
          const line = ["swap", ...swapLine, "--wallet", "dave", "--recipient", user.recipient, ...extra]
          const { answer, code } = yield* user.json("cli-error", ...line, "--payment-method", "eip3009")
          expect([code, answer.error?.name]).toEqual([3, "PolicyViolation"])
          expect(answer.error?.message).toContain("can only pay with delegation, erc2612")
        }
        const unknown = yield* user.geoswap("swap", ...swapLine, "--payment-method", "cash", "--yes")
        expect([unknown.code, unknown.stdout]).toEqual([64, ""])
        expect(user.flows()).toEqual([])
        expect((yield* user.executions).collected).toBe(0)
      })
    )
  })
})
