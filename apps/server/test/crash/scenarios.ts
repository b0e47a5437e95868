/** The ways that swaps take, and the steps on them. */
import { SwapRecord } from "@geoswap/service"

export type Place = "evmA" | "evmB" | "solana"
export type Family = "evm" | "solana"

/** A kind of swap, with the end that it has to have. */
export interface Scenario {
  readonly origin: Place
  readonly destination: Place
  readonly input: string
  readonly output: string
  readonly status: "settled" | "refunded" | "failed"
  readonly failureCode?: string
  /** What happens on a chain between the signature and the end. */
  readonly fault?: "blockhash expires" | "token stops"
}

const settled = { status: "settled" } as const
/** `STUCK` cannot be sent, so that there is nothing to do but to give the input back. */
const refunded = { status: "refunded", output: "STUCK", failureCode: "REVERTED" } as const
/** `STOPPED` cannot be paid with; whether a wallet has it is all that is looked at before. */
const refused = { status: "failed", input: "STOPPED", failureCode: "REVERTED" } as const
const expired = { status: "failed", fault: "blockhash expires", failureCode: "OPERATION_EXPIRED" } as const

/** Swaps whose end needs nobody's help. */
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

/** Swaps that are sent, and then revert: their token stops before they are in a block. */
export const reverting: ReadonlyArray<Scenario> = [
  { ...refused, fault: "token stops", origin: "evmA", destination: "evmB", input: "FUSE", output: "WETH" },
  { ...refused, fault: "token stops", origin: "evmA", destination: "solana", input: "FUSE", output: "USDC" }
]

export const scenarios: ReadonlyArray<Scenario> = [...plain, ...late]

export const familyOf = (place: Place): Family => (place === "solana" ? "solana" : "evm")

/** What is the same for swaps that take the same steps. */
export const wayOf = ({ destination, fault, origin, status }: Scenario): string =>
  [familyOf(origin), familyOf(destination), status, fault].join()

const { states } = SwapRecord
const sent = states.filter((state) => state.endsWith("_sent"))

const both = (name: string) => [`before ${name}`, `after ${name}`]

/** What every swap of a way goes through: states, a refund that is decided and then signed, and transactions that go out. */
export const certainSteps: ReadonlyArray<string> = [
  ...states,
  "refund_prepared again",
  ...SwapRecord.Kind.literals.map((kind) => `broadcast ${kind}`)
].flatMap(both)

/** What is only met where a transaction is seen in a block before that is final. */
export const occasionalSteps: ReadonlyArray<string> = sent.map((state) => `${state} again`).flatMap(both)

/** Whether a swap whose steps are those comes to a step, if chance wants it. */
export const leadsTo = (taken: ReadonlySet<string> | undefined, step: string): boolean =>
  taken?.has(step.replace(/ again$/, "")) ?? false

/** The family of chain that a step of a swap has to do with. */
export const sideOf = ({ destination, origin }: Scenario, step: string): Family =>
  familyOf(/ (delivery_|settled|broadcast deliver)/.test(step) ? destination : origin)
