/** `demo` and `start`: the program behind `npm run demo` and `npm start`. */
import { enableCompileCache } from "node:module"
import { parseArgs } from "./parseArgs.js"

// Nobody may listen any more, as at the end of a pipe.
process.stdout.on("error", () => undefined)
process.stderr.on("error", () => undefined)

const command = parseArgs(process.argv.slice(2))
if (command.name === "help") process.stdout.write(command.text)
else if (command.name === "invalid") {
  process.stderr.write(`${command.problem}\n`)
  process.exitCode = 2
} else {
  // Loaded only now, so that help and mistakes are answered at once; compiled once for all later runs.
  enableCompileCache()
  // Node tells that its SQLite is young, in the middle of what we show.
  process.removeAllListeners("warning")
  const { run } = await import("./run.js")
  const code =
    command.name === "demo"
      ? await run((await import("./demo/demo.js")).demo(command.options), 130)
      : await run((await import("./start/start.js")).start(command.options), 0)
  // A connection that idles must not keep the process.
  process.exit(code)
}
