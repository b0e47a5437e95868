/** Approvals by a person, and what only a person at a terminal may do. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { Amount, type Quote, Store } from "@geoswap/core"
import { AuthenticatedStore } from "@geoswap/core/node"
import { Fault, Vectors } from "@geoswap/core/testing"
import { describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { privateKeyToAccount } from "viem/accounts"
import { expect, vi } from "vitest"
import * as AgentPolicy from "../src/agent/AgentPolicy.js"
import * as Approvals from "../src/agent/Approvals.js"
import { enforce } from "../src/agent/enforce.js"
import type { AgentRules } from "../src/agent/PolicyFile.js"
import { ApprovalRefused } from "../src/agent/PolicyError.js"
import * as Spending from "../src/agent/spending.js"
import { Settings } from "../src/config/Settings.js"
import { type Agent, chains, friend, macKeys, makeAgent, password, rulesOf, typing } from "./agentFixture.js"
import { schemaErrors } from "./jsonSchema.js"
import { hasPty, open as openTerminal } from "./pty.js"
import { weth } from "./scriptedServer.js"
import { enter, openHere } from "./terminal.js"
import { run, runJson, runProcessJson } from "./runCli.js"

vi.setConfig({ testTimeout: 300_000 })

interface Refused {
  readonly error: { readonly name: string; readonly approvalId?: string; readonly next: string }
}

const approvalIn = (answer: unknown): string => {
  const { error } = answer as Refused
  expect(error.approvalId).toMatch(/^evm-[0-9a-f]{12}$/)
  return error.approvalId ?? ""
}

const storeOf = ({ paths }: Agent) =>
  AuthenticatedStore.make(paths.store, {
    id: "store of the tests",
    key: Redacted.value(macKeys.store)
  })

/** Approves like a person at a terminal, without the terminal. */
const approveDirectly = (agent: Agent, id: string, seconds = 900) =>
  Approvals.answer(storeOf(agent), id, { state: "approved", by: "terminal", seconds })

const withPolicy = (changes: Partial<AgentRules> = {}) =>
  Effect.tap(makeAgent, ({ writePolicy }) => writePolicy(changes))

describe("an approval", () => {
  it.live("is given by a person who sees the terms and types the password, and is used once", () =>
    Effect.gen(function* () {
      const agent = yield* withPolicy()
      const { scripted, swap, workspace } = agent
      const first = yield* swap("60")
      expect(first).toMatchObject({ code: 3, answer: { error: { name: "PolicyViolation" } } })
      const id = approvalIn(first.answer)
      expect((first.answer as Refused).error.next).toContain(`geoswap approve ${id}`)
      // The same request does not ask twice.
      expect(approvalIn((yield* swap("60")).answer)).toBe(id)
      const listed = yield* runJson(workspace, "approve", "--list")
      expect(listed).toMatchObject({ answer: { approvals: [{ id, state: "pending", terms: { amount: "60000000" } }] } })

      const declined = yield* typing(workspace, [password, "no"], "approve", id)
      expect([declined.code, declined.screen]).toEqual([3, expect.stringContaining("Not approved")])
      expect((yield* swap("60")).code).toBe(3)
      const approved = yield* typing(workspace, [password, "yes"], "approve", id)
      expect([approved.code, approved.screen]).toEqual([0, expect.stringContaining(`Approved ${id} once`)])
      expect(approved.screen).toMatch(/Pay\s+60 USDC \(60000000 units of 0x833589/)
      expect(approved.screen).toMatch(/Recipient\s+0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266, the same wallet/)
      expect(scripted.paid()).toEqual([])

      // Another recipient or amount needs another approval.
      expect(approvalIn((yield* swap("60", "--recipient", friend)).answer)).not.toBe(id)
      expect(approvalIn((yield* swap("61")).answer)).not.toBe(id)
      expect(yield* swap("60")).toMatchObject({ code: 0, answer: { swap: { status: "settled" } } })
      // It is used up.
      const again = yield* typing(workspace, [password], "approve", id)
      expect([again.code, again.screen]).toEqual([3, expect.stringContaining("is already used")])
      expect(scripted.paid()).toEqual([60_000_000n])
    })
  )

  it.live("is not valid for a lower minimum, after it has expired or been taken back, or with an altered store", () =>
    Effect.gen(function* () {
      const agent = yield* withPolicy({
        budgets: [
          { chainId: 8453, token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", amount: "1000000000", window: "total" }
        ]
      })
      const { paths, scripted, swap } = agent
      const lower = approvalIn((yield* swap("60")).answer)
      yield* approveDirectly(agent, lower)
      // The same swap with more slippage has a lower minimum.
      const other = approvalIn((yield* swap("60", "--slippage-bps", "90")).answer)
      expect(other).not.toBe(lower)
      expect(yield* swap("60")).toMatchObject({ code: 0 })

      const expiring = approvalIn((yield* swap("70")).answer)
      yield* approveDirectly(agent, expiring, 0)
      expect(approvalIn((yield* swap("70")).answer)).not.toBe(expiring)

      const withdrawn = approvalIn((yield* swap("75")).answer)
      yield* approveDirectly(agent, withdrawn)
      yield* Approvals.answer(storeOf(agent), withdrawn, { state: "rejected", by: "terminal", seconds: 900 })
      expect((yield* Effect.flip(approveDirectly(agent, withdrawn))).message).toContain("is already rejected")
      expect(approvalIn((yield* swap("75")).answer)).not.toBe(withdrawn)

      const rejected = approvalIn((yield* swap("80")).answer)
      yield* Approvals.answer(storeOf(agent), rejected, { state: "rejected", by: "terminal", seconds: 900 })
      expect((yield* swap("80")).code).toBe(3)

      const pending = approvalIn((yield* swap("90")).answer)
      const whole = readFileSync(paths.store, "utf8")
      const forged = whole.replaceAll(String.raw`\"state\":\"pending\"`, String.raw`\"state\":\"approved\"`)
      expect(forged).not.toBe(whole)
      writeFileSync(paths.store, forged)
      expect(yield* swap("90")).toMatchObject({ code: 3, answer: { error: { name: "PolicyTampered" } } })
      writeFileSync(paths.store, whole)
      expect(approvalIn((yield* swap("90")).answer)).toBe(pending)
      expect(scripted.paid()).toEqual([60_000_000n])
    })
  )

  it.live("is used once by two processes that start the same swap at once", () =>
    Effect.gen(function* () {
      const agent = yield* withPolicy({
        budgets: [
          { chainId: 8453, token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", amount: "1000000000", window: "total" }
        ]
      })
      const { scripted, swap, workspace } = agent
      yield* approveDirectly(agent, approvalIn((yield* swap("60")).answer))
      const args = ["swap", "60", "usdc@base", "weth@arbitrum", "--yes"]
      const other = runProcessJson(workspace, ...args)
      const both = yield* Effect.all([other, other], { concurrency: "unbounded" })
      expect(both.toSorted((one, other) => Number(one.code) - Number(other.code))).toMatchObject([
        { code: 0 },
        { code: 3 }
      ])
      expect(scripted.paid()).toEqual([60_000_000n])
    })
  )

  it.live("is needed for every swap of a pair without a price of the policy", () =>
    Effect.gen(function* () {
      const agent = yield* withPolicy({ pairs: [] })
      const { scripted, swap } = agent
      const asked = yield* swap("1")
      yield* approveDirectly(agent, approvalIn(asked.answer))
      expect(yield* swap("1")).toMatchObject({ code: 0 })
      expect((yield* swap("1")).code).toBe(3)
      expect(scripted.paid()).toEqual([Amount.parse("1", 6)])
    })
  )

  it.live("is given by an elicitation only if the policy says so", () =>
    Effect.gen(function* () {
      for (const elicitation of [false, true]) {
        const agent = yield* withPolicy({ elicitation })
        const { keystore, scripted, swap } = agent
        const { error } = (yield* swap("60")).answer as Refused
        const account = privateKeyToAccount(Vectors.evmKey.privateKey)
        const wallet = yield* Effect.provideService(
          AgentPolicy.makeWallet({
            family: "evm",
            account,
            address: account.address,
            source: { kind: "keystore", path: keystore },
            macKeys
          }),
          Settings,
          { devnetFile: undefined } as Settings
        )
        const { store } = yield* wallet.verified
        expect(yield* Approvals.list(store)).toMatchObject([{ id: error.approvalId, terms: { amount: "60000000" } }])
        const approving = AgentPolicy.approveByElicitation(wallet, error.approvalId ?? "")
        const answer = yield* Effect.result(approving)
        const again = yield* Effect.flip(approving)
        expect([answer._tag, again]).toEqual([elicitation ? "Success" : "Failure", expect.any(ApprovalRefused)])
        expect(yield* swap("60")).toMatchObject({ code: elicitation ? 0 : 3 })
        expect(scripted.paid()).toEqual(elicitation ? [60_000_000n] : [])
      }
    })
  )

  it.effect("keeps at most twenty requests, and gives none away", () =>
    Effect.gen(function* () {
      const store = yield* Store.makeMemory
      const terms = (amount: number) => ({
        wallet: "0x01",
        service: "https://example.com",
        originChain: 1,
        destinationChain: 2,
        inputToken: "0x02",
        outputToken: "0x03",
        amount: String(amount),
        recipient: "0x01",
        minOutput: "10",
        feeBps: 5,
        delegates: ["0x04"],
        vault: "0x05"
      })
      const ask = (amount: number) => Approvals.ask(store, { terms: terms(amount), reason: "", seconds: 60 })
      for (let amount = 0; amount < 30; amount++) expect(yield* ask(amount)).toMatch(/^evm-/)
      const listed = yield* Approvals.list(store)
      expect(listed.map((one) => Number(one.terms.amount))).toEqual(Array.from({ length: 20 }, (_, at) => at + 10))
      const [first] = listed
      yield* Approvals.answer(store, first?.id ?? "", { state: "approved", by: "terminal", seconds: 60 })
      for (const change of [
        { minOutput: "9" },
        { feeBps: 6 },
        { vault: "0x06" },
        { delegates: ["0x07"] },
        { recipient: "0x08" }
      ]) {
        const isTaken = yield* Approvals.take(store, { ...terms(10), ...change }, "r2")
        expect([change, isTaken]).toEqual([change, false])
      }
      expect(yield* Approvals.take(store, { ...terms(10), minOutput: "11", feeBps: 4 }, "r2")).toBe(true)
      expect(yield* Approvals.take(store, terms(10), "r1")).toBe(false)
      expect(yield* Approvals.take(store, terms(10), "r2")).toBe(true)
    })
  )
})

describe("a threshold for the swaps of a window", () => {
  const token = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
  const budgets: AgentRules["budgets"] = [{ chainId: 8453, token, amount: "1000000000", window: "total" }]
  const threshold = (window: "hour" | "day"): AgentRules["approveAbove"] => [
    { chainId: 8453, token, amount: "50000000", window }
  ]
  const request = (amount: bigint) => ({
    originChain: 8453,
    destinationChain: 42161,
    inputToken: token,
    outputToken: token,
    amount,
    walletAddress: privateKeyToAccount(Vectors.evmKey.privateKey).address
  })
  /** Counts 50 USDC as signed without an approval, some hours ago, and returns what takes it back. */
  /** Releases a reservation as a withdrawn signature does. */
  const release = (store: Store.Store, wallet: string, reservation: string) =>
    store.update(wallet, (document) => {
      const spent = document.spent.map((one) => {
        const released = one.recent.filter(({ id }) => id === reservation)
        const recent = one.recent.filter(({ id }) => id !== reservation)
        return { ...one, recent, total: released.reduce((total, { amount }) => total - amount, one.total) }
      })
      return [{ ...document, spent }, undefined]
    })
  const signFifty = (agent: Agent, hours: number) =>
    Effect.gen(function* () {
      const store = storeOf(agent)
      const clock = yield* Clock.Clock
      const then = () => clock.currentTimeMillisUnsafe() - hours * 3_600_000
      const rules = { ...rulesOf(agent.scripted.url, agent.paths), approveAbove: [] }
      yield* Effect.provideService(
        Spending.countUnapproved(store, rules, request(50_000_000n), "earlier"),
        Clock.Clock,
        {
          ...clock,
          currentTimeMillisUnsafe: then
        }
      )
      return release(store, request(50_000_000n).walletAddress, "earlier")
    })
  const thresholds = ({ workspace }: Agent) =>
    Effect.map(
      runJson(workspace, "policy", "show"),
      ({ answer }) => (answer as { policy: { approveAbove: unknown } }).policy.approveAbove
    )

  it.live("needs an approval for a swap that is split, and an approved swap does not count against the rest", () =>
    Effect.gen(function* () {
      const agent = yield* withPolicy({ budgets, approveAbove: threshold("hour") })
      const { scripted, swap, workspace } = agent
      expect((yield* swap("20")).code).toBe(0)
      expect((yield* swap("20")).code).toBe(0)
      const check = yield* runJson(workspace, "policy", "check", "20", "usdc@base", "weth@arbitrum")
      expect(check.answer).toMatchObject({
        allowed: true,
        approval: "The amount is above the 10 USDC that may still be signed without an approval (hour)."
      })
      const dry = yield* swap("20", "--dry-run")
      expect(dry.answer).toMatchObject({ approval: expect.stringContaining("above the 10 USDC") as unknown })
      const third = yield* swap("20")
      expect(third.code).toBe(3)
      yield* approveDirectly(agent, approvalIn(third.answer))
      expect((yield* swap("20")).code).toBe(0)
      expect((yield* swap("20")).code).toBe(3)
      // What is left after the approved swap is what was left before it.
      expect(yield* thresholds(agent)).toEqual([
        { chainId: 8453, token, symbol: "USDC", amount: "50", window: "hour", left: "10" }
      ])
      expect((yield* swap("10")).code).toBe(0)
      expect((yield* swap("1")).code).toBe(3)
      expect(scripted.paid()).toEqual([20_000_000n, 20_000_000n, 20_000_000n, 10_000_000n])
    })
  )

  it.live("adds the swaps of the last hour or day", () =>
    Effect.gen(function* () {
      for (const [window, within, before] of [
        ["hour", 0.9, 1.1],
        ["day", 23, 25]
      ] as const) {
        const recent = yield* withPolicy({ budgets, approveAbove: threshold(window) })
        yield* signFifty(recent, within)
        expect([window, (yield* recent.swap("1")).code]).toEqual([window, 3])
        const old = yield* withPolicy({ budgets, approveAbove: threshold(window) })
        yield* signFifty(old, before)
        expect([window, (yield* old.swap("50")).code]).toEqual([window, 0])
        expect([window, (yield* old.swap("1")).code]).toEqual([window, 3])
      }
    })
  )

  it.live("leaves its room to other swaps if an approval was given", () =>
    Effect.gen(function* () {
      const agent = yield* withPolicy({ budgets, approveAbove: threshold("day") })
      const undo = yield* signFifty(agent, 0)
      yield* approveDirectly(agent, approvalIn((yield* agent.swap("30")).answer))
      yield* undo
      expect((yield* agent.swap("30")).code).toBe(0)
      expect(yield* thresholds(agent)).toMatchObject([{ left: "50" }])
      expect((yield* agent.swap("30")).code).toBe(0)
      expect((yield* agent.swap("30")).code).toBe(3)
    })
  )

  it.live("counts a signature until it is certain that it never left the process, and once if it is sent again", () =>
    Effect.gen(function* () {
      const agent = yield* withPolicy({ budgets, approveAbove: threshold("day") })
      const rules = { ...rulesOf(agent.scripted.url, agent.paths), budgets, approveAbove: threshold("day") }
      const { policy } = yield* enforce(rules, storeOf(agent))
      const asked = { ...request(20_000_000n), outputToken: weth }
      const quote = {
        output: 20_000_000n,
        minOutput: 20_000_000n,
        feeBps: 1,
        costs: { fee: { bps: 1 }, total: { bps: 1 } }
      } as Quote.Quote
      const left = Effect.map(thresholds(agent), (all) => (all as ReadonlyArray<{ left: string }>)[0]?.left)

      const approve = (reservation: string) => policy.approve({ request: asked, quote, reservation })
      yield* approve("one")
      expect(yield* left).toBe("30")
      yield* approve("one")
      expect(yield* left).toBe("30")
      // A withdrawn signature releases everything that has its id.
      yield* release(storeOf(agent), asked.walletAddress, "one")
      expect(yield* left).toBe("50")

      yield* approve("two")
      yield* approve("three")
      expect(yield* left).toBe("10")
      const refused = yield* Effect.flip(approve("four"))
      expect(refused).toMatchObject({ rule: "approve", approvalId: expect.any(String) as unknown })
      expect(yield* left).toBe("10")

      // A quote for the same signature again does not count it twice.
      expect(yield* Effect.flip(policy.checkQuote(asked, quote))).toMatchObject({ rule: "approve" })
      yield* approve("three")
      yield* policy.checkQuote(asked, quote)
    })
  )

  it.live("is not exceeded by processes that swap at once", () =>
    Effect.gen(function* () {
      const { scripted, workspace } = yield* withPolicy({ budgets, approveAbove: threshold("day") })
      const one = runProcessJson(workspace, "swap", "20", "usdc@base", "weth@arbitrum", "--yes")
      const ended = yield* Effect.all([one, one, one, one], { concurrency: "unbounded" })
      expect(ended.toSorted((one, other) => Number(one.code) - Number(other.code))).toMatchObject([
        { code: 0 },
        { code: 0 },
        { code: 3 },
        { code: 3 }
      ])
      for (const { answer, code } of ended) if (code === 3) approvalIn(answer)
      expect(scripted.paid()).toEqual([20_000_000n, 20_000_000n])
    })
  )

  it.live("is set by a person, with a window of an hour or a day", () =>
    Effect.gen(function* () {
      const agent = yield* withPolicy()
      const { workspace } = agent
      const edit = (...amounts: ReadonlyArray<string>) =>
        typing(workspace, [password], "policy", "edit", ...amounts.flatMap((text) => ["--approve-above", text]))
      const wrong = yield* edit("50 usdc@base/total")
      expect([wrong.code, wrong.screen]).toEqual([64, expect.stringContaining("is not a threshold")])
      const edited = yield* edit("30 usdc@base", "80 usdc@base/day")
      expect([edited.code, edited.screen.replaceAll(/\s+/g, " ")]).toEqual([
        0,
        expect.stringContaining("above 30 USDC@8453, above 80 USDC@8453 per day (80 left)")
      ])
      const shown = yield* runJson(workspace, "policy", "show")
      expect(schemaErrors("cli-policy", shown.answer)).toEqual([])
      expect(yield* thresholds(agent)).toMatchObject([{ amount: "30" }, { amount: "80", window: "day", left: "80" }])
    })
  )
})

describe("only a person at a terminal", () => {
  it.live("changes a policy, approves or exports a key, even if the environment has the password", () =>
    Effect.gen(function* () {
      const agent = yield* withPolicy()
      const { keystore, paths, swap, workspace } = agent
      const id = approvalIn((yield* swap("60")).answer)
      const before = [readFileSync(paths.policy, "utf8"), readFileSync(paths.store, "utf8")]
      for (const args of [
        ["policy", "init", "--budget", "1000 usdc@base/total"],
        ["policy", "edit", "--budget", "1000 usdc@base/total"],
        ["policy", "remove"],
        ["approve", id],
        ["approve", id, "--reject"],
        ["keys", "export", "evm", "--confirm", "evm"]
      ]) {
        const { code, stderr, stdout } = yield* run(workspace, ...args, "--yes")
        expect([args, code, stdout, stderr]).toEqual([args, 3, "", expect.stringContaining("at a terminal")])
      }
      expect([readFileSync(paths.policy, "utf8"), readFileSync(paths.store, "utf8")]).toEqual(before)
      expect(existsSync(keystore)).toBe(true)
    })
  )

  it.live("types the password of the keystore, although the environment has it", () =>
    Effect.gen(function* () {
      const agent = yield* withPolicy()
      const { paths, workspace } = agent
      const before = readFileSync(paths.policy, "utf8")
      const wrong = yield* typing(workspace, ["wrong password"], "policy", "edit", "--max-swaps-per-hour", "7")
      expect([wrong.code, wrong.screen]).toEqual([1, expect.stringContaining("The password is wrong")])
      expect(readFileSync(paths.policy, "utf8")).toBe(before)
      const edited = yield* typing(
        workspace,
        [password],
        "policy",
        "edit",
        "--max-swaps-per-hour",
        "7",
        "--approve-above",
        "20 usdc@base"
      )
      expect([edited.code, edited.screen]).toEqual([0, expect.stringContaining("7 of 7 left this hour")])
      expect(edited.screen).toContain("above 20 USDC@8453")
      expect(yield* runJson(workspace, "policy", "show")).toMatchObject({ answer: { policy: { maxSwapsPerHour: 7 } } })
      // The older policy is refused after the change.
      writeFileSync(paths.policy, before)
      expect(yield* runJson(workspace, "policy", "show")).toMatchObject({
        answer: { error: { name: "PolicyTampered" } }
      })
      const removed = yield* typing(workspace, [password], "policy", "remove")
      expect([removed.code, existsSync(paths.policy), existsSync(paths.storeFolder)]).toEqual([0, false, false])
    })
  )

  it.live("cannot remove or create a policy while a swap of its wallet is unfinished", () =>
    Effect.gen(function* () {
      const agent = yield* makeAgent
      const { scripted, workspace } = agent
      const { GEOSWAP_KEYSTORE_PASSWORD: _, ...withoutPassword } = workspace.environment
      const locked = { ...workspace, environment: withoutPassword }
      const refuseOnce = () => scripted.service.next("submit", Fault.refuse(422, "INSUFFICIENT_BALANCE"))
      const unfinished = Effect.map(runJson(locked, "history"), ({ answer }) =>
        (answer as { unfinished: ReadonlyArray<{ flowId: string }> }).unfinished.map(({ flowId }) => flowId)
      )
      const message = (flowId: string | undefined) =>
        expect.stringContaining(`${flowId} of this wallet is unfinished`) as string
      refuseOnce()
      expect(yield* agent.swap("1", "--min-output", "0.0000000000001")).toMatchObject({ code: 4 })
      const [own] = yield* unfinished
      const created = yield* typing(workspace, [password], "policy", "init")
      expect([created.code, created.screen.replaceAll(/\s+/g, " ")]).toEqual([1, message(own)])
      // A flow that was signed without a policy needs no key.
      expect(yield* runJson(locked, "resume", own ?? "")).toMatchObject({ code: 0 })

      yield* agent.writePolicy()
      refuseOnce()
      expect(yield* agent.swap("2")).toMatchObject({ code: 4 })
      // It is listed without the key, and resumed with it.
      const [governed] = yield* unfinished
      expect(yield* runJson(locked, "resume", governed ?? "")).toMatchObject({ code: 1 })
      expect(scripted.service.swaps).toHaveLength(1)
      const removed = yield* typing(workspace, [password], "policy", "remove")
      expect([removed.code, removed.screen.replaceAll(/\s+/g, " ")]).toEqual([1, message(governed)])
      expect(yield* runJson(workspace, "resume", governed ?? "")).toMatchObject({ code: 0 })
      expect(yield* unfinished).toEqual([])
      expect(scripted.service.swaps).toHaveLength(2)
      expect((yield* typing(workspace, [password], "policy", "remove")).code).toBe(0)
    })
  )

  it.live("cannot allow the loss of everything, which would demand no output", () =>
    Effect.gen(function* () {
      const { workspace } = yield* withPolicy()
      const { code, stderr } = yield* run(workspace, "policy", "edit", "--max-loss-bps", "10000")
      expect([code, stderr]).toEqual([64, expect.stringContaining("from 0 to 9,999")])
    })
  )

  it.live("changes no policy with other decimals than its own in the configuration", () =>
    Effect.gen(function* () {
      const { keystore, paths, scripted, workspace } = yield* withPolicy()
      const before = readFileSync(paths.policy, "utf8")
      const [token] = chains[8453].tokens
      const wrong = { ...chains, 8453: { ...chains[8453], tokens: [{ ...token, decimals: 18 }] } }
      scripted.configure({ chains: wrong, keys: { evm: { family: "evm", keystore } } })
      const edited = yield* typing(workspace, [password], "policy", "edit", "--budget", "100 usdc@base/day")
      expect(edited.code).toBe(3)
      expect(edited.screen.replaceAll(/\s+/g, " ")).toContain("6 decimals in the policy, but 18 in the configuration")
      expect(readFileSync(paths.policy, "utf8")).toBe(before)
    })
  )

  it.live.skipIf(!hasPty)("creates a policy by answering questions", () =>
    Effect.gen(function* () {
      const { paths, swap, workspace } = yield* makeAgent
      const screen = yield* Effect.scoped(
        Effect.gen(function* () {
          const terminal = yield* openTerminal(workspace, "policy", "init", "--plain")
          yield* terminal.shows("Password for")
          terminal.type(`${password}${enter}`)
          for (const [question, answer] of [
            ["Chains that may be used [base, arbitrum", ""],
            ["Tokens that may be paid or received [usdc@base", ""],
            ["Addresses that may receive the output [0xf39F", ""],
            [/Budget[^\n]*: $/, "5 usdc@base/day"],
            [/day\s+Budget[^\n]*: $/, ""],
            [/Minimum rate[^\n]*: $/, "usdc@base weth@arbitrum 0.0000000000009"],
            [/0009\s+Minimum rate[^\n]*: $/, ""]
          ] as const) {
            yield* terminal.shows(question)
            terminal.type(`${answer}${enter}`)
          }
          return yield* terminal.ended
        })
      )
      expect([screen.code, screen.screen]).toEqual([0, expect.stringContaining(`Wrote ${paths.policy}`)])
      expect(yield* swap("4")).toMatchObject({ code: 0 })
      expect(yield* swap("4")).toMatchObject({ code: 3 })
      const again = yield* typing(workspace, [password], "policy", "init", "--budget", "9 usdc@base/day")
      expect([again.code, again.screen]).toEqual([1, expect.stringContaining("already has a policy")])
    })
  )

  it.live("exports a key from a keystore", () =>
    Effect.gen(function* () {
      const { workspace } = yield* makeAgent
      const exported = yield* Effect.scoped(
        Effect.gen(function* () {
          const terminal = yield* openHere(workspace, "keys", "export", "evm", "--confirm", "evm")
          yield* terminal.shows("Password for")
          terminal.type(`${password}${enter}`)
          return yield* terminal.ended
        })
      )
      expect([exported.code, exported.screen]).toEqual([0, expect.stringContaining("0xac0974bec39a17e3")])
    })
  )
})
