/** The gas for a delivery: how much the delivery uses now, and how much a quote charges for. */
import * as Effect from "effect/Effect"
import { formatTransactionRequest, type Hex, numberToHex, type RpcTransactionRequest } from "viem"
import type * as Config from "../../../config/Config.js"
import type { SendJob } from "../../../domain/Job.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { DeliveryGas } from "../../Draft.js"
import { quantity, type Reads } from "../nodes/reads.js"
import type { Ask } from "../nodes/rpcNodes.js"
import { control } from "../proof/recipientFault.js"
import { isRevert, orRevert, type Revert } from "../transactions/reverts.js"
import { addressOf, callOf, isNative } from "../transactions/vaultCalls.js"

/** The gas in the usual case, as measured by `@geoswap/contracts`, plus a margin. */
const usualGas = {
  token: { holder: 75_000n, newHolder: 92_000n },
  native: { holder: 70_000n, newHolder: 95_000n }
}

/** The gas that the vault forwards to a recipient of native tokens: the vault's `RECEIVE_GAS`. */
const receiveGas = 100_000n

/** The minimum gas limit for a native transfer. A recipient may use more gas in execution than in simulation. */
const leastForNative = 300_000n

/** The gas limit of a transaction that an estimate says would use `gas`. */
export const gasLimit = (token: string, gas: bigint): bigint => {
  const ample = (gas * 125n) / 100n
  return isNative(token) && ample < leastForNative ? leastForNative : ample
}

/** Estimates the minimum gas with which a call succeeds (default: at the node's default block). */
export const estimate = (
  ask: Ask,
  request: RpcTransactionRequest,
  at?: "pending"
): Effect.Effect<bigint | Revert, ChainUnavailable> =>
  ask("eth_estimateGas", ({ request: send }) =>
    send({ method: "eth_estimateGas", params: at === undefined ? [request] : [request, at] }).then(quantity, orRevert)
  )

/**
 * Measures the gas that a call uses when it is sent with its actual gas limit. An estimate can be far lower, because
 * code can do less work with less gas, and some nodes search for the lowest limit. Fails if a node does not support the
 * RPC method.
 */
const usage = (ask: Ask, request: RpcTransactionRequest) =>
  ask("eth_createAccessList", async ({ request: send }) => {
    const params = [{ ...request, gas: numberToHex(leastForNative) }, "latest"] as const
    const answer = await send({ method: "eth_createAccessList", params: [...params] }).catch(orRevert)
    if (isRevert(answer)) return answer
    // Nodes report a revert as part of the result.
    return "error" in answer ? ({ _tag: "Revert", data: "0x" } satisfies Revert) : quantity(answer.gasUsed)
  })

const largest = (one: bigint, other: bigint) => (one > other ? one : other)

export const make = (ask: Ask, reads: Reads, config: Config.EvmChain, relayer: Hex) =>
  Effect.fnUntraced(function* ({
    amount,
    to: recipient,
    token
  }: Pick<SendJob, "amount" | "token"> & Partial<Pick<SendJob, "to">>): Effect.fn.Return<
    DeliveryGas,
    ChainUnavailable
  > {
    // For an unknown recipient, the gas is measured with an address that has no code. The gas for that address's first
    // balance is subtracted.
    const to = recipient ?? control
    // No order has this id, so the vault has not recorded it as used.
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
    const firstBalance = recipient === undefined ? usual - holder : 0n
    if (code === "0x") {
      return isRevert(least)
        ? { charged: usual - firstBalance, needed: 0n }
        : { charged: largest(usual, least) - firstBalance, needed: least - firstBalance }
    }
    // If the usage cannot be measured, assume that the recipient uses all of the gas that the vault forwards.
    const most = usual + receiveGas
    const used = yield* Effect.orElseSucceed(usage(ask, request), () => most)
    if (isRevert(least) || isRevert(used)) return { charged: most, needed: 0n }
    const needed = largest(least, used)
    return { charged: largest(usual, needed), needed }
  })
