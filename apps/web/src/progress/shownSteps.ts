/** The steps that the page shows. Building and verifying an operation are parts of signing it. */
import type { SwapStep } from "@geoswap/core/promise"

/** A step that the page shows. */
export interface ShownStep extends Pick<SwapStep, "txHash"> {
  readonly name: Exclude<SwapStep["name"], "build" | "verify">
  readonly state: Exclude<SwapStep["state"], "skipped" | "unknown">
}

/** A skipped step was made before, and a step that is no longer watched may still be made. */
const shownStates = { skipped: "done", unknown: "waiting" } as const

const isPreparation = ({ name }: SwapStep) => name === "build" || name === "verify"

/**
 * Returns the steps that the page shows. `delegates` indicates whether the swap was known to need a delegation when it
 * started.
 */
export const shownSteps = (steps: ReadonlyArray<SwapStep>, delegates: boolean): ReadonlyArray<ShownStep> => {
  const preparing = steps.find((step) => isPreparation(step) && !["waiting", "done", "skipped"].includes(step.state))
  return steps.flatMap(({ name, state, txHash }) => {
    if (name === "build" || name === "verify") return []
    if (name === "delegation" && (state === "skipped" || (state === "waiting" && !delegates))) return []
    // Before the operation is built, the wallet delegates.
    const current = delegates && preparing?.name === "build" ? "delegation" : "sign"
    const at = name === current && preparing !== undefined ? preparing.state : state
    return [{ name, state: at === "skipped" || at === "unknown" ? shownStates[at] : at, txHash }]
  })
}
