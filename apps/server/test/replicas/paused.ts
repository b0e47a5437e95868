/** Runs an action while a replica is paused. */
import { resumed } from "../stack/requests.js"
import type { Replica } from "./replica.js"

/** Runs an action while a replica is paused, so that another one gets all submits. */
export const without = async <A>(replica: Replica, task: () => Promise<A>): Promise<A> => {
  replica.isIn = false
  replica.pause()
  try {
    return await task()
  } finally {
    await resumed(replica)
    replica.isIn = true
  }
}
