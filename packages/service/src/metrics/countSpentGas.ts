/** Counts what transactions cost. */
import * as Metric from "effect/Metric"
import type { SpentGas } from "../domain/SpentGas.js"
import { spentWei } from "./series.js"

/** Counts a swap's part of a transaction's cost. The parts of all swaps add up to the cost. */
export const countSpentGas = ({ chainId, kind, share }: Pick<SpentGas, "chainId" | "kind" | "share">) =>
  Metric.update(spentWei({ chain: String(chainId), kind }), Number(share))
