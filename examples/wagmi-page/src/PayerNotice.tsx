/** Explains why the wallet cannot pay, and what to do instead. */
import type { Payer } from "./usePayer.ts"

interface PayerNoticeProps {
  readonly payer: Payer
  /** The name of the chain to pay on. */
  readonly chain: string
  /** The name of the wallet. */
  readonly wallet: string
}

export const PayerNotice = ({ chain, payer: { check, problem, state }, wallet }: PayerNoticeProps) => {
  if (state === "ready") return null
  if (state === "checking") return <p role="status">Checking whether {wallet} can pay…</p>
  return (
    <div className="notice" role="alert">
      {state === "cannot-pay" && (
        <>
          <strong>
            {wallet} cannot pay with this token on {chain}.
          </strong>
          <p>{problem} Nothing was requested or signed.</p>
          <p>
            Pay with another token, such as USDC, from a wallet that is already delegated on {chain}, or from a Solana
            wallet.
          </p>
        </>
      )}
      {state === "unknown" && <strong>The service could not be reached.</strong>}
      <button type="button" className="link" onClick={check}>
        Check again
      </button>
    </div>
  )
}
