/**
 * Nothing is signed if a service or a caller changes the meaning of an operation, even if every hash is recomputed so
 * that only the meaning is wrong.
 *
 * `FUZZ_RUNS` sets the number of runs, `FUZZ_SEED` the seed, and `FUZZ_CASE` a single case to repeat.
 */
import { describe, expect, it } from "@effect/vitest"
import { Delegation, Operation, Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { authorizationSigner, tupleHash } from "../../../tooling/testing/evm/chainLibrary.js"
import { typedDataSigner } from "../../../tooling/testing/evm/paymentLibrary.js"
import {
  casesOf,
  type SeededRandom,
  seededRandom,
  isWhole,
  repeat,
  runs,
  seed
} from "../../../tooling/testing/seededRandom.ts"
import { EvmSigner } from "../src/index.js"
import { changes, handed, honestRound, isHonest } from "./randomOperations.js"
import { address, digestService, forms, sign } from "./wallets.js"

const count = Math.ceil(runs / 5)
const now = Date.UTC(2026, 0, 1)

const wallet = digestService(forms["65 bytes in hex with v 27 or 28"])
const signer = Effect.map(Signer.Signers, ({ evm }) => evm as Signer.Evm).pipe(
  Effect.provide(EvmSigner.layerKeyService(wallet)),
  Effect.runSync
)

const asText = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part), 1)

const encode = Schema.encodeSync(Operation.BuiltOperation)
const decode = Schema.decodeUnknownOption(Operation.BuiltOperation)

/** Whether core would decode the operation to exactly these fields. */
const passesDecoder = ({ geoOp, geoOpHash }: ReturnType<typeof handed>): boolean => {
  const wire = encode({ geoOp, geoOpHash, geoOpToken: "go1" })
  const decoded = decode(JSON.parse(JSON.stringify(wire)))
  return decoded._tag === "Some" && asText(decoded.value.geoOp) === asText({ ...decoded.value.geoOp, ...geoOp })
}

/** Describes an exit that is not an expected refusal; otherwise `undefined`. */
const wrong = (exit: Exit.Exit<unknown, SwapError.SignError>, tags: ReadonlyArray<string>): string | undefined => {
  if (Exit.isSuccess(exit)) return "it was not refused"
  const [reason, ...more] = exit.cause.reasons
  if (reason?._tag !== "Fail" || more.length > 0) return "it ended in a crash"
  return tags.includes(reason.error._tag) ? undefined : `it ended in ${reason.error._tag}: ${reason.error.message}`
}

/** A lie of one to three changes that do not cancel each other out. All kinds of changes take turns. */
const lieOf = (random: SeededRandom, index: number) => {
  const kinds = Object.keys(changes)
  for (let turn = index; ; turn++) {
    let round = honestRound(random, now)
    const more = Array.from({ length: random.pick([0, 0, 0, 1, 2]) }, () => random.pick(kinds))
    const names = [kinds[turn % kinds.length] ?? "", ...more]
    for (const name of names) round = changes[name]?.(random, round, now) ?? round
    if (!isHonest(round, now)) return { names, round }
  }
}

describe(`fuzzing the meaning with seed ${seed}`, () => {
  it.effect(`signs ${Math.max(100, count / 20)} honest operations, whatever values the service chose`, () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      for (const index of casesOf(Math.max(100, count / 20))) {
        const round = honestRound(seededRandom(seed ^ 0x600d, index), now)
        const operation = handed(round)
        const verified = yield* Effect.exit(signer.verifyOperation?.(operation) ?? Effect.die("blind"))
        const signed = yield* Effect.exit(signer.signOperation(operation))
        const honest = isHonest(round, now) && passesDecoder(operation)
        if (!honest || !Exit.isSuccess(verified) || !Exit.isSuccess(signed)) {
          return expect.fail(`refused: ${asText({ verified, signed })}\nfrom ${asText(round)}\n${repeat(index)}`)
        }
        expect(typedDataSigner(operation.geoOpHash, signed.value).toLowerCase()).toBe(address)
      }
    })
  )

  it.effect(`refuses ${count} operations with a changed meaning`, () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      wallet.requested.length = 0
      let decoded = 0
      const met = new Map<string, number>()
      for (const index of casesOf(count)) {
        const { names, round } = lieOf(seededRandom(seed, index), index)
        const operation = handed(round)
        if (passesDecoder(operation)) decoded++
        for (const name of names) met.set(name, (met.get(name) ?? 0) + 1)
        const found =
          wrong(yield* Effect.exit(signer.verifyOperation?.(operation) ?? Effect.void), ["UnsafeOperation"]) ??
          wrong(yield* Effect.exit(signer.signOperation(operation)), ["UnsafeOperation"])
        if (found === undefined && wallet.requested.length === 0) continue
        return expect.fail(`${names.join(", ")}: ${found ?? "requested"}\nfrom ${asText(round)}\n${repeat(index)}`)
      }
      const tried = isWhole ? count : 1
      process.stdout.write(
        `meaning: ${tried} lies of ${met.size} kinds, ${((100 * decoded) / tried).toFixed(1)} % pass core's decoder, ${wallet.requested.length} signed\n`
      )
      expect(decoded / tried).toBeGreaterThanOrEqual(0.9)
      if (isWhole) expect([...met.keys()].toSorted()).toStrictEqual(Object.keys(changes).toSorted())
    })
  )

  /** The delegation that is requested, and the one that the wallet signs instead. */
  const delegationLie = (random: SeededRandom) => {
    const pinned = Array.from({ length: 1 + random.below(3) }, () => random.hex(20))
    const honest = { chainId: 1 + random.below(2 ** 31), address: random.pick(pinned), nonce: random.below(2 ** 31) }
    const deployment = { delegates: pinned, vault: random.hex(20) }
    const requested: Signer.AuthorizationToSign = { ...honest, deployment }
    const { deployment: _, ...unpinned } = requested
    return random.pick<() => readonly [Signer.AuthorizationToSign, Partial<Delegation.Authorization>]>([
      () => [{ ...requested, chainId: 0 }, {}],
      () => [{ ...requested, address: random.hex(20) }, {}],
      () => [{ ...requested, address: random.pick([address, `0x${"00".repeat(20)}` as const]) }, {}],
      () => [{ ...requested, deployment: { ...deployment, delegates: [random.hex(20)] } }, {}],
      () => [unpinned, {}],
      () => [requested, { chainId: random.pick([0, honest.chainId + 1]) }],
      () => [requested, { address: random.hex(20) }],
      () => [requested, { nonce: honest.nonce + 1 }]
    ])()
  }

  it.effect(`refuses ${Math.max(20, Math.ceil(count / 20))} delegations with a changed meaning`, () =>
    Effect.gen(function* () {
      const decodeDelegation = Schema.decodeUnknownOption(Delegation.Delegation)
      const cases = Math.max(20, Math.ceil(count / 20))
      let decoded = 0
      for (const index of casesOf(cases)) {
        const [requested, lie] = delegationLie(seededRandom(seed ^ 0x7702, index))
        const lying = {
          address,
          signMessage: () => "0x",
          signAuthorization: (tuple: Pick<Delegation.Authorization, "address" | "chainId" | "nonce">) =>
            sign(tupleHash({ ...tuple, ...lie }))
        }
        const { signAuthorization } = EvmSigner.fromKeyService(lying)
        const exit = yield* Effect.exit(
          Effect.tryPromise({
            try: () =>
              signAuthorization?.(requested, { signal: new AbortController().signal }) ?? Promise.resolve(undefined),
            catch: (error) => error as SwapError.SignError
          })
        )
        const { address: delegationTarget, chainId, nonce: accountNonce } = requested
        const wire = { delegated: false, chainId, delegationTarget, accountNonce }
        if (decodeDelegation(JSON.parse(JSON.stringify(wire)))._tag === "Some") decoded++
        const found = wrong(exit, ["UnsafeOperation", "SignerError"])
        if (found !== undefined) return expect.fail(`${found}\nfrom ${asText([requested, lie])}\n${repeat(index)}`)
      }
      const share = isWhole ? decoded / cases : 1
      process.stdout.write(
        `delegations: ${cases} lies, ${(100 * share).toFixed(1)} % pass core's decoder, 0 accepted\n`
      )
      expect(share).toBeGreaterThanOrEqual(0.9)
    })
  )

  it.effect("accepts the unchanged delegations", () =>
    Effect.gen(function* () {
      for (const index of casesOf(Math.max(40, count / 100))) {
        const random = seededRandom(seed ^ 0x7703, index)
        const delegate = random.hex(20)
        const tuple = { chainId: 1 + random.below(2 ** 31), address: delegate, nonce: random.below(2 ** 31) }
        const deployment = { delegates: [delegate], vault: random.hex(20) }
        const signed = yield* signer.signAuthorization?.({ ...tuple, deployment }) ?? Effect.die("incapable")
        expect(signed).toMatchObject(tuple)
        expect(authorizationSigner(signed).toLowerCase()).toBe(address)
      }
    })
  )
})
