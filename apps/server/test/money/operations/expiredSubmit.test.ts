import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import { Accounts, SwapSignals, Config, Pricing, Seal, Service, Checkpoints, Store, TableVenue } from "@geoswap/service"
import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction
} from "@solana/kit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import * as Secrets from "../../../src/secrets/Secrets.js"
import * as Server from "../../../src/Server.js"
import * as Storage from "../../../src/storage/Storage.js"
import * as evm from "../../stack/evm.js"
import * as solana from "../../stack/solana.js"
import { devnetLayer, environmentFor, fileFor } from "../../stack/stack.js"

/** Two processes on one storage, as far as submit is concerned, and a signed swap. */
const prepare = Effect.gen(function* () {
  const devnet = yield* Devnet.Devnet
  const config = yield* Config.parse(JSON.stringify(fileFor(devnet)))
  if (config.venue.kind !== "table") return yield* Effect.die("The devnet has a table of prices.")
  const secrets = yield* Secrets.read(config, yield* environmentFor(devnet))
  const chains = yield* Server.chains(config, secrets)
  const directory = { chains, natives: new Map<number, string>() }
  const pricing = Pricing.fromVenue(config, TableVenue.make(config.venue, Config.priceNames(config)))
  const stored = yield* Layer.build(Layer.fresh(Storage.store(Storage.file(":memory:"))))
  const store = Context.get(stored, Store.Store)
  const process = Service.layer({ config, directory, pricing }).pipe(
    Layer.provide([
      SwapSignals.layer,
      Seal.layer({ environment: config.environment, keys: secrets.sealKeys }),
      Layer.succeed(Store.Store, store)
    ])
  )
  const started = Effect.map(Layer.build(Layer.fresh(process)), (context) => Context.get(context, Service.Service))
  const [first, second] = [yield* started, yield* started]
  const accounts = yield* Layer.build(Accounts.layer.pipe(Layer.provide(Layer.succeed(Store.Store, store))))
  const { apiKey } = yield* Context.get(accounts, Accounts.Accounts).create({ account: "first" })

  const wallet = yield* Effect.promise(() => solana.newWallet(devnet, { USDC: 100_000_000n }))
  const { evmA, solana: origin } = devnet
  const { geoQuoteToken } = yield* first.quote(apiKey.accountId, {
    originChain: origin.id,
    destinationChain: evmA.id,
    inputToken: evm.tokenOf(origin, "USDC"),
    outputToken: evm.tokenOf(evmA, "USDC"),
    amount: 10_000_000n,
    walletAddress: wallet.address,
    recipient: evm.newAddress()
  })
  const built = yield* first.buildSolanaTx(apiKey.accountId, { geoQuoteToken })
  const signedTransaction = yield* Effect.promise(async () => {
    const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(built.unsignedTransaction))
    return getBase64EncodedWireTransaction(await partiallySignTransaction([wallet.keyPair], unsigned))
  })
  const submitBy = ({ submitSolana }: Service.Service) =>
    submitSolana(apiKey.accountId, { geoOpToken: built.geoOpToken, signedTransaction })
  return { first, second, store, submitBy }
})

/** Runs an effect when a process is about to store a swap. */
const beforeAccepted = (task: Effect.Effect<unknown, unknown>) => (step: string) =>
  step === "before accepted" ? Effect.orDie(Effect.asVoid(task)) : Effect.void

/** How long after the build an operation can be submitted. */
const submitMillis = 90_000

describe("operation that expires during submit", () => {
  layer(devnetLayer, { timeout: 120_000 })((it) => {
    it.effect(
      "does not become a swap, because another process may have reported it as expired",
      () =>
        Effect.gen(function* () {
          const { first, second, store, submitBy } = yield* prepare
          const late = Effect.gen(function* () {
            yield* TestClock.adjust(submitMillis)
            expect(yield* Effect.flip(submitBy(second))).toMatchObject({ code: "OPERATION_EXPIRED" })
          })
          const slow = Effect.provideService(submitBy(first), Checkpoints.Checkpoints, beforeAccepted(late))
          expect(yield* Effect.flip(slow)).toMatchObject({ code: "OPERATION_EXPIRED" })
          expect(yield* store.claim({ owner: "test", leaseMillis: 1_000, limit: 10 })).toEqual([])
        }).pipe(Effect.scoped),
      60_000
    )

    it.effect(
      "returns the swap that another process accepted in time",
      () =>
        Effect.gen(function* () {
          const { first, second, store, submitBy } = yield* prepare
          const late = Effect.gen(function* () {
            yield* Effect.provideService(submitBy(second), Checkpoints.Checkpoints, () => Effect.void)
            yield* TestClock.adjust(submitMillis)
          })
          const { swapId } = yield* Effect.provideService(
            submitBy(first),
            Checkpoints.Checkpoints,
            beforeAccepted(late)
          )
          const claimed = yield* store.claim({ owner: "test", leaseMillis: 1_000, limit: 10 })
          expect(claimed.map(({ id }) => id)).toEqual([swapId])
        }).pipe(Effect.scoped),
      60_000
    )
  })
})
