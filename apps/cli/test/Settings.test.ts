import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Flags from "../src/flags/Flags.js"
import { Host } from "../src/node/Host.js"
import * as Settings from "../src/config/Settings.js"

const vault = "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b"
const url = "https://swap.example"

/** A temporary home folder with files, by path. */
const home = (files: Readonly<Record<string, unknown>> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "geoswap-settings-"))
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        const text = typeof content === "string" ? content : JSON.stringify(content)
        writeFileSync(join(folder, path), text, { mode: 0o600 })
      }
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const load = (
  folder: string,
  {
    environment = {},
    flags = {}
  }: { environment?: Readonly<Record<string, string>>; flags?: Partial<Flags.Flags> } = {}
) =>
  Settings.load.pipe(
    Effect.provideService(Flags.Flags, { ...Flags.none, ...flags }),
    Effect.provideService(Host, {
      environment,
      folder,
      home: folder,
      terminals: { stdin: false, stdout: false, stderr: false },
      columns: 80,
      rows: 24,
      stdin: process.stdin,
      write: () => undefined
    })
  )

const file = ".config/geoswap/config.json"

describe("Settings", () => {
  it.effect("says how to start a devnet, as the program was started", () =>
    Effect.gen(function* () {
      const folder = yield* home()
      const nextWith = (environment: Readonly<Record<string, string>>) =>
        Effect.map(Effect.flip(load(folder, { environment, flags: { devnet: "" } })), ({ next }) => next)
      const rest = "or point to a running devnet's file: --devnet=<file>"
      expect(yield* nextWith({})).toBe(`Start a devnet with npx geoswap-devnet, ${rest}`)
      expect(yield* nextWith({ GEOSWAP_COMMAND: "npm run geoswap --" })).toBe(
        `Start a devnet in another terminal with npm start, ${rest}`
      )
    })
  )

  it.effect("prefers flags over the environment, and the environment over the file", () =>
    Effect.gen(function* () {
      const folder = yield* home({ [file]: { service: { url }, timeoutSeconds: 5 } })
      const environment = { GEOSWAP_URL: "https://environment.example", GEOSWAP_TIMEOUT: "6" }
      expect(yield* load(folder)).toMatchObject({ url, timeoutSeconds: 5, configExists: true })
      expect(yield* load(folder, { environment })).toMatchObject({ url: environment.GEOSWAP_URL, timeoutSeconds: 6 })
      const flags = { url: "https://flag.example", timeoutSeconds: 7 }
      expect(yield* load(folder, { environment, flags })).toMatchObject(flags)
    })
  )

  it.effect("reads the file that is named, and fails if it does not exist", () =>
    Effect.gen(function* () {
      const folder = yield* home({ "one.json": { timeoutSeconds: 1 }, "two.json": { timeoutSeconds: 2 } })
      const environment = { GEOSWAP_CONFIG: "one.json" }
      expect(yield* load(folder, { environment })).toMatchObject({ timeoutSeconds: 1 })
      expect(yield* load(folder, { environment, flags: { config: "two.json" } })).toMatchObject({ timeoutSeconds: 2 })
      const error = yield* Effect.flip(load(folder, { flags: { config: "three.json" } }))
      expect(error.message).toBe(`The configuration ${join(folder, "three.json")} cannot be read: it does not exist.`)
      expect((yield* load(folder)).configExists).toBe(false)
    })
  )

  it.effect("reports every invalid field of the file at once, without its value", () =>
    Effect.gen(function* () {
      const folder = yield* home({
        [file]: {
          service: { url: "http://swap.example", apikey: "gsk_secret" },
          chains: { base: { family: "evm" } },
          deployments: { 8453: { vault: "gsk_secret" }, 10: { vault, older: [{ vault }] } },
          policy: { maxFeeBps: -1, budgets: [{ token: "usdc@base" }], paymentMethods: [] },
          keys: { main: { family: "evm", file: "a", env: "B" }, sol: {} },
          timeoutSeconds: "9"
        }
      })
      const { message } = yield* Effect.flip(load(folder))
      expect(message).not.toContain("gsk_secret")
      for (const expected of [
        "service.url is invalid: expected https://host/path, or http:// on this machine",
        "service.apikey is unknown. Known fields: url, apiKeyFile.",
        "chains is invalid: expected an object whose keys are chain ids, such as 8453",
        "deployments.8453.vault is invalid: expected an address",
        "deployments.10.older.0.delegate is missing.",
        "policy.maxFeeBps is invalid: expected a number of basis points from 0 to 10,000",
        "policy.paymentMethods is invalid: expected at least one way to pay",
        "policy.budgets.0.amount is missing.",
        "keys.main is invalid: expected an object with a family and exactly one of: keystore (EVM only), file, env",
        "keys.sol.family is missing.",
        "timeoutSeconds is invalid: expected a number of seconds from 1 to 86,400."
      ]) {
        expect(message).toContain(`  - ${expected}`)
      }
    })
  )

  it.effect("reports where a file is not valid JSON, without quoting it", () =>
    Effect.gen(function* () {
      const folder = yield* home({ [file]: '{\n  "service": gsk_secret }' })
      const { message } = yield* Effect.flip(load(folder))
      expect(message).toContain("Not valid JSON")
      expect(message).not.toContain("gsk")
    })
  )

  it.effect("reads the API key from the environment, or from a file that only this user can read", () =>
    Effect.gen(function* () {
      const files = { [file]: { service: { url, apiKeyFile: "api-key" } }, ".config/geoswap/api-key": "stored\n" }
      const folder = yield* home(files)
      const keyOf = (options?: Parameters<typeof load>[1]) =>
        Effect.flatMap(load(folder, options), ({ service }) =>
          Effect.map(service, ({ apiKey }) => Redacted.value(apiKey))
        )
      expect(yield* keyOf()).toBe("stored")
      expect(yield* keyOf({ environment: { GEOSWAP_API_KEY: " passed " } })).toBe("passed")
      const path = join(folder, ".config/geoswap/api-key")
      chmodSync(path, 0o640)
      expect(yield* Effect.flip(keyOf())).toMatchObject({
        _tag: "FileProblem",
        message: `The API key in ${path} is accessible to other users: its mode is 640.`,
        next: expect.stringContaining(`Run chmod 600 ${path}`) as unknown
      })
    })
  )

  it.effect("sends an API key only to the service that it is for, whatever --url says", () =>
    Effect.gen(function* () {
      const files = { [file]: { service: { url, apiKeyFile: "api-key" } }, ".config/geoswap/api-key": "stored" }
      const configured = yield* home(files)
      const none = yield* home()
      const passed = { GEOSWAP_API_KEY: "passed" }
      const keyOf = (
        folder: string,
        to: string | undefined,
        environment: Readonly<Record<string, string>> = {},
        flags: Partial<Flags.Flags> = {}
      ) =>
        load(folder, { environment, flags: { ...flags, ...(to !== undefined && { url: to }) } }).pipe(
          Effect.flatMap(({ service }) => service),
          Effect.match({ onSuccess: ({ apiKey }) => Redacted.value(apiKey), onFailure: ({ message }) => message })
        )
      const environmentUrl = "https://environment.example"
      expect(yield* keyOf(configured, `${url}/`)).toBe("stored")
      expect(yield* keyOf(configured, `${url}/`, passed)).toBe("passed")
      // The key in the environment is for GEOSWAP_URL, and the stored key is for the configured service.
      const both = { ...passed, GEOSWAP_URL: environmentUrl }
      expect(yield* keyOf(configured, undefined, both)).toBe("passed")
      expect(yield* keyOf(configured, url, both)).toBe("stored")
      expect(yield* keyOf(none, undefined, { ...passed, GEOSWAP_URL: "http://127.0.0.1:8787" })).toBe("passed")
      const others = [
        "https://other.example",
        "https://swap.example:8443",
        "https://swap.example.other.example",
        "http://127.0.0.1:8787"
      ]
      for (const other of others) {
        expect(yield* keyOf(configured, other)).toBe(`There is no API key for ${other}.`)
        for (const folder of [configured, none]) {
          expect(yield* keyOf(folder, other, passed)).toContain(`GEOSWAP_API_KEY is not sent to ${other}.`)
          expect(yield* keyOf(folder, other, both)).toContain(`GEOSWAP_API_KEY is not sent to ${other}.`)
        }
      }
      const service = { url: "http://127.0.0.1:8787", apiKeys: ["devnet"] }
      const contracts = { vault }
      const chain = { id: 31337, name: "a", family: "evm", rpcUrl: "http://a", tokens: [], contracts }
      const devnet = yield* home({ ".geoswap/devnet.json": { service, chains: [chain], wallets: [] } })
      const on = { devnet: "" }
      expect(yield* keyOf(devnet, "http://127.0.0.1:8787/", passed, on)).toBe("devnet")
      expect(yield* keyOf(devnet, "https://other.example", {}, on)).toBe(
        "There is no API key for https://other.example."
      )
      expect(yield* keyOf(devnet, "https://other.example", passed, on)).toContain("GEOSWAP_API_KEY is not sent to")
      expect(yield* keyOf(devnet, environmentUrl, both, on)).toBe("passed")
    })
  )

  it.effect("refuses a URL that would send the API key unencrypted", () =>
    Effect.gen(function* () {
      const folder = yield* home()
      for (const invalid of ["http://swap.example", "ftp://swap.example", "https://u:p@swap.example", "nonsense"]) {
        expect((yield* Effect.flip(load(folder, { flags: { url: invalid } }))).message).toContain(
          "--url is invalid: expected https"
        )
      }
      expect(yield* load(folder, { flags: { url: "http://127.0.0.1:8787" } })).toMatchObject({
        stateFolder: join(folder, ".local/state/geoswap/127.0.0.1%3A8787")
      })
    })
  )

  it.effect("keeps a separate state folder for each service, under XDG_STATE_HOME", () =>
    Effect.gen(function* () {
      const folder = yield* home()
      const environment = { XDG_STATE_HOME: join(folder, "state"), GEOSWAP_URL: `${url}/v1/` }
      expect((yield* load(folder, { environment })).stateFolder).toBe(join(folder, "state/geoswap/swap.example%2Fv1"))
      const folders = [
        "https://a.example/b/c",
        "https://a.example/b_c",
        "https://a.example/b//c",
        "https://a.example/b:c"
      ]
      const loaded = yield* Effect.forEach(folders, (other) => load(folder, { flags: { url: other } }))
      expect(new Set(loaded.map(({ stateFolder }) => stateFolder)).size).toBe(folders.length)
      const moved = { XDG_CONFIG_HOME: join(folder, "conf") }
      expect((yield* load(folder, { environment: moved })).configFile).toBe(join(folder, "conf/geoswap/config.json"))
    })
  )

  it.effect("takes everything from the devnet file with --devnet, and finds it in a parent folder", () =>
    Effect.gen(function* () {
      const account = "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
      const devnet = {
        service: { url: "http://127.0.0.1:8787", apiKeys: ["one", "two"] },
        chains: [
          {
            id: 31337,
            name: "a",
            family: "evm",
            rpcUrl: "http://a",
            tokens: [],
            contracts: { account, vault }
          },
          { id: 31339, name: "s", family: "solana", rpcUrl: "http://s", tokens: [], contracts: { vault: "V" } }
        ],
        wallets: [{ name: "alice", family: "evm", address: "0x1", privateKey: "0xsecret" }],
        operators: [{ name: "r", family: "solana", role: "relayer", address: "R", privateKey: "k" }]
      }
      const folder = yield* home({
        ".geoswap/devnet.json": devnet,
        "deep/down/file": "",
        [file]: { service: { url }, keys: { evm: { family: "evm", env: "REAL" } }, policy: { maxFeeBps: 1 } }
      })
      const environment = { GEOSWAP_URL: url, GEOSWAP_API_KEY: "real" }
      const settings = yield* load(join(folder, "deep/down"), { environment, flags: { devnet: "" } })
      expect(settings).toMatchObject({
        devnetFile: join(folder, ".geoswap/devnet.json"),
        keys: {},
        policy: {},
        deployments: {
          31337: { delegates: [account], vault },
          31339: { vault: "V", relayer: "R" }
        }
      })
      const service = yield* settings.service
      expect([service.url, Redacted.value(service.apiKey)]).toEqual(["http://127.0.0.1:8787", "one"])
      expect(JSON.stringify(settings)).not.toContain("0xsecret")
      const byVariable = yield* load(join(folder, "deep"), { environment: { GEOSWAP_DEVNET: "1" } })
      expect(byVariable.devnetFile).toBe(settings.devnetFile)
      const none = yield* Effect.flip(load(tmpdir(), { flags: { devnet: "" } }))
      expect(none.message).toContain("There is no .geoswap/devnet.json in this folder or any of its parents.")
    })
  )
})
