import { describe, layer } from "@effect/vitest"
import { createClient, type Deployment } from "@geoswap/core/promise"
import { Devnet } from "@geoswap/devnet"
import { EvmSigner } from "@geoswap/signer-evm"
import { fetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import type * as Scope from "effect/Scope"
import { join } from "node:path"
import { type Address, keccak256, type PrivateKeyAccount } from "viem"
import { expect } from "vitest"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import { type Change, eachChain, start, type Started, timeout, usdcToWeth } from "../../stack/fixture.js"
import { devnetLayer, environmentFor, type Given, type Running, serve, temporary } from "../../stack/stack.js"

const usdc = 1_000_000n
/** The balance of every token in a new vault. */
const inVault = 10n ** 24n

interface Contracts {
  readonly account: string
  readonly vault: string
}

/** The vaults of a chain: that of the devnet, and another one. */
interface Place {
  readonly chain: Devnet.EvmChain
  readonly old: Contracts
  readonly created: Contracts
}

interface Fixture {
  readonly devnet: Devnet.Devnet
  readonly origin: Place
  readonly destination: Place
  readonly given: Given
}

const placeAt = (devnet: Devnet.Devnet, chain: Devnet.EvmChain) =>
  Effect.promise(async (): Promise<Place> => ({
    chain,
    old: chain.contracts,
    created: await evm.deployVault(devnet, chain, inVault)
  }))

/** Two vaults on both chains, and what consecutive servers share. */
const fixtureOf = Effect.gen(function* () {
  const devnet = yield* Devnet.Devnet
  return {
    devnet,
    origin: yield* placeAt(devnet, devnet.evmA),
    destination: yield* placeAt(devnet, devnet.evmB),
    given: { database: join(yield* temporary, "geoswap.db"), environment: yield* environmentFor(devnet) }
  } satisfies Fixture
})

/** Lists the vaults of both chains in an order. */
const listed = ({ destination, origin }: Fixture, order: ReadonlyArray<"old" | "created">): Change =>
  eachChain((chain) => {
    const place = [origin, destination].find((one) => one.chain.id === chain.id)
    if (chain.kind !== "evm" || place === undefined) return chain
    const [first, ...others] = order.map((which) => ({ address: place[which].vault, delegate: place[which].account }))
    if (first === undefined) throw new RangeError("There is no vault.")
    return { ...chain, stuckAfterMillis: 600_000, vaults: [first, ...others] }
  })

/** The new vaults, and the old ones for wallets that are already delegated, each with its code. */
const deploymentOf = async ({ chain, created, old }: Place): Promise<Deployment> => {
  const codeOf = async (address: string) =>
    keccak256((await evm.reader(chain).getCode({ address: address as Address })) ?? "0x")
  return {
    delegates: [created.account],
    vault: created.vault,
    codeHash: await codeOf(created.account),
    older: [{ delegate: old.account, vault: old.vault, codeHash: await codeOf(old.account) }]
  }
}

/** Starts a swap of 10 USDC into WETH, or into another token. */
const startOf = async (
  { devnet, destination, origin }: Fixture,
  { apiKeys, url }: Running,
  wallet: PrivateKeyAccount,
  outputToken = evm.tokenOf(destination.chain, "WETH")
) => {
  const client = createClient({
    transport: fetchTransport({ baseUrl: url, apiKey: apiKeys[0] }),
    signers: { evm: EvmSigner.fromAccount(wallet, { rpc: { [origin.chain.id]: evm.reader(origin.chain) } }) },
    network: {
      chains: await Promise.all(
        [origin, destination].map(async (side) => ({
          id: side.chain.id,
          name: `${side.chain.id}`,
          family: "evm" as const,
          deployment: await deploymentOf(side)
        }))
      )
    }
  })
  return start(client, { ...usdcToWeth(devnet, wallet.address, evm.newAddress()), outputToken })
}

/** The transactions of a vault for a swap. */
const hashesOf = async (
  chain: Devnet.EvmChain,
  { vault }: Contracts,
  name: "Collected" | "Delivered" | "Refunded",
  orderId: string
): Promise<ReadonlyArray<string>> => {
  const events = await evm.vaultEvents(chain, vault)
  return events.flatMap(({ args, eventName, transactionHash }) => {
    const id = "orderId" in args ? args.orderId : "swapId" in args ? args.swapId : undefined
    return eventName === name && id === orderId ? [transactionHash] : []
  })
}

/** How often the old and the new vault of both chains acted for a swap. */
const movesOf = async ({ destination, origin }: Fixture, running: Running, { swapId }: Started) => {
  const orderId = database.orderOf(running.database, swapId)
  const count = async ({ chain, created, old }: Place, name: "Collected" | "Delivered" | "Refunded") => ({
    old: (await hashesOf(chain, old, name, orderId)).length,
    created: (await hashesOf(chain, created, name, orderId)).length
  })
  return {
    collected: await count(origin, "Collected"),
    delivered: await count(destination, "Delivered"),
    refunded: await count(origin, "Refunded")
  }
}

const never = { old: 0, created: 0 }

/** Releases both chains in any case. The logs of the server are hidden. */
const played = <E>(body: Effect.Effect<void, E, Devnet.Devnet | Scope.Scope>) =>
  Effect.gen(function* () {
    const { evmA, evmB } = yield* Devnet.Devnet
    yield* Effect.ensuring(body, Effect.orDie(Effect.all([evmA.release, evmB.release], { discard: true })))
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))

describe("server with two vaults on each chain", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "lets each wallet pay the vault of its delegate and delivers from the first vault",
      () =>
        played(
          Effect.gen(function* () {
            const fixture = yield* fixtureOf
            const running = yield* serve(fixture.devnet, listed(fixture, ["created", "old"]), fixture.given)
            yield* Effect.promise(async () => {
              const { destination, devnet, origin } = fixture
              const early = await evm.newDelegated(devnet, origin.chain, { USDC: 10n * usdc })
              const { account: late } = await evm.newWallet(devnet, origin.chain, { USDC: 20n * usdc })
              const swaps = [await startOf(fixture, running, early), await startOf(fixture, running, late)]
              const ends = await Promise.all(swaps.map(({ ended }) => ended))
              expect(ends.map(({ status }) => status)).toEqual(["settled", "settled"])
              const [first, second] = await Promise.all(swaps.map((swap) => movesOf(fixture, running, swap)))
              const delivered = { old: 0, created: 1 }
              expect(first).toEqual({ collected: { old: 1, created: 0 }, delivered, refunded: never })
              expect(second).toEqual({ collected: { old: 0, created: 1 }, delivered, refunded: never })
              const operations = swaps.map(({ swapId }) => database.operationOf(running.database, swapId))
              expect(operations[0]).toMatchObject({ vault: origin.old.vault.toLowerCase() })
              expect(operations[1]).toMatchObject({ vault: origin.created.vault.toLowerCase() })
              // The second swap of a wallet that was asked to delegate to the new account needs no authorization.
              const again = await startOf(fixture, running, late)
              expect((await again.ended).status).toBe("settled")
              expect((await movesOf(fixture, running, again)).collected).toEqual({ old: 0, created: 1 })
              expect(destination.created.vault).not.toBe(destination.old.vault)
            })
          })
        ),
      timeout
    )
  })
})
