import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { cli, home, type Workspace, run, runJson } from "./runCli.js"

vi.setConfig({ testTimeout: 300_000 })

const configOf = ({ environment }: Workspace) => join(environment["HOME"] ?? "", ".config/geoswap/config.json")

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode: 0o600 })
}

describe("geoswap", () => {
  it.live("prints help and version, and explains an invalid command line", () =>
    Effect.gen(function* () {
      const here = yield* home
      const help = yield* run(here, "--help")
      expect([help.code, help.stderr]).toEqual([0, ""])
      for (const command of [
        "quote",
        "swap",
        "chains",
        "tokens",
        "balance",
        "delegation",
        "init",
        "config",
        "doctor"
      ]) {
        expect(help.stdout).toMatch(new RegExp(`^  ${command} +\\S`, "m"))
      }
      const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
        readonly version: string
      }
      expect(yield* run(here, "--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" })
      const unknown = yield* run(here, "chians")
      expect([unknown.code, unknown.stdout]).toEqual([64, ""])
      expect(unknown.stderr).toContain('Unknown subcommand "chians"')
      expect(unknown.stderr).toContain("Next: Run geoswap --help")
      const flag = yield* run(here, "tokens", "--chian", "base")
      expect([flag.code, flag.stdout]).toEqual([64, ""])
      expect(flag.stderr).toContain("Next: Run geoswap tokens --help")
      for (const [args, suggestion] of [
        [["balance", "--chian", "base"], "Unknown flag --chian for balance. Did you mean --chain?"],
        [["swap", "--recipent", "x"], "Unknown flag --recipent for swap. Did you mean --recipient?"],
        [["chains", "--frobnicate"], "Unknown flag --frobnicate for chains.\n"]
      ] as const) {
        const { code, stderr } = yield* run(here, ...args)
        expect([code, stderr]).toEqual([64, expect.stringContaining(suggestion)])
      }
      for (const line of [["--json"], ["config", "--json"], ["chains", "--timeout", "-3", "--json"]]) {
        const { code, stderr, stdout } = yield* run(here, ...line)
        expect([code, stderr]).toEqual([64, ""])
        expect(JSON.parse(stdout)).toMatchObject({
          error: { name: "UsageError", next: expect.stringMatching(/--help$/) as unknown }
        })
      }
      const nothing = yield* run(here)
      expect([nothing.code, nothing.stderr]).toEqual([64, ""])
      expect(nothing.stdout).toBe(help.stdout)
    })
  )

  it.live("says how to start if nothing is configured", () =>
    Effect.gen(function* () {
      const here = yield* home
      expect(yield* run(here, "chains")).toEqual({
        code: 1,
        stdout: "",
        stderr:
          "Error: No service is configured.\n  Next: Run geoswap init, pass --url, set GEOSWAP_URL, or use a devnet with --devnet.\n"
      })
      const init = yield* run(here, "init")
      expect([init.code, init.stdout]).toEqual([1, ""])
      expect(init.stderr).toContain("No interactive terminal is available.")
      const doctor = yield* runJson(here, "doctor")
      expect(doctor).toMatchObject({ code: 1, answer: { ok: false } })
    })
  )

  it.live("changes single fields of the configuration, and refuses invalid values", () =>
    Effect.gen(function* () {
      const here = yield* home
      const path = configOf(here)
      expect(yield* run(here, "config", "path")).toEqual({ code: 0, stdout: `${path}\n`, stderr: "" })
      expect((yield* run(here, "config", "set", "service.url", "https://swap.example")).code).toBe(0)
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect((yield* run(here, "config", "set", "timeoutSeconds", "30")).code).toBe(0)
      const chain = '{"family":"evm","rpcUrl":"https://node.example/v2/0123-key-of-the-node"}'
      expect((yield* run(here, "config", "set", "chains.8453", chain)).code).toBe(0)
      expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
        service: { url: "https://swap.example" },
        timeoutSeconds: 30,
        chains: { 8453: JSON.parse(chain) as object }
      })

      const shown = yield* run(here, "config", "show")
      expect(shown.stdout).toContain("https://node.example/…")
      expect(shown.stdout).not.toContain("key-of-the-node")
      const got = yield* run(here, "config", "get", "chains.8453.rpcUrl")
      expect(got).toEqual({ code: 0, stdout: "https://node.example/…\n", stderr: "" })
      expect(yield* runJson(here, "config", "get", "timeoutSeconds")).toMatchObject({
        code: 0,
        answer: { field: "timeoutSeconds", value: 30 }
      })

      const before = readFileSync(path, "utf8")
      const wrong = yield* run(here, "config", "set", "policy.maxFeeBps", "lots")
      expect([wrong.code, wrong.stderr]).toEqual([
        64,
        "Error: policy.maxFeeBps is invalid: expected a number of basis points from 0 to 10,000.\n  Next: Nothing was changed. Run the command again with a valid field and value.\n"
      ])
      const unknown = yield* run(here, "config", "set", "service.apiKey", "gsk_secret")
      expect([unknown.code, unknown.stderr]).toEqual([64, expect.stringContaining("service.apiKey is unknown")])
      expect(unknown.stderr).not.toContain("gsk_secret")
      expect(readFileSync(path, "utf8")).toBe(before)

      expect((yield* run(here, "config", "set", "timeoutSeconds", "null")).code).toBe(0)
      const gone = yield* run(here, "config", "get", "timeoutSeconds")
      expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("timeoutSeconds is not set.")])
      expect((yield* run(here, "config", "get", "a..b")).code).toBe(64)
    })
  )

  it.live("completes its commands and flags in bash, zsh and fish", () =>
    Effect.gen(function* () {
      const here = yield* home
      const bash = yield* run(here, "completions", "bash")
      expect([bash.code, bash.stderr]).toEqual([0, ""])
      for (const word of ["delegation", "--json", "--devnet", "--new-keystore"]) expect(bash.stdout).toContain(word)
      // What bash completes after `geoswap de`.
      const completion = `${bash.stdout}
COMP_WORDS=(geoswap de); COMP_CWORD=1; COMP_LINE="geoswap de"; COMP_POINT=10
complete -p geoswap | sed 's/.*-F \\([^ ]*\\).*/\\1/' > "$HOME/name"
"$(cat "$HOME/name")" geoswap de geoswap; echo "\${COMPREPLY[*]}"`
      const { stdout } = spawnSync("bash", ["--norc", "-c", completion], {
        encoding: "utf8",
        env: { PATH: process.env["PATH"], ...here.environment }
      })
      expect(stdout.trim()).toBe("delegation")
      for (const shell of ["zsh", "fish"]) {
        const { code, stdout } = yield* run(here, "completions", shell)
        expect(code).toBe(0)
        expect(stdout).toContain("delegation")
        expect(stdout).not.toContain("--completions")
      }
      expect(bash.stdout).not.toContain("--completions")
      expect((yield* run(here, "completions", "tcsh")).code).toBe(64)
    })
  )

  it.live("explains in one sentence that Node is too old", () =>
    Effect.gen(function* () {
      const here = yield* home
      // Pretends to be an older Node.
      const preload = join(here.folder, "old.cjs")
      write(preload, 'Object.defineProperty(process.versions, "node", { value: "20.19.0" })')
      const { status, stderr, stdout } = spawnSync(process.execPath, ["-r", preload, cli, "chains"], {
        encoding: "utf8"
      })
      expect([status, stdout, stderr]).toEqual([
        1,
        "",
        "geoswap needs Node 22.19 or later, but this is Node 20.19.0.\n"
      ])
    })
  )

  it.live("loads only its own files for help, and neither viem nor kit", () =>
    Effect.gen(function* () {
      const here = yield* home
      const hooks = join(here.folder, "loaded.mjs")
      write(
        hooks,
        'import { writeSync } from "node:fs"; import { registerHooks } from "node:module"; registerHooks({ load: (url, context, next) => { if (url.startsWith("file:")) writeSync(2, `${url}\\n`); return next(url, context) } })'
      )
      const { stderr } = spawnSync(process.execPath, ["--import", hooks, cli, "--help"], { encoding: "utf8" })
      const files = stderr.trim().split("\n")
      expect(files.every((file) => dirname(new URL(file).pathname) === dirname(cli))).toBe(true)
      const bytes = files.reduce((sum, file) => sum + statSync(new URL(file)).size, 0)
      const all = readdirSync(dirname(cli)).reduce((sum, file) => sum + statSync(join(dirname(cli), file)).size, 0)
      expect(bytes).toBeLessThan(all / 3)
    })
  )
})
