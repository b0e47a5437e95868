import { describe, it } from "@effect/vitest"
import { Config } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as DevnetConfig from "../../src/devnet/DevnetConfig.js"
import * as Secrets from "../../src/secrets/Secrets.js"
import { newSecrets } from "./cli/fixture.js"

const address = (digit: string) => `0x${digit.repeat(40)}`
const secrets = newSecrets()

/** A devnet file, with fields that are ignored here. */
const description = {
  service: { url: "http://127.0.0.1:8787", apiKeys: ["one", "two"] },
  chains: [
    {
      id: 31337,
      name: "devnet-a",
      family: "evm",
      rpcUrl: "http://127.0.0.1:8545",
      wsUrl: "ws://127.0.0.1:8545",
      tokens: [
        { symbol: "USDC", address: address("1"), decimals: 6 },
        { symbol: "WETH", address: address("2"), decimals: 18 },
        { symbol: "GEO", address: address("3"), decimals: 18 }
      ],
      contracts: { account: address("4"), vault: address("5") }
    },
    {
      id: 31339,
      name: "devnet-solana",
      family: "solana",
      rpcUrl: "http://127.0.0.1:8899",
      tokens: [{ symbol: "USDC", address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: 6 }],
      contracts: { vault: "GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ" }
    }
  ],
  wallets: [{ name: "alice", family: "evm", address: address("6"), privateKey: "0x01" }],
  operators: [
    { name: "evm-owner", family: "evm", role: "owner", address: address("7"), privateKey: "0x02" },
    { name: "evm-relayer", family: "evm", role: "relayer", privateKey: secrets.GEOSWAP_EVM_RELAYER_KEY },
    { name: "solana-vault", family: "solana", role: "vault", privateKey: secrets.GEOSWAP_SOLANA_VAULT_KEY },
    { name: "solana-relayer", family: "solana", role: "relayer", privateKey: secrets.GEOSWAP_SOLANA_RELAYER_KEY }
  ]
}

describe("DevnetConfig", () => {
  it.effect("creates a valid configuration and its secrets", () =>
    Effect.gen(function* () {
      const read = yield* DevnetConfig.parse(JSON.stringify(description))
      const config = yield* Config.parse(JSON.stringify(DevnetConfig.fileOf(read)))
      expect(config).toMatchObject({
        environment: "devnet",
        listen: { host: "127.0.0.1", port: 8787 },
        chains: [
          {
            kind: "evm",
            id: 31337,
            rpcUrls: ["http://127.0.0.1:8545"],
            vaults: [{ address: address("5"), delegate: address("4") }]
          },
          { kind: "solana", id: 31339, rpcUrls: ["http://127.0.0.1:8899"] }
        ]
      })
      expect(DevnetConfig.secretsOf(read)).toEqual({
        GEOSWAP_EVM_RELAYER_KEY: secrets.GEOSWAP_EVM_RELAYER_KEY,
        GEOSWAP_SOLANA_RELAYER_KEY: secrets.GEOSWAP_SOLANA_RELAYER_KEY,
        GEOSWAP_SOLANA_VAULT_KEY: secrets.GEOSWAP_SOLANA_VAULT_KEY
      })
      const { GEOSWAP_SEAL_KEYS } = secrets
      const { evm, solana } = yield* Secrets.read(config, { ...DevnetConfig.secretsOf(read), GEOSWAP_SEAL_KEYS })
      expect([evm.size, solana.size]).toEqual([1, 2])
    })
  )

  it("omits the secrets of missing operators", () => {
    expect(DevnetConfig.secretsOf({})).toEqual({
      GEOSWAP_EVM_RELAYER_KEY: "",
      GEOSWAP_SOLANA_RELAYER_KEY: "",
      GEOSWAP_SOLANA_VAULT_KEY: ""
    })
  })

  it.effect.each<readonly [what: string, text: string]>([
    ["no JSON", "devnet-a (evm, id 31337)"],
    ["something else", JSON.stringify({ chains: "two" })],
    ["no chains", JSON.stringify({ ...description, chains: [] })],
    [
      "a key that a shell would take for a command",
      JSON.stringify({
        operators: [{ family: "evm", role: "relayer", privateKey: "'; true; '" }],
        chains: description.chains
      })
    ]
  ])("refuses a file with %s without printing its contents", ([, text]) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(DevnetConfig.parse(text))
      expect(message).toBe("This is not a devnet file. Pass the .geoswap/devnet.json file written by geoswap-devnet.")
    })
  )
})
