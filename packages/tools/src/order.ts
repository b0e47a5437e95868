/** What an order of an agent asks for: its tokens, and its request. */
import { defaultSlippageBps, parseAmount } from "@geoswap/core/promise"
import type { Order } from "./Backend.js"
import * as Names from "./names.js"
import type { Session } from "./session.js"
import { ToolError } from "./ToolError.js"

/** The chains and tokens of an order, and its request without a wallet. */
export const parseOrder = ({ client, names }: Session, order: Order) => {
  const [from, to] = [Names.resolveToken(names, order.from), Names.resolveToken(names, order.to)]
  const { maxSlippageBps } = client.rules.policy
  return {
    from,
    to,
    request: {
      originChain: from.chain.id,
      destinationChain: to.chain.id,
      inputToken: from.token.address,
      outputToken: to.token.address,
      amount: parseAmount(order.amount, from.token),
      recipient: order.recipient,
      // The service's default, or less if the policy allows less.
      slippageBps:
        order.slippageBps ?? (maxSlippageBps === undefined ? undefined : Math.min(defaultSlippageBps, maxSlippageBps))
    }
  }
}

/** An order with the wallet that pays and the recipient. */
export const resolveOrder = (session: Session, order: Order) => {
  const { from, request, to } = parseOrder(session, order)
  const { wallets } = session.client.rules
  const walletAddress = wallets[from.chain.family]
  const recipient = order.recipient ?? wallets[to.chain.family]
  if (walletAddress === undefined || recipient === undefined) {
    throw new ToolError({
      code: "NO_WALLET",
      message: `There is no wallet for ${walletAddress === undefined ? from.chain.name : to.chain.name}.`,
      nextStep: walletAddress === undefined ? "Pay on another chain." : "Pass a recipient."
    })
  }
  return { from, to, request: { ...request, walletAddress, recipient } }
}
