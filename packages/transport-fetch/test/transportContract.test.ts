import { ScriptedTransport, TestSigner, type TransportHarness, transportContract, Vectors } from "@geoswap/core/testing"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { setTimeout as sleep } from "node:timers/promises"
import { FetchTransport } from "../src/index.js"
import { apiKey, otherKey, serveScripted } from "./scriptedServer.js"

const harness = Effect.gen(function* () {
  const service = ScriptedTransport.make()
  const context = yield* Effect.context()
  const { url: baseUrl } = yield* Effect.acquireRelease(
    Effect.promise(() => serveScripted(service, context)),
    (server) => Effect.promise(server.close)
  )
  const { evmRequest, solanaRequest } = ScriptedTransport
  const elsewhere = { ...evmRequest, walletAddress: `0x${"99".repeat(20)}` }
  service.delegate(elsewhere.originChain, elsewhere.walletAddress, `0x${"88".repeat(20)}`)
  return {
    transport: yield* FetchTransport.make({ baseUrl, apiKey }),
    otherAccount: yield* FetchTransport.make({ baseUrl, apiKey: otherKey }),
    wrongKey: yield* FetchTransport.make({ baseUrl, apiKey: "unknown-key" }),
    evm: TestSigner.evm(),
    solana: TestSigner.solana(),
    evmRequest,
    solanaRequest,
    delegatedElsewhere: elsewhere,
    moveNonce: Effect.sync(() => service.moveNonce(evmRequest.originChain, Vectors.evmKey.address)),
    // The service uses the test clock. Real time passes too, so packets can travel.
    elapse: (millis) =>
      Effect.andThen(
        TestClock.adjust(millis),
        Effect.promise(() => sleep(5))
      )
  } satisfies TransportHarness
})

describe("the transport contract over real HTTP", () => {
  for (const { name, run } of transportContract(Effect.orDie(harness))) it.effect(name, () => run)
})
