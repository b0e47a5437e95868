/** The slippage setting. */
import { minOutputOf } from "@geoswap/core/promise"
import { useId, useRef, useState } from "react"
import { Icon } from "../ui/Icon.js"
import { changeBps, formatExactDecimal, formatPercent } from "../format/amounts.js"
import { type ParsedSlippage, parseSlippage } from "./parseSlippage.js"
import type { PageForm } from "./usePageForm.js"
import { text } from "../language/language.js"

const presets = [50, 100, 300]

const problemOf = (error: NonNullable<ParsedSlippage["error"]>) => {
  const examples = { number: formatExactDecimal("0.5"), step: formatPercent(1), range: formatPercent(5_000) }
  return text.slippage[error](examples[error])
}

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
  const { error } = parseSlippage(custom)
  const problem = error && problemOf(error)
  // The service chooses the slippage, so it is known once there is a price.
  const automatic =
    slippageBps === undefined && price !== undefined
      ? formatPercent(Math.round(-changeBps(price.output, minOutputOf(price))))
      : undefined
  const choose = (bps: number | undefined) => {
    setCustom("")
    set("slippageBps", bps)
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="plain settings-button"
        popoverTarget={id}
        aria-label={text.form.settings}
      >
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
        aria-label={text.slippage.title}
      >
        <h2>{text.slippage.title}</h2>
        <p>{text.slippage.text}</p>
        <div className="presets">
          <button type="button" aria-pressed={slippageBps === undefined} onClick={() => choose(undefined)}>
            {automatic === undefined ? text.slippage.auto : text.slippage.autoPercent(automatic)}
          </button>
          {presets.map((bps) => (
            <button key={bps} type="button" aria-pressed={slippageBps === bps} onClick={() => choose(bps)}>
              {formatPercent(bps)}
            </button>
          ))}
          <label>
            <span className="visually-hidden">{text.slippage.label}</span>
            <input
              inputMode="decimal"
              placeholder={text.slippage.custom}
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
            (slippageBps !== undefined && slippageBps > 500 ? text.slippage.high : undefined)}
        </p>
      </div>
    </>
  )
}
