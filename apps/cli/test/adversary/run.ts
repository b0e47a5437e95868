/** Runs attacks in worlds, and counts attempts, results and signatures. */
import type { SeededRandom } from "../../../../tooling/testing/seededRandom.ts"
import { type Attempt, type Attack, attacks, honest, type Means } from "./attacks.js"
import type { Violation } from "./oracle.js"
import { makeWorld, type World, type WorldOptions } from "./world.js"

/** What happened. */
export interface Counts {
  /** The attempts of each kind, and their results. */
  readonly kinds: Map<string, { attempts: number; swapped: number; repeated: number; refused: number }>
  /** The codes of the errors. */
  readonly codes: Map<string, number>
  /** The signatures of each kind. */
  readonly signatures: Map<string, number>
  swaps: number
  worlds: number
  readonly violations: Array<Violation & { readonly kind: string; readonly world: number }>
}

export const emptyCounts = (): Counts => ({
  kinds: new Map(),
  codes: new Map(),
  signatures: new Map(),
  swaps: 0,
  worlds: 0,
  violations: []
})

const increment = (map: Map<string, number>, name: string) => void map.set(name, (map.get(name) ?? 0) + 1)

/** How many attempts were made. */
export const attemptsIn = ({ kinds }: Counts): number =>
  [...kinds.values()].reduce((sum, { attempts }) => sum + attempts, 0)

const note = ({ codes, kinds }: Counts, kind: string, { result }: Attempt): void => {
  const row = kinds.get(kind) ?? { attempts: 0, swapped: 0, repeated: 0, refused: 0 }
  kinds.set(kind, row)
  row.attempts++
  const { isError, structured } = result
  if (isError) {
    row.refused++
    increment(codes, String((structured["error"] as { readonly code?: unknown } | undefined)?.code))
  } else if (structured["repeated"] === true) row.repeated++
  else if (structured["swap"] !== undefined) row.swapped++
}

const choose = (random: SeededRandom): readonly [string, Attack] => {
  const all = Object.entries(attacks)
  let lot = random.next() * all.reduce((sum, [, [weight]]) => sum + weight, 0)
  for (const [kind, [weight, attack]] of all) {
    lot -= weight
    if (lot < 0) return [kind, attack]
  }
  return ["honest swap", honest]
}

/** The number of worlds that together start with every kind of attack, so that a short run has them all. */
export const coveringWorlds = 4

/** The attacks that a world starts with. */
const openingOf = (world: number): Array<readonly [string, Attack]> => {
  const all = Object.entries(attacks).map(([kind, [, attack]]) => [kind, attack] as const)
  const each = Math.ceil(all.length / coveringWorlds)
  return all.slice(world * each, (world + 1) * each)
}

/** Finishes what an attack left behind, with an honest service. Returns whether nothing is left. */
const settle = async ({ servers: [server] }: World): Promise<boolean> => {
  const unfinished = async () => {
    const { structured } = await server("list_swaps", { limit: 1 })
    return (structured["unfinished"] ?? []) as ReadonlyArray<{ readonly flowId: string; readonly swapId?: string }>
  }
  for (const { flowId } of await unfinished()) await server("resume_swap", { id: flowId, waitSeconds: 1 })
  return (await unfinished()).every(({ swapId }) => swapId !== undefined)
}

/** An hour passes if an hourly limit is reached. Returns whether enough of the budgets is left to go on. */
const refresh = ({ oracle, random, rules, shift }: World, hours: { passed: number }): boolean => {
  const { budgets, swaps } = oracle.usage()
  const isLow = (window: string) => budgets.slice(0, 2).some((one) => one.window === window && one.left < 8_000_000n)
  // The adversary presses against a limit for a while.
  if ((isLow("hour") || swaps >= rules.maxSwapsPerHour) && random.next() < 0.3) {
    shift(3_700_000)
    hours.passed++
  }
  return !(isLow("total") && random.next() < 0.3) && hours.passed < 12
}

/** How a world is run. */
interface RunOptions extends WorldOptions, Pick<Means, "stolen"> {
  /** The only attack, for the positive controls. They end with the first violation, and no time passes in them. */
  readonly only?: Attack
}

/** Runs attacks in one world until it has nothing left to take, or until the attempts are used up. */
export const runWorld = async (
  number: number,
  random: SeededRandom,
  counts: Counts,
  most: number,
  { only, stolen, ...options }: RunOptions = {}
): Promise<void> => {
  const world = await makeWorld(random, options)
  const { oracle } = world
  const hours = { passed: 0 }
  const opening = only === undefined ? openingOf(number) : []
  let made = 0
  let reported = 0
  /** Reports what the oracle has found since the last call. */
  const report = (kind: string) => {
    for (const violation of oracle.violations.slice(reported)) {
      counts.violations.push({ ...violation, kind, world: number })
    }
    reported = oracle.violations.length
  }
  /** Whether the attacks go on in this world. */
  const goesOn = async (kind: string): Promise<boolean> => {
    const isUsable = only !== undefined || ((await settle(world)) && refresh(world, hours) && made < 150)
    report(kind)
    return counts.violations.length === 0 && (opening.length > 0 || (isUsable && made < most))
  }
  try {
    for (let isOpen = true; isOpen;) {
      const [kind, attack] = only !== undefined ? (["control", only] as const) : (opening.shift() ?? choose(random))
      const count = (attempt: Attempt) => {
        made++
        note(counts, kind, attempt)
      }
      await attack({ world, stolen, count })
      isOpen = await goesOn(kind)
    }
    for (const { signed } of oracle.signed) increment(counts.signatures, signed.kind)
    counts.swaps += oracle.swaps
    counts.worlds++
  } finally {
    await world.close()
  }
}

/** Formats the counts. */
export const format = (counts: Counts): string => {
  const total = attemptsIn(counts)
  const sum = (field: "swapped" | "repeated" | "refused") =>
    [...counts.kinds.values()].reduce((all, row) => all + row[field], 0)
  const list = (map: Map<string, number>) =>
    [...map]
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ")
  return [
    `${total} attempts in ${counts.worlds} worlds: ${sum("swapped")} swapped, ${sum("repeated")} repeated, ${sum("refused")} refused`,
    ...[...counts.kinds].map(
      ([kind, { attempts, refused, repeated, swapped }]) =>
        `  ${kind}: ${attempts} attempts, ${swapped} swapped, ${repeated} repeated, ${refused} refused`
    ),
    `  signatures: ${list(counts.signatures)}; ${counts.swaps} swaps signed`,
    `  errors: ${list(counts.codes)}`,
    `  beyond the policy: ${counts.violations.length}`
  ].join("\n")
}
