/** A local stand-in for AWS KMS. It holds the keys, signs digests and returns DER signatures, as KMS does. */
import { sign } from "viem/accounts"

class AccessDeniedException extends Error {
  override readonly name = "AccessDeniedException"
  readonly $metadata = { httpStatusCode: 400 }
}

/** Encodes an integer in DER: without leading zeros, but with one if the first bit is set. */
const integer = (hex: string): ReadonlyArray<number> => {
  const bytes = [...Buffer.from(hex.slice(2), "hex")]
  const significant = bytes.slice(bytes.findIndex((byte) => byte !== 0))
  const positive = (significant[0] ?? 0) > 127 ? [0, ...significant] : significant
  return [2, positive.length, ...positive]
}

/** Creates the stand-in. `keys` maps key ids to private keys. */
export const createKms = (keys: Readonly<Record<string, string>>) => ({
  sign: async ({ KeyId, Message }: { readonly KeyId: string; readonly Message: Uint8Array }) => {
    const privateKey = keys[KeyId]
    if (privateKey === undefined) {
      throw new AccessDeniedException(`User arn:aws:iam::123456789012:user/agent may not use ${KeyId}`)
    }
    const hash = `0x${Buffer.from(Message).toString("hex")}` as const
    const { r, s } = await sign({ hash, privateKey: privateKey as `0x${string}` })
    const body = [...integer(r), ...integer(s)]
    return { Signature: Uint8Array.from([48, body.length, ...body]) }
  }
})
