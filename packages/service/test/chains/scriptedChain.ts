/**
 * An EVM chain in memory that follows a script. Transactions are included, revert, disappear in a reorganization or lose
 * their nonce as the script says, at times of the clock that the test controls. Like the vault, it pays an order once.
 */
import type { Chain as CoreChain } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { ChainUnavailable, Impossible, Refused } from "../../src/chains/ChainError.js"
import type { Chain, EvmChain } from "../../src/chains/Chains.js"
import { nothingPending } from "../../src/chains/Draft.js"
import type { ExternalSettlement, Outcome } from "../../src/chains/Outcome.js"
import type { Job } from "../../src/domain/Job.js"
import type { TransactionCost } from "../../src/domain/SpentGas.js"
import type { Attempt, Kind } from "../../src/domain/SwapRecord.js"
import { plainChain } from "../../src/testing/plainChain.js"

/** What becomes of a transaction, in milliseconds after its first broadcast. */
export interface Fate {
  /**
   * `succeeds` and `reverts` are included and become final. `reorganized` is included, disappears, and is included again.
   * `replaced` loses its nonce to another transaction. `slow` waits until it is sent again with a higher fee, `stuck` until
   * it is canceled.
   */
  readonly end: "succeeds" | "reverts" | "reorganized" | "replaced" | "slow" | "stuck"
  readonly includedAfter: number
  readonly finalAfter: number
}

export const succeeds: Fate = { end: "succeeds", includedAfter: 1_000, finalAfter: 3_000 }
export const reverts: Fate = { ...succeeds, end: "reverts" }
export const reorganized: Fate = { end: "reorganized", includedAfter: 1_000, finalAfter: 9_000 }
export const replaced: Fate = { ...succeeds, end: "replaced" }
export const slow: Fate = { ...succeeds, end: "slow" }
export const stuck: Fate = { ...succeeds, end: "stuck" }

/** What a test changes while the chain runs. */
interface Script {
  /** No node answers. */
  down: boolean
  /** Why a simulation refuses a job of this kind. */
  readonly refusals: Partial<Record<Kind, Impossible["code"]>>
  /** The fates of the next transactions; later ones succeed. */
  readonly fates: Array<Fate>
  /** Orders that another sender has paid: the hash of the transaction if it shows exactly the job. */
  readonly external: Map<
    string,
    { readonly kind: "deliver" | "refund"; readonly hash: string | undefined; readonly amount?: bigint }
  >
  /** Whether the recipient refuses deliveries. If `undefined`, too few nodes answer. */
  recipientAtFault: boolean | undefined
  inventory: bigint
  /** How many jobs can share a transaction. */
  maxBatch: number
  /** The jobs that batches leave out, as `kind order`. */
  readonly leftOut: Set<string>
  /** How many of the next broadcasts all nodes drop. */
  drops: number
  /** Whether all nodes refuse to take a collection. */
  refusesCollections: boolean
  /** Whether the nodes report no price in their receipts. */
  unpriced: boolean
  /** The orders whose transactions no relayer can pay for. */
  readonly unaffordable: Set<string>
  /** What the relayer has. A transaction may cost 10 for each job. */
  funds: bigint
}

interface Transaction {
  readonly jobs: ReadonlyArray<Job>
  readonly attempt: Attempt
  readonly fate: Fate
  readonly sentAt: number
}

/** A payment that the chain has made. */
interface Payment {
  readonly chainId: number
  readonly kind: Kind
  readonly orderId: string
  readonly amount: bigint
}

export interface ScriptedChain {
  readonly chain: Chain
  readonly script: Script
  /** Every payment of a transaction that is included and stays included. */
  readonly payments: Effect.Effect<ReadonlyArray<Payment>>
}

const inventory = 10n ** 30n

/** The most that a transaction may cost for each job. */
const jobCost = 10n

/** The gas that a transaction uses for each job. */
const gasPerJob = 6n

/** How long a transaction waits until it is sent again with a higher fee. */
const bumpMillis = 10_000

/** The jobs of which the vault does one at most per order. */
const kindsOf = (kind: Kind): ReadonlyArray<Kind> => (kind === "collect" ? ["collect"] : ["deliver", "refund"])

export const scriptedChain = (id: number, tokens: ReadonlyArray<CoreChain.Token>): ScriptedChain => {
  const script: Script = {
    down: false,
    refusals: {},
    fates: [],
    external: new Map(),
    recipientAtFault: false,
    inventory,
    maxBatch: 10,
    leftOut: new Set(),
    drops: 0,
    refusesCollections: false,
    unpriced: false,
    unaffordable: new Set(),
    funds: 10n ** 30n
  }
  const signed = new Map<string, ReadonlyArray<Job>>()
  const sent = new Map<string, Transaction>()
  let serial = 0

  const noAnswer = new ChainUnavailable({ chainId: id, message: "No node answers.", timeout: true })
  const answering = <A>(answer: (now: number) => Effect.Effect<A, ChainUnavailable | Impossible>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => (script.down ? Effect.fail(noAnswer) : answer(now)))
  const reading = <A>(read: (now: number) => A) =>
    answering((now) => Effect.sync(() => read(now))) as Effect.Effect<A, ChainUnavailable>

  const isIncluded = ({ fate: { end, finalAfter, includedAfter }, sentAt }: Transaction, now: number) => {
    const age = now - sentAt
    if (end === "replaced" || end === "slow" || end === "stuck" || age < includedAfter) return false
    return end !== "reorganized" || age < 2 * includedAfter || age >= finalAfter / 2
  }
  const isFinal = ({ fate, sentAt }: Transaction, now: number) => now - sentAt >= fate.finalAfter
  const isPaid = (transaction: Transaction, now: number) =>
    !transaction.attempt.cancels && transaction.fate.end !== "reverts" && isIncluded(transaction, now)
  const jobIn = ({ jobs }: Transaction, orderId: string, kinds: ReadonlyArray<Kind>) =>
    jobs.find(
      (job) =>
        job.orderId === orderId &&
        kinds.includes(job.kind) &&
        !(jobs.length > 1 && script.leftOut.has(`${job.kind} ${orderId}`))
    )
  /** The transaction that pays an order; a second one reverts. */
  const payerOf = (orderId: string, kinds: ReadonlyArray<Kind>, now: number) =>
    [...sent.values()].find(
      (transaction) => jobIn(transaction, orderId, kinds) !== undefined && isPaid(transaction, now)
    )

  const refusalOf = (job: Job, now: number): Impossible["code"] | undefined => {
    const isPaidByOthers = job.kind !== "collect" && script.external.has(job.orderId)
    if (isPaidByOthers || payerOf(job.orderId, kindsOf(job.kind), now)) return "ALREADY_DONE"
    if (job.kind === "collect" && job.operation._tag === "evm" && now > job.operation.deadline * 1000) {
      return "OPERATION_EXPIRED"
    }
    return script.refusals[job.kind]
  }

  /** Whether a final transaction has used a nonce. */
  const isNonceUsed = (nonce: number | undefined, now: number) =>
    [...sent.values()].some(
      (transaction) =>
        transaction.attempt.nonce === nonce &&
        isFinal(transaction, now) &&
        (transaction.fate.end === "replaced" || isIncluded(transaction, now))
    )

  /** What became of one attempt; `Dead` if it can never be included, or did nothing. */
  const outcomeOfOne = ({ kind, orderId }: Job, { cancels, hash, nonce }: Attempt, now: number): Outcome => {
    const transaction = sent.get(hash)
    if (transaction === undefined || !isIncluded(transaction, now)) {
      return isNonceUsed(nonce, now)
        ? { _tag: "Dead", why: "replaced", hash, message: "replaced" }
        : { _tag: "Waiting" }
    }
    const final = isFinal(transaction, now)
    const block = BigInt(Math.floor(now / 1000))
    if (cancels) {
      return final
        ? { _tag: "Dead", why: "replaced", hash, message: "canceled" }
        : { _tag: "Included", hash, succeeded: false, block }
    }
    const succeeded = payerOf(orderId, kindsOf(kind), now) === transaction
    const gas = gasPerJob * BigInt(transaction.jobs.length)
    if (!final) return { _tag: "Included", hash, succeeded, block, ...(!succeeded && { gas }) }
    const why = transaction.jobs.length > 1 ? "left out" : "reverted"
    return succeeded ? { _tag: "Done", hash, block } : { _tag: "Dead", why, hash, message: why, gas }
  }

  /** What a final transaction cost: 6 gas at 10 wei for each job. */
  const costOf = ({ kind, orderId }: Job, { hash }: Attempt, now: number): ReadonlyArray<TransactionCost> => {
    const transaction = sent.get(hash)
    if (transaction === undefined || !isIncluded(transaction, now) || script.unpriced) return []
    const { jobs } = transaction
    const isDone = (order: string) => payerOf(order, kindsOf(kind), now) === transaction
    const settled = jobs.filter((job) => isDone(job.orderId)).length
    const gasUsed = gasPerJob * BigInt(jobs.length)
    const payers = settled === 0 ? jobs.length : isDone(orderId) ? settled : undefined
    const share = payers === undefined ? 0n : (gasUsed * 10n) / BigInt(payers)
    return [{ hash, gasUsed, gasPrice: 10n, cost: gasUsed * 10n, settled, share }]
  }

  const outcomeOf = (job: Job, attempts: ReadonlyArray<Attempt>, now: number): Outcome => {
    const outcomes = attempts.map((attempt) => outcomeOfOne(job, attempt, now))
    const first = (tag: Outcome["_tag"]) => outcomes.find(({ _tag }) => _tag === tag)
    return first("Done") ?? first("Included") ?? first("Waiting") ?? outcomes.at(-1) ?? { _tag: "Waiting" }
  }

  const observed = (job: Job, attempts: ReadonlyArray<Attempt>, now: number): Outcome => {
    const outcome = outcomeOf(job, attempts, now)
    return outcome._tag === "Done" || outcome._tag === "Dead"
      ? { ...outcome, costs: attempts.flatMap((attempt) => costOf(job, attempt, now)) }
      : outcome
  }

  const externalSettlement = (orderId: string, kind: "deliver" | "refund", now: number): ExternalSettlement => {
    const external = script.external.get(orderId)
    const block = BigInt(Math.floor(now / 1000))
    if (external) {
      return external.kind === kind && external.hash !== undefined
        ? { _tag: "Done", hash: external.hash, block, ...(external.amount && { amount: external.amount }) }
        : { _tag: "Unclear", message: "The vault has used the order." }
    }
    const payer = payerOf(orderId, ["deliver", "refund"], now)
    if (payer === undefined) return { _tag: "Unused" }
    return jobIn(payer, orderId, [kind]) !== undefined && isFinal(payer, now)
      ? { _tag: "Done", hash: payer.attempt.hash, block }
      : { _tag: "Unclear", message: "The vault has used the order." }
  }

  const broadcast = (attempt: Attempt, now: number): void => {
    const jobs = signed.get(attempt.hash)
    const rivals = [...sent.values()].filter(({ attempt: { nonce } }) => nonce === attempt.nonce)
    const isTaken = rivals.some((rival) => rival.fate.end === "replaced" || isIncluded(rival, now))
    if (jobs === undefined || sent.has(attempt.hash) || isTaken) return
    const fate = attempt.cancels ? succeeds : (script.fates.shift() ?? succeeds)
    // A transaction that takes the nonce of a waiting one wins it.
    for (const rival of rivals) sent.set(rival.attempt.hash, { ...rival, fate: stuck })
    sent.set(attempt.hash, { jobs, attempt, fate, sentAt: now })
  }

  const nothing = () => Effect.succeed(0n)
  const plain = plainChain({ family: "evm", id, name: `chain-${id}`, tokens, costOf: nothing, balanceOf: nothing })
  const chain: EvmChain = {
    ...(plain as EvmChain),
    vault: "vault",
    vaults: ["vault"],
    relayer: `relayer-${id}`,
    relayers: [`relayer-${id}`],
    signerOf: () => Effect.succeed(`relayer-${id}`),
    pollMillis: 2_000,
    nextLook: () => Effect.sleep(2_000),
    vaultOf: () => undefined,
    heldAt: () => reading((now) => ({ amount: script.inventory, block: BigInt(Math.floor(now / 1000)) })),
    deliverableAt: () => reading((now) => ({ amount: 2n ** 256n, block: BigInt(Math.floor(now / 1000)) })),
    mostCostOf: () => Effect.succeed(jobCost),
    fundsAt: () => reading((now) => ({ amount: script.funds, block: BigInt(Math.floor(now / 1000)) })),
    prepare: (job) =>
      answering((now) => {
        const code = refusalOf(job, now)
        return code === undefined
          ? Effect.succeed({
              job,
              relayer: `relayer-${id}`,
              plan: [job],
              ...(script.maxBatch > 1 && { shares: job.kind })
            })
          : Effect.fail(new Impossible({ chainId: id, code, message: `refused: ${code}` }))
      }),
    get maxBatch() {
      return script.maxBatch
    },
    walletState: () => reading(() => ({ delegation: "none", nonce: 0 })),
    combine: (drafts, _relayers, pending = nothingPending) =>
      Effect.gen(function* () {
        const jobs = drafts.slice(0, script.maxBatch).map(({ job }) => job)
        const refused = jobs.findIndex(({ orderId }) => script.unaffordable.has(orderId))
        const left = Number((script.funds - pending.of(`relayer-${id}`)) / jobCost)
        // Like a chain, it takes fewer jobs if a relayer cannot pay for all, and fails if it cannot pay for the first.
        const count = Math.min(refused < 0 ? jobs.length : refused, left)
        if (count <= 0) {
          return yield* new ChainUnavailable({ chainId: id, message: "Top up the relayer.", timeout: false })
        }
        pending.add(`relayer-${id}`, jobCost * BigInt(count), script.funds)
        return yield* reading(() => ({ relayer: `relayer-${id}`, plan: jobs.slice(0, count), count }))
      }),
    isBatch: ({ cancels, hash }) => !cancels && (signed.get(hash)?.length ?? 0) > 1,
    sign: ({ plan }, nonce) =>
      reading((now) => {
        const jobs = plan as ReadonlyArray<Job>
        const hash = `0x${id}-${++serial}-${jobs[0]?.kind}`
        signed.set(hash, jobs)
        const maxCost = jobCost * BigInt(jobs.length)
        return { raw: hash, hash, ...(nonce !== undefined && { nonce }), maxCost, cancels: false, createdAt: now }
      }),
    broadcast: (attempt) =>
      Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<void, ChainUnavailable | Refused> => {
        const isRefused = !attempt.cancels && signed.get(attempt.hash)?.some(({ kind }) => kind === "collect") === true
        return script.refusesCollections && isRefused
          ? Effect.fail(new Refused({ chainId: id, message: "The wallet has pending transactions." }))
          : reading(() => (script.drops > 0 ? void script.drops-- : broadcast(attempt, now)))
      }),
    failureAt: (job) =>
      reading((now) => {
        const code = refusalOf(job, now)
        return code && new Impossible({ chainId: id, code, message: `refused: ${code}` })
      }),
    observe: (job, attempts) => reading((now) => observed(job, attempts, now)),
    replace: (_, attempts, cancel) =>
      reading((now) => {
        const newest = attempts.at(-1)
        const isSlow = newest !== undefined && sent.get(newest.hash)?.fate.end === "slow"
        const isWaiting = isSlow && now - newest.createdAt > bumpMillis
        const isCanceled = attempts.some(({ cancels }) => cancels)
        if (newest === undefined || (cancel ? isCanceled : !isWaiting)) return undefined
        const hash = `0x${id}-${++serial}-${cancel ? "cancel" : "bump"}`
        signed.set(hash, signed.get(newest.hash) ?? [])
        return { ...newest, raw: hash, hash, cancels: cancel, createdAt: now }
      }),
    externalSettlement: ({ kind, orderId }) => reading((now) => externalSettlement(orderId, kind, now)),
    recipientAtFault: () =>
      Effect.flatMap(
        reading(() => script.recipientAtFault),
        (atFault) => (atFault === undefined ? Effect.fail(noAnswer) : Effect.succeed(atFault))
      ),
    collection: ({ operation, orderId }) =>
      reading((now) => {
        const payer = payerOf(orderId, ["collect"], now)
        const block = BigInt(Math.floor(now / 1000))
        if (payer && isFinal(payer, now)) return { _tag: "Collected", hash: payer.attempt.hash, block }
        const isPast = operation._tag === "evm" && now > operation.deadline * 1000
        return isPast && payer === undefined
          ? { _tag: "Never", block, time: Math.floor(now / 1000), nodes: ["node"] }
          : { _tag: "Open", message: "No event of the vault is final." }
      }),
    relayerNonce: () =>
      reading((now) => {
        const used = [...sent.values()].filter(
          (transaction) => isIncluded(transaction, now) || transaction.fate.end === "replaced"
        )
        return used.reduce((next, { attempt: { nonce = -1 } }) => Math.max(next, nonce + 1), 0)
      }),
    finalTime: reading((now) => Math.floor(now / 1000)),
    isPast: (time) => reading((now) => Math.floor(now / 1000) > time)
  }

  const payments = Effect.map(Clock.currentTimeMillis, (now) =>
    [...sent.values()].flatMap((transaction): ReadonlyArray<Payment> => {
      const { jobs } = transaction
      return jobs.flatMap(({ amount, kind, orderId }) =>
        payerOf(orderId, kindsOf(kind), now) === transaction ? [{ chainId: id, kind, orderId, amount }] : []
      )
    })
  )
  return { chain, script, payments }
}
