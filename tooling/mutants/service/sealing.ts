/** Faults of sealed tokens, and what one account sees of another. */
import { mutantsOf as of } from "../../testing/mutant.ts"

const src = "packages/service/src"

export const sealing = [
  of(
    `${src}/accounts/Seal.ts`,
    ["kid, environment, account]", "kid, environment]"],
    ["[type, family, kid,", "[type, kid,"],
    ["kid, environment, account]", "kid, account]"]
  ),
  of(
    `${src}/accounts/sealKeys.ts`,
    ["if (first !== index)", "if (false)"],
    ["Redacted.value(key).length !== keyLength", "false"]
  ),
  of(
    `${src}/accounts/sealedToken.ts`,
    ["prefix !== prefixes[type] || kid", "kid"],
    [" || more.length > 0", ""],
    ["if (text.length > maxLength) return", "if (false) return"]
  ),
  of(`${src}/accounts/base64url.ts`, ["bytes !== undefined && encode(bytes) === text", "bytes !== undefined"]),
  of(`${src}/operations/tokenContents.ts`, ["  deliveryGas: Schema.optionalKey(Amount.Amount)\n", ""]),
  of(
    `${src}/accounts/Accounts.ts`,
    ["sameText(yield* hashOf(Redacted.make(secret)), key?.hash ?? noHash)", "true"],
    ["key === undefined || key.revokedAt !== undefined", "key === undefined"],
    ["if (generation === revocations)", "if (true)"],
    ["entry !== undefined && now < entry.readAt + cacheTtlNanos", "entry !== undefined"],
    ["Mac.timingSafeEqual(encoder.encode(secret), cached.secret)", "true"]
  ),
  of(
    `${src}/calls/status.ts`,
    ["return known?.accountId === account ? known.view : undefined", "return known?.view"],
    ["known.accountId === account ? Effect.succeed(known.view) : notFound()", "Effect.succeed(known.view)"],
    ["swap.accountId === account ? Effect.succeed(view) : notFound()", "Effect.succeed(view)"]
  )
]
