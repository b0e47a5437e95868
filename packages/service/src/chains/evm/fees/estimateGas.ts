/** Estimates the gas of a call. */
import type { RpcTransactionRequest } from "viem"
import { quantity } from "../nodes/parse.js"
import type { Ask } from "../nodes/rpcNodes.js"
import { orRevert } from "../transactions/reverts.js"

/** Estimates the minimum gas with which a call succeeds (default: at the node's default block). */
export const estimate = (ask: Ask, request: RpcTransactionRequest, at?: "pending") =>
  ask("eth_estimateGas", ({ request: send }) =>
    send({ method: "eth_estimateGas", params: at === undefined ? [request] : [request, at] }).then(quantity, orRevert)
  )
