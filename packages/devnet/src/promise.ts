/** The devnet's promise API. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Devnet from "./Devnet.js"
import * as Proxy from "./Proxy.js"

/** An operation that returns a promise instead of an effect. */
type Promised<F> =
  F extends Effect.Effect<infer A, infer _E, infer _R>
    ? () => Promise<A>
    : F extends (...args: infer Args) => Effect.Effect<infer A, infer _E, infer _R>
      ? (...args: Args) => Promise<A>
      : F

/** An object whose operations return promises instead of effects. */
type WithPromises<T> = { readonly [Key in keyof T]: Promised<T[Key]> }

/** A resource that has to be stopped, by calling `stop` or with `await using`. */
export interface Stoppable extends AsyncDisposable {
  /** Stops the resource. Calling `stop` again has no effect. */
  readonly stop: () => Promise<void>
}

/** A running devnet whose operations return promises. */
export interface RunningDevnet extends Omit<Devnet.Devnet, "evmA" | "evmB" | "solana" | "died">, Stoppable {
  readonly evmA: WithPromises<Devnet.EvmChain>
  readonly evmB: WithPromises<Devnet.EvmChain>
  readonly solana: WithPromises<Devnet.SolanaChain>
  /** Rejects with `ChainDied` if a chain exits before the devnet stops; otherwise stays pending. */
  readonly died: () => Promise<never>
}

/** A running proxy whose operations return promises. */
export interface RunningProxy extends WithPromises<Proxy.Proxy>, Stoppable {}

const promised = <T extends object>(operations: T): WithPromises<T> =>
  Object.fromEntries(
    Object.entries(operations).map(([name, value]: [string, unknown]) => {
      if (Effect.isEffect(value)) return [name, () => Effect.runPromise(value as Effect.Effect<unknown>)]
      if (typeof value !== "function") return [name, value]
      const operation = value as (...args: ReadonlyArray<unknown>) => unknown
      const inPromises = (...args: ReadonlyArray<unknown>) => {
        const result = operation(...args)
        return Effect.isEffect(result) ? Effect.runPromise(result as Effect.Effect<unknown>) : result
      }
      return [name, inPromises]
    })
  ) as WithPromises<T>

/** Options for every start function. */
export interface StartOptions {
  /** Aborts the start. The promise then rejects with the signal's reason, and nothing is left behind. */
  readonly signal?: AbortSignal | undefined
}

/** Acquires a resource in a new scope, which `stop` closes. A failed start leaves nothing behind. */
const running = async <A>(
  acquire: Effect.Effect<A, unknown, Scope.Scope>,
  signal: AbortSignal | undefined
): Promise<readonly [A, Stoppable]> => {
  signal?.throwIfAborted()
  const scope = Scope.makeUnsafe()
  const close = (exit: Exit.Exit<unknown, unknown>) => Effect.runPromise(Scope.close(scope, exit))
  const exit = await Effect.runPromiseExit(Scope.provide(acquire, scope), signal && { signal })
  if (Exit.isFailure(exit)) {
    await close(exit)
    signal?.throwIfAborted()
    return Effect.runPromise(Effect.failCause(exit.cause))
  }
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= close(Exit.void))
  return [exit.value, { stop, [Symbol.asyncDispose]: stop }]
}

/**
 * Starts a devnet. Rejects with a `DevnetError` on failure. Stop the devnet with `stop` or `await using`.
 *
 * @example
 * ```ts
 * await using devnet = await startDevnet({ ports: "free" })
 * ```
 */
export const startDevnet = async (options: Devnet.Options & StartOptions = {}): Promise<RunningDevnet> => {
  const [devnet, stoppable] = await running(Devnet.make(options), options.signal)
  return {
    ...devnet,
    evmA: promised(devnet.evmA),
    evmB: promised(devnet.evmB),
    solana: promised(devnet.solana),
    died: () => Effect.runPromise(devnet.died),
    ...stoppable
  }
}

/**
 * Starts a proxy in front of an RPC node. Rejects with a `DevnetError` on failure. Stop the proxy with `stop` or `await
 * using`.
 */
export const startProxy = async (options: Proxy.Options & StartOptions): Promise<RunningProxy> => {
  const [proxy, stoppable] = await running(Proxy.make(options), options.signal)
  return { ...promised(proxy), ...stoppable }
}
