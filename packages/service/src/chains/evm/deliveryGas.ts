/** The gas of a delivery: what it would use now, and what a quote charges for. */
import * as Effect from "effect/Effect"
import { formatTransactionRequest, type Hex, numberToHex, type RpcTransactionRequest } from "viem"
import type { ChainUnavailable, DeliveryGas, SendJob } from "../Chains.js"
import type * as Config from "../../config/Config.js"
import { addressOf, callOf, isNative } from "./jobs.js"
import type { Ask } from "./rpcNodes.js"
import { quantity, type Reads } from "./reads.js"
import { isRevert, orRevert, type Revert } from "./reverts.js"

/** The usual case as `@geoswap/contracts` measures it, and a margin. */
const usualGas = {
  token: { holder: 75_000n, newHolder: 92_000n },
  native: { holder: 70_000n, newHolder: 95_000n }
}

/** What the vault lets a recipient of native tokens use: its `RECEIVE_GAS`. */
const receiveGas = 100_000n

/** The least gas limit of a native transfer: a recipient may use more when it is executed than when it was simulated. */
export const leastForNative = 300_000n

/** The least gas that a call succeeds with. */
export const estimate = (ask: Ask, request: RpcTransactionRequest): Effect.Effect<bigint | Revert, ChainUnavailable> =>
  ask("eth_estimateGas", ({ request: send }) =>
    send({ method: "eth_estimateGas", params: [request] }).then(quantity, orRevert)
  )

/**
 * What a call uses with the gas that it is sent with. An estimate can be far less: code that finds less gas can do less,
 * and some nodes search for the least gas that a call succeeds with. Fails where a node has no such method.
 */
const usage = (ask: Ask, request: RpcTransactionRequest) =>
  ask("eth_createAccessList", async ({ request: send }) => {
    const params = [{ ...request, gas: numberToHex(leastForNative) }, "latest"] as const
    const answer = await send({ method: "eth_createAccessList", params: [...params] }).catch(orRevert)
    if (isRevert(answer)) return answer
    // Nodes report a revert in the result.
    return "error" in answer ? ({ _tag: "Revert", data: "0x" } satisfies Revert) : quantity(answer.gasUsed)
  })

const largest = (one: bigint, other: bigint) => (one > other ? one : other)

export const make = (ask: Ask, reads: Reads, config: Config.EvmChain, relayer: Hex) =>
  Effect.fnUntraced(function* ({
    amount,
    to,
    token
  }: Pick<SendJob, "amount" | "to" | "token">): Effect.fn.Return<DeliveryGas, ChainUnavailable> {
    // No order has this id, so that the vault has not used it.
    const job = {
      kind: "deliver",
      orderId: numberToHex(0, { size: 32 }),
      token,
      to,
      amount,
      opensAccount: false
    } as const
    const request = formatTransactionRequest({ ...callOf(addressOf(config.vaults[0].address), job), from: relayer })
    const [balance, code, least] = yield* Effect.all(
      [
        reads.balanceOf(token, to),
        isNative(token) ? reads.codeOf(addressOf(to)) : Effect.succeed("0x"),
        estimate(ask, request)
      ],
      { concurrency: "unbounded" }
    )
    const { holder, newHolder } = isNative(token) ? usualGas.native : usualGas.token
    const usual = balance === 0n ? newHolder : holder
    if (code === "0x") {
      return isRevert(least) ? { charged: usual, needed: 0n } : { charged: largest(usual, least), needed: least }
    }
    // Where it cannot be measured, it is all that the vault lets the recipient use.
    const most = usual + receiveGas
    const used = yield* Effect.orElseSucceed(usage(ask, request), () => most)
    if (isRevert(least) || isRevert(used)) return { charged: most, needed: 0n }
    const needed = largest(least, used)
    return { charged: largest(usual, needed), needed }
  })
