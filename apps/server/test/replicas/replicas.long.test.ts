/** Many swaps of two servers, with many faults. `pnpm test:long chaos` runs more rounds. */
import { expect } from "vitest"
import { chaosOf } from "../faults/crash/chaosRounds.js"
import { killsAndPauses } from "./faults.js"
import { createOnce, finishDespite, withTwoServers } from "./suite.js"

const { isLong, rounds, seed } = chaosOf(1, 10)
/** As many as fit into a minute on a small machine; `pnpm test:long chaos` runs more. */
const count = isLong ? 100 : 40

withTwoServers((test) => {
  createOnce(test, count)

  test("have shared transactions among swaps", async ({ rows }) => {
    expect(await rows("SELECT swap_id FROM batch_items")).not.toEqual([])
  })

  const title = `finish ${count} swaps although both servers are killed and paused and the database restarts`
  finishDespite(test, title, { count, rounds, seed }, killsAndPauses)
})
