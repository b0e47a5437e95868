/** Messages for swap failure codes. */
import { text } from "../language/language.js"

/** Returns the message for a failure code. Unknown codes are shown unchanged. */
export const failureReason = (failureCode: string | undefined) =>
  failureCode === undefined
    ? undefined
    : ((text.failures as Readonly<Record<string, string>>)[failureCode] ?? text.unknownFailure(failureCode))
