/** Explains why the wallet cannot pay, and what to do instead. */
import type { Payer } from "./usePayer.ts"

interface PayerNoticeProps {
  readonly payer: Payer
  /** The name of the chain to pay on. */
  readonly chain: string
  /** The name of the wallet. */
  readonly wallet: string
}

export const PayerNotice = ({ chain, payer: { check, state }, wallet }: PayerNoticeProps) => {
  if (state === "ready") return null
  if (state === "checking") return <p role="status">Checking whether {wallet} can pay…</p>
  return (
    <div className="notice" role="alert">
      {state === "needs-delegation" && (
        <>
          <strong>
            {wallet} cannot pay on {chain} yet.
          </strong>
          <p>
            The first payment on a chain requires a delegation (EIP-7702), and browser wallets do not sign delegations
            for websites. Nothing was requested or signed.
          </p>
          <p>
            Pay from another wallet: one that is already delegated on {chain}, an embedded wallet that signs
            delegations, or a Solana wallet.
          </p>
        </>
      )}
      {state === "other-delegate" && (
        <>
          <strong>
            {wallet} is delegated to another provider on {chain}.
          </strong>
          <p>Pay from a different wallet or on a different chain.</p>
        </>
      )}
      {state === "unknown" && <strong>The service could not be reached.</strong>}
      <button type="button" className="link" onClick={check}>
        Check again
      </button>
    </div>
  )
}
