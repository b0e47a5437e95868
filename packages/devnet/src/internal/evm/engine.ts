/** The programs that can run an EVM chain: EDR, which is a dependency of this package, and anvil. */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { BinaryMissing } from "../../DevnetError.js"
import { anvilCommand, anvilMissing } from "./anvilBinary.js"
import { type FinalityTags, plain, type ProfileName } from "./profiles.js"

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

/** The options of a chain that only EDR has. */
export interface ImitationOptions {
  /** The public chain to imitate (default: none). */
  readonly profile?: ProfileName | undefined
  /** What the tags `safe` and `finalized` return (default: `"lagging"`). */
  readonly tags?: FinalityTags | undefined
}

const edrMissing = (command: string): BinaryMissing =>
  new BinaryMissing({ binary: "edr", message: `Node cannot be run at ${command}, so EDR cannot start.` })

const edr = ({ profile, tags }: ImitationOptions): Engine => {
  const { resolve } = createRequire(import.meta.url)
  // The program is run from the built package, also if this file is a source.
  const program = join(dirname(resolve("@geoswap/devnet/package.json")), "dist", "internal", "evm", "edrProgram.js")
  const imitation = [
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(tags === undefined ? [] : ["--tags", tags])
  ]
  const command = process.execPath
  return { name: "edr", command, args: [program, ...imitation], missing: () => edrMissing(command) }
}

const anvil = (path: string | undefined): Engine => {
  const command = anvilCommand(path)
  const rules = ["--hardfork", "osaka", "--slots-in-an-epoch", "1", "--accounts", "0", "--no-mining"]
  // Anvil must not write files to disk. It is stopped by killing it, so it could not clean up those files.
  const memory = ["--max-persisted-states", "0"]
  const args = ["--host", "127.0.0.1", "--base-fee", String(plain.leastBaseFee), ...rules, ...memory]
  return { name: "anvil", command, args, missing: () => anvilMissing(command) }
}

/** The name of the engine that the options choose. */
export const engineName = ({ anvil: path, evm = path === undefined ? "edr" : "anvil" }: EngineOptions): EngineName =>
  evm

export const chooseEngine = (options: EngineOptions & ImitationOptions): Engine =>
  engineName(options) === "edr" ? edr(options) : anvil(options.anvil)
