/** A tool: a plain function with a name, a description and JSON schemas. */
import { type SwapEvent, signedSoFar } from "@geoswap/core/promise"
import type { Backend, Call } from "./Backend.js"
import { toBounded, toBoundedSchema } from "./bounds.js"
import { type ObjectSchema, problemsOf, type Typed } from "./JsonSchema.js"
import { reportProgress } from "./reportProgress.js"
import { type Described, ToolError, type ToolErrorFields, toFields } from "./ToolError.js"
import { isPlainId } from "./untrusted.js"

/** Hints for clients, with the names that MCP gives them. */
interface Annotations {
  /** The tool changes nothing. */
  readonly readOnlyHint: boolean
  /** The tool may spend tokens or remove something. */
  readonly destructiveHint: boolean
  /** Another call with the same arguments changes nothing more. */
  readonly idempotentHint: boolean
  /** The tool talks to a service or a chain. */
  readonly openWorldHint: boolean
}

/** A step of a running call. `progress` grows with every step, up to `total`. */
export interface ToolProgress {
  readonly progress: number
  readonly total: number
  /** What happened, in one sentence. Never contains text from a service or a chain. */
  readonly message: string
}

/** Options for running a tool. */
export interface RunOptions {
  /** Cancels the call. The result then says what was not undone. */
  readonly signal?: AbortSignal | undefined
  /** Called for every step of a swap. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined
}

/** The result of a tool. */
export interface ToolResult {
  readonly isError: boolean
  /** A short text for the model. Never contains text from a service or a chain. */
  readonly text: string
  /** The result in the form of `outputSchema`, or `{ error }`. */
  readonly structured: Readonly<Record<string, unknown>>
}

/** A tool. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  readonly annotations: Annotations
  /** Runs the tool. Resolves with an error result if the tool fails or is cancelled. */
  readonly run: (input: unknown, options?: RunOptions) => Promise<ToolResult>
}

/** The definition of a tool. */
interface Definition<I, O> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Typed<I, ObjectSchema>
  readonly output: Typed<O, ObjectSchema>
  readonly annotations: Annotations
  readonly call: (backend: Backend, input: I, call: Call) => Promise<O>
  /** Formats the result. Uses no field that holds untrusted text. */
  readonly text: (output: O) => string
  /** What cancelling a call did not undo, if the call has reported nothing (default: that nothing was signed). */
  readonly cancelled?: Described
}

/** Annotations for a tool that only reads. */
export const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true
}

/** Annotations for a tool that signs. Repeating a call does not sign again. */
export const signs: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true
}

const errorResult = (given: ToolErrorFields): ToolResult => {
  const { value: fields } = toBounded(given)
  const { approvalId, code, flowId, message, nextStep, swapId } = fields
  const ids = [
    flowId !== undefined && `flowId ${flowId}`,
    swapId !== undefined && isPlainId(swapId) && `swapId ${swapId}`,
    approvalId !== undefined && `approvalId ${approvalId}`
  ].filter((id) => id !== false)
  return {
    isError: true,
    text: [`${code}: ${message}`, `Next: ${nextStep}`, ...ids].join("\n"),
    structured: { error: fields }
  }
}

const unsigned: Described = {
  message: "You cancelled before anything was signed.",
  nextStep: "Nothing has to be undone. A retry with the same arguments starts the swap."
}

const delegationSigned: Described = {
  message:
    "You cancelled before the swap was signed. The wallet may have signed a delegation to the pinned contract, which the service may set. It moves nothing.",
  nextStep: "Call get_delegation to read it. A retry with the same arguments starts the swap."
}

/** What cancelling a call did not undo. */
const cancelled = (
  { delegation, flowId, swap, swapId }: ReturnType<typeof signedSoFar>,
  otherwise: Described = delegation === "none" ? unsigned : delegationSigned
): ToolErrorFields => {
  if (swapId !== undefined) {
    return {
      code: "CANCELLED",
      message: "You stopped waiting. The service has accepted the swap, and the swap continues: it was not undone.",
      nextStep: "Call get_swap or wait_for_swap with the swapId. Do not start the swap again.",
      swapId,
      flowId
    }
  }
  return swap === "none"
    ? { code: "CANCELLED", ...otherwise }
    : {
        code: "CANCELLED",
        message:
          "You cancelled after the swap was signed. A signature cannot be taken back, and the service may have it.",
        nextStep: "Call list_swaps, and then resume_swap with the flowId. Do not start the swap again.",
        flowId
      }
}

/** Defines a tool. Returns the function that creates it for a backend. */
export const defineTool =
  <I, O>(definition: Definition<I, O>) =>
  (backend: Backend): Tool => {
    const { annotations, description, input: inputType, name, output: outputType, title } = definition
    const run = async (input: unknown, { onProgress, signal = new AbortController().signal }: RunOptions = {}) => {
      const events: Array<SwapEvent> = []
      try {
        const problems = problemsOf(inputType.schema, input ?? {})
        if (problems.length > 0) {
          throw new ToolError({
            code: "INVALID_ARGUMENTS",
            message: problems.join(" "),
            nextStep: "Nothing was sent. Correct the arguments."
          })
        }
        signal.throwIfAborted()
        const call = { signal, onProgress: reportProgress(events, onProgress) }
        const output = await definition.call(backend, (input ?? {}) as I, call)
        const { leftOut, value } = toBounded(output)
        const [text, structured] = [definition.text(value), value as ToolResult["structured"]]
        if (leftOut === undefined) return { isError: false, text, structured }
        return {
          isError: false,
          text: `${text}\nLeft out, because the result would be too long: ${leftOut}.`,
          structured: { ...structured, leftOut }
        }
      } catch (error) {
        if (signal.aborted) {
          const stopped = () => cancelled(signedSoFar(events), definition.cancelled)
          return errorResult(annotations.readOnlyHint ? stoppedReading : stopped())
        }
        return errorResult(toFields(error))
      }
    }
    return {
      name,
      title,
      description,
      inputSchema: inputType.schema,
      outputSchema: toBoundedSchema(outputType.schema),
      annotations,
      run
    }
  }

const stoppedReading: ToolErrorFields = {
  code: "CANCELLED",
  message: "You stopped the call. It only reads, so nothing has to be undone.",
  nextStep: "Call the tool again if you need the result."
}
