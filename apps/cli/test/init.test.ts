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
import { layer as withLayer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { describeOnAnvil } from "../../../packages/devnet/test/onAnvil.js"
import { home, type Place, run, runJson } from "./runCli.js"
import { ctrlC, enter, hasPty, open } from "./pty.js"
import { layer, World } from "./fixture.js"

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

/** Somebody with an API key, the contracts of the service, and nothing else. */
const somebody = Effect.gen(function* () {
  const { apiKeys, devnet, url } = yield* World
  const { environment, folder } = yield* home
  const deployments = Object.fromEntries(
    [devnet.evmA, devnet.evmB].map(({ contracts: { account, vault }, id }) => [id, { delegates: [account], vault }])
  )
  const place: Place = { folder, environment: { ...environment, GEOSWAP_API_KEY: apiKeys[0] } }
  return {
    place,
    /** The same without the API key in the environment. */
    bare: { folder, environment },
    url,
    apiKey: apiKeys[0],
    deployments,
    file: write(join(folder, "contracts.json"), JSON.stringify(deployments)),
    config: join(environment["HOME"] ?? "", ".config/geoswap/config.json")
  }
})

const findingsOf = (place: Place) =>
  Effect.map(runJson(place, "doctor"), ({ answer, code }) => ({
    code,
    findings: (answer as { findings: ReadonlyArray<{ about: string; state: string; found: string; next?: string }> })
      .findings
  }))

describeOnAnvil("geoswap, on a devnet,", () =>
  withLayer(layer, { timeout: 300_000, excludeTestServices: true })((it) => {
    it.effect("init writes a configuration from flags, with the API key in a file for this user alone", () =>
      Effect.gen(function* () {
        const { apiKey, bare, config, deployments, file, place, url } = yield* somebody
        const { devnet } = yield* World
        const init = yield* run(place, "init", "--yes", "--url", url, "--keystore", foundry, "--deployment", file)
        expect(init.code).toBe(0)
        expect(init.stdout).toContain(`The configuration is in ${config}.`)
        expect(init.stderr).toContain(`your wallet may be delegated to   ${devnet.evmA.contracts.account}`)
        expect(init.stderr).toContain(`what you swap may be paid into    ${devnet.evmA.contracts.vault}`)
        expect(init.stderr).toContain("not from the service")
        const stored = join(dirname(config), "api-key")
        expect(JSON.parse(readFileSync(config, "utf8"))).toEqual({
          service: { url, apiKeyFile: stored },
          deployments,
          keys: { evm: { keystore: foundry } }
        })
        expect([modeOf(config), modeOf(stored), modeOf(dirname(config))]).toEqual([0o600, 0o600, 0o700])
        expect(init.stdout + init.stderr).not.toContain(apiKey)

        // From here on nothing has to be said any more.
        expect((yield* run(bare, "chains")).code).toBe(0)
        const shown = yield* run(bare, "config", "show")
        expect(shown.stdout).not.toContain(apiKey)
        chmodSync(stored, 0o604)
        const open = yield* run(bare, "chains")
        expect([open.code, open.stderr]).toEqual([1, expect.stringContaining(`Run chmod 600 ${stored}`)])
      })
    )

    it.effect("init writes nothing where something is wrong", () =>
      Effect.gen(function* () {
        const { config, file, place, url } = yield* somebody
        const refused = (...args: ReadonlyArray<string>) =>
          Effect.map(run(place, "init", "--yes", ...args), ({ code, stderr, stdout }) => {
            expect([stdout, existsSync(config)]).toEqual(["", false])
            return [code, stderr] as const
          })
        expect(yield* refused("--url", "http://127.0.0.1:65530")).toEqual([
          1,
          expect.stringContaining("nobody listens there")
        ])
        expect(yield* refused("--url", "http://swap.example")).toEqual([
          64,
          expect.stringContaining("The URL should be")
        ])
        const secret = write(join(place.folder, "my key"), key, 0o644)
        expect(yield* refused("--url", url, "--key-file", secret)).toEqual([
          1,
          expect.stringContaining(`Run chmod 600 '${secret}'`)
        ])
        expect(yield* refused("--url", url, "--key-file", secret, "--new-keystore")).toEqual([
          64,
          expect.stringContaining("There can be one EVM key.")
        ])
        write(file, JSON.stringify({ 31337: { delegates: ["0x12"], vault: "nowhere" } }))
        const [code, stderr] = yield* refused("--url", url, "--deployment", file)
        expect(code).toBe(1)
        expect(stderr).toContain("31337.delegates.0 should be an address")
        expect(stderr).toContain("31337.vault should be an address")
        const stranger = { ...place, environment: { ...place.environment, GEOSWAP_API_KEY: "gsk_stranger" } }
        const unknown = yield* run(stranger, "init", "--yes", "--url", url)
        expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("does not accept the API key")])
        expect(existsSync(config)).toBe(false)
      })
    )

    it.effect("init makes a new keystore and imports a key into one, which opens with the password alone", () =>
      Effect.gen(function* () {
        const { config, place, url } = yield* somebody
        const environment = { ...place.environment, GEOSWAP_KEYSTORE_PASSWORD: "12345678", GEOSWAP_EVM_KEY: key }
        const imported = yield* runJson({ ...place, environment }, "init", "--yes", "--url", url, "--import-key")
        const keystore = join(dirname(config), "keystores", `${address.toLowerCase()}.json`)
        expect(imported).toMatchObject({ code: 0, answer: { path: config, keys: { evm: { keystore } }, pinned: [] } })
        expect([modeOf(keystore), readFileSync(keystore, "utf8").includes(key)]).toEqual([0o600, false])
        expect(imported.stderr).not.toContain(key)
        // The address is beside the key: to look needs no password.
        const looked = yield* runJson(place, "delegation", "31337")
        expect(looked).toMatchObject({ code: 0, answer: { wallet: address.toLowerCase() } })

        const { GEOSWAP_EVM_KEY: _, ...without } = environment
        const made = yield* run({ ...place, environment: without }, "init", "--yes", "--url", url, "--new-keystore")
        expect(made.code).toBe(0)
        expect(readdirSync(dirname(keystore))).toHaveLength(2)
        const weak = { ...without, GEOSWAP_KEYSTORE_PASSWORD: "1234567" }
        const short = yield* run({ ...place, environment: weak }, "init", "--yes", "--url", url, "--new-keystore")
        expect([short.code, short.stderr]).toEqual([1, expect.stringContaining("The password is too short.")])
      })
    )

    it.effect("opens a keystore of Foundry's by its name, with the password from a file or the environment", () =>
      Effect.gen(function* () {
        const { place, url } = yield* somebody
        const folder = join(place.environment["HOME"] ?? "", ".foundry/keystores")
        mkdirSync(folder, { recursive: true })
        copyFileSync(foundry, join(folder, "main"))
        expect((yield* run(place, "init", "--yes", "--url", url, "--keystore", "main")).code).toBe(0)
        const asked = (environment: Readonly<Record<string, string>>) =>
          runJson({ ...place, environment: { ...place.environment, ...environment } }, "delegation", "31337")
        expect(yield* asked({ GEOSWAP_KEYSTORE_PASSWORD: password })).toMatchObject({
          code: 0,
          answer: { wallet: address }
        })
        const file = write(join(place.folder, "password"), `${password}\n`)
        expect(yield* asked({ GEOSWAP_KEYSTORE_PASSWORD_FILE: file })).toMatchObject({ answer: { wallet: address } })
        chmodSync(file, 0o660)
        expect(yield* asked({ GEOSWAP_KEYSTORE_PASSWORD_FILE: file })).toMatchObject({
          code: 1,
          answer: { error: { name: "FileProblem", next: expect.stringContaining("chmod 600") as unknown } }
        })
        expect(yield* asked({ GEOSWAP_KEYSTORE_PASSWORD: "wrong" })).toMatchObject({
          code: 1,
          answer: { error: { name: "KeyError", message: "The password does not open the keystore." } }
        })
        expect(yield* asked({})).toMatchObject({
          code: 1,
          answer: { error: { next: "Set GEOSWAP_KEYSTORE_PASSWORD or GEOSWAP_KEYSTORE_PASSWORD_FILE." } }
        })
        // The doctor asks nothing, and says so.
        const { findings } = yield* findingsOf(place)
        expect(findings.find(({ about }) => about === "EVM key")).toMatchObject({ state: "ok" })
      })
    )

    it.effect("init takes all of a devnet, so that it need not be named any more", () =>
      Effect.gen(function* () {
        const { devnet, devnetFile } = yield* World
        const here = yield* home
        const solana = devnet.solanaWallets[0]
        const bytes = write(join(here.folder, "id.json"), solana?.privateKey ?? "")
        const init = yield* run(here, "init", `--devnet=${devnetFile}`, "--yes", "--solana-key-file", bytes)
        expect([init.code, init.stderr]).toEqual([0, expect.stringContaining("On devnet-solana (31339):")])
        const balance = yield* runJson(here, "balance", "--chain", "devnet-solana")
        expect(balance).toMatchObject({ code: 0, answer: { wallets: { solana: solana?.address } } })
      })
    )

    it.effect("doctor compares the code of the chain with what was pinned", () =>
      Effect.gen(function* () {
        const { config, deployments, place, url } = yield* somebody
        const { devnet } = yield* World
        const { contracts, id, rpcUrl } = devnet.evmA
        const configured = (change: object) =>
          write(
            config,
            JSON.stringify({
              service: { url },
              chains: { [id]: { kind: "evm", name: "devnet-a", rpcUrl } },
              deployments: { [id]: { ...deployments[id], ...change } }
            })
          )
        const codeOf = Effect.map(findingsOf(place), ({ code, findings }) => ({
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
          finding: { state: "fail", found: "the code at a delegate is not the one that was pinned" }
        })
        configured({ vault: address })
        expect(yield* codeOf).toMatchObject({ code: 1, finding: { found: "there is no code at a pinned address" } })
        configured({ delegates: [contracts.vault] })
        const { findings } = yield* findingsOf({
          ...place,
          environment: { ...place.environment, GEOSWAP_EVM_KEY: key }
        })
        expect(findings.find(({ about }) => about === "devnet-a: delegation")).toMatchObject({ state: "fail" })
      })
    )

    it.effect.skipIf(!hasPty)("asks at a terminal for the password of a keystore without showing it", () =>
      Effect.gen(function* () {
        const { place, url } = yield* somebody
        expect((yield* run(place, "init", "--yes", "--url", url, "--keystore", foundry)).code).toBe(0)
        const terminal = yield* open(place, "delegation", "31337")
        yield* terminal.shows(`Password of ${foundry}`)
        terminal.type(password + enter)
        const { code, screen } = yield* terminal.ended
        expect(code).toBe(0)
        expect(screen).toContain(`Wallet ${address}`)
        expect(screen).not.toContain("correct")

        const left = yield* open(place, "delegation", "31337")
        yield* left.shows(`Password of ${foundry}`)
        left.type(ctrlC)
        expect((yield* left.ended).code).toBe(130)
      })
    )

    it.effect.skipIf(!hasPty)("init asks at a terminal for everything, and pins nothing without a yes", () =>
      Effect.gen(function* () {
        const { apiKey, bare, config, deployments, file, url } = yield* somebody
        const answer = Effect.fnUntraced(function* (yes: string) {
          const terminal = yield* open(bare, "init")
          yield* terminal.shows("URL of the service")
          terminal.type(url + enter)
          yield* terminal.shows("Your API key")
          terminal.type(apiKey + enter)
          yield* terminal.shows("The key of your EVM wallet")
          // The last of the four: none.
          terminal.type(`\u001B[B\u001B[B\u001B[B${enter}`)
          yield* terminal.shows("The file of your Solana key")
          terminal.type(enter)
          yield* terminal.shows("Where are the service's contracts?")
          terminal.type(enter)
          yield* terminal.shows("The file with the contracts")
          terminal.type(file + enter)
          yield* terminal.shows("Pin these contracts?")
          terminal.type(yes)
          return yield* terminal.ended
        })
        const refused = yield* answer("n")
        expect([refused.code, existsSync(config)]).toEqual([3, false])
        const agreed = yield* answer("y")
        expect(agreed.code).toBe(0)
        expect(agreed.screen).not.toContain(apiKey)
        expect(agreed.screen).toContain("On chain 31337:")
        expect(JSON.parse(readFileSync(config, "utf8"))).toMatchObject({ service: { url }, deployments })
        expect((yield* run(bare, "chains")).code).toBe(0)
      })
    )
  })
)
