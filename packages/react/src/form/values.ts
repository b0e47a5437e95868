/** The form's values and how they change. */
import { Chain } from "@geoswap/core"
import type { FormChoices, FormToken } from "./choices.js"

/** The form's values. */
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

/** Returns the values for a new form. */
export const initialForm = (values: Partial<FormValues> = {}): FormValues => ({ amount: "", recipient: "", ...values })

/**
 * Fills empty selections with defaults: the first chain that has an input token, a different chain as the destination,
 * and the first token on each chain. Selected values are kept, even if they are not available.
 */
export const fillForm = (values: FormValues, { chains, inputTokens, outputTokens }: FormChoices): FormValues => {
  const originChain = values.originChain ?? chains.find(({ id }) => inputTokens(id).length > 0)?.id
  const destinationChain = values.destinationChain ?? (chains.find(({ id }) => id !== originChain) ?? chains[0])?.id
  const kind = originChain === destinationChain ? chains.find(({ id }) => id === originChain)?.family : undefined
  const isSame = (one: string, other: string | undefined) =>
    kind !== undefined && other !== undefined && Chain.sameAddress(kind, one, other)
  const inputToken =
    values.inputToken ?? inputTokens(originChain).find(({ address }) => !isSame(address, values.outputToken))?.address
  const outputToken =
    values.outputToken ?? outputTokens(destinationChain).find(({ address }) => !isSame(address, inputToken))?.address
  return { ...values, originChain, destinationChain, inputToken, outputToken }
}

/** Parses the number in a select or an input. Returns `undefined` if the field is empty. */
const parseNumber = (value: string | number | undefined): number | undefined =>
  String(value ?? "").trim() === "" ? undefined : Number(value)

/** Returns the token on another chain that has the same symbol, if there is one. */
const sameSymbol = (
  from: ReadonlyArray<FormToken>,
  address: string | undefined,
  to: ReadonlyArray<FormToken>
): string | undefined => {
  const before = from.find((token) => token.address.toLowerCase() === address?.toLowerCase())
  return to.find(({ symbol }) => symbol === before?.symbol)?.address
}

/** Sets a field. When the chain changes, the token is kept if the new chain has a token with the same symbol. */
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
      return { ...values, [field]: value ? String(value) : undefined }
    case "slippageBps":
      return { ...values, slippageBps: parseNumber(value) }
    case "originChain":
    case "destinationChain": {
      const chainId = parseNumber(value)
      const [token, tokensOn] =
        field === "originChain" ? (["inputToken", inputTokens] as const) : (["outputToken", outputTokens] as const)
      const kept = sameSymbol(tokensOn(values[field]), values[token], tokensOn(chainId))
      return { ...values, [field]: chainId, ...(chains.length > 0 && { [token]: kept }) }
    }
  }
}

/**
 * Swaps the origin and the destination. A native token cannot be the input, so it is replaced by the chain's default
 * token. The recipient is cleared.
 */
export const flipForm = (values: FormValues, { outputTokens }: FormChoices): FormValues => {
  const { destinationChain, inputToken, originChain, outputToken } = values
  const isNative = outputTokens(destinationChain).some(({ address, native }) => native && address === outputToken)
  return {
    ...values,
    originChain: destinationChain,
    destinationChain: originChain,
    inputToken: isNative ? undefined : outputToken,
    outputToken: inputToken,
    recipient: ""
  }
}
