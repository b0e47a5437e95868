/** Everything that can keep a devnet from running, one class each. */
import * as Schema from "effect/Schema"

/** A port that was asked for belongs to somebody else. */
export class PortTaken extends Schema.TaggedError<PortTaken>()("PortTaken", {
  port: Schema.Int,
  /** What was to listen there. */
  part: Schema.String,
  message: Schema.String
}) {}

/** A program that the devnet runs is not on this machine. */
export class BinaryMissing extends Schema.TaggedError<BinaryMissing>()("BinaryMissing", {
  binary: Schema.String,
  /** The npm package that holds it for this platform, where there is one. */
  package: Schema.optionalKey(Schema.String),
  message: Schema.String
}) {}

/** A part did not come up; `output` is the last of what it printed. */
export class StartFailed extends Schema.TaggedError<StartFailed>()("StartFailed", {
  part: Schema.String,
  output: Schema.String,
  message: Schema.String
}) {}

/** A chain refused what a fault or the set-up asked of it. */
export class ChainRefused extends Schema.TaggedError<ChainRefused>()("ChainRefused", {
  method: Schema.String,
  /** The code of the JSON-RPC error, where the chain answered at all. */
  code: Schema.optionalKey(Schema.Int),
  message: Schema.String
}) {}

/** A chain ended before the devnet did: it does not answer any more. */
export class ChainDied extends Schema.TaggedError<ChainDied>()("ChainDied", {
  /** What ended: `EVM chain 31337`, or `the Solana JSON-RPC`. */
  part: Schema.String,
  /** The exit code; 128 plus the number of the signal if a signal ended the program. */
  code: Schema.optionalKey(Schema.Int),
  /** The last lines that the program printed on standard error. */
  output: Schema.String,
  message: Schema.String
}) {}

/** A reorg would replace final blocks. Nothing was replaced. */
export class ReorgTooDeep extends Schema.TaggedError<ReorgTooDeep>()("ReorgTooDeep", {
  depth: Schema.Int,
  /** Blocks until a block is final, the block itself included. */
  confirmations: Schema.Int,
  message: Schema.String
}) {}

/** An option makes no sense. Nothing was started. */
export class InvalidOption extends Schema.TaggedError<InvalidOption>()("InvalidOption", {
  option: Schema.String,
  message: Schema.String
}) {}

/** What starting a devnet can fail with. */
export type DevnetError = PortTaken | BinaryMissing | StartFailed | ChainRefused | ChainDied | InvalidOption
