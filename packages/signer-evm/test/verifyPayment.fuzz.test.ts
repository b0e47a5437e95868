/**
 * Nothing is signed if a service or a caller changes the meaning of a payment without a delegation, even if every hash
 * is recomputed so that only the meaning is wrong.
 *
 * `FUZZ_RUNS` sets the number of runs, `FUZZ_SEED` the seed, and `FUZZ_CASE` a single case to repeat.
 */
import { describe, expect, it } from "@effect/vitest"
import { Operation, Payment, Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { hashPermit, typedDataSigner } from "../../../tooling/testing/evm/paymentLibrary.js"
import {
  casesOf,
  isWhole,
  repeat,
  runs,
  seed,
  type SeededRandom,
  seededRandom
} from "../../../tooling/testing/seededRandom.ts"
import { EvmSigner } from "../src/index.js"
import { handedPayment, honestPayment, isHonestPayment, paymentChanges } from "./randomPayments.js"
import { address, digestService, forms } from "./wallets.js"

/** The cases per method, and at least as many as meet every kind of change. */
const count = Math.max(200, Math.ceil(runs / 10))
const now = Date.UTC(2026, 0, 1)

const wallet = digestService(forms["65 bytes in hex with v 27 or 28"])
const { signPayment, verifyPayment } = Effect.map(Signer.Signers, ({ evm }) => evm as Required<Signer.Evm>).pipe(
  Effect.provide(EvmSigner.layerKeyService(wallet)),
  Effect.runSync
)

const asText = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part), 1)

const encode = Schema.encodeSync(Operation.BuiltOperation)
const decode = Schema.decodeUnknownOption(Operation.BuiltOperation)

/** Whether core would decode the payment to exactly these fields. */
const passesDecoder = ({ geoOpHash, payment }: Signer.PaymentToSign): boolean => {
  const wire = encode({ geoOpHash, geoOpToken: "go1", payment })
  const decoded = decode(JSON.parse(JSON.stringify(wire)))
  return decoded._tag === "Some" && asText(decoded.value.payment) === asText({ ...decoded.value.payment, ...payment })
}

/** Describes an exit that is not a refusal; otherwise `undefined`. */
const wrong = (exit: Exit.Exit<unknown, SwapError.SignError>): string | undefined => {
  if (Exit.isSuccess(exit)) return "it was not refused"
  const [reason, ...more] = exit.cause.reasons
  if (reason?._tag !== "Fail" || more.length > 0) return "it ended in a crash"
  return reason.error._tag === "UnsafeOperation" ? undefined : `it ended in ${reason.error._tag}`
}

/** A lie of one to three changes that do not cancel each other out. All kinds of changes take turns. */
const lieOf = (random: SeededRandom, method: Payment.Payment["method"], index: number) => {
  const kinds = Object.keys(paymentChanges)
  for (let turn = index; ; turn++) {
    let round = honestPayment(random, method, now)
    const more = Array.from({ length: random.pick([0, 0, 0, 1, 2]) }, () => random.pick(kinds))
    const names = [kinds[turn % kinds.length] ?? "", ...more]
    for (const name of names) round = paymentChanges[name]?.(random, round, now) ?? round
    if (!isHonestPayment(round, now)) return { names, round }
  }
}

describe.each(Payment.methods)(`fuzzing payments with %s and seed ${seed}`, (method) => {
  const methodSeed = seed ^ (0x3009 + Payment.methods.indexOf(method))

  it.effect("signs honest payments, whatever values the service chose", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      for (const index of casesOf(Math.max(50, count / 100))) {
        const round = honestPayment(seededRandom(methodSeed ^ 0x600d, index), method, now)
        const input = handedPayment(round)
        const verified = yield* Effect.exit(verifyPayment(input))
        const signed = yield* Effect.exit(signPayment(input))
        const honest = isHonestPayment(round, now) && passesDecoder(input)
        if (!honest || !Exit.isSuccess(verified) || !Exit.isSuccess(signed)) {
          return expect.fail(`refused: ${asText({ verified, signed })}\nfrom ${asText(round)}\n${repeat(index)}`)
        }
        const { permitSignature, signature } = signed.value
        expect(typedDataSigner(input.geoOpHash, signature).toLowerCase()).toBe(address)
        const { payment } = input
        if (payment.method !== "erc2612") expect(permitSignature).toBeUndefined()
        else expect(typedDataSigner(hashPermit(payment), permitSignature ?? "").toLowerCase()).toBe(address)
      }
    })
  )

  it.effect(`refuses ${count} payments with a changed meaning`, () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      wallet.requested.length = 0
      let decoded = 0
      const met = new Set<string>()
      for (const index of casesOf(count)) {
        const { names, round } = lieOf(seededRandom(methodSeed, index), method, index)
        const input = handedPayment(round)
        if (passesDecoder(input)) decoded++
        for (const name of names) met.add(name)
        const found = wrong(yield* Effect.exit(verifyPayment(input))) ?? wrong(yield* Effect.exit(signPayment(input)))
        if (found === undefined && wallet.requested.length === 0) continue
        return expect.fail(`${names.join(", ")}: ${found ?? "requested"}\nfrom ${asText(round)}\n${repeat(index)}`)
      }
      const tried = isWhole ? count : 1
      process.stdout.write(
        `${method}: ${tried} lies of ${met.size} kinds, ${((100 * decoded) / tried).toFixed(1)} % pass core's decoder, ${wallet.requested.length} signed\n`
      )
      expect(decoded / tried).toBeGreaterThanOrEqual(0.9)
      if (isWhole) expect([...met].toSorted()).toStrictEqual(Object.keys(paymentChanges).toSorted())
    })
  )
})
