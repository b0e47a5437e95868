/** The client for code without Effect: promises, `for await` and `AbortSignal`. */
export { type Client, createClient, type RuledClient } from "./promise/client.js"
export { isSwapError, type SwapError } from "./promise/errors.js"
export type {
  CallOptions,
  ClientOptions,
  ExecuteOptions,
  PolicyOptions,
  Progress,
  WaitOptions
} from "./promise/options.js"
export { parseNetwork } from "./promise/parseNetwork.js"
export { createQuoteClient } from "./promise/quoteClient.js"
export { formatAmount, parseAmount, tokenResolver } from "./promise/tokens.js"
export type { Chain as ChainInfo } from "./Chain.js"
export type { PromiseEvmReader, PromiseSolanaReader } from "./ChainReader.js"
export type { Authorization, Delegation, DelegationQuery } from "./Delegation.js"
export type { FlowId, SwapId } from "./Id.js"
export type { Network, NetworkChain, NetworkToken } from "./Network.js"
export type { Deployment } from "./Operation.js"
export type { Method as PaymentMethod, Payment } from "./Payment.js"
export type { Submission } from "./programs/endpoints.js"
export type { ExecuteInput } from "./programs/prepareRequest.js"
export {
  type Cost,
  type Costs,
  defaultSlippageBps,
  type ExchangeRate,
  exchangeRate,
  type IndicativeQuote,
  type IndicativeQuoteInput,
  isHighCost,
  minOutputOf,
  type Quote,
  type QuoteInput,
  type QuoteRequest,
  type SlippageRisk,
  slippageRisk,
  weakensMinimum
} from "./Quote.js"
export type {
  AuthorizationToSign,
  OperationToSign,
  PaymentToSign,
  PromiseEvmSigner,
  PromiseSolanaSigner,
  RevocationToSign,
  SignedPayment,
  TransactionToSign
} from "./Signer.js"
export { type Locks, type Storage, storageStore } from "./store/records.js"
export type { Flow, PromiseStore } from "./Store.js"
export type { Proof, Swap, SwapAmount } from "./Swap.js"
export type { PaymentPreview, QuotePreview, SwapEvent } from "./SwapEvent.js"
export { nextAction, outcome as swapOutcome, type Outcome as SwapOutcome, unknownReason } from "./swap/outcome.js"
export { signedSoFar, type Step as SwapStep, steps as swapSteps, typicalDuration } from "./swap/progress.js"
export type { KnownToken, PinnedToken, PromiseResolver as TokenResolver } from "./Tokens.js"
export type { PromiseTransport } from "./Transport.js"
