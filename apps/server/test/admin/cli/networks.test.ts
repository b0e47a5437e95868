import { describe, it, layer } from "@effect/vitest"
import { base, polygon, publicNetworks } from "@geoswap/deployments/networks"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, vi } from "vitest"
import { domainSeparator } from "../../../src/networks/domainSeparator.js"
import type { Expectations } from "../../../src/networks/expectations.js"
import { verifyNode } from "../../../src/networks/verifyNode.js"
import { freePort } from "../../stack/freePort.js"
import { run } from "../../stack/program.js"
import { devnetLayer, fileFor } from "../../stack/stack.js"
import { folder, makeWorkspace, nodeKey } from "./fixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

/** A devnet's chains, described as a public network is. */
const networksOf = ({ evmA, solana: svm }: Devnet.Devnet) => {
  const evm: Expectations = {
    name: "devnet-a",
    family: "evm",
    id: evmA.id,
    permit2: true,
    tokens: evmA.tokens.map(({ address, decimals, symbol }) => ({
      symbol,
      address,
      decimals,
      ...(symbol === "USDC" && { domain: { name: "USD Coin", version: "1", fields: "chainId" } as const })
    })),
    priceFeeds: []
  }
  const solana: Expectations = {
    name: "devnet-solana",
    family: "solana",
    id: svm.id,
    permit2: false,
    tokens: svm.tokens.map(({ address, decimals, symbol }) => ({ symbol, address, decimals })),
    priceFeeds: []
  }
  return { evm, solana }
}

/** The expectations with another first token. */
const withToken = (network: Expectations, change: object): Expectations => ({
  ...network,
  tokens: network.tokens.map((token, index) => (index === 0 ? { ...token, ...change } : token))
})

describe("networks verify", () => {
  it("computes the separator of a domain whose salt is the chain id", () => {
    const bridged = polygon.otherTokens.find(({ symbol }) => symbol === "USDC.e")
    // As public repositories quote it.
    expect(bridged && domainSeparator(bridged, polygon.id)).toBe(
      "0x294369e003769a2d4d625e8a9ebebffa09ff70dd7c708497d8b56d2c2d199a19"
    )
  })

  layer(devnetLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
    it.effect("finds no difference between the devnet and what is true of it", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const { evm, solana } = networksOf(devnet)
        for (const [network, { rpcUrl }] of [
          [evm, devnet.evmA],
          [solana, devnet.solana]
        ] as const) {
          expect(yield* verifyNode(network, rpcUrl)).toEqual({
            network: network.name,
            chainId: network.id,
            node: new URL(rpcUrl).host,
            reached: true,
            problems: []
          })
        }
      })
    )

    it.effect("finds every lie about an EVM network", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const { evm } = networksOf(devnet)
        const { rpcUrl } = devnet.evmA
        const [usdc] = evm.tokens
        const what = `USDC (${usdc?.address})`
        const unused = "0x000000000000000000000000000000000000dEaD"
        const domain = { name: "USD Coin", version: "2", fields: "chainId" }
        const separator = /^.+: expected the EIP-712 domain separator 0x\w{64}, got 0x\w{64}\.$/
        const lies: ReadonlyArray<readonly [Expectations, RegExp | string]> = [
          [{ ...evm, id: 1 }, `expected chain id 1, got ${evm.id}.`],
          [withToken(evm, { decimals: 18 }), `${what}: expected 18 decimals, got 6.`],
          [withToken(evm, { symbol: "USDT" }), `USDT (${usdc?.address}): expected the symbol "USDT", got "USDC".`],
          [withToken(evm, { chainSymbol: "USD₮0" }), `${what}: expected the symbol "USD₮0", got "USDC".`],
          [withToken(evm, { domain }), separator],
          [withToken(evm, { domain: { ...domain, version: "1", fields: "salt" } }), separator],
          [withToken(evm, { address: unused }), `USDC: there is no contract at ${unused}.`],
          [
            { ...evm, priceFeeds: [{ pair: "ETH/USD", address: unused, decimals: 8 }] },
            `price feed ETH/USD: there is no contract at ${unused}.`
          ],
          [
            { ...evm, priceFeeds: [{ pair: "ETH/USD", address: devnet.evmA.contracts.vault, decimals: 8 }] },
            `price feed ETH/USD (${devnet.evmA.contracts.vault}): expected 8 decimals, got none.`
          ]
        ]
        for (const [network, problem] of lies) {
          const { problems } = yield* verifyNode(network, rpcUrl)
          expect(problems).toEqual([typeof problem === "string" ? problem : expect.stringMatching(problem)])
        }
      })
    )

    it.effect("finds every lie about a Solana network", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const { solana } = networksOf(devnet)
        const { rpcUrl } = devnet.solana
        const [usdc] = solana.tokens
        const genesisHash = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
        const lies: ReadonlyArray<readonly [Expectations, RegExp | string]> = [
          [{ ...solana, genesisHash }, new RegExp(`^expected the genesis hash ${genesisHash}, got "\\w+"\\.$`)],
          [withToken(solana, { decimals: 9 }), `USDC (${usdc?.address}): expected 9 decimals, got 6.`],
          [withToken(solana, { address: genesisHash }), `USDC (${genesisHash}): there is no account.`],
          [
            withToken(solana, { address: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" }),
            /: expected a mint of TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA, got an account of \w+ with \d+ bytes\.$/
          ]
        ]
        for (const [network, problem] of lies) {
          const { problems } = yield* verifyNode(network, rpcUrl)
          expect(problems).toEqual([typeof problem === "string" ? problem : expect.stringMatching(problem)])
        }
      })
    )

    it.effect("compares a configuration with all of its nodes, without any secret", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const { evmA, evmB, solana: svm } = devnet
        const workspace = { folder: yield* folder, environment: {} }
        const write = (file: object) => writeFileSync(join(workspace.folder, "geoswap.json"), JSON.stringify(file))
        const { chains, ...file } = fileFor(devnet)
        write({ ...file, chains })
        const good = yield* run(workspace, "networks", "verify")
        expect([good.code, good.stderr]).toEqual([0, ""])
        expect(good.stdout.trimEnd().split("\n")).toEqual([
          `devnet-a at ${new URL(evmA.rpcUrl).host}: the chain, 3 tokens, Permit2 match.`,
          `devnet-b at ${new URL(evmB.rpcUrl).host}: the chain, 3 tokens, Permit2 match.`,
          `devnet-solana at ${new URL(svm.rpcUrl).host}: the chain, 3 tokens match.`
        ])

        const silent = `http://127.0.0.1:${yield* freePort}/${nodeKey}`
        const [a, b, solana] = chains
        write({
          ...file,
          chains: [
            { ...a, rpcUrls: [evmA.rpcUrl, silent] },
            { ...b, rpcUrls: [evmA.rpcUrl] },
            { ...solana, network: "solana" }
          ]
        })
        const bad = yield* run(workspace, "networks", "verify", "--json")
        expect(bad.code).toBe(1)
        const { nodes, well } = JSON.parse(bad.stdout) as {
          readonly well: boolean
          readonly nodes: ReadonlyArray<{ readonly reached: boolean; readonly problems: ReadonlyArray<string> }>
        }
        expect(well).toBe(false)
        expect(nodes.map(({ problems, reached }) => [reached, problems.length])).toEqual([
          [true, 0],
          [false, 1],
          [true, 1],
          [true, 1]
        ])
        expect(bad.stderr).toContain(
          `  - devnet-b at ${new URL(evmA.rpcUrl).host}: expected chain id ${evmB.id}, got ${evmA.id}.`
        )
        expect(bad.stderr).toContain("solana at ")
        expect(bad.stderr).toContain(`  - devnet-a at ${new URL(silent).host}: The node could not be reached`)
        expect(bad.stderr + bad.stdout).not.toContain(nodeKey)
      })
    )

    it.effect("compares one public network with any node", () =>
      Effect.gen(function* () {
        const { evmA } = yield* Devnet.Devnet
        const workspace = { folder: yield* folder, environment: {} }
        const { code, stderr, stdout } = yield* run(workspace, "networks", "verify", "base", "--rpc", evmA.rpcUrl)
        expect([code, stdout]).toEqual([1, ""])
        expect(stderr.trimEnd().split("\n")).toEqual([
          "The nodes differ from what is expected:",
          `  - base at ${new URL(evmA.rpcUrl).host}: expected chain id 8453, got ${evmA.id}.`
        ])
      })
    )
  })

  it.live("refuses names that it cannot compare", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const verify = (...args: ReadonlyArray<string>) => run(workspace, "networks", "verify", ...args)
      const unknown = yield* verify("bse")
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        `There is no public network "bse". The names are ${publicNetworks.map(({ name }) => name).join(", ")}.\n`
      ])
      const absent = yield* verify("polygon")
      expect(absent.code).toBe(1)
      expect(absent.stderr).toContain("No configured chain has the network polygon.")
      for (const names of [[], ["base", "polygon"]]) {
        const { code, stderr } = yield* verify(...names, "--rpc", "http://127.0.0.1:1")
        expect(code).toBe(64)
        expect(stderr).toContain("With --rpc, pass the name of exactly one network.")
      }
      const invalid = yield* verify("base", "--rpc", "node")
      expect(invalid.code).toBe(64)
    })
  )
})

describe("networks list", () => {
  it.live("lists every public network", () =>
    Effect.gen(function* () {
      const workspace = { folder: yield* folder, environment: {} }
      const { code, stdout } = yield* run(workspace, "networks", "list")
      expect(code).toBe(0)
      const [, ...rows] = stdout.trimEnd().split("\n")
      expect(rows.map((row) => row.split(" ")[0])).toEqual(publicNetworks.map(({ name }) => name))
      expect(rows[1]).toMatch(
        /^base +Base +8453 +ETH +USDC, WETH +op-stack +\$1,000: 24 s, \$100,000: safe, finalized$/
      )
      const json = yield* run(workspace, "networks", "list", "--json")
      const { networks } = JSON.parse(json.stdout) as { readonly networks: ReadonlyArray<unknown> }
      expect(networks).toHaveLength(publicNetworks.length)
      expect(networks[1]).toEqual(base)
    })
  )
})
