/** The flows that calls in this process work on. */
import * as Context from "effect/Context"
import type { FlowId } from "../Id.js"

/** The ids of the flows that calls in this process work on. They are random, so clients can share the set. */
export const RunningFlows: Context.Reference<Set<FlowId>> = /* @__PURE__ */ Context.Reference(
  "@geoswap/core/RunningFlows",
  { defaultValue: () => new Set() }
)
