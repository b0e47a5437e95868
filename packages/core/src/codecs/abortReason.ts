/** Reads abort signals, including React Native's, which have neither `throwIfAborted` nor `reason`. */

/** The reason of an aborted signal. */
export const abortReason = ({ reason }: AbortSignal): unknown => reason ?? new Error("The call was aborted.")

/** Throws the reason of a signal that has been aborted. */
export const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw abortReason(signal)
}
