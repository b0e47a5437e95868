import { describe, layer } from "@effect/vitest"
import { GeoVault } from "@geoswap/contracts"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Address, isHex } from "viem"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { expect, vi } from "vitest"
import { swap } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"
import { freePort } from "../../stack/freePort.js"
import { logOf, type Workspace, run, serveHere } from "../../stack/program.js"
import * as solana from "../../stack/solana.js"
import { devnetLayer, environmentFor, type File, fileFor } from "../../stack/stack.js"
import { folder } from "./fixture.js"
import { listen, secretsIn } from "./recordingClient.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

const usdc = 1_000_000n

/** A folder with a configuration for the devnet, and its secrets. */
const makeWorkspace = Effect.fnUntraced(function* (
  devnet: Devnet.Devnet,
  change: (file: File) => object = (file) => file
) {
  const path = yield* folder
  writeFileSync(join(path, "geoswap.json"), JSON.stringify(change(fileFor(devnet))))
  return { folder: path, environment: yield* environmentFor(devnet) } satisfies Workspace
})

const newKey = (workspace: Workspace) =>
  Effect.map(run(workspace, "keys", "create", "--account", "Ada"), ({ stdout }) => stdout.trim())

describe("geoswap-server on chains", () => {
  layer(devnetLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
    it.effect("prints a configuration and secrets for a devnet that pass check", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const workspace = { folder: yield* folder, environment: {} }
        const missing = yield* run(workspace, "devnet")
        expect([missing.code, missing.stdout]).toEqual([1, ""])
        expect(missing.stderr).toBe(
          ".geoswap/devnet.json cannot be read. Start a devnet first, or pass the path to its file.\n"
        )

        mkdirSync(join(workspace.folder, ".geoswap"))
        writeFileSync(join(workspace.folder, ".geoswap", "devnet.json"), JSON.stringify(devnet.description))
        const printed = yield* run(workspace, "devnet")
        expect([printed.code, printed.stderr]).toEqual([0, ""])
        writeFileSync(join(workspace.folder, "geoswap.json"), printed.stdout)
        const { stdout } = yield* run(workspace, "devnet", "--env", join(".geoswap", "devnet.json"))
        const environment = Object.fromEntries(
          stdout
            .trimEnd()
            .split("\n")
            .map((line) => /^export (\w+)='([^']+)'$/.exec(line)?.slice(1) ?? [])
        ) as Record<string, string>

        const checked = yield* run({ ...workspace, environment }, "check")
        expect(checked.stderr).toBe("")
        expect(checked.code).toBe(0)
        const [first, storage, ...chains] = checked.stdout.trimEnd().split("\n")
        expect(first).toBe("No problems found: devnet, prices from the configuration.")
        expect(storage).toMatch(/^ {2}storage: the file \/.+\/geoswap\.db, for one server$/)
        expect(chains).toEqual([
          expect.stringMatching(/^ {2}devnet-a \(evm 31337\): USDC, WETH, GEO; relayer 0x\w{40} with [\d.,]+ ETH$/),
          expect.stringMatching(/^ {2}devnet-b \(evm 31338\): USDC, WETH, GEO; relayer 0x\w{40} with [\d.,]+ ETH$/),
          expect.stringMatching(/^ {2}devnet-solana \(solana 31339\): USDC, WETH, GEO; relayer \w+ with [\d.,]+ SOL$/)
        ])
      })
    )

    it.effect("reports a relayer without gas", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const { evmA } = devnet
        const key = generatePrivateKey()
        const relayer = privateKeyToAddress(key)
        const vault = evmA.contracts.vault as Address
        yield* Effect.promise(() =>
          evm.asOwner(devnet, evmA, {
            address: vault,
            abi: GeoVault.abi,
            functionName: "setRelayer",
            args: [relayer, true]
          })
        )
        const workspace = yield* makeWorkspace(devnet, ({ chains: [a], ...file }) => ({ ...file, chains: [a] }))
        const environment = { ...workspace.environment, GEOSWAP_EVM_RELAYER_KEY: key }
        const { code, stderr } = yield* run({ ...workspace, environment }, "check")
        expect(code).toBe(1)
        expect(stderr).toContain(`Chain ${evmA.id} (devnet-a): the relayer ${relayer} has no ETH for gas.`)
      })
    )

    it.effect("reports a chain below its quorum of nodes without the URL of the silent node", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const { evmA } = devnet
        const silent = `http://127.0.0.1:${yield* freePort}/canaryOfTheNodeKey`
        const workspace = yield* makeWorkspace(devnet, ({ chains: [a], ...file }) => ({
          ...file,
          chains: [{ ...a, rpcUrls: [evmA.rpcUrl, silent] }]
        }))
        const { code, stderr } = yield* run(workspace, "check")
        expect(code).toBe(1)
        expect(stderr).toContain(`Chain ${evmA.id} (devnet-a) is below its quorum: 1 of 2 nodes agree, but 2 must.`)
        expect(stderr).not.toContain("canaryOfTheNodeKey")
      })
    )

    it.effect("never prints or logs a key, a token or a signature", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const { evmA, evmB, solana: svm } = devnet
        const workspace = yield* makeWorkspace(devnet)
        const apiKey = yield* newKey(workspace)
        const server = yield* serveHere(workspace, "--log-level", "debug")
        const bodies: Array<string> = []
        const ids = yield* Effect.promise(async () => {
          const { account } = await evm.newWallet(devnet, evmA, { USDC: 10n * usdc })
          const owner = await solana.newWallet(devnet, { USDC: 10n * usdc })
          const wallets = { evm: account, solana: owner.keyPair }
          const client = await listen(devnet, { apiKey, url: server.url }, wallets, (body) => bodies.push(body))
          const out = await swap(client, {
            originChain: evmA.id,
            destinationChain: svm.id,
            inputToken: evm.tokenOf(evmA, "USDC"),
            outputToken: evm.tokenOf(svm, "USDC"),
            amount: 10n * usdc,
            walletAddress: account.address,
            recipient: owner.address
          })
          const back = await swap(client, {
            originChain: svm.id,
            destinationChain: evmB.id,
            inputToken: evm.tokenOf(svm, "USDC"),
            outputToken: evm.tokenOf(evmB, "USDC"),
            amount: 10n * usdc,
            walletAddress: owner.address,
            recipient: account.address
          })
          return [out, back].map(({ swap }) => [swap.status, swap.swapId])
        })
        expect(ids.map(([status]) => status)).toEqual(["settled", "settled"])

        const secrets = new Set(bodies.flatMap(secretsIn))
        // At least two quotes, two operations, a signature, a transaction, and r and s of an authorization.
        expect(secrets.size).toBeGreaterThanOrEqual(8)
        // Earlier requests are repeated malformed, to the wrong endpoint, and with an invalid key.
        yield* Effect.promise(async () => {
          const post = (path: string, body: string, key = apiKey) =>
            fetch(`${server.url}${path}`, {
              method: "POST",
              headers: { "x-api-key": key, "content-type": "application/json" },
              body
            })
          for (const secret of secrets) {
            const misplaced = JSON.stringify({ geoQuoteToken: secret, geoOpToken: secret, signature: secret })
            await post("/swap/build-geo-op", misplaced)
            await post("/swap/submit", misplaced)
            await post("/swap/submit", misplaced, `${apiKey.slice(0, -2)}xx`)
            await post("/swap/submit", misplaced.slice(0, -3))
            await fetch(`${server.url}/swap/status/${encodeURIComponent(secret)}?key=${apiKey}`, {
              headers: { "x-api-key": apiKey }
            })
            await fetch(`${server.url}/${encodeURIComponent(secret)}?key=${apiKey}`)
          }
        })
        yield* server.kill("SIGTERM")
        const { code, stderr, stdout } = yield* server.ended
        expect(code).toBe(0)

        const messages = logOf(stderr).map((entry) => JSON.stringify(entry))
        for (const [, swapId = ""] of ids) {
          expect(messages.some((line) => line.includes(swapId) && line.includes("swap settled"))).toBe(true)
        }
        expect(messages.some((line) => line.includes('"status":401'))).toBe(true)
        const ours = Object.values<string>(workspace.environment).map((secret) => secret.replace(/^k\w+:/, ""))
        const canaries = [...secrets, ...ours, apiKey.slice(-43)]
        const said = (stdout + stderr).toLowerCase()
        for (const canary of canaries) {
          expect(canary.length).toBeGreaterThanOrEqual(43)
          // Half of a signature or of a token is enough to recognize it.
          const text = (isHex(canary) ? canary.slice(2) : canary).toLowerCase()
          for (const piece of [text.slice(0, 40), text.slice(-40)]) expect(said).not.toContain(piece)
        }
      })
    )
  })
})
