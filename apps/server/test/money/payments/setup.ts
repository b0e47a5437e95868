/** Configurations for tests of payments, and checks of their outcome. */
import type { Devnet } from "@geoswap/devnet"
import { expect } from "vitest"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import { type Change, eachChain, type Setup, until } from "../../stack/fixture.js"
import { proofsOf } from "../../stack/outcome.js"
import type { File } from "../../stack/stack.js"
import { type Body, ended } from "./client.js"
import { tokenOf } from "./wallets.js"

type EvmFile = Extract<File["chains"][number], { readonly kind: "evm" }>

/** Changes the configuration of the first EVM chain. */
const onOrigin = ({ evmA }: Devnet.Devnet, change: (chain: EvmFile) => EvmFile): Change =>
  eachChain((chain) => (chain.kind === "evm" && chain.id === evmA.id ? change(chain) : chain))

/** Changes the limits of payments and of losses. */
export const withLimits = (
  devnet: Devnet.Devnet,
  limits: NonNullable<EvmFile["payments"]>,
  losses: NonNullable<EvmFile["losses"]> = {}
): Change => onOrigin(devnet, (chain) => ({ ...chain, payments: { ...chain.payments, ...limits }, losses }))

/** Adds a token of the devnet, priced like USDC. */
export const withPaymentToken = (
  devnet: Devnet.Devnet,
  symbol: string,
  payments?: NonNullable<EvmFile["tokens"]>[number]["payments"]
): Change => {
  const decimals = devnet.evmA.paymentTokens.find((token) => token.symbol === symbol)?.decimals ?? 0
  const token = { symbol, address: tokenOf(devnet.evmA, symbol), decimals, asset: "USDC" }
  return onOrigin(devnet, (chain) => ({
    ...chain,
    tokens: [...chain.tokens, { ...token, ...(payments !== undefined && { payments }) }]
  }))
}

/** Waits for a swap, which must settle with exactly one collection and delivery. */
export const expectSettled = async (
  { devnet, running }: Pick<Setup, "devnet" | "running">,
  swapId: string
): Promise<Body> => {
  const swap = await ended(running, swapId)
  expect([swap.status, swap.failureCode]).toEqual(["settled", undefined])
  const proofs = await proofsOf(devnet, database.orderOf(running.database, swapId))
  expect([proofs.collected, proofs.delivered.length, proofs.refunded]).toEqual([[swap.originTxHash], 1, []])
  return swap
}

/** Waits for a swap, which must fail without moving anything. */
export const expectFailed = async (
  { devnet, running }: Pick<Setup, "devnet" | "running">,
  swapId: string,
  failureCode: string
): Promise<void> => {
  const swap = await ended(running, swapId)
  expect([swap.status, swap.failureCode]).toEqual(["failed", failureCode])
  const proofs = await proofsOf(devnet, database.orderOf(running.database, swapId))
  expect(proofs).toEqual({ collected: [], delivered: [], refunded: [] })
}

/** Waits until a transaction of the relayer is pending. */
export const pooled = ({ devnet }: Pick<Setup, "devnet">) =>
  until(async () => (await evm.poolOf(devnet.evmA, evm.operator(devnet, "relayer").address)).length > 0)
