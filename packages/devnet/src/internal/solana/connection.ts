/** Serves the SVM's methods and subscriptions to a connection, with 64-bit integers as JSON numbers. */
import type { Connection, Notify } from "../rpcServer.js"
import { methodNotFound } from "../rpcError.js"
import { stringify } from "../stringify.js"
import type { Method } from "./params.js"

/** The maximum size of a request body in bytes, as in a real node. */
export const maxBody = 50 * 1024

type Methods = Readonly<Record<string, Method>>

/** Adds the methods for one connection, such as subscriptions. */
type Subscribe = (send: (message: unknown) => void) => { readonly methods: Methods; readonly close: () => void }

export const connectWith =
  (methods: Methods, subscribe: Subscribe) =>
  (notify?: Notify): Connection => {
    const own = notify === undefined ? undefined : subscribe((message) => notify(stringify(message)))
    const all = { ...methods, ...own?.methods }
    return {
      respond: ({ method, params }) => {
        const run = Object.hasOwn(all, method) ? all[method] : undefined
        if (run === undefined) throw methodNotFound()
        return `"result":${stringify(run(params))}`
      },
      close: () => own?.close()
    }
  }
