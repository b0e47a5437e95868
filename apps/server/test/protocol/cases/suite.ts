/** What the tests of the protocol client share: a server, two wallets with tokens, and cases with titles. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { PrivateKeyAccount } from "viem"
import type { File } from "../../stack/stack.js"
import { ether, evmWallet, solanaWallet, ProtocolFixture, stageLayer, usdc, type Fixture } from "../fixture.js"
import type { SolanaWallet } from "../operations.js"

export interface Suite extends Fixture {
  /** Holds USDC and WETH. */
  readonly payer: PrivateKeyAccount
  /** Holds USDC. */
  readonly owner: SolanaWallet
}

export class ProtocolSuite extends Context.Service<ProtocolSuite, Suite>()("test/protocol/ProtocolSuite") {}

export const suiteLayer = (change?: (file: File) => File) =>
  Layer.effect(
    ProtocolSuite,
    Effect.flatMap(ProtocolFixture, (fixture) =>
      Effect.promise(async () => ({
        ...fixture,
        payer: await evmWallet(fixture, { USDC: 10_000n * usdc, WETH: ether }),
        owner: await solanaWallet(fixture)
      }))
    )
  ).pipe(Layer.provide(stageLayer(change)))

/** Tests by title. */
export type Cases = Readonly<
  Record<string, (suite: Suite) => Promise<unknown> | Effect.Effect<unknown, unknown, Scope.Scope>>
>

/** Registers a case as a test. */
export const running = (run: Cases[string]) =>
  Effect.flatMap(ProtocolSuite, (suite) => {
    const running = run(suite)
    return Effect.isEffect(running) ? Effect.asVoid(running) : Effect.asVoid(Effect.promise(() => running))
  })
