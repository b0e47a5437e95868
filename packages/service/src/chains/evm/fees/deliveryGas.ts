/** The gas for a delivery: how much the delivery uses now, and how much a quote charges for. */
import * as Effect from "effect/Effect"
import { formatTransactionRequest, numberToHex, type RpcTransactionRequest } from "viem"
import { together } from "../../../concurrency/together.js"
import type { EvmChain } from "../../Chains.js"
import type { EvmContext } from "../context.js"
import { quantity } from "../nodes/parse.js"
import type { Ask } from "../nodes/rpcNodes.js"
import { control } from "../proof/recipientFault.js"
import { isRevert, orRevert, type Revert } from "../transactions/reverts.js"
import { maxTransactionGas } from "../transactions/transactions.js"
import { addressOf, callOf, isNative } from "../transactions/vaultCalls.js"
import { estimate } from "./estimateGas.js"
import { least, most } from "./feeEstimate.js"

/** The gas of a delivery that cannot be estimated because it would revert, for a token that uses as much as USDC. */
const usualGas = {
  token: { holder: 85_000n, newHolder: 102_000n },
  native: { holder: 70_000n, newHolder: 95_000n }
}
/** What the first balance of a recipient costs more than a later one. */
const firstBalanceGas = { token: 17_100n, native: 25_000n }

/** The gas that a native transfer requires for the recipient's code. A recipient without code does not use it. */
const stipend = 2_300n

/** What a real amount in a transaction's data costs more than the amount in an estimate for a quote. */
const amountGas = 100n

/** The gas that the vault forwards to a recipient of native tokens: the vault's `RECEIVE_GAS`. */
const receiveGas = 100_000n

/** The minimum gas limit for a native transfer. A recipient may use more gas in execution than in simulation. */
const leastForNative = 300_000n

/** The gas limit of a transaction that an estimate says would use `gas`. */
export const gasLimit = (token: string, gas: bigint): bigint => {
  const ample = (gas * 125n) / 100n
  return least(isNative(token) ? most(ample, leastForNative) : ample, maxTransactionGas)
}

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

export const make = ({
  feeModel,
  quorum: { ask, first: reads },
  relayers: [relayer],
  samples,
  vaults
}: EvmContext): EvmChain["deliveryGas"] =>
  Effect.fnUntraced(function* ({ amount, orderId = samples.order, to: recipient, token }) {
    // For an unknown recipient, the gas is measured with an address that has no code. The gas for that address's first
    // balance is subtracted.
    const to = recipient ?? control
    const job = { kind: "deliver", orderId, token, to, amount, opensAccount: false } as const
    const request = formatTransactionRequest({ ...callOf(vaults.all[0], job), from: addressOf(relayer) })
    const kind = isNative(token) ? "native" : "token"
    const [balance, code, estimated, { gas: dataGas, margin }] = yield* together([
      reads.balanceOf(token, to),
      isNative(token) ? reads.codeOf(addressOf(to)) : Effect.succeed("0x"),
      estimate(ask, request),
      feeModel.dataGas(kind === "native" ? samples.deliverNative : samples.deliver)
    ])
    const firstBalance = recipient === undefined && balance === 0n ? firstBalanceGas[kind] : 0n
    const usual = usualGas[kind][balance === 0n ? "newHolder" : "holder"] + dataGas - firstBalance
    if (code === "0x") {
      if (isRevert(estimated)) return { charged: usual, needed: 0n }
      const unused = margin + firstBalance + (kind === "native" ? stipend : 0n)
      return { charged: estimated + amountGas - unused, needed: estimated - firstBalance }
    }
    // If the usage cannot be measured, assume that the recipient uses all of the gas that the vault forwards.
    const all = usual + receiveGas
    const used = yield* Effect.orElseSucceed(usage(ask, request), () => all)
    if (isRevert(estimated) || isRevert(used)) return { charged: all, needed: 0n }
    const needed = most(estimated, used)
    return { charged: needed - margin, needed }
  })
