/** What a Solana signer must do. */
import type { PromiseSolanaSigner, SolanaSigner, TransactionToSign } from "../Signer.js"
import { holds, type SignerCase } from "./contractAssertions.js"
import { damage, hostileTransactionsOf, withoutMinimum } from "./hostilePayloads.js"
import {
  given,
  refused,
  acceptedOrRefused,
  settle,
  settleSigning,
  shows,
  solanaSecrets,
  toolGave
} from "./runSigner.js"
import { hostileTransactions, solanaDeployment, solanaKey, transactions } from "./vectors.js"

/** What the suite needs to know about a Solana signer. */
export interface SolanaSignerOptions {
  readonly kind: "solana"
  /** Makes the signer for the suite's wallet, whose key is public. Called once per case. */
  readonly make: (
    key: typeof solanaKey
  ) => SolanaSigner | PromiseSolanaSigner | Promise<SolanaSigner | PromiseSolanaSigner>
  /** Whether a base64 transaction holds a valid signature of that address over its message. */
  readonly isSignedBy: (transaction: string, address: string) => boolean | Promise<boolean>
}

/** Where the wallet's signature is in the vectors: behind the count and the fee payer's. */
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
    holds(signer.verifyTransaction !== undefined, "without verifyTransaction a signer is blind.")
    return settle<void>(signer, (abort) => signer.verifyTransaction?.(transaction, abort))
  }
  const isSigned = (transaction: string) => toolGave("isSignedBy", () => options.isSignedBy(transaction, wallet))
  const refusal = (name: string, lie: TransactionToSign): SignerCase => ({
    name: `refuses ${name}`,
    run: async () => refused(await verified(lie), name, ["UnsafeOperation"], solanaSecrets)
  })
  const { deployment: _, ...unpinned } = transactions[0]
  return [
    {
      name: "is tested with an isSignedBy that works",
      run: async () => {
        for (const { signedTransaction, unsignedTransaction } of transactions) {
          holds(await isSigned(signedTransaction), "isSignedBy must say yes to a transaction that the wallet signed.")
          const wrong = [unsignedTransaction, damage(signedTransaction, (length) => length - 2)]
          for (const transaction of wrong) {
            holds(!(await isSigned(transaction)), "isSignedBy must say no where the wallet did not sign the message.")
          }
        }
      }
    },
    {
      name: "is the wallet of its key",
      run: async () => {
        const { address } = await make()
        holds(address === wallet, `address should be ${wallet} and is ${address}.`)
      }
    },
    {
      name: "does not show its key",
      run: async () => holds(!shows(await make(), solanaSecrets), "the signer shows its key when printed.")
    },
    ...transactions.flatMap((vector): ReadonlyArray<SignerCase> => {
      const { name, quote, unsignedTransaction } = vector
      return [
        {
          name: `accepts a transaction ${name}`,
          run: async () => given(await verified(vector), "verifyTransaction")
        },
        {
          name: `accepts a transaction ${name}, quoted without a minimum`,
          run: async () => {
            const agreed = withoutMinimum(quote, quote.minOutput ?? quote.output)
            given(await verified({ ...vector, quote: agreed }), "verifyTransaction")
          }
        },
        {
          name: `signs a transaction ${name}, and changes nothing else in it`,
          run: async () => {
            const signer = await make()
            const settled = await settleSigning<string>(signer, (abort) => signer.signTransaction(vector, abort))
            const signed: unknown = given(settled, "signTransaction")
            holds(isBase64(signed), "a signed transaction is base64 text.")
            holds(
              aroundSlot(signed) === aroundSlot(unsignedTransaction),
              "signing changed more than the wallet's signature: the message or the other signature is not what it was."
            )
            holds(await isSigned(signed), "the wallet's signature is not valid.")
          }
        },
        ...hostileTransactionsOf(vector).map(([lie, transaction]) =>
          refusal(`${lie} in a transaction ${name}`, transaction)
        )
      ]
    }),
    ...hostileTransactions.map((transaction) => refusal(`a transaction with ${transaction.name}`, transaction)),
    ...hostileTransactions
      .filter(({ name }) => name === "the wallet as fee payer")
      .map((transaction) =>
        refusal(`a transaction with ${transaction.name}, where no relayer is pinned`, {
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
