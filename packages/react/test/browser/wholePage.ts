/** A page that uses all hooks, with the real service. */
import type { Network, QuoteInput } from "@geoswap/core/promise"
import { waitFor } from "@testing-library/react"
import {
  browserStore,
  type UseSwapResult,
  useDelegation,
  useResumableSwaps,
  useSwap,
  useSwapForm,
  useSwapStatus
} from "../../src/index.js"
import { connect, devnetNetwork, type Running, walletOf } from "./devnetClient.js"
import { renderPage } from "./page.js"

export const eventually = (expectation: () => void) => waitFor(expectation, { interval: 25 })
export const stepsOf = ({ events }: UseSwapResult) => events.map(({ event }) => event.type)

export const chainNamed = ({ devnet }: Running, name: string) => {
  const chain = devnet.chains.find((one) => one.name === name)
  if (chain === undefined) throw new Error(`The devnet has no ${name}.`)
  return chain
}

/** 20 USDC on one EVM chain into WETH on the other. */
export const requestOf = (running: Running, wallet: string): QuoteInput => {
  const [from, to] = [chainNamed(running, "devnet-a"), chainNamed(running, "devnet-b")]
  const tokenOf = ({ tokens }: typeof from, named: string) =>
    tokens.find(({ symbol }) => symbol === named)?.address ?? ""
  return {
    originChain: from.id,
    destinationChain: to.id,
    inputToken: tokenOf(from, "USDC"),
    outputToken: tokenOf(to, "WETH"),
    amount: 20_000_000n,
    walletAddress: walletOf(running, wallet).address
  }
}

interface EverythingProps {
  readonly network: Network
  readonly evm: string
  readonly solana: string
}

const useEverything = ({ evm, network, solana }: EverythingProps) => {
  const form = useSwapForm({ network, wallets: { evm, solana }, quote: { query: { refetchInterval: false } } })
  const swap = useSwap()
  return {
    form,
    swap,
    resumable: useResumableSwaps(),
    delegation: useDelegation(
      form.origin && form.wallet ? { chainId: form.origin.id, walletAddress: form.wallet } : undefined
    ),
    status: useSwapStatus(swap.swap?.swapId)
  }
}

/** A whole page for two wallets. */
export const opened = async (running: Running, evm: string, { refuses = false } = {}) => {
  const wallets = { evm: walletOf(running, evm), solana: walletOf(running, "erin") }
  const connected = await connect(running, { ...wallets, refuses, store: browserStore() })
  const page = renderPage(useEverything, connected, {
    network: devnetNetwork(running.devnet),
    evm: wallets.evm.address,
    solana: wallets.solana.address
  })
  return { ...connected, ...page, now: () => page.result.current }
}
