/** The programs that can run an EVM chain: EDR, which is a dependency of this package, and anvil. */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { BinaryMissing } from "../../DevnetError.js"
import { anvilCommand, anvilMissing } from "./anvilBinary.js"
import { leastBaseFee } from "./baseFee.js"

/** The name of an engine. */
export type EngineName = "edr" | "anvil"

/** How to start a chain that mines only on request. */
export interface Engine {
  readonly name: EngineName
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The error if the command cannot be run. */
  readonly missing: () => BinaryMissing
}

/** The options that choose an engine. */
export interface EngineOptions {
  /** The EVM to run (default: `edr`, or `anvil` if its path is given). */
  readonly evm?: EngineName | undefined
  /** The path to anvil (default: the platform's npm package, then the PATH). */
  readonly anvil?: string | undefined
}

const edrMissing = (command: string): BinaryMissing =>
  new BinaryMissing({ binary: "edr", message: `Node cannot be run at ${command}, so EDR cannot start.` })

const edr = (): Engine => {
  const { resolve } = createRequire(import.meta.url)
  // The program is run from the built package, also if this file is a source.
  const program = join(dirname(resolve("@geoswap/devnet/package.json")), "dist", "internal", "evm", "edrProgram.js")
  return { name: "edr", command: process.execPath, args: [program], missing: () => edrMissing(process.execPath) }
}

const anvil = (path: string | undefined): Engine => {
  const command = anvilCommand(path)
  const rules = ["--hardfork", "osaka", "--slots-in-an-epoch", "1", "--accounts", "0", "--no-mining"]
  // Anvil must not write files to disk. It is stopped by killing it, so it could not clean up those files.
  const memory = ["--max-persisted-states", "0"]
  const args = ["--host", "127.0.0.1", "--base-fee", String(leastBaseFee), ...rules, ...memory]
  return { name: "anvil", command, args, missing: () => anvilMissing(command) }
}

export const chooseEngine = ({ anvil: path, evm = path === undefined ? "edr" : "anvil" }: EngineOptions): Engine =>
  evm === "edr" ? edr() : anvil(path)
