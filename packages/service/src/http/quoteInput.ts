/**
 * Decodes quote requests by hand, because the schema takes ten times as long. Only what a request usually contains is
 * decoded here. For everything else, including invalid requests, the function returns `undefined`, and the schema
 * decides.
 */
import type { QuoteRequest } from "./requestSchemas.js"

const largest = 2n ** 256n - 1n
const digits = /^[1-9][0-9]{0,77}$/u

const isChain = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1
const isAddress = (value: unknown): value is string =>
  typeof value === "string" && value.length >= 1 && value.length <= 128

/** The amount, or 0 if the field is not a decimal string. */
const amountOf = (value: unknown): bigint => (typeof value === "string" && digits.test(value) ? BigInt(value) : 0n)

export const quoteInput = (body: Readonly<Record<string, unknown>>): typeof QuoteRequest.Type | undefined => {
  const { destinationChain, inputToken, originChain, outputToken, recipient, walletAddress } = body
  if (body["indicative"] !== undefined || body["slippageBps"] !== undefined) return undefined
  if (!isChain(originChain) || !isChain(destinationChain)) return undefined
  if (!isAddress(inputToken) || !isAddress(outputToken) || !isAddress(walletAddress)) return undefined
  const amount = amountOf(body["amount"])
  if (amount === 0n || amount > largest) return undefined
  const request = { originChain, destinationChain, inputToken, outputToken, amount, walletAddress }
  if (recipient === undefined) return request
  return isAddress(recipient) ? { ...request, recipient } : undefined
}
