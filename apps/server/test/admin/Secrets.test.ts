import { describe, it } from "@effect/vitest"
import { Config } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { privateKeyToAddress } from "viem/accounts"
import { expect } from "vitest"
import * as Secrets from "../../src/secrets/Secrets.js"
import { fileFor, folder, newSecrets } from "./cli/fixture.js"

type File = ReturnType<typeof fileFor>

const configOf = (change: (file: File) => object = (file) => file) => Config.parse(JSON.stringify(change(fileFor(1))))

/** A second EVM chain with overrides. */
const andAnother = (fields: object) => (file: File) => ({
  ...file,
  chains: [...file.chains, { ...file.chains[0], id: 10, name: "Another", ...fields }]
})

const problemsOf = (environment: Secrets.Environment, change?: (file: File) => object) =>
  Effect.gen(function* () {
    const { message, problems } = yield* Effect.flip(Secrets.read(yield* configOf(change), environment))
    expect(message).toBe(problems.join("\n"))
    return problems
  })

const http = (file: File) => ({
  ...file,
  venue: { kind: "http", url: "https://venue.example/price", token: "VENUE_TOKEN" }
})

describe("Secrets.read", () => {
  it.effect("reads every secret that the configuration names and trims whitespace", () =>
    Effect.gen(function* () {
      const secrets = newSecrets()
      const spacious = Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, ` ${secret}\r\n`]))
      const { evm, sealKeys, solana, venueToken } = yield* Secrets.read(yield* configOf(), spacious)
      const key = secrets.GEOSWAP_EVM_RELAYER_KEY as `0x${string}`
      expect(evm.get("GEOSWAP_EVM_RELAYER_KEY")?.address).toBe(privateKeyToAddress(key))
      expect([...solana.keys()]).toEqual(["GEOSWAP_SOLANA_RELAYER_KEY", "GEOSWAP_SOLANA_VAULT_KEY"])
      expect(sealKeys.map(({ kid }) => kid)).toEqual(["k1"])
      expect(venueToken).toBeUndefined()
    })
  )

  it.effect("reads a shared secret once, and a separate one if a chain names it", () =>
    Effect.gen(function* () {
      const { GEOSWAP_EVM_RELAYER_KEY: OTHER_KEY } = newSecrets()
      const environment = { ...newSecrets(), OTHER_KEY }
      const shared = yield* Secrets.read(yield* configOf(andAnother({})), environment)
      expect([...shared.evm.keys()]).toEqual(["GEOSWAP_EVM_RELAYER_KEY"])
      const apart = yield* Secrets.read(yield* configOf(andAnother({ keys: { relayer: "OTHER_KEY" } })), environment)
      expect([...apart.evm.keys()]).toEqual(["GEOSWAP_EVM_RELAYER_KEY", "OTHER_KEY"])
    })
  )

  it.effect("does not require secrets that the configuration does not name", () =>
    Effect.gen(function* () {
      const { GEOSWAP_EVM_RELAYER_KEY, GEOSWAP_SEAL_KEYS } = newSecrets()
      const config = yield* configOf(({ chains: [evm], ...file }) => ({ ...file, chains: [evm] }))
      const { solana } = yield* Secrets.read(config, { GEOSWAP_EVM_RELAYER_KEY, GEOSWAP_SEAL_KEYS })
      expect(solana.size).toBe(0)
    })
  )

  it.effect("lists all missing secrets at once, each of them once", () =>
    Effect.gen(function* () {
      const blank = { GEOSWAP_SEAL_KEYS: "", GEOSWAP_EVM_RELAYER_KEY: " \n", GEOSWAP_SOLANA_VAULT_KEY_FILE: " " }
      expect(yield* problemsOf(blank, (file) => http(andAnother({})(file) as File))).toEqual(
        [...Object.keys(newSecrets()), "VENUE_TOKEN"].map(
          (name) => `${name} is not set. Set it, or set ${name}_FILE to the path of a file that contains the value.`
        )
      )
    })
  )

  it.effect("reports the problem of each secret without printing it", () =>
    Effect.gen(function* () {
      const environment = {
        GEOSWAP_SEAL_KEYS: "k1:c2hvcnQ",
        GEOSWAP_EVM_RELAYER_KEY: "0x1234567890",
        GEOSWAP_SOLANA_RELAYER_KEY: "0OIl-is-not-base58",
        GEOSWAP_SOLANA_VAULT_KEY: "abcdefgh",
        VENUE_TOKEN: "two words"
      }
      const problems = yield* problemsOf(environment, http)
      expect(problems).toEqual([
        "GEOSWAP_SEAL_KEYS: Key 1 is not 32 bytes in unpadded base64url (43 characters).",
        "GEOSWAP_EVM_RELAYER_KEY: The EVM key is not a private key. Expected 0x followed by 64 hex digits, the format that wallets export.",
        expect.stringMatching(/^GEOSWAP_SOLANA_RELAYER_KEY: The Solana key is not valid base58\./),
        expect.stringMatching(/^GEOSWAP_SOLANA_VAULT_KEY: The Solana key is \d bytes long\./),
        "VENUE_TOKEN: The token contains characters that are invalid in a header. Use only visible ASCII characters."
      ])
      for (const secret of Object.values(environment)) expect(problems.join()).not.toContain(secret)
    })
  )

  it.effect("reads a secret from the file that its variable names", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const token = join(path, "token")
      writeFileSync(token, "the-token\n")
      const environment = { ...newSecrets(), VENUE_TOKEN: "", VENUE_TOKEN_FILE: token }
      const { venueToken } = yield* Secrets.read(yield* configOf(http), environment)
      expect(venueToken !== undefined && Redacted.value(venueToken)).toBe("the-token")
      expect(JSON.stringify({ venueToken })).not.toContain("the-token")
    })
  )

  it.effect("reports problems with files without printing their paths, which may be the secrets", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const at = (name: string) => join(path, name)
      writeFileSync(at("empty"), "\n")
      mkdirSync(at("dir"))
      const secrets = newSecrets()
      const problems = yield* problemsOf({
        GEOSWAP_SEAL_KEYS_FILE: at("empty"),
        GEOSWAP_EVM_RELAYER_KEY_FILE: secrets.GEOSWAP_EVM_RELAYER_KEY,
        GEOSWAP_SOLANA_RELAYER_KEY_FILE: at("dir"),
        GEOSWAP_SOLANA_VAULT_KEY: secrets.GEOSWAP_SOLANA_VAULT_KEY,
        GEOSWAP_SOLANA_VAULT_KEY_FILE: at("closed")
      })
      expect(problems).toEqual([
        "GEOSWAP_SEAL_KEYS_FILE: the file is empty.",
        "GEOSWAP_EVM_RELAYER_KEY_FILE: the file cannot be read: there is no such file.",
        "GEOSWAP_SOLANA_RELAYER_KEY_FILE: the file cannot be read: it is a directory.",
        "GEOSWAP_SOLANA_VAULT_KEY and GEOSWAP_SOLANA_VAULT_KEY_FILE are both set. Set only one of them."
      ])
    })
  )
})
