/** A headless swap form. */
import {
  type ChainInfo,
  type ExchangeRate,
  exchangeRate,
  formatAmount,
  isHighCost,
  type Network,
  type SlippageRisk,
  slippageRisk,
  type SwapError
} from "@geoswap/core/promise"
import { useEffect, useMemo, useRef, useState } from "react"
import { type FormToken, formChoices } from "./form/choices.js"
import { type FormContext, type ParsedForm, parseForm } from "./form/parseForm.js"
import { type PayingWallet, type PaymentChoice, paymentOf } from "./form/paymentChoice.js"
import { refusalOf } from "./form/policyRefusal.js"
import { changeForm, fillForm, flipForm, type FormField, type FormValues, initialForm } from "./form/values.js"
import { requestKey } from "./query/keys.js"
import { useChains } from "./useChains.js"
import { type QuoteOptions, type QuoteResult, useQuote } from "./useQuote.js"

/** Options for the form. */
export interface SwapFormOptions extends Omit<FormContext, "choices"> {
  /** The chains and tokens to offer, with your own decimals, so that wrong decimals from a service have no effect. */
  readonly network: Network
  readonly initial?: Partial<FormValues> | undefined
  /** The wallet that pays on EVM chains, to find out how it can pay (default: a wallet that can sign everything). */
  readonly payer?: PayingWallet | undefined
  readonly quote?: QuoteOptions | undefined
}

/** The state of the form and its quote. */
export interface SwapForm extends ParsedForm {
  /** The entered values, with defaults for empty selections. */
  readonly values: FormValues
  readonly set: (field: FormField, value: string | number | undefined) => void
  /** Swaps the origin and the destination. */
  readonly flip: () => void
  /** Sets the amount to the entire balance, if the balance is known. */
  readonly setMax: () => void
  readonly chains: ReadonlyArray<ChainInfo>
  /** Why the chains could not be read. They are requested again if the error is temporary. */
  readonly chainsError: SwapError | null
  readonly isLoading: boolean
  readonly inputTokens: ReadonlyArray<FormToken>
  readonly outputTokens: ReadonlyArray<FormToken>
  readonly quote: QuoteResult
  /** Whether there is a quote with a high or unknown total cost. If so, ask for a confirmation that states the cost. */
  readonly isHighCost: boolean
  /**
   * How much of the output the quote puts at risk. If `isHigh` is `true`, ask for a confirmation that states the amount.
   */
  readonly slippageRisk: SlippageRisk | undefined
  /** Why the policy refuses the quote. */
  readonly refusal: string | undefined
  readonly rate: ExchangeRate | undefined
  /** EVM only: how the wallet can pay for the quote. If `payment.problem` is set, show its message. */
  readonly payment: PaymentChoice | undefined
  /** Whether there is a valid quote that the wallet can pay, no error and no refusal. */
  readonly canReview: boolean
}

/** Manages a swap form, from the entered values to a live quote that the policy allows. */
export const useSwapForm = (options: SwapFormOptions): SwapForm => {
  const { network, payer, policy } = options
  const { data: chains, error, failureReason, isLoading } = useChains()
  const choices = useMemo(() => formChoices(chains ?? [], network, policy), [chains, network, policy])
  const [entered, setEntered] = useState(() => initialForm(options.initial))
  const values = fillForm(entered, choices)
  const parsed = parseForm(values, { ...options, choices })

  const latest = useRef({ choices, parsed })
  useEffect(() => {
    latest.current = { choices, parsed }
  })
  const [actions] = useState(() => ({
    set: (field: FormField, value: string | number | undefined) => {
      const { choices } = latest.current
      setEntered((before) => changeForm(before, field, value, choices))
    },
    flip: () => {
      const { choices } = latest.current
      setEntered((before) => flipForm(fillForm(before, choices), choices))
    },
    setMax: () => {
      const { balance, inputToken } = latest.current.parsed
      if (balance !== undefined && inputToken) {
        setEntered((before) => ({ ...before, amount: formatAmount(balance, inputToken.decimals) }))
      }
    }
  }))

  const { amount, inputToken, outputToken } = parsed
  // An unchanged request stays the same object, so effects can depend on it.
  const request = useMemo(() => parsed.request, [parsed.request && requestKey(parsed.request)])
  const quote = useQuote(request, options.quote)
  const live = quote.data
  const refusal = live && refusalOf(live, policy)
  const payment = live && request && parsed.origin?.family === "evm" ? paymentOf(live, request, payer) : undefined
  return {
    ...parsed,
    ...actions,
    request,
    values,
    chains: choices.chains,
    chainsError: failureReason ?? error,
    isLoading,
    inputTokens: choices.inputTokens(values.originChain),
    outputTokens: choices.outputTokens(values.destinationChain),
    quote,
    isHighCost: live !== undefined && isHighCost(live, policy?.highCostBps),
    slippageRisk: live && slippageRisk(live, values.slippageBps, policy?.highSlippageBps),
    refusal,
    rate:
      live && amount && inputToken && outputToken
        ? exchangeRate(
            { amount, decimals: inputToken.decimals },
            { amount: live.output, decimals: outputToken.decimals }
          )
        : undefined,
    payment,
    canReview:
      live !== undefined &&
      // There is no request while there is an error.
      request !== undefined &&
      refusal === undefined &&
      payment?.problem === undefined
  }
}
