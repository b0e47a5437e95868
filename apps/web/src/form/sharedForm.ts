/** The form in the address bar, so that a swap can be shared, and the last pair, so that it is there on the next visit. */
import { Chain } from "@geoswap/core"
import type { FormValues } from "@geoswap/react"
import { chainOf, type Config, familyOf, tokenOf } from "../config.js"
import * as storage from "../storage.js"

const key = "geoswap.pair"

/** Parses `8453:0x…`. A link can only select what the page's configuration lists: it never adds or pins a token. */
const parseToken = (text: unknown, config: Config) => {
  const [, id = "", token = ""] = (typeof text === "string" ? /^(\d{1,15})(?::(\w{1,64}))?$/.exec(text) : null) ?? []
  const chain = chainOf(config, Number(id))
  if (chain === undefined) return undefined
  return { chainId: chain.id, token: tokenOf(config, chain.id, token) === undefined ? undefined : token }
}

const pairOf = (from: unknown, to: unknown, config: Config) => {
  const [origin, destination] = [parseToken(from, config), parseToken(to, config)]
  const isNative = origin !== undefined && origin.token === Chain.nativeToken[familyOf(config, origin.chainId)]
  return {
    ...(origin && { originChain: origin.chainId, inputToken: isNative ? undefined : origin.token }),
    ...(destination && { destinationChain: destination.chainId, outputToken: destination.token })
  }
}

/** Whether a link names a chain or a token that the page's configuration does not list. */
const isUnknown = (side: string | null, config: Config): boolean => {
  const parsed = parseToken(side, config)
  return side !== null && (parsed === undefined || (parsed.token === undefined && side.includes(":")))
}

/** Whether a link to the form cannot be followed, because it names something that the page does not list. */
export const isUnknownLink = (search: string, config: Config): boolean => {
  const link = new URLSearchParams(search)
  return isUnknown(link.get("from"), config) || isUnknown(link.get("to"), config)
}

/**
 * Returns the initial values: those of the link, or the last pair. A link contains neither a recipient nor a slippage, so
 * it cannot redirect a payment or widen its limits. Without the link's tokens, its amount means nothing.
 */
export const initialValues = (search: string, config: Config): Partial<FormValues> => {
  const link = new URLSearchParams(search)
  if (link.has("from") || link.has("to")) {
    const amount = link.get("amount") ?? ""
    return {
      ...pairOf(link.get("from"), link.get("to"), config),
      ...(/^\d{0,30}\.?\d{0,30}$/.test(amount) && !isUnknownLink(search, config) && { amount })
    }
  }
  const last = storage.read(key)
  const [from, to] = Array.isArray(last) ? (last as ReadonlyArray<unknown>) : []
  return pairOf(from, to, config)
}

const sideOf = (chainId: number | undefined, token: string | undefined) =>
  chainId === undefined || token === undefined ? undefined : `${chainId}:${token}`

const sidesOf = ({ destinationChain, inputToken, originChain, outputToken }: FormValues) => [
  sideOf(originChain, inputToken),
  sideOf(destinationChain, outputToken)
]

/** Returns the query of a link to the form: the pair and the amount, never the recipient. */
export const linkOf = (values: FormValues) => {
  const [from, to] = sidesOf(values)
  if (from === undefined || to === undefined) return ""
  const query = new URLSearchParams({ from, to, ...(values.amount !== "" && { amount: values.amount }) })
  return `?${query.toString().replaceAll("%3A", ":")}`
}

/** Puts the form into the address bar without a new entry in the history, and remembers the pair. */
export const shareForm = (values: FormValues) => {
  const link = linkOf(values)
  if (link === "" || link === location.search) return
  history.replaceState(null, "", `${location.pathname}${link}${location.hash}`)
  storage.write(key, sidesOf(values))
}
