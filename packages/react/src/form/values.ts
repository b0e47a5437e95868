/** What is written in the form, and how it changes. */
import { Chain } from "@geoswap/core"
import type { FormToken, FormChoices } from "./choices.js"

/** What is written in the form. */
export interface FormValues {
  readonly originChain?: number | undefined
  readonly destinationChain?: number | undefined
  readonly inputToken?: string | undefined
  readonly outputToken?: string | undefined
  readonly amount: string
  readonly recipient: string
  readonly slippageBps?: number | undefined
}

/** A field of the form. */
export type FormField = keyof FormValues

/** What the form begins with. */
export type FormInitial = { readonly [K in FormField]?: FormValues[K] | undefined }

/** The values of a form that nobody has touched. */
export const initialForm = ({ amount = "", recipient = "", ...rest }: FormInitial = {}): FormValues => ({
  ...rest,
  amount,
  recipient
})

/**
 * The values with a choice made wherever nobody chose: the first chain, another chain, their first tokens. What somebody
 * chose stays, even where it cannot be had.
 */
export const fillForm = (values: FormValues, { chains, inputTokens, outputTokens }: FormChoices): FormValues => {
  const originChain = values.originChain ?? chains.find(({ id }) => inputTokens(id).length > 0)?.id
  const destinationChain = values.destinationChain ?? (chains.find(({ id }) => id !== originChain) ?? chains[0])?.id
  const kind = originChain === destinationChain ? chains.find(({ id }) => id === originChain)?.kind : undefined
  const isSame = (one: string | undefined, other: string | undefined) =>
    kind !== undefined && one !== undefined && other !== undefined && Chain.sameAddress(kind, one, other)
  const inputToken =
    values.inputToken ?? inputTokens(originChain).find(({ address }) => !isSame(address, values.outputToken))?.address
  const outputToken =
    values.outputToken ?? outputTokens(destinationChain).find(({ address }) => !isSame(address, inputToken))?.address
  return { ...values, originChain, destinationChain, inputToken, outputToken }
}

/** A number as a select or an input gives it; nothing for an empty one. */
const numberOf = (value: string | number | undefined): number | undefined =>
  value === undefined || String(value).trim() === "" ? undefined : Number(value)

/** The token of the same symbol on another chain, or none chosen. */
const carried = (
  from: ReadonlyArray<FormToken>,
  address: string | undefined,
  to: ReadonlyArray<FormToken>
): string | undefined => {
  const before = from.find((token) => token.address.toLowerCase() === address?.toLowerCase())
  return to.find(({ symbol }) => symbol === before?.symbol)?.address
}

/** The values after a field was set. Another chain takes the token along, where it has one of that symbol. */
export const changeForm = (
  values: FormValues,
  field: FormField,
  value: string | number | undefined,
  { chains, inputTokens, outputTokens }: FormChoices
): FormValues => {
  switch (field) {
    case "amount":
    case "recipient":
      return { ...values, [field]: String(value ?? "") }
    case "inputToken":
    case "outputToken":
      return { ...values, [field]: value === undefined || value === "" ? undefined : String(value) }
    case "slippageBps":
      return { ...values, slippageBps: numberOf(value) }
    case "originChain": {
      const originChain = numberOf(value)
      const inputToken = carried(inputTokens(values.originChain), values.inputToken, inputTokens(originChain))
      return { ...values, originChain, ...(chains.length > 0 && { inputToken }) }
    }
    case "destinationChain": {
      const destinationChain = numberOf(value)
      const outputToken = carried(
        outputTokens(values.destinationChain),
        values.outputToken,
        outputTokens(destinationChain)
      )
      return { ...values, destinationChain, ...(chains.length > 0 && { outputToken }) }
    }
  }
}

/** From and to exchanged. A coin cannot be paid: the first token takes its place. Who receives is chosen anew. */
export const flipForm = (values: FormValues, { outputTokens }: FormChoices): FormValues => {
  const { destinationChain, inputToken, originChain, outputToken } = values
  const isCoin = outputTokens(destinationChain).some(({ address, native }) => native && address === outputToken)
  return {
    ...values,
    originChain: destinationChain,
    destinationChain: originChain,
    inputToken: isCoin ? undefined : outputToken,
    outputToken: inputToken,
    recipient: ""
  }
}
