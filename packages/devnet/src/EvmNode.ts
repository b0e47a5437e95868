/** One EVM chain: a dedicated process that runs EDR or anvil, and controls for tests. */
import { constants } from "node:os"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Hex } from "viem"
import { type BinaryMissing, ChainDied, ChainRefused, PortTaken, ReorgTooDeep, StartFailed } from "./DevnetError.js"
import { type ChildProgram, run } from "./internal/childProcess.js"
import {
  chooseEngine,
  type Engine,
  type EngineName,
  type EngineOptions,
  type ImitationOptions
} from "./internal/evm/engine.js"
import type { FinalityTags, ProfileName } from "./internal/evm/profiles.js"
import { call } from "./internal/jsonRpcClient.js"
import { every } from "./internal/timer.js"

export type { EngineName, EngineOptions, FinalityTags, ImitationOptions, ProfileName }

/** Options for one chain. */
export interface Options extends EngineOptions, ImitationOptions {
  readonly chainId: number
  /** The port to listen on; 0 means any free port. */
  readonly port: number
  /**
   * Milliseconds between empty blocks; 0 means no empty blocks. With a profile, transactions wait for the next block.
   * Otherwise, or with 0, they are mined immediately.
   */
  readonly blockTime: number
  /** Milliseconds between empty blocks while the chain is idle (default: `blockTime`). */
  readonly idleBlockTime?: number | undefined
  /**
   * The number of confirmations that make a block final, counting the block itself (default: 2). `reorg` rejects a
   * depth equal to or greater than this number.
   */
  readonly confirmations?: number | undefined
}

/** Options for a reorg. */
export interface ReorgOptions {
  /** Whether finalized blocks may also be replaced, which never happens on a real chain. */
  readonly force?: boolean | undefined
}

/** Controls for an EVM chain in tests. Amounts are in wei, and times are in Unix seconds. */
export interface Controls {
  /** Stops mining, so transactions wait in the pool. First waits for any block that is being mined. */
  readonly hold: Effect.Effect<void, ChainRefused>
  /** Starts mining again, beginning with the waiting transactions. */
  readonly release: Effect.Effect<void, ChainRefused>
  /** Mines the given number of blocks immediately, even while mining is held. */
  readonly mine: (blocks?: number) => Effect.Effect<void, ChainRefused>
  /**
   * Replaces the last blocks with empty ones. The transactions in the replaced blocks are dropped and do not return to
   * the pool. Finalized blocks are replaced only with `force`.
   */
  readonly reorg: (depth: number, options?: ReorgOptions) => Effect.Effect<void, ChainRefused | ReorgTooDeep>
  /** Removes a transaction from the pool. Returns whether the transaction was in the pool. */
  readonly drop: (hash: Hex) => Effect.Effect<boolean, ChainRefused>
  /** Sets the base fee for the next block. Later base fees are derived from it as usual. */
  readonly setBaseFee: (wei: bigint) => Effect.Effect<void, ChainRefused>
  /** Sets the chain's clock, which continues from that time. The time must be later than the time of the last block. */
  readonly setTime: (seconds: number) => Effect.Effect<void, ChainRefused>
}

/** A running chain. */
export interface EvmNode extends Controls {
  readonly port: number
  readonly rpcUrl: string
  readonly wsUrl: string
  /** Starts mining, both on every transaction and on a timer. */
  readonly start: Effect.Effect<void, ChainRefused>
  /** Fails if the process exits before its scope closes; otherwise never completes. */
  readonly died: Effect.Effect<never, ChainDied>
}

/** Encodes a JSON-RPC quantity. Importing viem for this would take longer than starting the chain. */
const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

const host = "127.0.0.1"

/** How many milliseconds to wait for the process to listen. */
const startMillis = 30_000

/**
 * The number of consecutive empty blocks after which a chain is idle. If `confirmations` is larger, that number applies
 * instead.
 */
const idleAfter = 12

/**
 * Decides, based on the block height, whether an empty block is due. On an idle chain, empty blocks are rare, because
 * each of them takes processor time and memory.
 */
const emptyBlockTimer = (blockTime: number, idleBlockTime: number, confirmations: number) => {
  const idleThreshold = Math.max(idleAfter, confirmations)
  let [height, empty, waited] = [0, 0, 0]
  return (now: number): boolean => {
    if (now !== height) empty = 0
    waited += blockTime
    height = now
    if (empty >= idleThreshold && waited < idleBlockTime) return false
    waited = 0
    empty += 1
    height = now + 1
    return true
  }
}

const partOf = (chainId: number) => `EVM chain ${chainId}`

/** Formats a program's output so that it can be appended to a message. */
const printed = (output: string, where = "") =>
  output === "" ? `It printed nothing${where}.` : `It printed${where}:\n${output}`

/** Describes an exit code. If a signal ended the program, a shell reports 128 plus the signal number. */
const describeExit = (code: number): string => {
  const [signal] = Object.entries(constants.signals).find(([, number]) => number === code - 128) ?? []
  return `with code ${code}${signal === undefined ? "" : ` (${signal})`}`
}

const deathOf = (
  { chainId, engine, port }: { readonly chainId: number; readonly engine: Engine; readonly port: number },
  code: number,
  output: string
) => {
  const part = partOf(chainId)
  const message = `${part} is down: its ${engine.name} process on port ${port} exited ${describeExit(code)}. ${printed(output, " on standard error")}`
  return new ChainDied({ part, code, output, message })
}

const listening = (
  { output, process: child }: ChildProgram,
  { chainId, port }: Options,
  { command, missing, name }: Engine
): Effect.Effect<number, PortTaken | BinaryMissing | StartFailed> =>
  Effect.callback((resume) => {
    const part = partOf(chainId)
    const fail = (message: string) => resume(Effect.fail(new StartFailed({ part, output: output(), message })))
    const timer = setTimeout(() => {
      const facts = `${name} (${command}) is running as process group ${child.pid}, but did not report its port within`
      const advice = `The machine may be too busy, or this program may not be ${name}.`
      fail(`${part} did not start: ${facts} ${startMillis / 1000} s. ${advice} ${printed(output())}`)
    }, startMillis)
    child.stdout.on("data", () => {
      const [, found] = /Listening on [^\s]*:(\d+)/.exec(output()) ?? []
      if (found === undefined) return
      clearTimeout(timer)
      resume(Effect.succeed(Number(found)))
    })
    child.once("close", (code, signal) => {
      clearTimeout(timer)
      if (code === 126 || code === 127) return resume(Effect.fail(missing()))
      if (!/address already in use|os error (98|48)|EADDRINUSE/i.test(output())) {
        const end = code === null ? `with ${signal}` : describeExit(code)
        return fail(`${part} did not start: ${name} (${command}) exited ${end}. ${printed(output())}`)
      }
      const message = `Port ${port} is already in use, so ${part} cannot listen on it. Stop the program that is using it, or choose another port.`
      resume(Effect.fail(new PortTaken({ port, part, message })))
    })
    return Effect.sync(() => clearTimeout(timer))
  })

/** Starts a chain, which does not mine until `start` is called. It stops when the scope closes. */
export const make: (options: Options) => Effect.Effect<EvmNode, PortTaken | BinaryMissing | StartFailed, Scope.Scope> =
  Effect.fn("EvmNode.make")(function* (options) {
    const engine = chooseEngine(options)
    const address = ["--port", String(options.port), "--chain-id", String(options.chainId)]
    const child = yield* run(engine.command, [...engine.args, ...address])
    const port = yield* listening(child, options, engine)
    const rpcUrl = `http://${host}:${port}`
    const send = (...parts: Parameters<typeof call> extends [string, ...infer Rest] ? Rest : never) =>
      call(rpcUrl, ...parts)

    let held = true
    // A change of the mining mode waits for any block that the timer is mining, so the timer mines nothing after
    // `hold`.
    const mining = yield* Semaphore.make(1)
    const mine: Controls["mine"] = (blocks = 1) => Effect.asVoid(send("anvil_mine", quantity(blocks)))
    if (options.blockTime > 0) {
      const { blockTime, confirmations = 2, idleBlockTime = blockTime } = options
      const isDue = emptyBlockTimer(blockTime, idleBlockTime, confirmations)
      const due =
        idleBlockTime > blockTime
          ? Effect.map(send("eth_blockNumber"), (height) => isDue(Number(height)))
          : Effect.succeed(true)
      const tick = Effect.suspend(() =>
        held ? Effect.void : Effect.ignore(Effect.flatMap(due, (yes) => (yes ? mine() : Effect.void)))
      )
      yield* every(options.blockTime, () => mining.withPermit(tick))
    }
    const immediately = options.profile === undefined || options.blockTime === 0
    const automine = (on: boolean) =>
      mining.withPermit(
        Effect.andThen(
          Effect.sync(() => void (held = !on)),
          send("evm_setAutomine", on && immediately)
        )
      )
    const { confirmations = 2 } = options
    const reorg: Controls["reorg"] = Effect.fnUntraced(function* (depth, { force = false } = {}) {
      if (!Number.isSafeInteger(depth) || depth < 1) {
        const message = `The reorg depth is invalid: expected a whole number of at least 1, got ${depth}.`
        return yield* new ChainRefused({ method: "anvil_reorg", message })
      }
      if (depth >= confirmations && !force) {
        const rule = `its blocks are final after ${confirmations} confirmations, so at most ${confirmations - 1} can be replaced`
        const advice = "Use a smaller depth, start the devnet with more `confirmations`, or pass { force: true }."
        const message = `${partOf(options.chainId)} cannot replace its last ${depth} blocks: ${rule}. ${advice}`
        return yield* new ReorgTooDeep({ depth, confirmations, message })
      }
      yield* send("anvil_reorg", depth, [])
    })
    return {
      port,
      rpcUrl,
      wsUrl: `ws://${host}:${port}`,
      start: Effect.asVoid(automine(true)),
      hold: Effect.asVoid(automine(false)),
      release: Effect.asVoid(Effect.andThen(automine(true), mine())),
      mine,
      reorg,
      died: Effect.flatMap(child.died, (code) =>
        Effect.fail(deathOf({ chainId: options.chainId, engine, port }, code, child.errors()))
      ),
      drop: (hash) => Effect.map(send("anvil_dropTransaction", hash), (dropped) => dropped !== null),
      setBaseFee: (wei) => Effect.asVoid(send("anvil_setNextBlockBaseFeePerGas", quantity(wei))),
      setTime: (seconds) => Effect.asVoid(Effect.andThen(send("evm_setNextBlockTimestamp", seconds), mine()))
    }
  })
