import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { program } from "../src/commands/program.js"
import { commandNames, repeatedFlagsOf, repeatFlags } from "../src/output/suggestedCommands.js"
import { fromProcess } from "../src/node/Host.js"
import { schemaErrors } from "./jsonSchema.js"
import { accept, cli, type Ended, home, type Workspace, run, runProcessJson } from "./runCli.js"
import { open, usdc, weth } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 300_000 })

const chains = {
  8453: { family: "evm", name: "Base", tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }] },
  42161: { family: "evm", name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
}

/** Pastes a command into a shell with `geoswap` on its `PATH`. */
const paste = ({ environment, folder }: Workspace, command: string): Effect.Effect<Ended> =>
  Effect.promise(async () => {
    const bin = join(folder, "bin")
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, "geoswap"), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`)
    chmodSync(join(bin, "geoswap"), 0o755)
    const child = spawn("sh", ["-c", command], {
      cwd: folder,
      env: { ...environment, PATH: [bin, process.env["PATH"]].join(delimiter) },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let [stdout, stderr] = ["", ""]
    child.stdout.on("data", (chunk: Buffer) => void (stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()))
    return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })))
  })

const host = (environment: Readonly<Record<string, string>> = {}) => ({ ...fromProcess(), environment })

describe("a suggested command", () => {
  it("is recognized for every command of the program", () => {
    const names = program.subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))
    expect(commandNames.toSorted()).toEqual(names.toSorted())
  })

  it("repeats the flags that select keys, chains and the service", () => {
    const repeat = (...args: ReadonlyArray<string>) =>
      repeatFlags(repeatedFlagsOf(args), host())("Run geoswap init, or geoswap resume x. geoswap computes it.")
    expect(repeat("swap", "--yes")).toBe("Run geoswap init, or geoswap resume x. geoswap computes it.")
    expect(repeat("--devnet", "swap", "--url", "http://localhost:1")).toBe(
      "Run geoswap --devnet --url http://localhost:1 init, or geoswap --devnet --url http://localhost:1 resume x. geoswap computes it."
    )
    expect(repeat("--devnet=a b.json", "--wallet=bob")).toContain("geoswap --devnet='a b.json' resume x")
    // Only some commands depend on the wallet.
    const ofWallet = repeatFlags({ wallet: "bob" }, host())
    expect(ofWallet(ofWallet("geoswap balance, geoswap history"))).toBe("geoswap --wallet bob balance, geoswap history")
    const npm = repeatFlags({ devnet: "" }, host({ GEOSWAP_COMMAND: "npm run geoswap --" }))
    expect(npm(npm("Try 'geoswap doctor' or geoswap --help"))).toBe(
      "Try 'npm run geoswap -- --devnet doctor' or npm run geoswap -- --devnet --help"
    )
  })

  it.live("resumes a swap with an unknown outcome when it is pasted, even if the configuration is elsewhere", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const { workspace } = scripted
      scripted.configure({ chains })
      const config = join(workspace.folder, "my config.json")
      renameSync(scripted.configFile, config)
      scripted.service.ends("never")
      const swap = ["swap", "10", "usdc@base", "weth@arbitrum", ...accept, "--timeout", "2", "--config", config]
      const waiting = yield* runProcessJson(workspace, ...swap)
      expect(waiting).toMatchObject({
        code: 4,
        answer: { error: { name: "WaitTimeout", retry: "resume", flowId: expect.any(String) as unknown } }
      })
      expect(schemaErrors("cli-error", waiting.answer)).toEqual([])
      const { flowId, next } = (waiting.answer as { error: { flowId: string; next: string } }).error
      const [, command = ""] = /: (geoswap .*)$/.exec(next) ?? []
      expect(command).toMatch(new RegExp(`^geoswap --config '.*my config\\.json' resume ${flowId}$`))
      yield* scripted.service.finish(scripted.service.swaps[0]?.swapId ?? "", "settled")
      const resumed = yield* paste(workspace, command)
      expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringMatching(/settled/)])
      expect(scripted.service.swaps).toHaveLength(1)
    })
  )

  it.live("keeps its flags if the command line is invalid", () =>
    Effect.gen(function* () {
      const here = yield* home
      const { stderr } = yield* run(here, "--devnet", "tokens", "--chian", "base")
      expect(stderr).toContain("Next: Run geoswap --devnet tokens --help")
    })
  )
})
