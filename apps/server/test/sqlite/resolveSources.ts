/** Lets Node run our sources as they are: what they import as `./X.js` is `./X.ts` there. */
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) => {
    try {
      return next(specifier, context)
    } catch (error) {
      if (!specifier.startsWith(".") || !specifier.endsWith(".js")) throw error
      return next(specifier.replace(/\.js$/, ".ts"), context)
    }
  }
})
