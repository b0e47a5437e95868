/** The slippage setting. */
import { type ReactElement, useId, useRef, useState } from "react"
import { Icon } from "../ui/Icon.js"
import { formatPercent } from "../format/amounts.js"
import { type ParsedSlippage, parseSlippage } from "./parseSlippage.js"
import type { PageForm } from "./usePageForm.js"

const presets = [50, 100, 300]

const problems: Readonly<Record<NonNullable<ParsedSlippage["error"]>, string>> = {
  number: "Enter a percentage such as 0.5.",
  step: "The smallest step is 0.01%.",
  range: "Enter at most 50%."
}

/** Positions the popover below its button. */
const place = (popover: HTMLElement, button: HTMLElement | null): void => {
  const { bottom = 0, right = 0 } = button?.getBoundingClientRect() ?? {}
  popover.style.top = `${bottom}px`
  popover.style.right = `${Math.max(12, document.documentElement.clientWidth - right)}px`
}

/** A button with the slippage popover. */
export const Settings = ({ form }: { readonly form: PageForm }): ReactElement => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const { errors, set, values } = form
  const { slippageBps } = values
  const [custom, setCustom] = useState("")
  const { error } = parseSlippage(custom)
  const problem = error && problems[error]
  const choose = (bps: number | undefined) => {
    setCustom("")
    set("slippageBps", bps)
  }
  return (
    <>
      <button ref={button} type="button" className="plain settings-button" popoverTarget={id} aria-label="Settings">
        {errors.slippageBps !== undefined ? (
          <Icon name="alert" />
        ) : (
          slippageBps !== undefined && <span>{formatPercent(slippageBps)}</span>
        )}
        <Icon name="gear" />
      </button>
      <div
        id={id}
        popover="auto"
        onBeforeToggle={({ currentTarget }) => place(currentTarget, button.current)}
        className="popover"
        role="group"
        aria-label="Slippage"
      >
        <h2>Slippage</h2>
        <p>How far the price may fall before delivery. If it falls further, your payment is refunded.</p>
        <div className="presets">
          <button type="button" aria-pressed={slippageBps === undefined} onClick={() => choose(undefined)}>
            Auto
          </button>
          {presets.map((bps) => (
            <button key={bps} type="button" aria-pressed={slippageBps === bps} onClick={() => choose(bps)}>
              {formatPercent(bps)}
            </button>
          ))}
          <label>
            <span className="visually-hidden">Slippage in percent</span>
            <input
              inputMode="decimal"
              placeholder="Custom"
              value={custom}
              aria-invalid={errors.slippageBps !== undefined}
              aria-describedby={`${id}-error`}
              onChange={(event) => {
                setCustom(event.target.value)
                const { bps, error } = parseSlippage(event.target.value)
                // An invalid slippage blocks the review. It is never replaced by another one.
                set("slippageBps", error === undefined ? bps : -1)
              }}
            />
            %
          </label>
        </div>
        <p className="field-error" id={`${id}-error`} aria-live="polite">
          {problem ??
            errors.slippageBps ??
            (slippageBps !== undefined && slippageBps > 500
              ? "This slippage is high. Before you sign, you will be asked to confirm the amount at risk."
              : undefined)}
        </p>
      </div>
    </>
  )
}
