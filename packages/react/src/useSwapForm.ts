/** The swap form without its looks. */
import type { ChainInfo, SwapError } from "@geoswap/core/promise"
import { formatAmount } from "@geoswap/core/promise"
import { useEffect, useMemo, useRef, useState } from "react"
import { type FormPolicy, type FormToken, formChoices, type PinnedTokens } from "./form/choices.js"
import { type Rate, rateOf } from "./form/exchangeRate.js"
import { type ParsedForm, type FormWallets, parseForm } from "./form/parseForm.js"
import { refusalOf } from "./form/policyRefusal.js"
import { type Impact, impactOf } from "./form/priceImpact.js"
import { type Risk, riskOf } from "./form/slippageRisk.js"
import {
  changeForm,
  fillForm,
  flipForm,
  type FormField,
  type FormInitial,
  type FormValues,
  initialForm
} from "./form/values.js"
import { requestKey } from "./query/keys.js"
import { useChains } from "./useChains.js"
import { type QuoteOptions, type QuoteState, useQuote } from "./useQuote.js"

/** What the form goes by. Its `tokens` come from your own list: a service that lies about decimals changes nothing. */
export interface SwapFormOptions extends PinnedTokens {
  /** The addresses of the connected wallets, by family. */
  readonly wallets: FormWallets
  readonly initial?: FormInitial | undefined
  /** What the wallet holds of a token, in smallest units, where it is known. */
  readonly balances?: ((chainId: number, token: string) => bigint | undefined) | undefined
  readonly policy?: FormPolicy | undefined
  readonly quote?: QuoteOptions | undefined
}

/** The form: what is written, what it comes to, and the price of that. */
export interface SwapForm extends ParsedForm {
  /** What is written or, where nobody chose, chosen for them. */
  readonly values: FormValues
  readonly set: (field: FormField, value: string | number | undefined) => void
  /** Exchanges from and to. */
  readonly flip: () => void
  /** Writes the whole balance as the amount, where it is known. */
  readonly setMax: () => void
  readonly chains: ReadonlyArray<ChainInfo>
  readonly chainsError: SwapError | null
  readonly isLoading: boolean
  readonly inputTokens: ReadonlyArray<FormToken>
  readonly outputTokens: ReadonlyArray<FormToken>
  readonly quote: QuoteState
  readonly impact: Impact
  /** What the live quote puts at risk. Ask for a confirmation that names it where `isWide`. */
  readonly risk: Risk | undefined
  /** Why the policy refuses the live quote. */
  readonly refusal: string | undefined
  readonly rate: Rate | undefined
  /** A live quote, no errors, no refusal. */
  readonly canReview: boolean
}

/** The swap form without its looks: from what is written to a live quote that the policy allows. */
export const useSwapForm = (options: SwapFormOptions): SwapForm => {
  const { balances, chainNames, initial, natives, policy, tokens, wallets } = options
  const { chains, error: chainsError, isLoading } = useChains()
  const choices = useMemo(
    () => formChoices(chains ?? [], { chainNames, natives, tokens }, policy),
    [chains, chainNames, natives, policy, tokens]
  )
  const [written, write] = useState(() => initialForm(initial))
  const values = fillForm(written, choices)
  const reading = parseForm(values, { balances, choices, policy, wallets })

  const latest = useRef({ choices, reading, values })
  useEffect(() => {
    latest.current = { choices, reading, values }
  })
  const [actions] = useState(() => ({
    set: (field: FormField, value: string | number | undefined) => {
      const { choices } = latest.current
      write((before) => changeForm(before, field, value, choices))
    },
    flip: () => {
      const { choices } = latest.current
      write((before) => flipForm(fillForm(before, choices), choices))
    },
    setMax: () => {
      const { balance, inputToken } = latest.current.reading
      if (balance !== undefined && inputToken) {
        write((before) => ({ ...before, amount: formatAmount(balance, inputToken.decimals) }))
      }
    }
  }))

  const { amount, inputToken, outputToken } = reading
  // The same request stays the same object, so that it can be a dependency of effects.
  const request = useMemo(() => reading.request, [reading.request && requestKey(reading.request)])
  const quote = useQuote(request, options.quote)
  const live = quote.quote
  const refusal = live && refusalOf(live, policy)
  return {
    ...reading,
    ...actions,
    request,
    values,
    chains: choices.chains,
    chainsError,
    isLoading,
    inputTokens: choices.inputTokens(values.originChain),
    outputTokens: choices.outputTokens(values.destinationChain),
    quote,
    impact: live ? impactOf(live, policy) : "none",
    risk: live && riskOf(live, values.slippageBps, policy),
    refusal,
    rate:
      live && amount && inputToken && outputToken ? rateOf(amount, inputToken, live.output, outputToken) : undefined,
    canReview: live !== undefined && Object.keys(reading.errors).length === 0 && refusal === undefined
  }
}
