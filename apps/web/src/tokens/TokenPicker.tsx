/** The dialog in which a token and its chain are picked: by search, by chain, or from the recent ones. */
import { formatAmount } from "@geoswap/core/promise"
import type { ChainInfo } from "@geoswap/core/promise"
import { useQueryClient } from "@tanstack/react-query"
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react"
import { balanceIn, useBalances } from "../balances.js"
import { formatDecimal, shortenAddress } from "../format/amounts.js"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import { TokenLogo } from "./TokenLogo.js"
import { keyOf, searchTokens, type Side, type TokenOption, tokenOptions } from "./tokenOptions.js"
import { recentTokens, rememberToken } from "./recentTokens.js"
import { nameOfToken } from "./wellKnown.js"

/** Reads the balances on one chain while the dialog is open. */
const ChainBalances = ({ chain }: { readonly chain: ChainInfo }) => {
  const { wallets } = usePage()
  // Opening the dialog often does not use up the visitor's rate limit.
  useBalances(chain.id, wallets[chain.family]?.address, 30_000)
  return null
}

interface Search {
  readonly query: string
  readonly chainId: number | undefined
  /** The position of the option that Enter picks. */
  readonly active: number
}

interface TokenPickerProps {
  readonly side: Side
  readonly chains: ReadonlyArray<ChainInfo>
  /** The picked token. */
  readonly current: TokenOption | undefined
  readonly onPick: (option: TokenOption) => void
}

/** The content of the dialog. The search field has the focus, and the arrow keys move through the list. */
export const TokenPicker = ({ chains, current, onPick, side }: TokenPickerProps) => {
  const { config, wallets } = usePage()
  const client = useQueryClient()
  const id = useId()
  const { picker } = text
  const [{ active, chainId, query }, setSearch] = useState<Search>({ query: "", chainId: undefined, active: 0 })
  const search = (change: Partial<Search>) => setSearch({ query, chainId, active: 0, ...change })
  const list = useRef<HTMLUListElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const options = useMemo(() => tokenOptions(chains, config, side), [chains, config, side])
  const balanceOf = ({ chain, token }: TokenOption) =>
    balanceIn(client, chain.id, wallets[chain.family]?.address, token.address)
  const isHeld = (option: TokenOption) => (balanceOf(option) ?? 0n) > 0n
  const found = searchTokens(options, query, chainId, isHeld)
  const recent = query === "" && chainId === undefined ? recentTokens(options) : []
  const at = Math.min(active, found.length - 1)
  const pick = (option: TokenOption) => {
    rememberToken(option)
    onPick(option)
  }
  const move = (to: number) => {
    const next = (to + found.length) % found.length
    search({ active: next })
    list.current?.children[next]?.scrollIntoView({ block: "nearest" })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      Home: () => move(0),
      End: () => move(found.length - 1),
      Enter: () => found[at] && pick(found[at])
    }
    // The dialog is inside the form, which Enter would submit.
    if (event.key === "Enter") event.preventDefault()
    const step = found.length > 0 ? steps[event.key] : undefined
    // Home and End move the caret in a text.
    if (step === undefined || (query !== "" && ["Home", "End"].includes(event.key))) return
    event.preventDefault()
    step()
  }
  return (
    <div className="picker">
      {chains.map((chain) => (
        <ChainBalances key={chain.id} chain={chain} />
      ))}
      <input
        ref={input}
        enterKeyHint="done"
        role="combobox"
        aria-label={picker.search}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[at] && `${id}-${at}`}
        aria-autocomplete="list"
        placeholder={picker.placeholder}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => search({ query: event.target.value })}
        onKeyDown={onKeyDown}
      />
      <div className="chips" role="group" aria-label={picker.chains}>
        {[{ id: undefined, name: picker.allChains }, ...chains].map(({ id, name }) => (
          <button key={id ?? "all"} type="button" aria-pressed={chainId === id} onClick={() => search({ chainId: id })}>
            {name}
          </button>
        ))}
      </div>
      {recent.length > 0 && (
        <div className="chips" role="group" aria-label={picker.recent}>
          {recent.map((option) => (
            <button key={keyOf(option)} type="button" onClick={() => pick(option)}>
              <TokenLogo symbol={option.token.symbol} />
              {picker.on(option.token.symbol, option.chain.name)}
            </button>
          ))}
        </div>
      )}
      <p className="visually-hidden" role="status">
        {found.length === 1 ? picker.found.one : picker.found.other(found.length)}
      </p>
      <ul ref={list} id={`${id}-list`} className="tokens" role="listbox" aria-label={picker.tokens} tabIndex={-1}>
        {found.map((option, index) => {
          const { chain, token } = option
          const units = balanceOf(option)
          return (
            // The search field handles the keys.
            <li
              key={keyOf(option)}
              id={`${id}-${index}`}
              role="option"
              aria-selected={current !== undefined && keyOf(current) === keyOf(option)}
              className={index === at ? "token token-active" : "token"}
              onClick={() => pick(option)}
              onPointerMove={() => search({ active: index })}
            >
              <TokenLogo symbol={token.symbol} chain={chain.name} />
              <span className="token-names">
                <strong>{token.symbol}</strong> <span>{picker.on(nameOfToken(token), chain.name)}</span>
              </span>
              <span className="token-amount">
                {units !== undefined && units > 0n ? (
                  <span className="number">{formatDecimal(formatAmount(units, token.decimals))}</span>
                ) : (
                  <code>{token.native ? "" : shortenAddress(token.address)}</code>
                )}
              </span>
            </li>
          )
        })}
      </ul>
      {found.length === 0 && <p className="fine">{picker.none}</p>}
    </div>
  )
}
