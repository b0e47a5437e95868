/**
 * Which operation indices of a wallet seem to be used, from the bitmap in its own storage. A hint for choosing the next
 * index and nothing more: a wallet that delegates to a contract of its own can set any bit.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { encodeAbiParameters, type Hash, keccak256 } from "viem"
import type { ChainUnavailable } from "../../Chains.js"
import type * as Config from "../../Config.js"
import { finalOf } from "./finality.js"
import type { NodeQuorum } from "./quorum.js"
import type { Reads } from "./reads.js"

/** ERC-7201 of `geoswap.account`, where every version of the account has `mapping(uint256 word => uint256 bits)`. */
const base = "0x863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000"

const slotOf = (word: bigint): Hash =>
  keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "bytes32" }], [word, base]))

/**
 * A word of the bitmap as one node shows it at its newest block. For choosing a nonce that is not used, and nothing else:
 * a wallet can write any storage of its own while it is delegated elsewhere, and one node can be wrong.
 */
export const wordOf =
  ({ storageAt }: Reads) =>
  (wallet: string, word: bigint): Effect.Effect<bigint, ChainUnavailable> =>
    storageAt(wallet, slotOf(word), "latest")

export const make = ({ askAll }: NodeQuorum, config: Config.EvmChain) => {
  const look = Effect.fnUntraced(function* (reads: Reads, wallet: string, index: bigint) {
    const height = yield* reads.height
    const isSet = (at: bigint | "latest") =>
      Effect.map(reads.storageAt(wallet, slotOf(index >> 8n), at), (bits) => ((bits >> (index & 0xffn)) & 1n) === 1n)
    const [latest, final] = yield* Effect.all(
      [Effect.result(isSet("latest")), Effect.result(isSet(finalOf(config, height)))],
      { concurrency: "unbounded" }
    )
    // One yes is enough, and for a no both have to be known.
    if ([latest, final].some((answer) => Result.isSuccess(answer) && answer.success)) return true
    return (yield* Effect.fromResult(latest)) || (yield* Effect.fromResult(final))
  })

  /** Whether any node says so. */
  return (wallet: string, index: bigint): Effect.Effect<boolean, ChainUnavailable> =>
    Effect.map(
      askAll((reads) => look(reads, wallet, index)),
      (answers) => answers.some(({ value }) => value)
    )
}
