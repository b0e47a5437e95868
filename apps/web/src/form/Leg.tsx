/** One side of the swap: a token on a chain and an amount. */
import { type ReactNode, useState } from "react"
import { shortenAddress } from "../format/amounts.js"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import { TokenLogo } from "../tokens/TokenLogo.js"
import type { Side } from "../tokens/tokenOptions.js"
import { TokenPicker } from "../tokens/TokenPicker.js"
import { Dialog } from "../ui/Dialog.js"
import { Icon } from "../ui/Icon.js"
import { nameOfAddress } from "./nameOfAddress.js"
import type { PageForm } from "./usePageForm.js"

interface LegProps {
  readonly form: PageForm
  readonly side: Side
  /** The amount, shown next to the token. */
  readonly amount: ReactNode
  readonly children: ReactNode
}

/** Shows one side of the form, with the wallet or address, and a button that opens the dialog in which a token is picked. */
export const Leg = ({ amount, children, form, side }: LegProps) => {
  const [open, setOpen] = useState(false)
  const page = usePage()
  const { picker } = text
  const { chains, set } = form
  const { address, chain, fields, isNamed, token } = {
    from: {
      fields: ["originChain", "inputToken"] as const,
      chain: form.origin,
      token: form.inputToken,
      address: form.wallet,
      isNamed: true
    },
    to: {
      fields: ["destinationChain", "outputToken"] as const,
      chain: form.destination,
      token: form.outputToken,
      address: form.recipient,
      isNamed: form.errors.recipient === undefined
    }
  }[side]
  const current = chain && token && { chain, token }
  const label = picker.button[side](current ? picker.on(current.token.symbol, current.chain.name) : picker.select)
  const name = isNamed && chain && address && nameOfAddress(page, chain.family, address)
  return (
    <div className={`leg leg-${side}`}>
      <span className="pin" aria-hidden="true" />
      <div className="leg-head">
        <h2>{text.form[side]}</h2>
        <span className="who">
          {address === undefined ? text.form.noWallet : `${name ? `${name} ` : ""}${shortenAddress(address)}`}
        </span>
      </div>
      <div className="leg-row">
        {amount}
        <button
          type="button"
          className="token-button"
          aria-haspopup="dialog"
          aria-label={label}
          title={label}
          disabled={chains.length === 0}
          onClick={() => setOpen(true)}
        >
          {current && <TokenLogo symbol={current.token.symbol} chain={current.chain.name} />}
          <span className="token-names">
            <strong>{current?.token.symbol ?? picker.select}</strong>{" "}
            <span>{current && picker.onChain(current.chain.name)}</span>
          </span>
          <Icon name="down" />
        </button>
        <Dialog title={picker.title[side]} open={open} onClose={() => setOpen(false)}>
          <TokenPicker
            side={side}
            chains={chains}
            current={current}
            onPick={(option) => {
              set(fields[0], option.chain.id)
              set(fields[1], option.token.address)
              setOpen(false)
            }}
          />
        </Dialog>
      </div>
      {children}
    </div>
  )
}
