/** One SVM: LiteSVM behind Solana's JSON-RPC and websockets, and controls for tests. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ChainDied, ChainRefused, PortTaken, StartFailed } from "./DevnetError.js"
import { maxAge } from "./internal/solana/blocks.js"
import { faucet } from "./internal/solana/faucet.js"
import { type Genesis, write } from "./internal/solana/genesis.js"
import { type Listening, start } from "./internal/rpcServer.js"
import { connectWith, maxBody } from "./internal/solana/connection.js"
import * as Ledger from "./internal/solana/ledger.js"
import { methods } from "./internal/solana/methods.js"
import { subscriptions } from "./internal/solana/subscriptions.js"
import { every } from "./internal/timer.js"
import { solanaWallet } from "./Wallets.js"

/** Options for the SVM. */
export interface Options {
  /** The port to listen on; 0 means any free port. */
  readonly port: number
  /** An additional port for websocket connections, which the HTTP port also accepts; 0 means any free port. */
  readonly wsPort: number
  /** Milliseconds between slots. */
  readonly slotTime: number
  /** The number of slots until a transaction is confirmed. */
  readonly confirmationSlots: number
  /** The number of slots until a transaction is final. */
  readonly finalitySlots: number
  readonly genesis: Genesis
}

/** Controls for the SVM in tests. Times are in Unix seconds. */
export interface Controls {
  /** Stops producing slots, so new transactions wait. */
  readonly hold: Effect.Effect<void>
  /** Resumes producing slots. The next slot includes the waiting transactions. */
  readonly release: Effect.Effect<void>
  /**
   * Produces the given number of slots immediately, even while the chain is held. The first of these slots includes the
   * waiting transactions.
   */
  readonly mine: (slots?: number) => Effect.Effect<void, ChainRefused>
  /**
   * Abandons the last slots in favor of another fork. The transactions in the abandoned slots are dropped, and the
   * blockhashes of those slots become unknown.
   */
  readonly reorg: (depth: number) => Effect.Effect<void, ChainRefused>
  /** Drops a waiting transaction. Returns whether the transaction was waiting. */
  readonly drop: (signature: string) => Effect.Effect<boolean>
  /** Produces enough blocks for every current blockhash to expire. */
  readonly expireBlockhashes: Effect.Effect<void>
  /** Sets the chain's clock as of the next slot. The clock then continues from the given time. */
  readonly setTime: (seconds: number) => Effect.Effect<void, ChainRefused>
}

/** A running SVM. */
export interface SolanaNode extends Controls {
  readonly port: number
  readonly wsPort: number
  readonly rpcUrl: string
  readonly wsUrl: string
  /** Fails if the SVM stops listening before its scope closes; otherwise never completes. */
  readonly died: Effect.Effect<never, ChainDied>
}

const sol = 1_000_000_000n

const listening = (part: string, port: number, open: () => Promise<Listening>) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: open,
      catch: (cause) => {
        const taken = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE"
        const message = taken
          ? `Port ${port} is already in use, so ${part} cannot listen on it. Stop the program that is using it, or choose another port.`
          : `Port ${port} cannot be opened for ${part}: ${String(cause)}`
        return taken ? new PortTaken({ port, part, message }) : new StartFailed({ part, output: "", message })
      }
    }),
    ({ close }) => Effect.promise(close)
  )

/** Starts the SVM. It stops when the scope closes. */
export const make: (options: Options) => Effect.Effect<SolanaNode, PortTaken | StartFailed, Scope.Scope> = Effect.fn(
  "SolanaNode.make"
)(function* ({ genesis, port, slotTime, wsPort, ...commitmentSlots }) {
  const faucetWallet = solanaWallet("faucet")
  const ledger = Ledger.make(commitmentSlots)
  yield* Effect.promise(() =>
    write(ledger, { ...genesis, funded: [...genesis.funded, [faucetWallet.address, 1_000_000_000n * sol]] })
  )
  // Advances by one slot, because creating a lookup table requires a past slot.
  ledger.advance()

  const all = methods(ledger, faucet(faucetWallet))
  let lastId = 0
  const connect = connectWith(all, (send) =>
    subscriptions(
      ledger,
      () => (lastId += 1),
      (method, subscription, result) => send({ jsonrpc: "2.0", method, params: { result, subscription } })
    )
  )
  const serve = (on: number) => () => start({ port: on, maxBody, connect })
  const http = yield* listening("the Solana JSON-RPC server", port, serve(port))
  const ws = yield* listening("the Solana websocket server", wsPort, serve(wsPort))
  yield* every(slotTime, () => Effect.sync(() => (ledger.isHeld() ? undefined : ledger.advance())))

  const deathOf = (part: string, { died, port: where }: Listening) =>
    Effect.flatMap(
      Effect.promise(() => died),
      (reason) => {
        const message = `The Solana chain is down because ${part} stopped listening on port ${where}: ${reason}.`
        return Effect.fail(new ChainDied({ part, output: "", message }))
      }
    )

  const whole = (method: string, value: number) =>
    Number.isSafeInteger(value) && value >= 0
      ? Effect.void
      : Effect.fail(
          new ChainRefused({
            method,
            message: `The argument to ${method} is invalid: expected a whole number, got ${value}.`
          })
        )
  const advance = (slots: number) =>
    Effect.sync(() => {
      for (let made = 0; made < slots; made += 1) ledger.advance()
    })
  return {
    port: http.port,
    wsPort: ws.port,
    rpcUrl: `http://127.0.0.1:${http.port}`,
    wsUrl: `ws://127.0.0.1:${ws.port}`,
    died: Effect.raceFirst(deathOf("the Solana JSON-RPC server", http), deathOf("the Solana websocket server", ws)),
    hold: Effect.sync(() => ledger.hold(true)),
    release: Effect.sync(() => ledger.hold(false)),
    mine: (slots = 1) => Effect.andThen(whole("mine", slots), advance(slots)),
    reorg: (depth) =>
      Effect.suspend(() => {
        if (ledger.reorg(depth)) return Effect.void
        const message = `The SVM cannot abandon its last ${depth} slots: some of them are final, or the chain does not have that many. Use a smaller depth.`
        return Effect.fail(new ChainRefused({ method: "reorg", message }))
      }),
    drop: (signature) => Effect.sync(() => ledger.drop(signature)),
    expireBlockhashes: advance(maxAge + 1),
    setTime: (seconds) =>
      Effect.andThen(
        whole("setTime", seconds),
        Effect.sync(() => ledger.setTime(seconds))
      )
  }
})
