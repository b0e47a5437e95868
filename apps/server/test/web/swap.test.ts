import { describe, layer } from "@effect/vitest"
import { createClient, type Deployment } from "@geoswap/core/promise"
import { Devnet } from "@geoswap/devnet"
import { EvmSigner } from "@geoswap/signer-evm"
import { fetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import type { Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { expect } from "vitest"
import * as DevnetServer from "../../src/devnet/DevnetServer.js"
import type { BurnerWallet } from "../../src/web/Web.js"
import { newDelegated, tokenOf } from "../stack/evm.js"
import { eachChain } from "../stack/fixture.js"
import { devnetLayer } from "../stack/stack.js"
import { pageFolder } from "./fixture.js"

/** The settings that the page reads. */
interface Settings {
  readonly service: string
  readonly chains: ReadonlyArray<{
    readonly id: number
    readonly family: "evm" | "solana"
    readonly deployment: Deployment
  }>
  readonly devnet: { readonly wallets: ReadonlyArray<BurnerWallet> }
}

describe("page on a devnet", () => {
  layer(devnetLayer, { timeout: 60_000, excludeTestServices: true })((it) => {
    it.effect(
      "swaps with only the configuration of its server, and other accounts cannot see the swap",
      () =>
        Effect.gen(function* () {
          const { description, evmA, evmB } = yield* Devnet.Devnet
          const folder = yield* pageFolder()
          const { apiKeys, url } = yield* DevnetServer.make(description, {
            port: 0,
            web: true,
            change: (file) => ({ ...file, web: { folder } })
          })
          yield* Effect.promise(async () => {
            const heard: Array<string> = []
            const get: typeof fetch = async (input, init) => {
              const response = await fetch(input, init)
              heard.push(await response.clone().text())
              return response
            }
            const settings = (await (await get(`${url}/web/config.json`)).json()) as Settings
            const wallets = settings.devnet.wallets
            expect(wallets).toEqual(description.wallets)
            const alice = wallets.find(({ family, name }) => family === "evm" && name === "alice")
            if (alice === undefined) throw new Error("There is no alice.")

            const balancesOn = async (chainId: number): Promise<Readonly<Record<string, bigint>>> => {
              const answer = await get(`${url}/web/balances?chainId=${chainId}&walletAddress=${alice.address}`)
              expect(answer.headers.get("ratelimit-policy")).toBe('"balances";q=20;w=10')
              const { balances } = (await answer.json()) as {
                balances: ReadonlyArray<{ token: string; amount: string }>
              }
              return Object.fromEntries(balances.map(({ amount, token }) => [token.toLowerCase(), BigInt(amount)]))
            }
            const [usdc, weth] = [tokenOf(evmA, "USDC").toLowerCase(), tokenOf(evmB, "WETH").toLowerCase()]
            const before = { paid: await balancesOn(evmA.id), got: await balancesOn(evmB.id) }
            expect(Object.keys(before.paid)).toHaveLength(evmA.tokens.length + 1)

            const account = privateKeyToAccount(alice.privateKey as Hex)
            const client = createClient({
              transport: fetchTransport({ baseUrl: `${url}${settings.service}`, apiKey: "none", fetch: get }),
              signers: { evm: EvmSigner.fromAccount(account) },
              network: {
                chains: settings.chains.map(({ deployment, id, family }) => ({
                  id,
                  name: `${id}`,
                  family,
                  deployment
                }))
              }
            })
            let output = 0n
            const swap = await client.execute(
              {
                originChain: evmA.id,
                destinationChain: evmB.id,
                inputToken: tokenOf(evmA, "USDC"),
                outputToken: tokenOf(evmB, "WETH"),
                amount: 25_000_000n
              },
              { onProgress: (event) => void (event.type === "quoted" && (output = event.quote.output)) }
            )
            expect(swap.status).toBe("settled")
            const after = { paid: await balancesOn(evmA.id), got: await balancesOn(evmB.id) }
            expect(before.paid[usdc]).toBe((after.paid[usdc] ?? 0n) + 25_000_000n)
            expect(output).toBeGreaterThan(0n)
            expect(after.got[weth]).toBe((before.got[weth] ?? 0n) + output)

            // All visitors share one account; other accounts are separate.
            const visitor = await get(`${url}${settings.service}/swap/status/${swap.swapId}`)
            expect(await visitor.json()).toMatchObject({ status: "settled" })
            const stranger = createClient({ transport: fetchTransport({ baseUrl: url, apiKey: apiKeys[0] }) })
            await expect(stranger.status(swap.swapId)).rejects.toMatchObject({ code: "SWAP_NOT_FOUND" })

            const secrets = [...apiKeys, ...(description.operators ?? []).map(({ privateKey }) => privateKey)]
            expect(secrets.length).toBeGreaterThan(5)
            for (const secret of secrets) expect(heard.filter((text) => text.includes(secret))).toEqual([])
          })
        }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
      300_000
    )

    it.effect(
      "limits what one visitor has in progress, and not what another visitor has",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const { evmA, evmB } = devnet
          const folder = yield* pageFolder()
          // One collection, for which at most 115,000 gas are claimed.
          const exposure = { gasPerVisitor: 120_000 }
          const { url } = yield* DevnetServer.make(devnet.description, {
            port: 0,
            web: true,
            change: (file) => ({
              ...eachChain((chain) => (chain.kind === "evm" ? { ...chain, exposure } : chain))(file),
              listen: { ...file.listen, trustedProxies: 1 },
              web: { folder }
            })
          })
          yield* Effect.promise(async () => {
            const account = await newDelegated(devnet, evmA, { USDC: 40_000_000n })
            const post = async (visitor: string, path: string, body: object) => {
              const response = await fetch(`${url}/web/api/swap/${path}`, {
                method: "POST",
                headers: { "content-type": "application/json", "x-forwarded-for": visitor },
                body: JSON.stringify(body)
              })
              return { status: response.status, body: (await response.json()) as Readonly<Record<string, string>> }
            }
            const swapAs = async (visitor: string) => {
              const quoted = await post(visitor, "quote", {
                originChain: evmA.id,
                destinationChain: evmB.id,
                inputToken: tokenOf(evmA, "USDC"),
                outputToken: tokenOf(evmB, "WETH"),
                amount: "10000000",
                walletAddress: account.address
              })
              const { geoQuoteToken } = quoted.body
              const { geoOpHash, geoOpToken } = (await post(visitor, "build-geo-op", { geoQuoteToken })).body
              const signature = await account.signMessage({ message: { raw: geoOpHash as Hex } })
              return post(visitor, "submit", { geoOpToken, signature })
            }
            await Effect.runPromise(evmA.hold)
            expect(await swapAs("198.51.100.1")).toMatchObject({ status: 200 })
            expect(await swapAs("198.51.100.1")).toMatchObject({ status: 422, body: { code: "LIMIT_EXCEEDED" } })
            const other = await swapAs("198.51.100.2")
            expect(other).toMatchObject({ status: 200 })
            await Effect.runPromise(evmA.release)
            const status = async () =>
              (await (await fetch(`${url}/web/api/swap/status/${other.body["swapId"]}`)).json()) as { status: string }
            while ((await status()).status === "pending") continue
            expect(await swapAs("198.51.100.1")).toMatchObject({ status: 200 })
          })
        }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
      300_000
    )
  })
})
