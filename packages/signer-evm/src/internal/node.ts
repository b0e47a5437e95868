/** Reads a chain through the client that the caller provided for it. */
import type { Hex, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { parseChainId } from "./activeChain.js"
import { describeKind } from "./describeValue.js"
import type { Request } from "./options.js"
import { signerError } from "./walletError.js"

/** The timeout shared by all requests for one check. It is short because a user is waiting. */
const timeoutMillis = 10_000

/** The maximum size of code or data that is accepted from a node. It is several times the code size limit on any chain. */
const maxBytes = 128 * 1024

/** Reads from one node. */
export interface Node {
  /** Reads the code at an address: `0x` if there is none. */
  readonly code: (address: string) => Effect.Effect<Hex.Hex, SwapError.SignerError>
  /** Calls a view function. Returns `0x` if the call reverts or there is no contract. */
  readonly view: (to: string, data: Hex.Hex) => Effect.Effect<Hex.Hex, SwapError.SignerError>
}

/** Whether an error says that a call reverted. Looks at the errors that it wraps, too. */
const isRevert = (thrown: unknown, depth = 6): boolean => {
  if (typeof thrown !== "object" || thrown === null || depth === 0) return false
  const { cause, code, data, details, message, originalError } = thrown as Readonly<Record<string, unknown>>
  return (
    code === 3 ||
    [message, details].some((text) => typeof text === "string" && /revert/i.test(text)) ||
    [cause, data, originalError].some((inner) => isRevert(inner, depth - 1))
  )
}

const tryIsRevert = (thrown: unknown): boolean => {
  try {
    return isRevert(thrown)
  } catch {
    return false
  }
}

const isBytes = (answer: unknown): answer is Hex.Hex => typeof answer === "string" && /^0x([0-9a-f]{2})*$/i.test(answer)

/**
 * Reads what a check needs. Checks the chain id first, since a wallet may have switched to another chain. The node's
 * errors are dropped, because they contain URLs with keys. `what`: what is read, for error messages.
 */
export const readNode = <A, E>(
  request: Request,
  chainId: number,
  what: string,
  read: (node: Node) => Effect.Effect<A, E>
): Effect.Effect<A, E | SwapError.SignerError> => {
  const unreadable = (why: string) =>
    signerError("failed", `Nothing was signed, because ${what} on chain ${chainId} could not be read: ${why}.`)
  const node = `options.rpc[${chainId}]`
  const call = (method: string, params: ReadonlyArray<unknown>) =>
    Effect.tryPromise({ try: async () => request({ method, params }), catch: (thrown) => thrown })
  const failed = () => unreadable(`a request to ${node} failed`)
  const bytes = (method: string, answer: unknown): Effect.Effect<Hex.Hex, SwapError.SignerError> =>
    typeof answer === "string" && answer.length > 2 + 2 * maxBytes
      ? Effect.fail(unreadable(`${node} returned more than ${maxBytes / 1024} KiB`))
      : isBytes(answer)
        ? Effect.succeed(answer)
        : Effect.fail(unreadable(`${node} returned ${describeKind(answer)} for ${method}`))
  const reading = Effect.gen(function* () {
    const chain = yield* Effect.mapError(call("eth_chainId", []), failed)
    const found = parseChainId(chain)
    if (found === undefined) return yield* unreadable(`${node} returned ${describeKind(chain)} for eth_chainId`)
    if (found !== chainId) {
      return yield* unreadable(
        `${node} is connected to chain ${found}. Pass a client for chain ${chainId}, or switch the wallet to that chain`
      )
    }
    return yield* read({
      code: (address) =>
        Effect.flatMap(Effect.mapError(call("eth_getCode", [address, "latest"]), failed), (answer) =>
          bytes("eth_getCode", answer)
        ),
      view: (to, data) =>
        call("eth_call", [{ to, data }, "latest"]).pipe(
          Effect.catch((thrown) => (tryIsRevert(thrown) ? Effect.succeed("0x") : Effect.fail(failed()))),
          Effect.flatMap((answer) => bytes("eth_call", answer))
        )
    })
  })
  return Effect.timeoutOrElse(reading, {
    duration: timeoutMillis,
    orElse: () => Effect.fail(unreadable(`${node} did not respond within ${timeoutMillis / 1000} s`))
  })
}
