import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { home, type Workspace, run, runJson } from "./runCli.js"
import { hasPty, open } from "./pty.js"
import { ctrlC, enter, openHere } from "./terminal.js"
import { onDevnet, Fixture } from "./fixture.js"

vi.setConfig({ testTimeout: 300_000 })

const foundry = fileURLToPath(new URL("keystores/foundry", import.meta.url))
const password = "correct horse battery staple"
const key = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

const write = (path: string, text: string, mode = 0o600): string => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

const modeOf = (path: string): number => statSync(path).mode & 0o777

/** A user with an API key and a contracts file, and no configuration. */
const newUser = Effect.gen(function* () {
  const { apiKeys, devnet, url } = yield* Fixture
  const { environment, folder } = yield* home
  const deployments = Object.fromEntries(
    [devnet.evmA, devnet.evmB].map(({ contracts: { account, vault }, id }) => [id, { delegates: [account], vault }])
  )
  const workspace: Workspace = { folder, environment: { ...environment, GEOSWAP_API_KEY: apiKeys[0] } }
  return {
    workspace,
    /** The same without the API key in the environment. */
    bare: { folder, environment },
    url,
    apiKey: apiKeys[0],
    deployments,
    file: write(join(folder, "contracts.json"), JSON.stringify(deployments)),
    config: join(environment["HOME"] ?? "", ".config/geoswap/config.json")
  }
})

const findingsOf = (workspace: Workspace) =>
  Effect.map(runJson(workspace, "doctor"), ({ answer, code }) => ({
    code,
    findings: (answer as { findings: ReadonlyArray<{ about: string; state: string; found: string; next?: string }> })
      .findings
  }))

describe("geoswap init on a devnet", () => {
  onDevnet((it) => {
    it.effect("writes a configuration from flags, and the API key to a file that only this user can read", () =>
      Effect.gen(function* () {
        const { apiKey, bare, config, deployments, file, workspace, url } = yield* newUser
        const { devnet } = yield* Fixture
        const init = yield* run(workspace, "init", "--yes", "--url", url, "--keystore", foundry, "--deployment", file)
        expect(init.code).toBe(0)
        expect(init.stdout).toContain(`Configuration written to ${config}.`)
        expect(init.stderr).toContain(`your wallet may be delegated to  ${devnet.evmA.contracts.account}`)
        expect(init.stderr).toContain(`your tokens may be paid into     ${devnet.evmA.contracts.vault}`)
        expect(init.stderr).toContain("not from the service")
        const stored = join(dirname(config), "api-key")
        expect(JSON.parse(readFileSync(config, "utf8"))).toEqual({
          service: { url, apiKeyFile: stored },
          deployments,
          keys: { evm: { family: "evm", keystore: foundry } }
        })
        expect([modeOf(config), modeOf(stored), modeOf(dirname(config))]).toEqual([0o600, 0o600, 0o700])
        expect(init.stdout + init.stderr).not.toContain(apiKey)

        // No flags are needed from now on.
        expect((yield* run(bare, "chains")).code).toBe(0)
        const shown = yield* run(bare, "config", "show")
        expect(shown.stdout).not.toContain(apiKey)
        chmodSync(stored, 0o604)
        const open = yield* run(bare, "chains")
        expect([open.code, open.stderr]).toEqual([1, expect.stringContaining(`Run chmod 600 ${stored}`)])
      })
    )

    it.effect("writes nothing if an input is invalid", () =>
      Effect.gen(function* () {
        const { config, file, workspace, url } = yield* newUser
        const refused = (...args: ReadonlyArray<string>) =>
          Effect.map(run(workspace, "init", "--yes", ...args), ({ code, stderr, stdout }) => {
            expect([stdout, existsSync(config)]).toEqual(["", false])
            return [code, stderr] as const
          })
        expect(yield* refused("--url", "http://127.0.0.1:65530")).toEqual([
          1,
          expect.stringContaining("connection refused")
        ])
        expect(yield* refused("--url", "http://swap.example")).toEqual([
          64,
          expect.stringContaining("The URL is invalid: expected")
        ])
        const secret = write(join(workspace.folder, "my key"), key, 0o644)
        expect(yield* refused("--url", url, "--key-file", secret)).toEqual([
          1,
          expect.stringContaining(`Run chmod 600 '${secret}'`)
        ])
        expect(yield* refused("--url", url, "--key-file", secret, "--new-keystore")).toEqual([
          64,
          expect.stringContaining("More than one EVM key was given.")
        ])
        write(file, JSON.stringify({ 31337: { delegates: ["0x12"], vault: "nowhere" } }))
        const [code, stderr] = yield* refused("--url", url, "--deployment", file)
        expect(code).toBe(1)
        expect(stderr).toContain("31337.delegates.0 is invalid: expected an address")
        expect(stderr).toContain("31337.vault is invalid: expected an address")
        const stranger = { ...workspace, environment: { ...workspace.environment, GEOSWAP_API_KEY: "gsk_stranger" } }
        const unknown = yield* run(stranger, "init", "--yes", "--url", url)
        expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("does not accept the API key")])
        expect(existsSync(config)).toBe(false)
      })
    )

    it.effect("creates a keystore, and imports a key into one that only the password opens", () =>
      Effect.gen(function* () {
        const { config, workspace, url } = yield* newUser
        const environment = { ...workspace.environment, GEOSWAP_KEYSTORE_PASSWORD: "12345678", GEOSWAP_EVM_KEY: key }
        const imported = yield* runJson({ ...workspace, environment }, "init", "--yes", "--url", url, "--import-key")
        const keystore = join(dirname(config), "keystores", `${address.toLowerCase()}.json`)
        expect(imported).toMatchObject({
          code: 0,
          answer: { path: config, keys: { evm: { family: "evm", keystore } }, pinned: [] }
        })
        expect([modeOf(keystore), readFileSync(keystore, "utf8").includes(key)]).toEqual([0o600, false])
        expect(imported.stderr).not.toContain(key)
        // The keystore contains the address, so reading needs no password.
        const delegation = yield* runJson(workspace, "delegation", "31337")
        expect(delegation).toMatchObject({ code: 0, answer: { wallet: address.toLowerCase() } })

        const { GEOSWAP_EVM_KEY: _, ...without } = environment
        const created = yield* run(
          { ...workspace, environment: without },
          "init",
          "--yes",
          "--url",
          url,
          "--new-keystore"
        )
        expect(created.code).toBe(0)
        expect(readdirSync(dirname(keystore))).toHaveLength(2)
        const weak = { ...without, GEOSWAP_KEYSTORE_PASSWORD: "1234567" }
        const short = yield* run({ ...workspace, environment: weak }, "init", "--yes", "--url", url, "--new-keystore")
        expect([short.code, short.stderr]).toEqual([1, expect.stringContaining("The password is too short.")])
      })
    )

    it.effect("opens a Foundry keystore by name, with the password from a file or the environment", () =>
      Effect.gen(function* () {
        const { workspace, url } = yield* newUser
        const folder = join(workspace.environment["HOME"] ?? "", ".foundry/keystores")
        mkdirSync(folder, { recursive: true })
        copyFileSync(foundry, join(folder, "main"))
        expect((yield* run(workspace, "init", "--yes", "--url", url, "--keystore", "main")).code).toBe(0)
        const runWith = (environment: Readonly<Record<string, string>>) =>
          runJson({ ...workspace, environment: { ...workspace.environment, ...environment } }, "delegation", "31337")
        expect(yield* runWith({ GEOSWAP_KEYSTORE_PASSWORD: password })).toMatchObject({
          code: 0,
          answer: { wallet: address }
        })
        const file = write(join(workspace.folder, "password"), `${password}\n`)
        expect(yield* runWith({ GEOSWAP_KEYSTORE_PASSWORD_FILE: file })).toMatchObject({ answer: { wallet: address } })
        chmodSync(file, 0o660)
        expect(yield* runWith({ GEOSWAP_KEYSTORE_PASSWORD_FILE: file })).toMatchObject({
          code: 1,
          answer: { error: { name: "FileProblem", next: expect.stringContaining("chmod 600") as unknown } }
        })
        // A credential of systemd can be read by its group, but no other file can.
        const withCredentials = (directory: string) => {
          vi.stubEnv("CREDENTIALS_DIRECTORY", directory)
          return Effect.ensuring(
            runWith({ GEOSWAP_KEYSTORE_PASSWORD_FILE: file }),
            Effect.sync(() => vi.unstubAllEnvs())
          )
        }
        expect(yield* withCredentials(workspace.folder)).toMatchObject({ code: 1 })
        chmodSync(file, 0o440)
        expect(yield* withCredentials(workspace.folder)).toMatchObject({ answer: { wallet: address } })
        expect(yield* withCredentials(folder)).toMatchObject({ code: 1 })
        expect(yield* runWith({ GEOSWAP_KEYSTORE_PASSWORD: "wrong" })).toMatchObject({
          code: 1,
          answer: { error: { name: "KeyError", message: "The password is wrong." } }
        })
        expect(yield* runWith({})).toMatchObject({
          code: 1,
          answer: { error: { next: "Set GEOSWAP_KEYSTORE_PASSWORD or GEOSWAP_KEYSTORE_PASSWORD_FILE." } }
        })
        // The doctor does not ask for the password.
        const { findings } = yield* findingsOf(workspace)
        expect(findings.find(({ about }) => about === "EVM key")).toMatchObject({ state: "ok" })
      })
    )

    it.effect("lets doctor compare the code on the chain with the pinned hash", () =>
      Effect.gen(function* () {
        const { config, deployments, workspace, url } = yield* newUser
        const { devnet } = yield* Fixture
        const { contracts, id, rpcUrl } = devnet.evmA
        const configured = (change: object) =>
          write(
            config,
            JSON.stringify({
              service: { url },
              chains: { [id]: { family: "evm", name: "devnet-a", rpcUrl } },
              deployments: { [id]: { ...deployments[id], ...change } }
            })
          )
        const codeOf = Effect.map(findingsOf(workspace), ({ code, findings }) => ({
          code,
          finding: findings.find(({ about }) => about === "devnet-a: contracts")
        }))
        configured({})
        const unpinned = yield* codeOf
        expect(unpinned).toMatchObject({ code: 0, finding: { state: "warn" } })
        const [codeHash = ""] = /0x[0-9a-f]{64}/.exec(unpinned.finding?.next ?? "") ?? []
        configured({ codeHash })
        expect(yield* codeOf).toMatchObject({ code: 0, finding: { state: "ok" } })
        configured({ codeHash: `0x${"ab".repeat(32)}` })
        expect(yield* codeOf).toMatchObject({
          code: 1,
          finding: { state: "fail", found: "a delegate's code does not match the pinned codeHash" }
        })
        configured({ vault: address })
        expect(yield* codeOf).toMatchObject({ code: 1, finding: { found: "a pinned address has no code" } })
        configured({ delegates: [contracts.vault] })
        const { findings } = yield* findingsOf({
          ...workspace,
          environment: { ...workspace.environment, GEOSWAP_EVM_KEY: key }
        })
        expect(findings.find(({ about }) => about === "devnet-a: delegation")).toMatchObject({ state: "fail" })
      })
    )

    it.effect.skipIf(!hasPty)("asks for the password of a keystore at a terminal, without echo", () =>
      Effect.gen(function* () {
        const { workspace, url } = yield* newUser
        expect((yield* run(workspace, "init", "--yes", "--url", url, "--keystore", foundry)).code).toBe(0)
        const terminal = yield* open(workspace, "delegation", "31337")
        yield* terminal.shows(`Password for ${foundry}`)
        terminal.type(password + enter)
        const { code, screen } = yield* terminal.ended
        expect(code).toBe(0)
        expect(screen).toContain(`Wallet ${address}`)
        expect(screen).not.toContain("correct")

        const cancelled = yield* openHere(workspace, "delegation", "31337")
        yield* cancelled.shows(`Password for ${foundry}`)
        cancelled.type(ctrlC)
        expect((yield* cancelled.ended).code).toBe(130)
      })
    )

    it.effect("asks again after every mistake, and writes nothing if the user declines at the end", () =>
      Effect.gen(function* () {
        const { apiKey, bare, config, file, url } = yield* newUser
        const answer = Effect.fnUntraced(function* (yes: string) {
          const terminal = yield* openHere(bare, "init")
          yield* terminal.shows("Service URL")
          terminal.type(`http://127.0.0.1:65530${enter}`)
          yield* terminal.shows(/did not respond: connection refused[^]*Service URL/)
          terminal.type(url + enter)
          yield* terminal.shows("Your API key")
          terminal.type(`gsk_stranger${enter}`)
          yield* terminal.shows(/does not accept the API key[^]*Your API key/)
          terminal.type(apiKey + enter)
          yield* terminal.shows("Which key should your EVM wallet use?")
          // The third choice: an existing keystore.
          terminal.type(`\u001B[B\u001B[B${enter}`)
          yield* terminal.shows("File or name")
          terminal.type(`nowhere${enter}`)
          yield* terminal.shows(/nowhere cannot be read[^]*Which key should your EVM wallet use\?/)
          // The first choice: a new key.
          terminal.type(enter)
          yield* terminal.shows("Password for the new keystore")
          terminal.type(`short${enter}`)
          yield* terminal.shows(/too short[^]*Password for the new keystore/)
          terminal.type(`long enough${enter}`)
          yield* terminal.shows("Repeat the password")
          terminal.type(`long enouhg${enter}`)
          yield* terminal.shows(/do not match[^]*Password for the new keystore/)
          terminal.type(`long enough${enter}`)
          yield* terminal.shows(/do not match[^]*Repeat the password/)
          terminal.type(`long enough${enter}`)
          yield* terminal.shows("Path to your Solana key file")
          terminal.type(`nowhere.json${enter}`)
          yield* terminal.shows(/nowhere\.json: it does not exist[^]*Path to your Solana key file/)
          terminal.type(enter)
          yield* terminal.shows("How do you want to provide the service's contracts?")
          terminal.type(enter)
          yield* terminal.shows("Path to the contracts file")
          terminal.type(`nothing.json${enter}`)
          yield* terminal.shows(/nothing\.json cannot be read[^]*Path to the contracts file/)
          terminal.type(file + enter)
          yield* terminal.shows("Pin these contracts?")
          terminal.type(yes)
          return yield* terminal.ended
        })
        const refused = yield* answer("n")
        expect([refused.code, existsSync(dirname(config))]).toEqual([3, false])
        const accepted = yield* answer("y")
        expect(accepted.code).toBe(0)
        const { keys } = JSON.parse(readFileSync(config, "utf8")) as {
          keys: { evm: { family: "evm"; keystore: string } }
        }
        expect(readdirSync(join(dirname(config), "keystores"))).toEqual([keys.evm.keystore.split("/").at(-1)])
      })
    )

    it.effect("removes a new key if the configuration cannot be written", () =>
      Effect.gen(function* () {
        const { config, workspace, url } = yield* newUser
        const environment = { ...workspace.environment, GEOSWAP_KEYSTORE_PASSWORD: "12345678" }
        // A folder cannot be replaced with a file.
        mkdirSync(join(dirname(config), "api-key", "full"), { recursive: true })
        const init = yield* run({ ...workspace, environment }, "init", "--yes", "--url", url, "--new-keystore")
        expect([init.code, init.stderr]).toEqual([1, expect.stringContaining("api-key cannot be written")])
        expect(init.stderr).not.toContain("The key for")
        expect(existsSync(config)).toBe(false)
        expect(readdirSync(join(dirname(config), "keystores"))).toEqual([])
      })
    )

    it.effect("asks for everything at a terminal, and pins nothing without confirmation", () =>
      Effect.gen(function* () {
        const { apiKey, bare, config, deployments, file, url } = yield* newUser
        const answer = Effect.fnUntraced(function* (yes: string) {
          const terminal = yield* openHere(bare, "init")
          yield* terminal.shows("Service URL")
          terminal.type(url + enter)
          yield* terminal.shows("Your API key")
          terminal.type(apiKey + enter)
          yield* terminal.shows("Which key should your EVM wallet use?")
          // The last of the four choices: none.
          terminal.type(`\u001B[B\u001B[B\u001B[B${enter}`)
          yield* terminal.shows("Path to your Solana key file")
          terminal.type(enter)
          yield* terminal.shows("How do you want to provide the service's contracts?")
          terminal.type(enter)
          yield* terminal.shows("Path to the contracts file")
          terminal.type(file + enter)
          yield* terminal.shows("Pin these contracts?")
          terminal.type(yes)
          return yield* terminal.ended
        })
        const refused = yield* answer("n")
        expect([refused.code, existsSync(config)]).toEqual([3, false])
        const accepted = yield* answer("y")
        expect(accepted.code).toBe(0)
        expect(accepted.screen).not.toContain(apiKey)
        expect(accepted.screen).toContain("On chain 31337:")
        expect(JSON.parse(readFileSync(config, "utf8"))).toMatchObject({ service: { url }, deployments })
        expect((yield* run(bare, "chains")).code).toBe(0)
      })
    )
  })
})
