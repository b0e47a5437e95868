/** Something to read before going on. */
import type { ReactElement, ReactNode } from "react"
import type { ErrorDescription } from "../format/describeError.js"
import { Icon } from "./Icon.js"

interface NoticeProps {
  readonly tone: ErrorDescription["tone"]
  readonly children: ReactNode
}

/** A box in the colour of its tone; what matters gets a sign besides the colour. */
export const Notice = ({ children, tone }: NoticeProps): ReactElement => (
  <div className={`notice notice-${tone}`}>
    {tone !== "calm" && <Icon name="alert" />}
    <div>{children}</div>
  </div>
)

/** An error in words, with what it says itself for whoever wants to know. */
export const ErrorNotice = ({ detail, text, title, tone }: ErrorDescription): ReactElement => (
  <Notice tone={tone}>
    <strong>{title}</strong> {text}
    {detail !== undefined && (
      <details>
        <summary>Details</summary>
        <code>{detail}</code>
      </details>
    )}
  </Notice>
)
