/** `demo` and `start`: the program behind `npm run demo` and `npm start`. */
import { enableCompileCache } from "node:module"
import { readLine } from "./line.js"

// Nobody may listen any more, as at the end of a pipe.
process.stdout.on("error", () => undefined)
process.stderr.on("error", () => undefined)

const line = readLine(process.argv.slice(2))
if (line.command === "help") process.stdout.write(line.text)
else if (line.command === "mistake") {
  process.stderr.write(`${line.problem}\n`)
  process.exitCode = 2
} else {
  // Loaded only now, so that help and mistakes are answered at once; compiled once for all later runs.
  enableCompileCache()
  // Node tells that its SQLite is young, in the middle of what we show.
  process.removeAllListeners("warning")
  const { run } = await import("./run.js")
  const code =
    line.command === "demo"
      ? await run((await import("./demo/demo.js")).demo(line.options), 130)
      : await run((await import("./start/start.js")).start(line.options), 0)
  // A connection that idles must not keep the process.
  process.exit(code)
}
