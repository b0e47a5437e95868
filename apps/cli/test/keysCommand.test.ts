/** `geoswap keys` and `geoswap contacts`, and the names in `--wallet` and `--recipient`. */
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Vectors } from "@geoswap/core/testing"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { schemaErrors } from "./jsonSchema.js"
import { accept, home, run, runJson, type Workspace } from "./runCli.js"
import { enter, openHere } from "./terminal.js"
import { open, usdc, weth } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 300_000 })

const secret = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const solana = Vectors.solanaKey

/** A test key that is public: the third of anvil. */
const otherKey = {
  secret: "5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
  address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
}

const write = (path: string, text: string): string => {
  writeFileSync(path, text)
  chmodSync(path, 0o600)
  return path
}

const configOf = ({ environment }: Workspace) =>
  JSON.parse(readFileSync(join(environment["HOME"] ?? "", ".config/geoswap/config.json"), "utf8")) as {
    readonly keys: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }

/** A user with an EVM and a Solana key in files. */
const withKeys = Effect.gen(function* () {
  const here = yield* home
  const files = {
    evm: write(join(here.folder, "evm.key"), secret),
    solana: write(join(here.folder, "id.json"), solana.secretKey)
  }
  expect((yield* run(here, "keys", "add", "main", "--key-file", files.evm)).code).toBe(0)
  expect((yield* run(here, "keys", "add", "sol", "--solana-key-file", files.solana)).code).toBe(0)
  return { here, files }
})

const namesOf = (here: Workspace) =>
  Effect.map(runJson(here, "keys", "list"), ({ answer, code }) => {
    expect([code, schemaErrors("cli-keys", answer)]).toEqual([0, []])
    const { keys } = answer as { keys: ReadonlyArray<{ name: string; address?: string; default: boolean }> }
    return keys.map((key) => [key.name, key.address, key.default])
  })

describe("geoswap keys", () => {
  it.live("adds, lists and renames keys, and chooses the default", () =>
    Effect.gen(function* () {
      const { here } = yield* withKeys
      const environment = { ...here.environment, GEOSWAP_KEYSTORE_PASSWORD: "12345678" }
      const created = yield* run({ ...here, environment }, "keys", "add", "trading", "--new")
      expect([created.code, created.stderr]).toEqual([0, expect.stringContaining("Back up the file and its password")])
      const [, trading = ""] = /The key for (0x\w{40})/.exec(created.stderr) ?? []
      expect(yield* namesOf(here)).toEqual([
        ["main", address, true],
        ["sol", solana.address, true],
        ["trading", trading, false]
      ])
      for (const [args, message] of [
        [["default", "unknown"], 'There is no key "unknown"'],
        [["add", "MAIN", "--new"], 'is taken, or looks like "main"'],
        [["add", "0xabc", "--new"], "is not a name"],
        [["add", "other"], "Exactly one source is required"],
        [["add", "other", "--new", "--import"], "Exactly one source is required"]
      ] as const) {
        const { code, stderr } = yield* run(here, "keys", ...args)
        expect([args, code, stderr]).toEqual([args, 64, expect.stringContaining(message)])
      }
      expect((yield* run(here, "keys", "default", "Trading")).code).toBe(0)
      expect((yield* run(here, "keys", "rename", "trading", "savings")).code).toBe(0)
      expect(yield* namesOf(here)).toEqual([
        ["savings", trading, true],
        ["main", address, false],
        ["sol", solana.address, true]
      ])
    })
  )

  it.live("names the key that init configured, and adds a default key before it", () =>
    Effect.gen(function* () {
      const { files, here } = yield* withKeys
      const keys = { evm: { family: "evm", file: files.evm } }
      expect((yield* run(here, "config", "set", "keys", JSON.stringify(keys))).code).toBe(0)
      expect((yield* run(here, "keys", "rename", "evm", "main")).code).toBe(0)
      expect(configOf(here).keys).toEqual({ main: keys.evm })
      const added = yield* run(here, "keys", "add", "new", "--key-file", files.evm, "--default")
      expect([added.code, added.stdout]).toEqual([0, expect.stringContaining("It is the default on EVM chains.")])
      expect(yield* namesOf(here)).toEqual([
        ["new", address, true],
        ["main", address, false]
      ])
    })
  )

  it.live("exports a key only if its name is repeated, and --yes is not enough", () =>
    Effect.gen(function* () {
      const { here } = yield* withKeys
      for (const args of [[], ["--yes"], ["--yes", "--json"], ["--yes", "--output", "out.key"]]) {
        const { code, stderr, stdout } = yield* run(here, "keys", "export", "main", ...args)
        expect([args, code]).toEqual([args, 3])
        expect(stdout + stderr).not.toContain(secret)
        expect(stdout + stderr).toContain("--confirm main")
      }
      const wrong = yield* run(here, "keys", "export", "main", "--confirm", "sol")
      expect([wrong.code, wrong.stdout]).toEqual([64, ""])
      expect(existsSync(join(here.folder, "out.key"))).toBe(false)

      expect((yield* run(here, "keys", "export", "main", "--confirm", "main")).stdout).toBe(`0x${secret}\n`)
      expect(yield* runJson(here, "keys", "export", "sol", "--confirm", "sol")).toMatchObject({
        code: 0,
        answer: { key: { name: "sol", family: "solana", address: solana.address, privateKey: solana.secretKey } }
      })
      const written = yield* run(here, "keys", "export", "main", "--confirm", "main", "--output", "out.key")
      expect([written.code, written.stdout]).toEqual([0, expect.stringContaining(`Wrote the key for ${address}`)])
      expect(written.stdout + written.stderr).not.toContain(secret)
      expect(readFileSync(join(here.folder, "out.key"), "utf8")).toBe(`0x${secret}\n`)
      expect(statSync(join(here.folder, "out.key")).mode & 0o777).toBe(0o600)
      const again = yield* run(here, "keys", "export", "main", "--confirm", "main", "--output", "out.key")
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("already exists")])
    })
  )

  it.live("asks for the source of a new key at a terminal, and again after a mistake", () =>
    Effect.gen(function* () {
      const here = yield* home
      const terminal = yield* openHere(here, "keys", "add", "main")
      yield* terminal.shows("Which key do you want to add?")
      terminal.type(enter)
      yield* terminal.shows("Password for the new keystore")
      terminal.type(`short${enter}`)
      yield* terminal.shows("The password is too short.")
      yield* terminal.shows(/Password for the new keystore[^]*Password for the new keystore/)
      terminal.type(`correct horse${enter}`)
      yield* terminal.shows("Repeat the password")
      terminal.type(`correct horse${enter}`)
      const { code, screen } = yield* terminal.ended
      expect([code, screen]).toEqual([0, expect.stringContaining("Added the key main")])
      expect(screen).not.toContain("correct horse")
      expect((yield* namesOf(here)).map(([name, , isDefault]) => [name, isDefault])).toEqual([["main", true]])
    })
  )

  it.live("asks for the name of the key at a terminal", () =>
    Effect.gen(function* () {
      const { here } = yield* withKeys
      const declined = yield* openHere(here, "keys", "export", "main", "--yes")
      yield* declined.shows("Type main to export the key")
      declined.type(`y${enter}`)
      const refused = yield* declined.ended
      expect([refused.code, refused.screen.includes(secret)]).toEqual([3, false])
      const accepted = yield* openHere(here, "keys", "export", "main")
      yield* accepted.shows("Type main to export the key")
      accepted.type(`main${enter}`)
      const { code, screen } = yield* accepted.ended
      expect([code, screen]).toEqual([0, expect.stringContaining(secret)])
    })
  )
})

describe("names", () => {
  const chains = {
    8453: { family: "evm", name: "Base", tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }] },
    42161: { family: "evm", name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
  }
  const bob = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

  it.live("select the paying wallet and the recipient", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const { GEOSWAP_EVM_KEY: _, ...environment } = scripted.workspace.environment
      const here = { ...scripted.workspace, environment }
      const named = {
        main: { family: "evm", file: write(join(here.folder, "main.key"), Vectors.evmKey.privateKey) },
        other: { family: "evm", file: write(join(here.folder, "other.key"), otherKey.secret) },
        sol: { family: "solana", file: write(join(here.folder, "id.json"), solana.secretKey) }
      }
      scripted.configure({ chains, keys: named })
      expect((yield* run(here, "contacts", "add", "bob", bob)).code).toBe(0)
      const quote = (...args: ReadonlyArray<string>) => run(here, "quote", "10", "usdc@base", ...args)
      expect((yield* quote("weth@arbitrum")).stdout).toContain(`${address} (the same wallet)`)
      expect((yield* quote("weth@arbitrum", "--recipient", "Bob")).stdout).toContain(`${bob} (bob, in your contacts)`)
      expect((yield* quote("weth@arbitrum", "--recipient", bob)).stdout).toContain(`${bob} (bob, in your contacts)`)
      expect((yield* quote("weth@arbitrum", "--recipient", "other")).stdout).toContain(
        `${otherKey.address} (your wallet other)`
      )
      expect((yield* quote("native@solana", "--recipient", "sol")).stdout).toContain(
        `${solana.address} (your wallet sol)`
      )
      const family = yield* quote("native@solana", "--recipient", "bob")
      expect([family.code, family.stderr]).toEqual([64, expect.stringContaining("bob is not a Solana address")])
      const unknown = yield* quote("weth@arbitrum", "--recipient", "eve")
      expect([unknown.code, unknown.stderr]).toEqual([64, expect.stringContaining("Names: main, other, bob.")])

      for (const wallet of ["other", otherKey.address]) {
        expect((yield* quote("weth@arbitrum", "--wallet", wallet)).stdout).toContain(otherKey.address)
        const signed = yield* run(here, "swap", "10", "usdc@base", "weth@arbitrum", ...accept, "--wallet", wallet)
        expect([wallet, signed.code]).toEqual([wallet, 0])
      }
      const wallets = scripted.service.seen("quote").map(({ body }) => String(body["walletAddress"]).toLowerCase())
      expect(wallets.at(-1)).toBe(otherKey.address.toLowerCase())
      const wrong = yield* run(here, "swap", "10", "usdc@base", "weth@arbitrum", ...accept, "--wallet", "sol")
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("sol is a key for Solana chains")])
      const missing = yield* quote("weth@arbitrum", "--wallet", "unknown")
      expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("Your keys: main, other, sol")])
    })
  )

  it.live("take precedence over the environment, which takes precedence over the default", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const { GEOSWAP_EVM_KEY: _, ...environment } = scripted.workspace.environment
      const here = { ...scripted.workspace, environment }
      const inEnvironment = { ...here, environment: { ...environment, GEOSWAP_EVM_KEY: otherKey.secret } }
      const main = write(join(here.folder, "main.key"), Vectors.evmKey.privateKey)
      scripted.configure({ chains, keys: { main: { family: "evm", file: main } } })
      const payer = Effect.fnUntraced(function* (workspace: Workspace, ...args: ReadonlyArray<string>) {
        const { stderr, stdout } = yield* run(workspace, "quote", "10", "usdc@base", "weth@arbitrum", ...args)
        return /(0x\w{40}) \(the same wallet\)/.exec(stdout)?.[1] ?? stderr
      })
      expect(yield* payer(here)).toBe(address)
      expect(yield* payer(inEnvironment)).toBe(otherKey.address)
      expect(yield* payer(inEnvironment, "--wallet", "main")).toBe(address)
      expect(yield* payer(inEnvironment, "--wallet", address)).toBe(address)
      expect(yield* payer(inEnvironment, "--wallet", "GEOSWAP_EVM_KEY")).toBe(otherKey.address)
      expect(yield* namesOf(inEnvironment)).toEqual([
        ["GEOSWAP_EVM_KEY", otherKey.address, true],
        ["main", address, false]
      ])
    })
  )

  it.live("of keys that cannot be read do not affect other wallets, and reveal nothing", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const { GEOSWAP_EVM_KEY: _, ...environment } = scripted.workspace.environment
      const here = { ...scripted.workspace, environment: { ...environment, DAMAGED_KEY: `${otherKey.secret}ff` } }
      const open644 = write(join(here.folder, "shared.key"), otherKey.secret)
      chmodSync(open644, 0o644)
      const named = {
        main: { family: "evm", file: write(join(here.folder, "main.key"), Vectors.evmKey.privateKey) },
        damaged: { family: "evm", env: "DAMAGED_KEY" },
        gone: { family: "evm", file: "gone.key" },
        shared: { family: "evm", file: open644 },
        sealed: { family: "evm", keystore: fileURLToPath(new URL("keystores/foundry", import.meta.url)) },
        sol: { family: "solana", file: "gone.json" }
      }
      scripted.configure({ chains, keys: named })
      const quote = (recipient: string) =>
        run(here, "quote", "10", "usdc@base", "weth@arbitrum", "--recipient", recipient)
      const labelled = yield* quote(bob)
      expect([labelled.code, labelled.stderr, labelled.stdout]).toEqual([
        0,
        "",
        expect.stringContaining(`${bob} (a different wallet)`)
      ])
      const listed = yield* runJson(here, "keys", "list")
      expect([listed.code, schemaErrors("cli-keys", listed.answer)]).toEqual([0, []])
      for (const [recipient, code, message] of [
        ["damaged", 1, "There is no EVM key in the environment variable DAMAGED_KEY"],
        ["gone", 1, "it does not exist"],
        ["shared", 1, "is accessible to other users"],
        ["sealed", 64, "The address of the key sealed is unknown"],
        ["sol", 64, "sol is a key for Solana chains"]
      ] as const) {
        const refused = yield* quote(recipient)
        expect([recipient, refused.code, refused.stderr]).toEqual([recipient, code, expect.stringContaining(message)])
        expect(refused.stdout + refused.stderr + JSON.stringify(listed.answer)).not.toContain(otherKey.secret)
      }
    })
  )

  it.live("cannot be confused with each other", () =>
    Effect.gen(function* () {
      const { here } = yield* withKeys
      expect((yield* run(here, "contacts", "add", "alice", bob)).code).toBe(0)
      for (const name of ["Alice", "a1ice", "main", "MA1N"]) {
        const { code, stderr } = yield* run(here, "contacts", "add", name, address)
        expect([name, code, stderr]).toEqual([name, 64, expect.stringContaining("is taken, or looks like")])
      }
      const mistyped = yield* run(here, "contacts", "add", "carol", bob.replace("C8", "c8"))
      expect([mistyped.code, mistyped.stderr]).toEqual([64, expect.stringContaining("invalid EIP-55 checksum")])
      const listed = yield* runJson(here, "contacts", "list")
      expect([listed.answer, schemaErrors("cli-contacts", listed.answer)]).toEqual([
        { contacts: [{ name: "alice", family: "evm", address: bob }] },
        []
      ])
      expect((yield* run(here, "contacts", "remove", "alice")).code).toBe(0)
      expect((yield* run(here, "contacts", "remove", "alice")).code).toBe(64)
    })
  )
})
