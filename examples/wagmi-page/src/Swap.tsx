/** The swap form. While a swap is running, its progress is shown instead. */
import { formatAmount, minOutputOf, type PromiseEvmSigner, type Quote } from "@geoswap/core/promise"
import { useIdempotencyKey, useQuote, useResumableSwaps, useSwap } from "@geoswap/react"
import { parseFormAmount } from "@geoswap/react/query"
import { useState } from "react"
import { erc20Abi, maxUint256 } from "viem"
import { useReadContract } from "wagmi"
import { type Token, tokenById, tokens } from "./network.ts"
import { PayerNotice } from "./PayerNotice.tsx"
import { Progress } from "./Progress.tsx"
import { usePayer } from "./usePayer.ts"

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly onChange: (id: string) => void
}

const TokenSelect = ({ label, onChange, value }: SelectProps) => (
  <label>
    {label}
    <select value={value} onChange={(event) => onChange(event.target.value)}>
      {tokens.map(({ chain, id, symbol }) => (
        <option key={id} value={id}>
          {symbol} on {chain}
        </option>
      ))}
    </select>
  </label>
)

const QuoteDetails = ({ quote, secondsLeft, to }: { quote: Quote; secondsLeft: number | undefined; to: Token }) => (
  <dl>
    <div className="output">
      <dt>You receive</dt>
      <dd>
        {formatAmount(quote.output, to)} {to.symbol}
      </dd>
    </div>
    <div>
      <dt>At least</dt>
      <dd>
        {formatAmount(minOutputOf(quote), to)} {to.symbol}
      </dd>
    </div>
    <div>
      <dt>Fee</dt>
      <dd>{quote.feeBps / 100}%</dd>
    </div>
    <div>
      <dt>Valid for</dt>
      <dd>{secondsLeft} s</dd>
    </div>
  </dl>
)

interface SwapProps {
  readonly signer: PromiseEvmSigner
  /** The wallet's name. */
  readonly wallet: string
}

export const Swap = ({ signer, wallet }: SwapProps) => {
  const [fromId, setFromId] = useState(tokens[0]?.id ?? "")
  const [toId, setToId] = useState(tokens.findLast(({ id }) => id !== fromId)?.id ?? "")
  const [text, setText] = useState("")
  const [from, to] = [tokenById(fromId), tokenById(toId)]

  const balance = useReadContract({
    abi: erc20Abi,
    address: from.address,
    functionName: "balanceOf",
    args: [signer.address as `0x${string}`],
    chainId: from.chainId
  })
  const swap = useSwap({ onSettled: () => balance.refetch() })
  const unfinished = useResumableSwaps().data?.[0]
  const { amount, error } = parseFormAmount(text, from, maxUint256)
  const problem =
    error ??
    (fromId === toId ? "Choose two different tokens." : undefined) ??
    (amount && balance.data !== undefined && amount > balance.data ? "This is more than your balance." : undefined)
  const asked =
    amount && problem === undefined && swap.isIdle
      ? {
          originChain: from.chainId,
          destinationChain: to.chainId,
          inputToken: from.address,
          outputToken: to.address,
          amount,
          walletAddress: signer.address,
          slippageBps: 50
        }
      : undefined
  const payer = usePayer(signer, from.chainId, asked)
  // No quote is requested for a wallet that cannot pay.
  const request = payer.state === "ready" ? asked : undefined
  const quote = useQuote(request)
  const idempotencyKey = useIdempotencyKey(quote.data && request)

  if (!swap.isIdle) return <Progress swap={swap} wallet={wallet} />
  return (
    <form
      aria-label="Swap"
      onSubmit={(event) => {
        event.preventDefault()
        if (request && quote.data && idempotencyKey) swap.mutate({ request, quote: quote.data, idempotencyKey })
      }}
    >
      {unfinished && (
        <p className="notice">
          You have an unfinished swap.{" "}
          <button type="button" className="link" onClick={() => swap.mutate({ flowId: unfinished.id })}>
            Resume it
          </button>
        </p>
      )}
      <TokenSelect label="Pay with" value={fromId} onChange={setFromId} />
      <label>
        Amount
        <input
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <p className="hint">
        {balance.data === undefined ? "Reading your balance…" : `Balance: ${formatAmount(balance.data, from)}`}
      </p>
      <TokenSelect label="Receive" value={toId} onChange={setToId} />
      <PayerNotice payer={payer} chain={from.chain} wallet={wallet} />
      {problem !== undefined && <p role="alert">{problem}</p>}
      {quote.phase === "loading" && <p role="status">Requesting a quote…</p>}
      {quote.phase === "error" && <p role="alert">{quote.failureReason?.message}</p>}
      {quote.data && <QuoteDetails quote={quote.data} secondsLeft={quote.secondsLeft} to={to} />}
      <button className="main" disabled={quote.data === undefined || idempotencyKey === undefined}>
        Swap
      </button>
    </form>
  )
}
