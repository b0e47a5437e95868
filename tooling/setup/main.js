/**
 * `node main.js <command> …`: installs dependencies for this machine, and then runs a pnpm command.
 * `node main.js --check` only checks whether this machine is supported.
 */
import { spawnSync } from "node:child_process"
import { machine, root } from "./machine.js"
import { missing, plan } from "./installPlan.js"

/** @param {string} text */
const say = (text) => void process.stderr.write(`${text}\n`)

/** Runs a program in this terminal, and exits if it fails. @param {ReadonlyArray<string>} command */
const run = ([program = "", ...args]) => {
  const { error, signal, status } = spawnSync(program, args, { cwd: root, stdio: "inherit" })
  if (error !== undefined) say(`Cannot run ${program}: ${error.message}`)
  if (signal !== null) process.kill(process.pid, signal)
  if (status !== 0) process.exit(status ?? 1)
}

const { install, messages, refusal } = plan(machine)
if (refusal !== undefined) {
  say(refusal)
  process.exit(1)
}
const command = process.argv.slice(2)
if (command[0] !== "--check") {
  for (const message of messages) say(message)
  run(install)
  for (const message of missing(machine)) say(message)
  run(["npx", "--yes", machine.packageManager, ...command])
}
