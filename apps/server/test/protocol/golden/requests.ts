/** Wallets and requests with the amounts that the flows use. */
import type { QuoteRequest } from "../client.js"
import { evmRequest, evmWallet, solanaRequest, solanaWallet, usdc, type Fixture } from "../fixture.js"

/** Large enough that the current gas price never causes a HIGH_PRICE_IMPACT warning. */
const amount = `${10_000n * usdc}`

const plenty = { USDC: 100_000n * usdc }

/** A wallet with tokens and without gas. */
export const evmPayer = (fixture: Fixture) => evmWallet(fixture, plenty)

/** A wallet with tokens and without gas. */
export const solanaPayer = (fixture: Fixture) => solanaWallet(fixture, plenty)

/** 10,000 USDC on one EVM chain to WETH on the other. */
export const fromEvm = (fixture: Fixture, wallet: string, other: Partial<QuoteRequest> = {}): QuoteRequest =>
  evmRequest(fixture, wallet, { amount, ...other })

/** 10,000 USDC on Solana to WETH on an EVM chain. */
export const fromSolana = (fixture: Fixture, wallet: string, other: Partial<QuoteRequest> = {}): QuoteRequest =>
  solanaRequest(fixture, wallet, { amount, ...other })
