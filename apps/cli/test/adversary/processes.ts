/**
 * The adversary against processes of the built program: two MCP servers and the command line at once, other settings,
 * and files that are altered between runs. The processes record their signatures, and the oracle judges them afterwards.
 */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { AuthenticatedStore } from "@geoswap/core/node"
import type { SeededRandom } from "../../../../tooling/testing/seededRandom.ts"
import * as Approvals from "../../src/agent/Approvals.js"
import { chains, friend, macKeys, makeAgent } from "../agentFixture.js"
import { call, connectStdio } from "../mcpFixture.js"
import { accept, runProcessJson, type Workspace } from "../runCli.js"
import { open as openService } from "../scriptedServer.js"
import { Oracle } from "./oracle.js"
import type { Counts } from "./run.js"
import type { Signed } from "./signatures.js"
import { evil, thief } from "./world.js"

const recorder = fileURLToPath(new URL("../recordSignatures.ts", import.meta.url))

const noteCommand = ({ codes, kinds }: Counts, kind: string, code: string | undefined): void => {
  const row = kinds.get(kind) ?? { attempts: 0, swapped: 0, repeated: 0, refused: 0 }
  kinds.set(kind, row)
  row.attempts++
  if (code === undefined) row.swapped++
  else {
    row.refused++
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }
}

/** Runs all attacks three times. */
export const runProcesses = Effect.fnUntraced(function* (random: SeededRandom, counts: Counts) {
  const calls = 100
  const agent = yield* makeAgent
  const { keystore, paths, scripted } = agent
  const rules = yield* agent.writePolicy()
  const signatures = join(agent.workspace.folder, "signatures.txt")
  const workspace: Workspace = {
    ...agent.workspace,
    environment: {
      ...agent.workspace.environment,
      NODE_OPTIONS: `--import ${recorder}`,
      GEOSWAP_TEST_SIGNATURES: signatures
    }
  }
  let judgedAt = Date.now()
  const oracle = new Oracle(rules, () => judgedAt)
  const parse = (text: string) => JSON.parse(text === "" ? "{}" : text) as Record<string, unknown>
  scripted.observe((endpoint, request, response) => {
    if (endpoint === "quote") oracle.quoted(parse(request), parse(response))
    if (endpoint === "build-geo-op") oracle.built(parse(request), parse(response))
  })
  let judged = 0
  /** Judges the signatures since the last call. */
  const judge = (kind: string) => {
    const lines = existsSync(signatures) ? readFileSync(signatures, "utf8").split("\n").filter(Boolean) : []
    const known = oracle.violations.length
    for (const line of lines.slice(judged)) {
      const { at, signed } = JSON.parse(line) as { readonly at: number; readonly signed: Signed }
      judgedAt = at
      oracle.judge(signed)
      counts.signatures.set(signed.kind, (counts.signatures.get(signed.kind) ?? 0) + 1)
    }
    judged = lines.length
    for (const violation of oracle.violations.slice(known)) counts.violations.push({ ...violation, kind, world: -1 })
  }
  const command = Effect.fnUntraced(function* (
    kind: string,
    environment: Record<string, string>,
    ...args: ReadonlyArray<string>
  ) {
    const here = { ...workspace, environment: { ...workspace.environment, ...environment } }
    const { answer, code } = yield* runProcessJson(here, "swap", ...args, "usdc@base", "weth@arbitrum", ...accept)
    const { error } = answer as { readonly error?: { readonly name: string; readonly approvalId?: string } }
    noteCommand(counts, kind, code === 0 ? undefined : (error?.name ?? "exit"))
    judge(kind)
    return error
  })

  // Approvals: asked for by one process, answered by a person, and used, replayed and altered by others.
  const approval = "approval across processes"
  const asked = yield* command(approval, {}, "51")
  const options = { id: rules.store.id, key: Redacted.value(macKeys.store) }
  const store = AuthenticatedStore.make(paths.store, options)
  const [request] = yield* Approvals.list(store)
  if (request === undefined || asked?.approvalId !== request.id)
    return yield* Effect.die(new Error(`Expected a request for approval, got ${JSON.stringify(asked)}.`))
  oracle.granted({ terms: request.terms, from: Date.now(), until: Date.now() + 901_000 })
  yield* Approvals.answer(store, request.id, { state: "approved", by: "terminal", seconds: 900 })
  yield* command(approval, {}, "51", "--recipient", friend)
  yield* command(approval, {}, "51.000001")
  yield* Effect.all([command(approval, {}, "51"), command(approval, {}, "51")], {
    concurrency: "unbounded"
  })
  yield* command(approval, {}, "51")

  // More than the budget at once, from two servers and the command line.
  const parallel = "parallel calls to two servers"
  const server = Effect.flatMap(connectStdio({ flags: [], workspace }), (connection) =>
    Effect.all(
      Array.from({ length: calls }, (_, at) =>
        Effect.map(
          call(connection, "execute_swap", {
            amount: String(3 + (at % 4)),
            from: "usdc@base",
            to: "weth@arbitrum",
            idempotencyKey: `key-${random.hex(8)}`,
            recipient: random.pick([friend, friend, thief])
          }),
          ({ value }) => noteCommand(counts, parallel, value.error?.code)
        )
      ),
      { concurrency: "unbounded" }
    )
  )
  yield* Effect.all([server, server, command("parallel command", {}, "7")], {
    concurrency: "unbounded"
  })
  judge(parallel)

  // Other settings, and altered files. Less than these amounts is left of the budget.
  const otherService = yield* openService
  const link = join(workspace.folder, "link.json")
  symlinkSync(keystore, link)
  const config = join(workspace.folder, "other.json")
  const contracts = { delegates: [evil.delegate], vault: evil.vault }
  const configure = (fields: object) =>
    Effect.sync(() => {
      const wide = { verification: "when-possible", maxSlippageBps: 9_000, maxLifetimeSeconds: 900 }
      const base = {
        service: { url: scripted.url },
        chains,
        keys: { evm: { family: "evm", keystore: link } },
        policy: wide
      }
      writeFileSync(config, JSON.stringify({ ...base, ...fields }), { mode: 0o600 })
      return ["--config", config]
    })
  const [token] = chains[8453].tokens
  const wrong = { ...chains, 8453: { ...chains[8453], tokens: [{ ...token, decimals: 3 }] } }
  const altered = (path: string, change: (text: string) => string, run: Effect.Effect<unknown>) =>
    Effect.suspend(() => {
      const whole = readFileSync(path, "utf8")
      writeFileSync(path, change(whole))
      return Effect.ensuring(
        run,
        Effect.sync(() => writeFileSync(path, whole))
      )
    })
  const settings = "other settings of a process"
  const files = "altered files between processes"
  const attacks: ReadonlyArray<Effect.Effect<unknown>> = [
    Effect.flatMap(configure({}), (flags) => command(settings, {}, "49", ...flags)),
    Effect.flatMap(configure({ deployments: { 8453: contracts, 42161: contracts } }), (flags) =>
      command(settings, {}, "48", ...flags)
    ),
    Effect.flatMap(configure({ chains: wrong }), (flags) => command(settings, {}, "47000", ...flags)),
    command(settings, { GEOSWAP_URL: otherService.url }, "46", "--url", otherService.url),
    command(settings, { GEOSWAP_URL: otherService.url }, "45"),
    command(settings, { XDG_STATE_HOME: join(workspace.folder, "state") }, "44"),
    command(settings, { XDG_CONFIG_HOME: join(workspace.folder, "none"), GEOSWAP_URL: scripted.url }, "43"),
    command("recipient of a process", {}, "1", "--recipient", thief),
    altered(paths.policy, (text) => text.replace('"100000000"', '"900000000"'), command(files, {}, "49")),
    altered(
      paths.store,
      (text) => text.replaceAll(String.raw`\"amount\":\"`, String.raw`\"amount\":\"0`),
      command(files, {}, "49")
    ),
    altered(paths.store, (text) => text.replace(/"wallet-[0-9a-f]+"/, '"wallet-0"'), command(files, {}, "48")),
    altered(paths.policy, (text) => text.replace(friend, thief), command(files, {}, "1", "--recipient", thief))
  ]
  for (let round = 0; round < 3; round++) {
    for (const attack of random.shuffle(attacks)) yield* attack
  }

  counts.swaps += oracle.swaps
  counts.worlds++
  const submitted = scripted.paid()
  const recorded = oracle.signed.filter(({ signed }) => signed.kind === "message").length
  return { submitted, recorded, elsewhere: otherService.paid(), budget: BigInt(rules.budgets[0]?.amount ?? 0) }
})
