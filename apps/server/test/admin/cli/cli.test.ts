import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, vi } from "vitest"
import { tooOld, version } from "../../../src/version.js"
import { run, start } from "../../stack/program.js"
import { folder, newSecrets, nodeKey, makeWorkspace } from "./fixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

/** The secret part of an API key. */
const secret = "s".repeat(43)
const nowhere = Effect.map(folder, (path) => ({ folder: path, environment: {} }))

describe.concurrent("geoswap-server", () => {
  it.live("prints help for the program and for each command", () =>
    Effect.gen(function* () {
      const workspace = yield* nowhere
      for (const option of ["--help", "-h"]) {
        const { code, stderr, stdout } = yield* run(workspace, option)
        expect([code, stderr]).toEqual([0, ""])
        expect(stdout).toContain("USAGE\n  geoswap-server <subcommand> [flags]\n")
        expect(stdout).toContain("Exit codes: 0 success, 1 failure")
      }
      for (const command of ["serve", "check", "keys create", "swaps show", "rotate-seal-key promote", "devnet"]) {
        const { code, stderr, stdout } = yield* run(workspace, ...command.split(" "), "--help")
        expect([code, stderr]).toEqual([0, ""])
        expect(stdout).toContain(`USAGE\n  geoswap-server ${command} `)
      }
    })
  )

  it.live("prints help and the version without loading the service", () =>
    Effect.gen(function* () {
      const workspace = yield* nowhere
      const preload = ["--import", fileURLToPath(new URL("./printLoadedModules.ts", import.meta.url))]
      for (const option of ["--help", "--version"]) {
        const { stderr } = yield* Effect.flatMap(start(workspace, [option], preload), ({ ended }) => ended)
        const loaded = stderr.trim().split("\n")
        const files = loaded.filter((url) => !url.startsWith("node:"))
        expect(files.some((url) => url.endsWith("/dist/cli.js"))).toBe(true)
        expect(files.filter((url) => !url.includes("/apps/server/dist/"))).toEqual([])
        // The program is a bundle: its chunks have no names, but the tags of the service's parts are in them.
        const tags = files.flatMap((url) => readFileSync(new URL(url), "utf8").match(/@geoswap\/service\/\w+/) ?? [])
        expect(tags).toEqual([])
      }
    })
  )

  it.live("prints its version", () =>
    Effect.gen(function* () {
      const workspace = yield* nowhere
      for (const option of ["--version", "-v"]) {
        expect(yield* run(workspace, option)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" })
      }
    })
  )

  it("refuses Node versions older than engines in package.json", () => {
    for (const old of ["20.20.2", "22.18.9", "9.30.0"]) {
      expect(tooOld(old)).toBe(`geoswap-server requires Node 22.19 or later, but this is Node ${old}.`)
    }
    for (const good of ["22.19.0", "24.1.0", "24.21.0-nightly"]) expect(tooOld(good)).toBeUndefined()
  })

  it.live.each<readonly [line: string, message: string]>([
    ["swerve", 'Unknown command "swerve". Did you mean serve?'],
    ["toString", 'Unknown command "toString".'],
    ["--prot 1", "Unknown option --prot. Did you mean --port?"],
    ["--port", "--port requires a value."],
    ["--port 65536", 'Invalid --port: expected a number from 0 to 65535, got "65536".'],
    ["--port=", "--port requires a value."],
    ["--port 0x50", 'Invalid --port: expected a number from 0 to 65535, got "0x50".'],
    ["--host=", "--host requires a value."],
    ["--log-level loud", 'Invalid --log-level: expected one of debug, info, warn, error, got "loud".'],
    ["--log-format xml", 'Invalid --log-format: expected one of json, pretty, got "xml".'],
    ["serve now", 'Unexpected argument "now".'],
    ["serve --web=dist", "Invalid --web: expected "],
    ["serve --web dist", 'Unexpected argument "dist".'],
    ["check --port 1", "Unknown option --port for check."],
    ["--port 1 check", "Unknown option --port for check."],
    ["keys", "keys requires a subcommand."],
    ["keys make", 'Unknown command "keys make".'],
    ["keys create", "keys create requires --account."],
    ["keys create --account", "--account requires a value."],
    ["keys create --account ada bob", 'Unexpected argument "bob".'],
    ["keys revoke", "keys revoke requires the <id> argument."],
    ["keys revoke 12", "Invalid <id>: expected 12 lowercase letters and digits"],
    [`keys revoke gsk_aaaaaaaaaaaa_${secret}!`, "Invalid <id>: expected 12 lowercase letters and digits"],
    ["keys revoke aaaaaaaaaaaa bbbbbbbbbbbb", 'Unexpected argument "bbbbbbbbbbbb".'],
    [`keys revoke aaaaaaaaaaaa ${secret}`, "Unexpected argument."],
    ["serve --admin-port 65536", 'Invalid --admin-port: expected a number from 0 to 65535, got "65536".'],
    ["swaps", "swaps requires a subcommand."],
    ["swaps list --state done", "Invalid --state: expected accepted, origin_prepared, "],
    ["swaps list --open --ended", "Pass only one of --state, --open and --ended."],
    ["swaps list --state settled --open", "Pass only one of --state, --open and --ended."],
    ["swaps list --account=", "--account requires a value."],
    ["swaps list --wallet 0x12", 'Invalid --wallet: expected an address, got "0x12".'],
    ["swaps list --since yesterday", "Invalid --since: expected 2026-11-01"],
    ["swaps list --until 2026-02-30", "Invalid --until: expected 2026-11-01"],
    ["swaps list --since 1h --until 2h", "--since must be before --until."],
    ["swaps list --limit 0", 'Invalid --limit: expected a number from 1 to 10000, got "0".'],
    ["swaps list --limit 10001", 'Invalid --limit: expected a number from 1 to 10000, got "10001".'],
    ["swaps show", "swaps show requires the <swap> argument."],
    ["swaps show 12", "Invalid <swap>: expected a swap id as shown by swaps list"],
    ["swaps fail 12", "Invalid <swap>: expected a swap id as shown by swaps list"],
    ["swaps fail", "swaps fail requires the <swap> argument."],
    [`swaps close --transaction 0x${"ab".repeat(32)}`, "swaps close requires the <swap> argument."],
    [`swaps close 0x${"ab".repeat(32)}`, "swaps close requires --transaction."],
    [`swaps close 0x${"ab".repeat(32)} --transaction 0x12`, "Invalid --transaction: expected an EVM transaction hash"],
    [`swaps show 0x${"ab".repeat(32)} --reason paid`, "Unknown option --reason for swaps show."],
    [`swaps show gsk_aaaaaaaaaaaa_${secret}`, "Invalid <swap>: expected a swap id"],
    [`swaps show 0x${"1".repeat(64)} --raw`, "--raw requires --json."],
    ["relayers retire --chain 1", "relayers retire requires the <address> argument."],
    ["relayers retire 0x12 --chain 1", "Invalid <address>: expected an address such as 0x1234…"],
    [`relayers retire 0x${"ab".repeat(20)} --chain base`, "Invalid --chain: expected a chain id"],
    ["inventory --min-gas -1", "Invalid --min-gas: expected an amount in whole native tokens"],
    ["inventory --min-gas=1e3", "Invalid --min-gas: expected an amount in whole native tokens"],
    ["export --format xml", 'Invalid --format: expected one of jsonl, csv, got "xml".'],
    ["export --format csv --json", "--json and --format csv cannot be combined."],
    ["export --output=", "--output requires a value."],
    ["rotate-seal-key", "rotate-seal-key requires a subcommand."],
    [`rotate-seal-key k1:${secret}`, "Unknown subcommand of rotate-seal-key."],
    [`rotate-seal-key add k1:${secret}`, "Unexpected argument."],
    [`rotate-seal-key promote k1:${secret}`, "Invalid <name>: expected a key name"],
    ["rotate-seal-key promote --yes", "Unknown option --yes for rotate-seal-key promote."]
  ])("refuses the command line %j with exit code 64 and a reason", ([line, message]) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run(yield* nowhere, ...line.split(" "))
      expect([code, stdout]).toEqual([64, ""])
      expect(stderr).toContain(message)
      expect(stderr).not.toContain(secret)
      expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/^Try geoswap-server .*--help$/)
    })
  )

  it.live("refuses to list the swaps of a wallet with a wrong checksum", () =>
    Effect.gen(function* () {
      const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267"
      const { code, stderr, stdout } = yield* run(yield* nowhere, "swaps", "list", "--wallet", wallet)
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toContain(`--wallet ${wallet} has a typo: its checksum is invalid.`)
    })
  )

  it.live("reports the path of a configuration that is missing or not a file", () =>
    Effect.gen(function* () {
      const workspace = yield* nowhere
      const { code, stderr, stdout } = yield* run(workspace, "serve")
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toContain("/geoswap.json. Pass one with --config <file>.")
      const named = yield* run(workspace, "keys", "list", "--config", "other.json")
      expect(named.stderr).toContain("/other.json. Pass one with --config <file>.")
      const noFile = yield* run(workspace, "check", "--config", ".")
      expect([noFile.code, noFile.stderr]).toEqual([
        1,
        expect.stringContaining("cannot be read. Check that it is a file")
      ])
    })
  )
})

describe.concurrent("geoswap-server check", () => {
  it.live("passes with a valid configuration and secrets, without requests if offline", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const { code, stderr, stdout } = yield* run(workspace, "check", "--offline")
      expect([code, stderr]).toEqual([0, ""])
      expect(stdout).toBe(
        "No problems found: production, prices from the configuration.\n" +
          `  storage: the file ${join(realpathSync(workspace.folder), "geoswap.db")}, for one server\n` +
          "  Base (evm 8453): USDC; not checked\n  Solana (solana 792703809): USDC; not checked\n"
      )
    })
  )

  it.live("refuses prices from the configuration in production, unless they are allowed", () =>
    Effect.gen(function* () {
      const price = { usd: "1", depthUsd: "1000000" }
      const venue = { kind: "table", prices: { USDC: price, ETH: price, SOL: price } }
      const workspace = yield* makeWorkspace((file) => ({ ...file, venue }))
      const { code, stderr } = yield* run(workspace, "check", "--offline")
      expect(code).toBe(1)
      expect(stderr).toContain('venue: a price table does not follow the market, but environment is "production".')
      const staging = yield* makeWorkspace((file) => ({ ...file, venue, environment: "staging" }))
      expect((yield* run(staging, "check", "--offline")).code).toBe(0)
    })
  )

  it.live("lists every problem of a configuration at once, and serve refuses it", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace(({ chains: [evm, solana], ...file }) => ({
        ...file,
        listen: { prot: 1 },
        chains: [
          { ...evm, vaults: [{ address: "0x12", delegate: "0x34" }] },
          { ...solana, kind: "sol" }
        ],
        fees: {}
      }))
      for (const command of ["check", "serve"]) {
        const { code, stderr, stdout } = yield* run(workspace, command)
        expect([code, stdout]).toEqual([1, ""])
        expect(stderr).toContain("/geoswap.json is invalid:\n")
        for (const words of [
          '  - chains[0].vaults[0].address: expected a 20-byte address in hex, got "0x12".',
          '  - chains[1].kind: expected "evm" or "solana", got "sol".',
          "  - fees.baseFeeBps: is missing",
          '  - listen.prot: is not a known field. Did you mean "port"?'
        ]) {
          expect(stderr).toContain(words)
        }
      }
    })
  )

  it.live("lists every missing secret", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace(undefined, {})
      for (const command of ["check", "serve"]) {
        const { code, stderr, stdout } = yield* run(workspace, command)
        expect([code, stdout]).toEqual([1, ""])
        expect(stderr.trimEnd().split("\n")).toEqual([
          "The secrets in the environment are invalid:",
          ...Object.keys(newSecrets()).map(
            (name) =>
              `  - ${name} is not set. Set it, or set ${name}_FILE to the path of a file that contains the value.`
          )
        ])
      }
    })
  )

  it.live("prints only the host of a node that does not answer", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const { code, stderr, stdout } = yield* run(workspace, "check")
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toMatch(/^The server would not work correctly:\n/)
      expect(stderr).toMatch(
        / {2}- Chain 8453 \(Base\) could not be checked: 127\.0\.0\.1:\d+ could not be reached for eth_chainId: connection refused/
      )
      expect(stderr).toMatch(
        / {2}- Chain 792703809 \(Solana\) could not be checked: 127\.0\.0\.1:\d+ could not be reached for getGenesisHash: connection refused/
      )
      expect(stderr).not.toContain(nodeKey)
      for (const secret of Object.values<string>(workspace.environment)) expect(stderr).not.toContain(secret)
    })
  )

  it.live("prints only the host of the venue", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace(
        (file) => ({ ...file, venue: { kind: "http", url: `https://venue.example/${nodeKey}`, token: "VENUE_TOKEN" } }),
        { ...newSecrets(), VENUE_TOKEN: "the token of the venue".replaceAll(" ", "-") }
      )
      const { code, stdout } = yield* run(workspace, "check", "--offline")
      expect(code).toBe(0)
      expect(stdout).toContain("No problems found: production, prices from venue.example.\n")
      expect(stdout).not.toContain(nodeKey)
    })
  )

  it.live("reports a database whose folder does not exist", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace((file) => ({ ...file, database: "data/geoswap.db" }))
      const { code, stderr } = yield* run(workspace, "check", "--offline")
      expect(code).toBe(1)
      expect(stderr).toContain("/data/geoswap.db cannot be created. Check that its folder exists")
    })
  )
})
