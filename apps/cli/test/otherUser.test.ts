/** The files of a wallet with a policy, seen by another user of the operating system. Runs as root only. */
import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, readdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { makeAgent } from "./agentFixture.js"
import { cli, type Workspace } from "./runCli.js"

vi.setConfig({ testTimeout: 300_000 })

/** The user of the server, and the user of the agent. */
const [serverUser, agentUser] = [
  { uid: 64_001, gid: 64_001 },
  { uid: 64_002, gid: 64_002 }
]

const isRoot = process.getuid?.() === 0

/** All files and folders below a path, and the path. */
const below = (path: string): ReadonlyArray<string> => [
  path,
  ...(statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => below(join(path, name))) : [])
]

/** Runs the program as a user, without blocking the scripted service. */
const runAs = async (
  { gid, uid }: typeof serverUser,
  { environment, folder }: Workspace,
  ...args: ReadonlyArray<string>
) => {
  const { spawn } = await import("node:child_process")
  const child = spawn(process.execPath, [cli, ...args, "--json"], {
    uid,
    gid,
    cwd: folder,
    env: { PATH: process.env["PATH"], ...environment }
  })
  let stdout = ""
  child.stdout.on("data", (chunk: Buffer) => void (stdout += chunk.toString()))
  const code = await new Promise((resolve) => child.on("close", resolve))
  return { code, answer: JSON.parse(stdout) as unknown }
}

/** What a program of another user can do with a path: the names of the calls that the system allows. */
const allowedFor = (user: typeof serverUser, paths: ReadonlyArray<string>): unknown => {
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

describe.skipIf(!isRoot)("another user", () => {
  it.live("can neither read nor change the key, the policy, the ledger or the journal", () =>
    Effect.gen(function* () {
      const agent = yield* makeAgent
      yield* agent.writePolicy()
      const { keystore, paths, scripted, workspace } = agent
      const home = workspace.environment["HOME"] ?? ""
      for (const path of below(home)) chownSync(path, serverUser.uid, serverUser.gid)
      // Even in folders that every user can enter.
      chmodSync(home, 0o755)
      chmodSync(dirname(keystore), 0o755)
      const swap = ["swap", "5", "usdc@base", "weth@arbitrum", "--yes"]
      expect(yield* Effect.promise(() => runAs(serverUser, workspace, ...swap))).toMatchObject({
        code: 0,
        answer: { swap: { status: "settled" } }
      })
      const secrets = [
        keystore,
        paths.policy,
        ...below(paths.ledgerFolder),
        ...below(join(home, ".local/state/geoswap"))
      ]
      expect(secrets.length).toBeGreaterThan(6)
      expect(allowedFor(serverUser, [keystore])).toEqual(
        ["read", "write", "rename", "create"].map((call) => `${call} ${keystore}`)
      )
      spawnSync("mv", [`${keystore}.moved`, keystore])
      expect(allowedFor(agentUser, secrets)).toEqual([])
      const config = ["--config", scripted.configFile]
      const refused = yield* Effect.promise(() => runAs(agentUser, workspace, ...swap, ...config))
      expect([refused.code, refused.answer]).toMatchObject([1, { error: {} }])
      expect(scripted.paid()).toEqual([5_000_000n])
    })
  )
})
