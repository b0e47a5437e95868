/** The slippage setting. */
import { type ReactElement, useId, useRef, useState } from "react"
import { Icon } from "../ui/Icon.js"
import { formatPercent } from "../format/amounts.js"
import type { PageForm } from "./usePageForm.js"

const presets = [50, 100, 300]

const parseBps = (text: string): number | undefined => {
  const value = Number(text.trim().replace(/%$/, ""))
  return text.trim() === "" || !Number.isFinite(value) ? undefined : Math.round(value * 100)
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
  const choose = (bps: number | undefined) => {
    setCustom("")
    set("slippageBps", bps)
  }
  return (
    <>
      <button ref={button} type="button" className="plain settings-button" popoverTarget={id} aria-label="Settings">
        {slippageBps !== undefined && <span>{formatPercent(slippageBps)}</span>}
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
              onChange={(event) => {
                setCustom(event.target.value)
                set("slippageBps", parseBps(event.target.value))
              }}
            />
            %
          </label>
        </div>
        <p className="field-error">
          {errors.slippageBps ??
            (slippageBps !== undefined && slippageBps > 500
              ? "This slippage is high. Before you sign, you will be asked to confirm the amount at risk."
              : undefined)}
        </p>
      </div>
    </>
  )
}
