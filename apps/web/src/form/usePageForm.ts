/** The page's swap form: the headless form plus the balances, the delegation, and whether the wallet can pay. */
import { Chain } from "@geoswap/core"
import { exchangeRate, formatAmount, type QuoteInput } from "@geoswap/core/promise"
import { type PayingWallet, useDelegation, useSwapForm } from "@geoswap/react"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { balanceIn, useBalances } from "../balances.js"
import { familyOf, networkOf } from "../config.js"
import { expectedSeconds } from "../progress/expectedTime.js"
import { usePage } from "../pageContext.js"
import { formMessages } from "./formMessages.js"
import { shortenDecimal } from "../format/amounts.js"
import { paymentBlocker } from "./paymentBlocker.js"
import { initialValues, isUnknownLink, shareForm } from "./sharedForm.js"
import { useEstimate } from "./useEstimate.js"
import { usePaymentCheck } from "./usePaymentCheck.js"

/** The headless form, with this page's additions. */
export type PageForm = ReturnType<typeof usePageForm>

/** Returns the form. While `paused` is true, the form requests no quotes. */
export const usePageForm = (paused: boolean) => {
  const { activity, config, wallets } = usePage()
  const client = useQueryClient()
  // What the form needs to know about the payment. It is derived from the form's own request, so it is one render late.
  const [state, setState] = useState<{ readonly canQuote: boolean; readonly payer: PayingWallet }>({
    canQuote: true,
    payer: {}
  })
  const network = useMemo(() => networkOf(config), [config])
  const policy = useMemo(() => ({ highCostBps: config.highCostBps }), [config])
  const [named, setNamed] = useState<{ readonly address: string; readonly name: string }>()
  const [replaced, setReplaced] = useState<{ readonly symbol: string; readonly chainId: number }>()
  const [initial] = useState(() => initialValues(location.search, config))
  const [unknownLink] = useState(() => isUnknownLink(location.search, config))
  const addresses = { evm: wallets.evm?.address, solana: wallets.solana?.address }
  const form = useSwapForm({
    wallets: addresses,
    initial,
    balances: (chainId, token) => balanceIn(client, chainId, addresses[familyOf(config, chainId)], token),
    network,
    policy,
    messages: formMessages(),
    payer: state.payer,
    quote: { query: { enabled: !paused && state.canQuote } }
  })
  const { destination, inputToken, origin, outputToken, payment, wallet } = form
  const payerLoading = useBalances(origin?.id, wallet)
  const receiver = destination && addresses[destination.family]
  const receiverLoading = useBalances(destination?.id, receiver)
  // The balance of the connected wallet does not belong next to another address.
  const isOwn =
    destination !== undefined &&
    receiver !== undefined &&
    form.recipient !== undefined &&
    Chain.sameAddress(destination.family, form.recipient, receiver)
  const needsDelegation = origin?.family === "evm" && wallet !== undefined
  const {
    data: delegation,
    error,
    failureReason,
    refetch
  } = useDelegation(needsDelegation ? { chainId: origin.id, walletAddress: wallet } : undefined)
  const paying = origin && wallets[origin.family]
  const delegationUnknown = needsDelegation && delegation === undefined
  const request: QuoteInput | undefined = paused ? undefined : form.request
  const check = usePaymentCheck(paying, delegation, request)
  const blockerOf = (choice: typeof payment) =>
    choice && paying && origin && inputToken
      ? paymentBlocker(
          { wallet: paying, origin: origin.name, token: inputToken.symbol, payment: choice, delegation },
          config
        )
      : undefined
  const { error: estimateError, price: estimate } = useEstimate(form, paused)
  const price = form.quote.data ?? estimate
  const known = blockerOf(check.payment)
  const blocker = known ?? blockerOf(payment)
  // If the wallet cannot sign a delegation, request no quote until it is known how the wallet can pay.
  const mustWait = delegationUnknown && paying?.family === "evm" && !paying.signer.capabilities.authorization
  const canQuote = known === undefined && !mustWait && !check.isPending
  const { payer } = check

  useEffect(() => setState({ canQuote, payer }), [canQuote, payer])
  const { values } = form
  // While a swap runs, the link has no amount: a reload must not offer the same swap again.
  useEffect(() => {
    shareForm(paused ? { ...values, amount: "" } : values)
  }, [paused, values.originChain, values.inputToken, values.destinationChain, values.outputToken, values.amount])
  // Load the signing code before it is needed.
  useEffect(() => paying?.preload(), [paying])

  return {
    ...form,
    flip: () => {
      form.flip()
      const native = outputToken?.native === true && destination !== undefined
      setReplaced(native ? { symbol: outputToken.symbol, chainId: destination.id } : undefined)
      // What you would receive becomes what you pay. A native token cannot be paid, so its amount means nothing then.
      if (native) form.set("amount", "")
      else if (price !== undefined && outputToken !== undefined) {
        form.set("amount", shortenDecimal(formatAmount(price.output, outputToken.decimals)))
      }
    },
    /** Sets the amount to a share of the balance, in whole percent. */
    setShare: (percent: number) => {
      const { balance } = form
      if (balance === undefined || inputToken === undefined) return
      form.set("amount", formatAmount((balance * BigInt(percent)) / 100n, inputToken.decimals))
    },
    /** The name that the recipient's address was looked up by. */
    recipientName: named !== undefined && form.recipient === named.address ? named.name : undefined,
    setNamedRecipient: (address: string, name: string) => {
      form.set("recipient", address)
      setNamed({ address, name })
    },
    /**
     * The native token that flipping the form has replaced, because it cannot be paid, until the user has entered an
     * amount or chosen another chain.
     */
    replaced: values.amount === "" && replaced?.chainId === origin?.id ? replaced?.symbol : undefined,
    /** Whether the page was opened with a link that it cannot follow, until the user has entered an amount. */
    unknownLink: unknownLink && values.amount === "",
    /** The price to show: the quote, or an estimate while there cannot be a quote. Only the quote can be signed. */
    price,
    isEstimate: estimate !== undefined,
    estimateError,
    /** How long the swap is expected to take, in seconds, if known. */
    seconds: origin && destination && expectedSeconds(config, origin.id, destination.id, activity.entries.get()),
    rate:
      price && form.amount && inputToken && outputToken
        ? exchangeRate(
            { amount: form.amount, decimals: inputToken.decimals },
            { amount: price.output, decimals: outputToken.decimals }
          )
        : undefined,
    canReview: form.canReview && canQuote && blocker === undefined && !delegationUnknown,
    /** Why the connected wallet cannot pay from the selected chain. */
    blocker,
    /** The wallet that pays, to find out how it can pay for a quote. */
    payer,
    /** Whether it is still unknown how the wallet can pay. */
    paymentUnknown: check.isPending,
    /** Whether it is still unknown if the wallet has to sign a delegation. */
    delegationUnknown,
    /** Why the delegation could not be read. */
    delegationError: delegationUnknown ? (failureReason ?? error) : null,
    refetchDelegation: () => void refetch(),
    delegation,
    /** The balance of the output token, if the connected wallet receives it. */
    receiverBalance:
      isOwn && outputToken && destination
        ? balanceIn(client, destination.id, receiver, outputToken.address)
        : undefined,
    /** Whether a balance is being read for the first time, in which case there is no balance to show. */
    balancesLoading: { payer: payerLoading, receiver: isOwn && receiverLoading }
  }
}
