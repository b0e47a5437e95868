/** Wallets and requests with the amounts that the flows use. */
import type { QuoteRequest } from "../protocol/client.js"
import { evmRequest, evmWallet, solanaRequest, solanaWallet, usdc, type World } from "../protocol/fixture.js"

/** Large enough that the current gas price never causes a HIGH_PRICE_IMPACT warning. */
const amount = `${10_000n * usdc}`

const plenty = { USDC: 100_000n * usdc }

/** A wallet with tokens and without gas. */
export const evmPayer = (world: World) => evmWallet(world, plenty)

/** A wallet with tokens and without gas. */
export const solanaPayer = (world: World) => solanaWallet(world, plenty)

/** 10,000 USDC on one EVM chain to WETH on the other. */
export const fromEvm = (world: World, wallet: string, other: Partial<QuoteRequest> = {}): QuoteRequest =>
  evmRequest(world, wallet, { amount, ...other })

/** 10,000 USDC on Solana to WETH on an EVM chain. */
export const fromSolana = (world: World, wallet: string, other: Partial<QuoteRequest> = {}): QuoteRequest =>
  solanaRequest(world, wallet, { amount, ...other })
