/** The button that shows the token of one side, and opens the dialog in which it is picked. */
import type { ChainInfo } from "@geoswap/core/promise"
import { useState } from "react"
import { text } from "../language/language.js"
import { Dialog } from "../ui/Dialog.js"
import { Icon } from "../ui/Icon.js"
import { TokenLogo } from "./TokenLogo.js"
import { TokenPicker } from "./TokenPicker.js"
import type { Side, TokenOption } from "./tokenOptions.js"

interface TokenButtonProps {
  readonly side: Side
  readonly chains: ReadonlyArray<ChainInfo>
  readonly current: TokenOption | undefined
  readonly onPick: (option: TokenOption) => void
}

/** Shows the token and its chain. */
export const TokenButton = ({ chains, current, onPick, side }: TokenButtonProps) => {
  const [open, setOpen] = useState(false)
  const { picker } = text
  const label = current ? picker.on(current.token.symbol, current.chain.name) : picker.select
  return (
    <>
      <button
        type="button"
        className="token-button"
        aria-haspopup="dialog"
        aria-label={picker.button[side](label)}
        title={picker.button[side](label)}
        disabled={chains.length === 0}
        onClick={() => setOpen(true)}
      >
        {current !== undefined && <TokenLogo symbol={current.token.symbol} chain={current.chain.name} />}
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
            onPick(option)
            setOpen(false)
          }}
        />
      </Dialog>
    </>
  )
}
