/** Whether two transactions mean the same. The service may choose some bytes, and the order of the accounts. */
import type { Signer } from "@geoswap/core"
import {
  compileTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder
} from "@solana/kit"
import { bytesOf } from "./transactions.js"

const bigints = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)

/** The bytes that the service may choose: signatures, blockhash, budget, decimals, order id. */
export const freedomOf = (bytes: Uint8Array) => {
  const free = new Map<number, "any" | "digit">()
  const allow = (from: number, length: number, what: "any" | "digit" = "any") => {
    for (let at = from; at < from + length; at++) free.set(at, what)
  }
  const message = 1 + 2 * 64
  const blockhash = message + 4 + 1 + 8 * 32
  allow(1, 128)
  allow(blockhash, 32)
  let at = blockhash + 32 + 1
  for (let position = 0; position < 4; position++) {
    at += 2 + Number(bytes[at + 1])
    const long = Number(bytes[at]) >= 0x80
    const length = long ? (Number(bytes[at]) & 0x7f) + 128 * Number(bytes[at + 1]) : Number(bytes[at])
    at += long ? 2 : 1
    if (position < 2) allow(at + 1, length - 1)
    if (position === 2) allow(at + 9, 1)
    if (position === 3) allow(at + 10, 64, "digit")
    at += length
  }
  return free
}

/** Whether two transactions differ only in bytes that the service may choose. */
export const isFree = (bytes: Uint8Array, changed: Uint8Array): boolean => {
  const free = freedomOf(bytes)
  return (
    changed.length === bytes.length &&
    changed.every((byte, at) => {
      if (byte === bytes[at]) return true
      const what = free.get(at)
      return what === "any" || (what === "digit" && /[0-9a-f]/.test(String.fromCharCode(byte)))
    })
  )
}

/**
 * The transaction with its accounts in the usual order, because the service may choose the order. Several changes can lead
 * to the agreed transaction in another order.
 */
const inOrder = (bytes: Uint8Array): Uint8Array => {
  try {
    const { messageBytes, signatures } = getTransactionDecoder().decode(bytes)
    const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes)
    const ordered = compileTransactionMessage(decompileTransactionMessage(compiled))
    // An account that no instruction uses is a change, and so are other rights of a program.
    const isWhole = ordered.staticAccounts.length === compiled.staticAccounts.length
    if (!isWhole || JSON.stringify(ordered.header) !== JSON.stringify(compiled.header)) return bytes
    const message = getCompiledTransactionMessageEncoder().encode(ordered) as typeof messageBytes
    return new Uint8Array(getTransactionEncoder().encode({ messageBytes: message, signatures }))
  } catch {
    return bytes
  }
}

/** Whether two requests to sign mean the same. */
export const isSameMeaning = (honest: Signer.TransactionToSign, other: Signer.TransactionToSign): boolean => {
  const { unsignedTransaction: bytes, ...agreement } = honest
  const { unsignedTransaction: changed, ...agreed } = other
  return (
    JSON.stringify(agreement, bigints) === JSON.stringify(agreed, bigints) &&
    isFree(inOrder(bytesOf(bytes)), inOrder(bytesOf(changed)))
  )
}
