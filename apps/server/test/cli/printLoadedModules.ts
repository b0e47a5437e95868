/** Tells on standard error what a program loads. */
import { writeSync } from "node:fs"
import { registerHooks } from "node:module"

registerHooks({
  load: (url, context, next) => {
    writeSync(2, `${url}\n`)
    return next(url, context)
  }
})
