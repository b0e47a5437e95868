/** The stages of a swap, as progress that only grows. */
import type { Progress } from "./Backend.js"
import type { ToolProgress } from "./Tool.js"

/** How far a call has come. */
export interface Stages {
  /** Whether the wallet may have signed a delegation. */
  delegated: boolean
  signed: boolean
  flowId: string | undefined
  swapId: string | undefined
  progress: number
}

/** The state of a call that has not started. */
export const startStages = (): Stages => ({
  delegated: false,
  signed: false,
  flowId: undefined,
  swapId: undefined,
  progress: 0
})

/** The number of stages of a complete swap. */
const total = 8

const positions: Readonly<Record<Progress["stage"], number>> = {
  quoted: 1,
  requoted: 1,
  authorizing: 2,
  built: 3,
  verified: 4,
  signed: 5,
  submitted: 6,
  resubmitted: 6,
  status: 7,
  done: 8
}

const messageOf = ({ stage, status }: Progress): string => {
  switch (stage) {
    case "quoted":
      return "The service quoted a price."
    case "requoted":
      return "The quote expired and was replaced."
    case "authorizing":
      return "Signing the wallet's delegation to the pinned contract."
    case "built":
      return "The service built the operation."
    case "verified":
      return "The operation matches the quote and the policy."
    case "signed":
      return "The swap is signed. From here on, cancelling does not undo it."
    case "submitted":
      return "The service accepted the swap."
    case "resubmitted":
      return "Sending the same signature again, because the service did not answer."
    case "status":
      return `The swap is ${status ?? "pending"}.`
    case "done":
      return `The swap is ${status ?? "finished"}.`
  }
}

/** The next number between the last one and the position of the following stage. */
const nextProgress = (last: number, position: number): number =>
  position > last ? position : last + (Math.floor(last) + 1 - last) / 2

/** Returns a listener that records each stage and reports it. */
export const reportStages =
  (stages: Stages, onProgress: ((progress: ToolProgress) => void) | undefined) =>
  (progress: Progress): void => {
    if (progress.stage === "authorizing") stages.delegated = true
    if (progress.stage === "signed" || progress.stage === "resubmitted") stages.signed = true
    stages.flowId = progress.flowId ?? stages.flowId
    stages.swapId = progress.swapId ?? stages.swapId
    stages.progress = nextProgress(stages.progress, positions[progress.stage])
    onProgress?.({ progress: stages.progress, total, message: messageOf(progress) })
  }
