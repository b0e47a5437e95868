/** Conformance cases for Solana signers. */
import type * as Signer from "../Signer.js"
import type { PromiseSolanaSigner, TransactionToSign } from "../Signer.js"
import { holds, type SignerCase } from "./contractAssertions.js"
import { damage, hostileTransactionsOf, withoutMinimum } from "./hostilePayloads.js"
import {
  valueOf,
  refused,
  acceptedOrRefused,
  settle,
  settleSigning,
  shows,
  solanaSecrets,
  runTool
} from "./runSigner.js"
import { hostileTransactions, solanaDeployment, solanaKey, transactions } from "./vectors.js"

/** Options for running the suite with a Solana signer. */
export interface SolanaSignerOptions {
  readonly family: "solana"
  /** Creates the signer for the suite's wallet, whose key is public. Called once per case. */
  readonly make: (
    key: typeof solanaKey
  ) => Signer.Solana | PromiseSolanaSigner | Promise<Signer.Solana | PromiseSolanaSigner>
  /** Whether a base64 transaction has a valid signature by this address over its message. */
  readonly isSignedBy: (transaction: string, address: string) => boolean | Promise<boolean>
}

/** The byte range of the wallet's signature in the vectors: after the count and the fee payer's signature. */
const walletSlot = [1 + 64, 1 + 64 + 64] as const

const aroundSlot = (transaction: string): string => {
  const bytes = atob(transaction)
  return btoa(bytes.slice(0, walletSlot[0]) + bytes.slice(walletSlot[1]))
}

const isBase64 = (text: unknown): text is string =>
  typeof text === "string" && text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

export const solanaCases = (options: SolanaSignerOptions): ReadonlyArray<SignerCase> => {
  const { address: wallet } = solanaKey
  const make = async () => options.make(solanaKey)
  const verified = async (transaction: TransactionToSign) => {
    const signer = await make()
    holds(signer.verifyTransaction !== undefined, "a signer without verifyTransaction signs blindly.")
    return settle<void>(signer, (abort) => signer.verifyTransaction?.(transaction, abort))
  }
  const isSigned = (transaction: string) => runTool("isSignedBy", () => options.isSignedBy(transaction, wallet))
  const refusal = (name: string, payload: TransactionToSign): SignerCase => ({
    name: `refuses ${name}`,
    run: async () => refused(await verified(payload), name, ["UnsafeOperation"], solanaSecrets)
  })
  const { deployment: _, ...unpinned } = transactions[0]
  return [
    {
      name: "is tested with an isSignedBy that works",
      run: async () => {
        for (const { signedTransaction, unsignedTransaction } of transactions) {
          holds(
            await isSigned(signedTransaction),
            "isSignedBy must return true for a transaction that the wallet signed."
          )
          const wrong = [unsignedTransaction, damage(signedTransaction, (length) => length - 2)]
          for (const transaction of wrong) {
            holds(
              !(await isSigned(transaction)),
              "isSignedBy must return false if the wallet did not sign the message."
            )
          }
        }
      }
    },
    {
      name: "is the wallet of its key",
      run: async () => {
        const { address } = await make()
        holds(address === wallet, `address: expected ${wallet}, got ${address}.`)
      }
    },
    {
      name: "does not show its key",
      run: async () => holds(!shows(await make(), solanaSecrets), "printing the signer reveals its key.")
    },
    ...transactions.flatMap((vector): ReadonlyArray<SignerCase> => {
      const { name, quote, unsignedTransaction } = vector
      return [
        {
          name: `accepts a transaction ${name}`,
          run: async () => valueOf(await verified(vector), "verifyTransaction")
        },
        {
          name: `accepts a transaction ${name}, quoted without a minimum`,
          run: async () => {
            const agreed = withoutMinimum(quote, quote.minOutput ?? quote.output)
            valueOf(await verified({ ...vector, quote: agreed }), "verifyTransaction")
          }
        },
        {
          name: `signs a transaction ${name}, and changes nothing else in it`,
          run: async () => {
            const signer = await make()
            const settled = await settleSigning<string>(signer, (abort) => signer.signTransaction(vector, abort))
            const signed: unknown = valueOf(settled, "signTransaction")
            holds(isBase64(signed), "a signed transaction must be a base64 string.")
            holds(
              aroundSlot(signed) === aroundSlot(unsignedTransaction),
              "signing changed more than the wallet's signature: the message or the other signature differs."
            )
            holds(await isSigned(signed), "the wallet's signature is not valid.")
          }
        },
        ...hostileTransactionsOf(vector).map(([change, transaction]) =>
          refusal(`${change} in a transaction ${name}`, transaction)
        )
      ]
    }),
    ...hostileTransactions.map((transaction) => refusal(`a transaction with ${transaction.name}`, transaction)),
    ...hostileTransactions
      .filter(({ name }) => name === "the wallet as fee payer")
      .map((transaction) =>
        refusal(`a transaction with ${transaction.name}, without a pinned relayer`, {
          ...transaction,
          deployment: { vault: solanaDeployment.vault }
        })
      ),
    {
      name: "verifies without pinned accounts, or says that it does not",
      run: async () =>
        acceptedOrRefused(await verified(unpinned), "a transaction without pinned accounts", solanaSecrets)
    }
  ]
}
