/** Notices and error messages. */
import type { ReactNode } from "react"
import type { ErrorDescription } from "../format/describeError.js"
import { text as words } from "../language/language.js"
import { Icon } from "./Icon.js"

interface NoticeProps {
  readonly tone: ErrorDescription["tone"]
  readonly children: ReactNode
}

/** A box whose color depends on its tone. Warnings also have an icon. */
export const Notice = ({ children, tone }: NoticeProps) => (
  <div className={`notice notice-${tone}`}>
    {tone !== "calm" && <Icon name="alert" />}
    <div>{children}</div>
  </div>
)

/** A description of an error, with the original message as details. */
export const ErrorNotice = ({ detail, text, title, tone }: ErrorDescription) => (
  <Notice tone={tone}>
    <strong>{title}</strong> {text}
    {detail !== undefined && (
      <details>
        <summary>{words.page.details}</summary>
        <code>{detail}</code>
      </details>
    )}
  </Notice>
)
