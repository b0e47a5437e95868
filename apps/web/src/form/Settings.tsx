/** The slippage setting. */
import { minOutputOf } from "@geoswap/core/promise"
import { useId, useRef, useState } from "react"
import { Icon } from "../ui/Icon.js"
import { changeBps, formatExactDecimal, formatPercent } from "../format/amounts.js"
import { parseSlippage } from "./parseSlippage.js"
import type { PageForm } from "./usePageForm.js"
import { text } from "../language/language.js"

/** Positions the popover below its button. */
const place = (popover: HTMLElement, button: HTMLElement | null) => {
  const { bottom = 0, right = 0 } = button?.getBoundingClientRect() ?? {}
  popover.style.top = `${bottom}px`
  popover.style.right = `${Math.max(12, document.documentElement.clientWidth - right)}px`
}

/** A button with the slippage popover. */
export const Settings = ({ form }: { readonly form: PageForm }) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const { errors, price, set, values } = form
  const { slippageBps } = values
  const [custom, setCustom] = useState("")
  const { slippage: words } = text
  const { error } = parseSlippage(custom)
  const examples = { number: formatExactDecimal("0.5"), step: formatPercent(1), range: formatPercent(5_000) }
  const problem = error && words[error](examples[error])
  // The service chooses the slippage, so it is known once there is a price.
  const automatic =
    slippageBps === undefined && price !== undefined
      ? words.autoPercent(formatPercent(Math.round(-changeBps(price.output, minOutputOf(price)))))
      : words.auto
  return (
    <>
      <button
        ref={button}
        type="button"
        className="plain settings-button"
        popoverTarget={id}
        aria-label={text.form.settings}
      >
        {errors.slippageBps ? (
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
        aria-label={words.title}
      >
        <h2>{words.title}</h2>
        <p>{words.text}</p>
        <div className="presets">
          {[undefined, 50, 100, 300].map((bps) => (
            <button
              key={bps ?? "auto"}
              type="button"
              aria-pressed={slippageBps === bps}
              onClick={() => {
                setCustom("")
                set("slippageBps", bps)
              }}
            >
              {bps === undefined ? automatic : formatPercent(bps)}
            </button>
          ))}
          <label>
            <span className="visually-hidden">{words.label}</span>
            <input
              inputMode="decimal"
              placeholder={words.custom}
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
          {problem ?? errors.slippageBps ?? (slippageBps !== undefined && slippageBps > 500 ? words.high : undefined)}
        </p>
      </div>
    </>
  )
}
