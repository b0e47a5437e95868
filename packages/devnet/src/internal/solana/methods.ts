/** All RPC methods, by name. */
import { accountMethods } from "./accountMethods.js"
import { clusterMethods } from "./clusterMethods.js"
import type { Faucet } from "./faucet.js"
import type { Ledger } from "./ledger.js"
import type { Method } from "./params.js"
import { transactionMethods } from "./transactionMethods.js"

export const methods = (ledger: Ledger, faucet: Faucet): Readonly<Record<string, Method>> => ({
  ...clusterMethods(ledger),
  ...accountMethods(ledger),
  ...transactionMethods(ledger, faucet)
})
