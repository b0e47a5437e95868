/** `demo` and `start`: the program behind `npm run demo` and `npm start`. */
import { enableCompileCache } from "node:module"
import { parseArgs } from "./parseArgs.js"

// Ignores errors, because the reading end of a pipe may already be closed.
process.stdout.on("error", () => undefined)
process.stderr.on("error", () => undefined)

const command = parseArgs(process.argv.slice(2))
if (command.name === "help") process.stdout.write(command.text)
else if (command.name === "invalid") {
  process.stderr.write(`${command.problem}\n`)
  process.exitCode = 2
} else {
  // The code of the command is loaded late, so that help and usage errors appear immediately. The compile cache speeds
  // up later runs.
  enableCompileCache()
  // Otherwise, Node would print a warning about its experimental SQLite module in the middle of our output.
  process.removeAllListeners("warning")
  const { run } = await import("./run.js")
  const code =
    command.name === "demo"
      ? await run((await import("./demo/demo.js")).demo(command.options), 130)
      : await run((await import("./start/start.js")).start(command.options), 0)
  // An idle connection must not keep the process alive.
  process.exit(code)
}
