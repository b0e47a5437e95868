/** Faults of sealed tokens, and what one account sees of another. */
import { mutantsFoundBy as foundBy } from "../../testing/mutant.ts"

const src = "packages/service/src"
const tests = "packages/service/test"

export const sealing = [
  foundBy(
    `${tests}/accounts/Seal.test.ts`,
    `${src}/accounts/Seal.ts`,
    ["kid, environment, account]", "kid, environment]"],
    ["[type, family, kid,", "[type, kid,"],
    ["kid, environment, account]", "kid, account]"]
  ),
  foundBy(
    `${tests}/accounts/sealKeys.test.ts`,
    `${src}/accounts/sealKeys.ts`,
    ["if (first !== index)", "if (false)"],
    ["Redacted.value(key).length !== keyLength", "false"]
  ),
  foundBy(
    `${tests}/accounts/Seal.test.ts`,
    `${src}/accounts/sealedToken.ts`,
    ["prefix !== prefixes[type] || kid", "kid"],
    [" || more.length > 0", ""],
    ["if (text.length > maxLength) return", "if (false) return"]
  ),
  foundBy(`${tests}/accounts/Seal.test.ts`, `${src}/accounts/base64url.ts`, [
    "bytes !== undefined && encode(bytes) === text",
    "bytes !== undefined"
  ]),
  foundBy(`${tests}/operations/tokenContents.test.ts`, `${src}/operations/tokenContents.ts`, [
    "  deliveryGas: Schema.optionalKey(Amount.Amount)\n",
    ""
  ]),
  foundBy(
    `${tests}/accounts/Accounts.test.ts`,
    `${src}/accounts/Accounts.ts`,
    ["sameText(yield* hashOf(Redacted.make(secret)), key?.hash ?? noHash)", "true"],
    ["key === undefined || key.revokedAt !== undefined", "key === undefined"],
    ["if (generation === revocations)", "if (true)"],
    ["entry !== undefined && now < entry.readAt + cacheTtlNanos", "entry !== undefined"],
    ["Mac.timingSafeEqual(encoder.encode(secret), cached.secret)", "true"]
  ),
  foundBy(
    `${tests}/calls/status.test.ts`,
    `${src}/calls/status.ts`,
    ["return known?.accountId === account ? known.view : undefined", "return known?.view"],
    ["known.accountId === account ? Effect.succeed(known.view) : notFound()", "Effect.succeed(known.view)"],
    ["swap.accountId === account ? Effect.succeed(view) : notFound()", "Effect.succeed(view)"]
  )
]
