import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Chain } from "@geoswap/core"
import { describe, it } from "@effect/vitest"
import { getBase58Encoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Flags from "../src/flags/Flags.js"
import { Host } from "../src/node/Host.js"
import * as services from "../src/node/frameworkServices.js"
import * as Keys from "../src/keys/Keys.js"
import * as Output from "../src/output/Output.js"
import { Settings } from "../src/config/Settings.js"

const evmKey = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const evmAddress = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
/** A key for this test only: 64 bytes in base58, and its address. */
const solanaKey = "4qCYT3BeozoCtCVTY19vyYSFuSrBRsGpSFpxCo8RsH3y2t32qq5hsnLgJLLcnWNUR6p6XnubadbYVvqvn2QjtHmV"
const solanaAddress = "BGT27JjcfwcPzawptMBrinEGtvNcS8CZV8PSQZkFf7v3"

const settings: Settings = {
  configFile: "/nowhere/config.json",
  configExists: false,
  devnetFile: undefined,
  url: undefined,
  service: Effect.never,
  chains: [],
  deployments: {},
  policy: {},
  keys: {},
  contacts: {},
  wallets: [],
  wallet: undefined,
  timeoutSeconds: undefined,
  stateFolder: "/nowhere",
  storeFolder: "/nowhere"
}

const hostWith = (environment: Readonly<Record<string, string>>): Host => ({
  environment,
  folder: "/",
  home: "/",
  terminals: { stdin: false, stdout: false, stderr: false },
  columns: 80,
  rows: 24,
  stdin: process.stdin,
  write: () => undefined
})

const provided =
  (change: Partial<Settings>, environment: Readonly<Record<string, string>> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(Settings, { ...settings, ...change }),
      Effect.provideService(Flags.Flags, Flags.none),
      Effect.provideService(Output.Output, Output.make(Flags.none, hostWith(environment))),
      Effect.provideService(Host, hostWith(environment)),
      Effect.provide(services.layer)
    )

const file = (text: string, mode = 0o600) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "geoswap-key-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => {
      const path = join(folder, "key")
      writeFileSync(path, text)
      chmodSync(path, mode)
      return path
    }
  )

describe("Keys", () => {
  it.effect("prefers the EVM key in the environment over the configured one, with or without 0x", () =>
    Effect.gen(function* () {
      const path = yield* file(`0x${"11".repeat(32)}\n`)
      const keys = { main: { family: "evm" as const, file: path } }
      const stored = yield* provided({ keys })(Keys.openWallet("evm"))
      expect(stored).toMatchObject({ source: { kind: "file", path } })
      const fromEnvironment = yield* provided({ keys }, { GEOSWAP_EVM_KEY: evmKey })(Keys.openWallet("evm"))
      expect(fromEnvironment).toMatchObject({
        address: evmAddress,
        source: { kind: "environment", variable: "GEOSWAP_EVM_KEY" }
      })
      const named = yield* provided(
        { keys: { main: { family: "evm", env: "MINE" } } },
        { MINE: `0x${evmKey}` }
      )(Keys.openWallet("evm"))
      expect(named.address).toBe(evmAddress)
    })
  )

  it.effect("opens a Solana key in base58 or as a list of bytes, and refuses an inconsistent one", () =>
    Effect.gen(function* () {
      const bytes = [...getBase58Encoder().encode(solanaKey)]
      const ofList = yield* provided({ keys: { sol: { family: "solana", file: yield* file(JSON.stringify(bytes)) } } })(
        Keys.openWallet("solana")
      )
      const ofText = yield* provided({}, { GEOSWAP_SOLANA_KEY: `${solanaKey}\n` })(Keys.openWallet("solana"))
      expect([ofList.address, ofText.address]).toEqual([solanaAddress, solanaAddress])
      expect("keyPair" in ofText && ofText.keyPair.privateKey.extractable).toBe(false)
      const wrong = JSON.stringify(bytes.map((byte, index) => (index === 63 ? byte ^ 1 : byte)))
      const error = yield* provided({}, { GEOSWAP_SOLANA_KEY: wrong })(Effect.flip(Keys.openWallet("solana")))
      expect(error.message).toBe("There is no Solana key in the environment variable GEOSWAP_SOLANA_KEY.")
    })
  )

  it.effect.each<readonly [Chain.Family, string]>([
    ["evm", "0xabc"],
    ["evm", `0x${"00".repeat(32)}`],
    ["evm", `0x${"ff".repeat(32)}`],
    ["evm", `${evmKey}00`],
    ["solana", "0OIl"],
    ["solana", "[1,2,3]"],
    ["solana", `[${"256,".repeat(63)}1]`]
  ])("refuses an invalid %s key without repeating it: %s", ([family, text]) =>
    Effect.gen(function* () {
      const error = yield* provided({}, { [Keys.variables[family]]: text })(Effect.flip(Keys.openWallet(family)))
      expect(error._tag).toBe("KeyError")
      expect(JSON.stringify([error, error.message, String(error)])).not.toContain(text)
    })
  )

  it.effect("refuses a key file that other users can read or write, and suggests chmod", () =>
    Effect.gen(function* () {
      for (const mode of [0o640, 0o604, 0o620, 0o602]) {
        const path = yield* file(evmKey, mode)
        const error = yield* provided({ keys: { main: { family: "evm", file: path } } })(
          Effect.flip(Keys.openWallet("evm"))
        )
        expect(error).toMatchObject({
          _tag: "FileProblem",
          next: expect.stringContaining(`chmod 600 ${path}`) as unknown
        })
      }
    })
  )

  it.effect("refuses a key that does not belong to --wallet", () =>
    Effect.gen(function* () {
      const environment = { GEOSWAP_EVM_KEY: evmKey }
      const other = `0x${"12".repeat(20)}`
      const error = yield* provided({ wallet: other }, environment)(Effect.flip(Keys.openWallet("evm")))
      expect(error.message).toBe(
        `The key belongs to a different wallet: expected ${other} (--wallet), got ${evmAddress}.`
      )
      expect((yield* provided({ wallet: evmAddress.toLowerCase() }, environment)(Keys.openWallet("evm"))).address).toBe(
        evmAddress
      )
      expect(yield* provided({ wallet: other }, environment)(Keys.addressOf("evm"))).toBe(other)
      expect(yield* provided({ wallet: other }, environment)(Keys.addressOf("solana"))).toBeUndefined()
      const name = yield* provided({ wallet: "bob" }, environment)(Effect.flip(Keys.openWallet("evm")))
      expect(name.message).toBe("--wallet is neither an address nor the name of one of your keys.")
    })
  )

  it.effect("uses only devnet wallets with a devnet, even if the environment has a key", () =>
    Effect.gen(function* () {
      const wallet = (name: string, family: Chain.Family, address: string, privateKey: string) => ({
        name,
        family,
        address,
        privateKey: Redacted.make(privateKey)
      })
      const wallets = [
        wallet("alice", "evm", evmAddress, `0x${evmKey}`),
        wallet("erin", "solana", solanaAddress, solanaKey)
      ]
      const devnet = { devnetFile: "/devnet.json", wallets }
      const environment = { GEOSWAP_EVM_KEY: "11".repeat(32) }
      expect((yield* provided(devnet, environment)(Keys.openWallet("evm"))).address).toBe(evmAddress)
      expect((yield* provided({ ...devnet, wallet: "ERIN" })(Keys.openWallet("solana"))).address).toBe(solanaAddress)
      expect(yield* provided({ ...devnet, wallet: "erin" })(Keys.addressOf("evm"))).toBeUndefined()
      const error = yield* provided({ ...devnet, wallet: "erin" })(Effect.flip(Keys.openWallet("evm")))
      expect(error.message).toBe("erin is a key for Solana chains, but a key for EVM chains is needed.")
      expect((yield* provided({})(Effect.flip(Keys.openWallet("evm")))).message).toBe("There is no key for EVM chains.")
    })
  )
})
