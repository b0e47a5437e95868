/** The errors that a devnet can report, with one class for each. */
import * as Schema from "effect/Schema"

/** Another program is using the port. */
export class PortTaken extends Schema.TaggedError<PortTaken>()("PortTaken", {
  port: Schema.Int,
  /** The part of the devnet that needs the port. */
  part: Schema.String,
  message: Schema.String
}) {}

/** A program that the devnet needs is not installed. */
export class BinaryMissing extends Schema.TaggedError<BinaryMissing>()("BinaryMissing", {
  binary: Schema.String,
  /** The npm package that contains the program for this platform, if there is one. */
  package: Schema.optionalKey(Schema.String),
  message: Schema.String
}) {}

/** A part of the devnet did not start. `output` contains the last output of that part. */
export class StartFailed extends Schema.TaggedError<StartFailed>()("StartFailed", {
  part: Schema.String,
  output: Schema.String,
  message: Schema.String
}) {}

/** A chain rejected a request from a control or from the setup, or did not respond to it. */
export class ChainRefused extends Schema.TaggedError<ChainRefused>()("ChainRefused", {
  method: Schema.String,
  /** The JSON-RPC error code, if the chain responded. */
  code: Schema.optionalKey(Schema.Int),
  message: Schema.String
}) {}

/** A chain exited before the devnet stopped. */
export class ChainDied extends Schema.TaggedError<ChainDied>()("ChainDied", {
  /** The part that exited: `EVM chain 31337`, or `the Solana JSON-RPC server`. */
  part: Schema.String,
  /** The exit code, or 128 plus the signal number if a signal ended the program. */
  code: Schema.optionalKey(Schema.Int),
  /** The last lines of the program's standard error. */
  output: Schema.String,
  message: Schema.String
}) {}

/** A reorg would have replaced finalized blocks. Nothing was replaced. */
export class ReorgTooDeep extends Schema.TaggedError<ReorgTooDeep>()("ReorgTooDeep", {
  depth: Schema.Int,
  /** The number of confirmations that make a block final, counting the block itself. */
  confirmations: Schema.Int,
  message: Schema.String
}) {}

/** An option is invalid. Nothing was started. */
export class InvalidOption extends Schema.TaggedError<InvalidOption>()("InvalidOption", {
  option: Schema.String,
  message: Schema.String
}) {}

/** The errors that can occur while a devnet starts. */
export type DevnetError = PortTaken | BinaryMissing | StartFailed | ChainRefused | ChainDied | InvalidOption
