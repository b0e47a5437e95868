/** TanStack Query options and the swap form's logic, for any framework. */
export { chainsQueryOptions } from "./query/chains.js"
export { delegationQueryOptions } from "./query/delegation.js"
export { indicativeQuoteQueryOptions } from "./query/indicativeQuote.js"
export type { ClientKey } from "./query/keys.js"
export { type HeldFlows, pendingQueryOptions } from "./query/pending.js"
export {
  millisLeft,
  onEachSecond,
  quoteQueryOptions,
  type QuoteScope,
  type ReceivedQuote,
  secondsLeft
} from "./query/quote.js"
export { deserialize, serialize } from "./query/serialize.js"
export { statusQueryOptions } from "./query/status.js"
export { swapMutationOptions, type SwapVariables } from "./query/swap.js"
export { type ParsedAmount, parseFormAmount } from "./form/parseFormAmount.js"
export { type PaymentChoice, paymentOf, type PaymentProblem, type PayingWallet } from "./form/paymentChoice.js"
export { refusalOf } from "./form/policyRefusal.js"
export {
  findToken,
  type FormPolicy,
  type FormToken,
  type FormChoices,
  formChoices,
  type TokenRef
} from "./form/choices.js"
export { type FormErrors, type ParsedForm, type FormContext, type FormWallets, parseForm } from "./form/parseForm.js"
export {
  changeForm,
  fillForm,
  flipForm,
  type FormField,
  type FormInitial,
  type FormValues,
  initialForm
} from "./form/values.js"
