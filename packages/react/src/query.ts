/** GeoSwap as options for TanStack Query, and the logic of the swap form: for any framework, or none. */
export { chainsQueryOptions } from "./query/chains.js"
export { delegationQueryOptions } from "./query/delegation.js"
export { pendingQueryOptions } from "./query/pending.js"
export {
  millisLeft,
  onEachSecond,
  quoteQueryOptions,
  type QuoteScope,
  type ReceivedQuote,
  secondsLeft
} from "./query/quote.js"
export { statusQueryOptions } from "./query/status.js"
export {
  resumeMutationOptions,
  type StartOptions,
  type SwapListening,
  swapMutationOptions,
  type SwapVariables
} from "./query/swap.js"
export { type AmountRead, parseFormAmount } from "./form/amountText.js"
export { type Impact, impactOf, type Rate, rateOf, refusalOf, type Risk, riskOf } from "./form/judgement.js"
export {
  findToken,
  type FormPolicy,
  type FormToken,
  type Natives,
  type Offer,
  formOffer,
  type Pinned,
  type PinnedToken,
  type TokenRef
} from "./form/offer.js"
export {
  type FormErrors,
  type FormReading,
  type FormSurroundings,
  type FormWallets,
  parseForm
} from "./form/reading.js"
export {
  changeForm,
  fillForm,
  flipForm,
  type FormField,
  type FormInitial,
  type FormValues,
  initialForm
} from "./form/values.js"
