/** Combines the words that are read from a node at the same time into one `eth_call`. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Address, concatHex, type Hex, isHex, keccak256, numberToHex, size, slice } from "viem"
import type { ChainUnavailable } from "../../ChainError.js"
import { isRevert, orRevert } from "../transactions/reverts.js"
import { bytes, quantity } from "./parse.js"
import type { Ask } from "./rpcNodes.js"

/** A word to read: the result of a call, an account's native balance, or the hash of an account's code. */
type Word = { readonly address: Address } & (
  | { readonly kind: "call"; readonly data: Hex }
  | { readonly kind: "balance" | "codeHash" }
)

/**
 * The init code of a contract that is never deployed: `eth_call` runs it without a recipient. Each word is encoded after
 * the code as one byte with the length of the calldata (0: code hash, 1: balance), the address, and the calldata. For
 * each word, the result has the length of the returned data plus one (0: the call reverted), and its first 32 bytes.
 *
 *     let p := datasize("Lens")
 *     let o := 0x100
 *     for {} lt(p, codesize()) {} {
 *       codecopy(0, p, 32)
 *       let w := mload(0)
 *       let n := shr(248, w)
 *       let a := shr(88, w)
 *       p := add(p, 21)
 *       switch n
 *       case 0 { mstore(o, 33) mstore(add(o, 32), extcodehash(a)) }
 *       case 1 { mstore(o, 33) mstore(add(o, 32), balance(a)) p := add(p, 1) }
 *       default {
 *         codecopy(0, p, n)
 *         p := add(p, n)
 *         let ok := staticcall(gas(), a, 0, n, 0, 32)
 *         mstore(o, mul(ok, add(returndatasize(), 1)))
 *         mstore(add(o, 32), mload(0))
 *       }
 *       o := add(o, 64)
 *     }
 *     return(0x100, sub(o, 0x100))
 */
const lens: Hex =
  "0x60946101005b8138831015608a576020836000396000519060158260f81c9260581c9401908280600014607557600114605b575060008281818460409796602096843901965afa60013d0102815260005160208201525b016005565b905060169150829360216040945231602085015201916056565b505060218352923f6020830152506040906056565b5060ff1901610100f3"

/** The maximum number of words in one request. The result must not be longer than a contract's code may be. */
const largestBatch = 100
/** The longest calldata that the lens can send. */
const longestData = 255
/** How long a node that rejects the lens gets separate requests. */
const separateMillis = 600_000

const emptyHash = keccak256("0x")

const encode = (word: Word): Hex => {
  if (word.kind !== "call")
    return concatHex(word.kind === "balance" ? ["0x01", word.address, "0x00"] : ["0x00", word.address])
  return concatHex([numberToHex(size(word.data), { size: 1 }), word.address, word.data])
}

const decode = (result: unknown, count: number): ReadonlyArray<Hex | undefined> => {
  if (!isHex(result) || size(result) !== count * 64) throw new TypeError("Not the lens's result.")
  return Array.from({ length: count }, (_, index) => {
    const length = Number(BigInt(slice(result, index * 64, index * 64 + 32))) - 1
    if (length <= 0) return length < 0 ? undefined : "0x"
    return slice(result, index * 64 + 32, index * 64 + 32 + Math.min(length, 32))
  })
}

const fits = (word: Word): boolean => word.kind !== "call" || (size(word.data) > 1 && size(word.data) <= longestData)

const pause = (millis: number) => Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, millis)))

const keyOf = (word: Word): string => `${word.kind} ${word.address} ${word.kind === "call" ? word.data : ""}`

/** Creates the function that reads words from one node, or from the first node that responds. */
export const make = (ask: Ask) => {
  type Answer = Deferred.Deferred<Hex | undefined, ChainUnavailable>
  type Waiting = Map<string, { readonly word: Word; readonly answer: Answer }>
  const waiting = new Map<string, Waiting>()
  let separateUntil = 0

  /** Reads a word with the node's own method. */
  const readOne = (word: Word, at: string): Effect.Effect<Hex | undefined, ChainUnavailable> => {
    const block = at as Hex
    const { address } = word
    switch (word.kind) {
      case "balance":
        return ask("eth_getBalance", async ({ request }) => {
          const balance = await request({ method: "eth_getBalance", params: [address, block] })
          return numberToHex(quantity(balance), { size: 32 })
        })
      case "codeHash":
        return ask("eth_getCode", async ({ request }) => {
          return keccak256(bytes(await request({ method: "eth_getCode", params: [address, block] })))
        })
      case "call":
        return ask("eth_call", async ({ request }) => {
          const result = await request({ method: "eth_call", params: [{ to: address, data: word.data }, block] }).catch(
            orRevert
          )
          return isRevert(result) ? undefined : bytes(result)
        })
    }
  }

  const readApart = (words: ReadonlyArray<Word>, at: string) =>
    Effect.forEach(words, (word) => Effect.result(readOne(word, at)), { concurrency: "unbounded" })

  const readTogether = Effect.fnUntraced(function* (words: ReadonlyArray<Word>, at: string) {
    const now = yield* Clock.currentTimeMillis
    if (words.length === 1 || now < separateUntil || !words.every(fits)) return yield* readApart(words, at)
    const all = yield* Effect.result(
      ask("eth_call", async ({ request }) => {
        const data = concatHex([lens, ...words.map(encode)])
        return decode(await request({ method: "eth_call", params: [{ data }, at as Hex] }), words.length)
      })
    )
    if (Result.isSuccess(all)) return all.success.map((word) => Result.succeed(word))
    if (all.failure.unanswered === true) return words.map(() => Result.fail(all.failure))
    // The node may not support calls without a recipient.
    const apart = yield* readApart(words, at)
    if (apart.some(Result.isSuccess)) separateUntil = now + separateMillis
    return apart
  })

  const flush = Effect.fnUntraced(function* (group: string, at: string, waitMillis: number) {
    yield* pause(waitMillis)
    const entries = [...(waiting.get(group)?.values() ?? [])]
    waiting.delete(group)
    for (let start = 0; start < entries.length; start += largestBatch) {
      const batch = entries.slice(start, start + largestBatch)
      const results = yield* readTogether(
        batch.map(({ word }) => word),
        at
      )
      for (const [index, { answer }] of batch.entries()) {
        const result = results[index]
        if (result !== undefined) yield* Deferred.completeWith(answer, Effect.fromResult(result))
      }
    }
  })

  /**
   * Reads a word. Returns `undefined` if a call reverts. Words that are read within `waitMillis` share one request, unless
   * their blocks differ.
   */
  return (word: Word, at: string, waitMillis = 0) =>
    Effect.suspend(() => {
      const group = `${at} ${waitMillis}`
      const key = keyOf(word)
      const known = waiting.get(group)
      const entries: Waiting = known ?? new Map()
      const entry = entries.get(key) ?? { word, answer: Deferred.makeUnsafe<Hex | undefined, ChainUnavailable>() }
      entries.set(key, entry)
      if (known !== undefined) return Deferred.await(entry.answer)
      waiting.set(group, entries)
      return Effect.andThen(Effect.forkDetach(flush(group, at, waitMillis)), Deferred.await(entry.answer))
    })
}

/** Whether a code hash is the one of an account without code. The hash of an account that does not exist is 0. */
export const isEmptyHash = (hash: Hex): boolean => hash === emptyHash || BigInt(hash) === 0n
