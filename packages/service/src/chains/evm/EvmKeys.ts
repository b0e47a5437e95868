/** An in-memory key for an EVM relayer. */
import { Hex } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { privateKeyToAddress, sign } from "viem/accounts"
import { type EvmKey, KeyUnavailable } from "../Keys.js"

/** The string is not a private key. The message does not contain the string. */
export class InvalidKey extends Schema.TaggedError<InvalidKey>()("InvalidKey", { message: Schema.String }) {}

const invalid = () =>
  new InvalidKey({
    message: "The EVM key is not a private key. Expected 0x followed by 64 hex digits, the format that wallets export."
  })

/** Creates a key from 32 bytes in hex, with or without the `0x` prefix. */
export const fromPrivateKey: (key: Redacted.Redacted) => Effect.Effect<EvmKey, InvalidKey> = Effect.fn(
  "EvmKeys.fromPrivateKey"
)(function* (key) {
  const text = Redacted.value(key).trim()
  const privateKey = `0x${text.replace(/^0x/, "")}` as const
  if (!Hex.isHex(privateKey, 32)) return yield* invalid()
  // Zero is not a valid key, and neither are numbers at or above the curve's order.
  const address = yield* Effect.try({ try: () => privateKeyToAddress(privateKey), catch: invalid })
  return {
    address,
    signDigest: (digest) =>
      Effect.tryPromise({
        try: async () => {
          const { r, s, yParity } = await sign({ hash: digest, privateKey })
          return { r, s, yParity: yParity === 0 ? (0 as const) : (1 as const) }
        },
        catch: () => new KeyUnavailable({ message: "The digest to sign is not 32 bytes long." })
      })
  }
})
