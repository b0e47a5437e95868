/** Swaps that were signed and whose end nobody here knows. */
import type { Journal } from "@geoswap/core"
import { Amount } from "@geoswap/core"
import { type Shape as DirectoryShape, tokenAt } from "../../chains/Directory.js"
import { block, foreign, type Style } from "../../output/Output.js"

/** What a flow is about, in a line. */
const aboutWords = ({ output, request }: Journal.Flow, { chains }: DirectoryShape): string => {
  const sideOf = (chainId: number, address: string, amount: bigint) => {
    const chain = chains.find(({ id }) => id === chainId)
    const token = tokenAt(chain, address)
    const much =
      token === undefined ? `${amount} units of ${address}` : `${Amount.format(amount, token.decimals)} ${token.symbol}`
    return `${much} on ${chain?.name ?? `chain ${chainId}`}`
  }
  const { amount, destinationChain, inputToken, originChain, outputToken } = request
  return `${sideOf(originChain, inputToken, amount)} for ${sideOf(destinationChain, outputToken, output)}`
}

/** A flow in words. */
export const words = (flow: Journal.Flow, directory: DirectoryShape, style: Style): string =>
  block(
    [
      ["Unfinished", flow.id],
      ["Since", new Date(flow.createdAt).toISOString()],
      ["About", aboutWords(flow, directory)],
      ["Wallet", flow.request.walletAddress],
      [
        "State",
        flow.swapId === undefined
          ? "signed; nobody knows whether it was accepted"
          : `accepted as ${foreign(flow.swapId)}`
      ]
    ],
    style.dim
  )
