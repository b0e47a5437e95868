/** The scenarios of swaps, and their checkpoints. */
import { SwapRecord } from "@geoswap/service"

export type Place = "evmA" | "evmB" | "solana"
export type Family = "evm" | "solana"

/** A kind of swap, with its expected outcome. */
export interface Scenario {
  readonly origin: Place
  readonly destination: Place
  readonly input: string
  readonly output: string
  readonly status: "settled" | "refunded" | "failed"
  readonly failureCode?: string
  /** The fault on a chain between signature and end. */
  readonly fault?: "blockhash expires" | "token stops"
}

const settled = { status: "settled" } as const
/** `STUCK` cannot be transferred, so the input must be refunded. */
const refunded = { status: "refunded", output: "STUCK", failureCode: "REVERTED" } as const
/** `STOPPED` cannot be paid with; only its balance is checked before. */
const refused = { status: "failed", input: "STOPPED", failureCode: "REVERTED" } as const
const expired = { status: "failed", fault: "blockhash expires", failureCode: "OPERATION_EXPIRED" } as const

/** Swaps that finish without a fault. */
export const plain: ReadonlyArray<Scenario> = [
  { ...settled, origin: "evmA", destination: "evmB", input: "USDC", output: "WETH" },
  { ...settled, origin: "evmB", destination: "evmA", input: "WETH", output: "GEO" },
  { ...settled, origin: "solana", destination: "evmA", input: "USDC", output: "WETH" },
  { ...settled, origin: "solana", destination: "evmB", input: "WETH", output: "USDC" },
  { ...settled, origin: "evmA", destination: "solana", input: "USDC", output: "GEO" },
  { ...settled, origin: "evmB", destination: "solana", input: "WETH", output: "USDC" },
  { ...refunded, origin: "evmA", destination: "evmB", input: "USDC" },
  { ...refunded, origin: "evmB", destination: "evmB", input: "WETH" },
  { ...refunded, origin: "solana", destination: "evmB", input: "USDC" },
  { ...refunded, origin: "solana", destination: "evmB", input: "WETH" },
  { ...refused, origin: "evmA", destination: "evmB", output: "WETH" },
  { ...refused, origin: "evmA", destination: "solana", output: "USDC" }
]

/** Swaps whose blockhash is too old before they are submitted. */
const late: ReadonlyArray<Scenario> = [
  { ...expired, origin: "solana", destination: "evmA", input: "USDC", output: "WETH" },
  { ...expired, origin: "solana", destination: "evmB", input: "WETH", output: "USDC" }
]

/** Swaps that are sent and then revert: their token stops before they are included. */
export const reverting: ReadonlyArray<Scenario> = [
  { ...refused, fault: "token stops", origin: "evmA", destination: "evmB", input: "FUSE", output: "WETH" },
  { ...refused, fault: "token stops", origin: "evmA", destination: "solana", input: "FUSE", output: "USDC" }
]

export const scenarios: ReadonlyArray<Scenario> = [...plain, ...late]

export const familyOf = (place: Place): Family => (place === "solana" ? "solana" : "evm")

/** The key of swaps that reach the same checkpoints. */
export const wayOf = ({ destination, fault, origin, status }: Scenario): string =>
  [familyOf(origin), familyOf(destination), status, fault].join()

const { states } = SwapRecord
const sent = states.filter((state) => state.endsWith("_sent"))

const both = (name: string) => [`before ${name}`, `after ${name}`]

/** The checkpoints of every swap of a scenario: states, a refund that is decided and then signed, and sent transactions. */
export const certainSteps: ReadonlyArray<string> = [
  ...states,
  "refund_prepared again",
  ...SwapRecord.Kind.literals.map((kind) => `broadcast ${kind}`)
].flatMap(both)

/** Checkpoints that are reached only if a transaction is seen before it is final. */
export const occasionalSteps: ReadonlyArray<string> = sent.map((state) => `${state} again`).flatMap(both)

/**
 * Where a server with many swaps of the same kind is killed, most of which share transactions: the scenario, the
 * checkpoint, and the number of times that it is reached. All swaps reach the states, but only one of a batch broadcasts
 * it. Swaps that wait for the first transaction are lost with the process.
 */
export const batches: ReadonlyArray<readonly [Scenario, step: string, occurrence: number]> = plain.flatMap(
  (scenario) => {
    const { destination, input, origin } = scenario
    // On Solana, collections never share a transaction, and only the second transactions are batches.
    const isEvm = origin === "evmA" && destination === "evmB"
    const isSolana =
      scenario.status === "settled"
        ? origin === "evmA" && destination === "solana"
        : origin === "solana" && destination === "evmB"
    if (input !== "USDC" || !(isEvm || isSolana)) return []
    const second = scenario.status === "settled" ? "delivery" : "refund"
    const prepared = scenario.status === "settled" ? "delivery_prepared" : "refund_prepared again"
    const first = ["origin_prepared", "origin_sent"].flatMap(both)
    const steps = [prepared, `${second}_sent`].flatMap(both)
    const paying = scenario.status === "settled" ? "broadcast deliver" : "broadcast refund"
    const broadcasts = scenario.status === "settled" && isEvm ? ["broadcast collect", paying] : [paying]
    return [
      ...(scenario.status === "settled" && isEvm ? first : []).map((step) => [scenario, step, 5] as const),
      ...steps.map((step) => [scenario, step, 5] as const),
      ...broadcasts.flatMap(both).map((step) => [scenario, step, 1] as const)
    ]
  }
)

/** Whether a swap with these checkpoints can reach a checkpoint. */
export const leadsTo = (taken: ReadonlySet<string> | undefined, step: string): boolean =>
  taken?.has(step.replace(/ again$/, "")) ?? false

/** The chain family that a checkpoint of a swap involves. */
export const sideOf = ({ destination, origin }: Scenario, step: string): Family =>
  familyOf(/ (delivery_|settled|broadcast deliver)/.test(step) ? destination : origin)
