/**
 * A server of one user of the operating system, and an agent of another user. Only root can start processes of other
 * users.
 */
import { spawn, spawnSync } from "node:child_process"
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { expect, vi } from "vitest"
import { friend, makeAgent } from "./agentFixture.js"
import { accept, cli, until, type Workspace } from "./runCli.js"

vi.setConfig({ testTimeout: 300_000 })

/** The user of the server, and the user of the agent. Neither has an entry in the list of users. */
const serverUser = { uid: 64_001, gid: 64_001 }
const agentUser = { uid: 64_002, gid: 64_002 }

type User = typeof serverUser

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Why the tests cannot run here. */
const missing = ((): string => {
  if (process.getuid?.() !== 0) return "only root can start processes of other users"
  const script = `require("node:fs").readFileSync(${JSON.stringify(cli)})`
  return spawnSync(process.execPath, ["-e", script], { ...agentUser, stdio: "ignore" }).status === 0
    ? ""
    : "other users cannot read this folder"
})()

/** All files and folders below a path, and the path. */
const below = (path: string): ReadonlyArray<string> => [
  path,
  ...(statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => below(join(path, name))) : [])
]

/** Starts a Node program as a user; the scope kills it. */
const startAs = (
  { gid, uid }: User,
  { environment, folder }: Workspace,
  ...args: ReadonlyArray<string>
): Effect.Effect<
  {
    readonly pid: number
    readonly stdout: () => string
    readonly stderr: () => string
    readonly ended: Promise<unknown>
  },
  never,
  Scope.Scope
> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const env = { PATH: process.env["PATH"], ...environment }
        const child = spawn(process.execPath, args, { uid, gid, cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })
        let [stdout, stderr] = ["", ""]
        child.stdout.on("data", (chunk: Buffer) => void (stdout += chunk.toString()))
        child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()))
        const ended = new Promise((resolve) => child.on("close", resolve))
        return { child, ended, stdout: () => stdout, stderr: () => stderr }
      }),
      ({ child, ended }) =>
        Effect.promise(() => {
          child.kill("SIGKILL")
          return ended
        })
    ),
    ({ child, ...started }) => ({ ...started, pid: child.pid ?? 0 })
  )

/** Runs the program as a user, with `--json`. */
const runAs = (user: User, workspace: Workspace, ...args: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { ended, stdout } = yield* startAs(user, workspace, cli, ...args, "--json")
      const code = yield* Effect.promise(() => ended)
      return { code, answer: JSON.parse(stdout()) as unknown }
    })
  )

/** What a program of a user can do with paths: the names of the calls that the system allows. */
const allowedFor = (user: User, paths: ReadonlyArray<string>): unknown => {
  const script = `
    const fs = require("node:fs")
    const allowed = []
    for (const path of JSON.parse(process.argv[1])) {
      const calls = {
        read: () => (fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path)),
        write: () => fs.closeSync(fs.openSync(path, "r+")),
        rename: () => fs.renameSync(path, path + ".moved"),
        create: () => fs.writeFileSync(path + ".other", "")
      }
      for (const [name, call] of Object.entries(calls)) {
        try { call(); allowed.push(name + " " + path) } catch {}
      }
    }
    console.log(JSON.stringify(allowed))`
  const { stdout } = spawnSync(process.execPath, ["-e", script, JSON.stringify(paths)], { ...user, encoding: "utf8" })
  return JSON.parse(stdout)
}

/** A wallet with a policy that belongs to the user of the server, in folders that every user can enter. */
const makeServed = Effect.gen(function* () {
  const agent = yield* makeAgent
  yield* agent.writePolicy()
  const { keystore, paths, scripted, workspace } = agent
  const home = workspace.environment["HOME"] ?? ""
  for (const path of below(home)) chownSync(path, serverUser.uid, serverUser.gid)
  chmodSync(home, 0o755)
  chmodSync(dirname(keystore), 0o755)
  const state = join(home, ".local/state/geoswap")
  const secrets = () => [keystore, paths.policy, ...below(paths.storeFolder), ...below(state)]
  return { home, keystore, paths, scripted, secrets, workspace }
})

describe.skipIf(missing !== "")(`another user${missing && ` (skipped: ${missing})`}`, () => {
  it.live("uses the server only with its token and within the policy, and cannot access the key or other files", () =>
    Effect.gen(function* () {
      const { home, keystore, scripted, secrets, workspace } = yield* makeServed
      const [tokenFile, signatures] = [join(home, "token"), join(home, "signatures.txt")]
      const served: Workspace = {
        ...workspace,
        environment: {
          ...workspace.environment,
          NODE_OPTIONS: `--import ${file("recordSignatures.ts")}`,
          GEOSWAP_TEST_SIGNATURES: signatures
        }
      }
      const server = yield* startAs(serverUser, served, cli, "mcp", "--http", "--port", "0", "--token-file", tokenFile)
      yield* until(() => /bearer token is in/.test(server.stderr()), "the server to listen")
      const [, url = ""] = /Serving MCP on (\S+)/.exec(server.stderr()) ?? []
      const token = readFileSync(tokenFile, "utf8").trim()
      const own: Workspace = { folder: "/", environment: { HOME: "/nonexistent" } }
      const callAs = (given: string, ...calls: ReadonlyArray<readonly [name: string, input: object]>) =>
        Effect.scoped(
          Effect.gen(function* () {
            const named = JSON.stringify(calls.map(([name, input]) => ({ name, arguments: input })))
            const client = yield* startAs(agentUser, own, file("otherUserClient.ts"), url, given, named)
            yield* Effect.promise(() => client.ended)
            return JSON.parse(client.stdout()) as ReadonlyArray<Record<string, unknown>>
          })
        )
      const order = { from: "usdc@base", to: "weth@arbitrum" }
      const execute = (key: string, fields: object) =>
        ["execute_swap", { ...order, idempotencyKey: key, ...fields }] as const

      // Without the token, there is nothing.
      const [refused] = yield* callAs(`${token.slice(0, -1)}x`, ["get_policy", {}])
      expect(refused).toEqual({ refused: 401 })

      // With the token, there is what the policy allows.
      const thief = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
      const results = yield* callAs(
        token,
        ["get_policy", {}],
        execute("a", { amount: "30" }),
        execute("b", { amount: "30", recipient: friend }),
        execute("c", { amount: "1", recipient: thief }),
        execute("d", { amount: "41" }),
        execute("e", { amount: "1", slippageBps: 501 }),
        execute("f", { amount: "1000000" })
      )
      expect(results).toMatchObject([
        { policies: [{ boundary: "enforced" }] },
        { swap: { status: "settled" } },
        { swap: { status: "settled" } },
        { error: { code: "POLICY_VIOLATION", rule: "allowedRecipients" } },
        { error: { code: "POLICY_VIOLATION", rule: "budgets" } },
        { error: { code: "POLICY_VIOLATION", rule: "maxSlippageBps" } },
        { error: { code: "POLICY_VIOLATION", rule: "budgets" } }
      ])
      expect(scripted.paid()).toEqual([30_000_000n, 30_000_000n])
      const signed = readFileSync(signatures, "utf8").trim().split("\n")
      // One delegation, and two swaps.
      expect(signed.map((line) => (JSON.parse(line) as { signed: { kind: string } }).signed.kind)).toEqual([
        "authorization",
        "typedData",
        "typedData"
      ])

      // Neither the files nor the process reveal the token, the key or the password.
      const processFiles = ["environ", "mem", "maps", "fd"].map((name) => `/proc/${server.pid}/${name}`)
      expect(processFiles.every((path) => existsSync(path))).toBe(true)
      expect(secrets().length).toBeGreaterThan(6)
      expect(allowedFor(agentUser, [...secrets(), tokenFile, ...processFiles])).toEqual([])
      expect(allowedFor(serverUser, [keystore])).toEqual(
        ["read", "write", "rename", "create"].map((call) => `${call} ${keystore}`)
      )
      spawnSync("mv", [`${keystore}.moved`, keystore])
      const swapArgs = ["swap", "5", "usdc@base", "weth@arbitrum", ...accept, "--config", scripted.configFile]
      const swapped = yield* runAs(agentUser, workspace, ...swapArgs)
      expect([swapped.code, swapped.answer]).toMatchObject([1, { error: {} }])
      expect(scripted.paid()).toHaveLength(2)
      const killed = spawnSync("kill", ["-9", String(server.pid)], agentUser)
      expect(killed.status).not.toBe(0)
    })
  )
})
